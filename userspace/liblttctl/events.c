// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The events that a trace records.
 *
 * Layer: liblttctl.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lttctl_event_enable(struct lttctl_trace *trace, const char *pattern)
{
	int err = lttctl_check_pattern(trace->ctl, pattern);

	if (err)
		return err;
	return lttctl_ask(trace->ctl, trace, "enable", LTTCTL_ARGS(pattern),
			  NULL, "record %s in trace %s", pattern, trace->name);
}

int lttctl_event_enable_in(struct lttctl_trace *trace, const char *channel, const char *pattern)
{
	int err = lttctl_check_name(trace->ctl, "channel", channel);

	if (!err)
		err = lttctl_check_pattern(trace->ctl, pattern);
	if (err)
		return err;
	return lttctl_ask(trace->ctl, trace, "enable-in", LTTCTL_ARGS(channel, pattern), NULL,
			  "record %s in channel %s of trace %s", pattern, channel, trace->name);
}

int lttctl_event_disable(struct lttctl_trace *trace, const char *pattern)
{
	int err = lttctl_check_pattern(trace->ctl, pattern);

	if (err)
		return err;
	return lttctl_ask(trace->ctl, trace, "disable", LTTCTL_ARGS(pattern),
			  NULL, "leave %s out of trace %s", pattern,
			  trace->name);
}

int lttctl_probe_create(struct lttctl *ctl, struct lttctl_trace *trace, const char *description)
{
	int err;

	if (trace)
		err = lttctl_ask(ctl, trace, "probe-in", LTTCTL_ARGS(description), NULL,
				 "probe %.*s", (int)strcspn(description, " "), description);
	else
		err = lttctl_ask(ctl, NULL, "probe", LTTCTL_ARGS(description), NULL,
				 "probe %.*s", (int)strcspn(description, " "), description);
	return err == -EALREADY ? 0 : err;
}

int lttctl_for_each_event(struct lttctl_trace *trace,
			  int (*fn)(const struct lttctl_event *event,
				    void *arg), void *arg)
{
	char *text, *line, *rest;
	int ret;

	ret = lttctl_ask(trace->ctl, trace, "events", NULL, &text,
			 "list the events of trace %s", trace->name);
	if (ret)
		return ret;
	rest = text;
	while (!ret && (line = strsep(&rest, "\n"))) {
		const char *mark = strsep(&line, " ");
		struct lttctl_event event = { .channel = "" };

		event.name = strsep(&line, " ");
		event.waiting = *mark == '?';
		if (line)
			event.channel = line;
		/* A line "! pattern" is a pattern that removes events. */
		if (event.name && (*mark == '+' || *mark == '?'))
			ret = fn(&event, arg);
	}
	free(text);
	return ret;
}
