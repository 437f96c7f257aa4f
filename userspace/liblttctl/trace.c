// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Traces: their life, their channels and the events they record.
 *
 * Layer: liblttctl.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const state_names[] = {
	[LTTCTL_CONFIGURING] = "configuring",
	[LTTCTL_RUNNING] = "running",
	[LTTCTL_STOPPED] = "stopped",
};

const char *lttctl_state_name(enum lttctl_state state)
{
	return state_names[state];
}

static int check_name(struct lttctl *ctl, const char *what, const char *name)
{
	if (lttctl_name_valid(name))
		return 0;
	return lttctl_fail(ctl, -EINVAL,
			   "`%s` is no name for a %s: use 1 to 63 of A-Z a-z 0-9 _ . - and no leading dot",
			   name, what);
}

int lttctl_for_each_trace(struct lttctl *ctl,
			  int (*fn)(const char *name, void *arg), void *arg)
{
	return lttctl_for_each_name(ctl, NULL, "traces", fn, arg);
}

/* A trace that could not be opened is nobody's. */
static int undo_create(struct lttctl *ctl, const char *name, int err)
{
	char why[sizeof(ctl->error)];

	strcpy(why, ctl->error);
	if (ctl->stream)
		lttctl_device_ask(ctl, NULL, "destroy", LTTCTL_ARGS(name), NULL);
	else
		lttctl_debugfs_ask(ctl, NULL, "remove", LTTCTL_ARGS(name), NULL);
	return lttctl_fail(ctl, err, "%s", why);
}

int lttctl_trace_create(struct lttctl *ctl, const char *name,
			struct lttctl_trace **trace)
{
	int err;

	err = check_name(ctl, "trace", name);
	if (!err)
		err = lttctl_ask(ctl, NULL, "create", LTTCTL_ARGS(name), NULL,
				 "create trace %s", name);
	if (err)
		return err;
	err = lttctl_trace_open(ctl, name, trace);
	/* One that is not there any more has been removed by somebody else. */
	return err && err != -ENOENT ? undo_create(ctl, name, err) : err;
}

int lttctl_trace_open(struct lttctl *ctl, const char *name,
		      struct lttctl_trace **trace)
{
	struct lttctl_trace *new;
	int err;

	err = check_name(ctl, "trace", name);
	if (err)
		return err;
	new = calloc(1, sizeof(*new));
	if (!new)
		return lttctl_fail(ctl, -ENOMEM, "out of memory");
	new->ctl = ctl;
	new->dir = -1;
	strcpy(new->name, name);
	err = ctl->stream ? lttctl_device_open(ctl, new)
			  : lttctl_debugfs_open(ctl, new);
	if (err)
		free(new);
	else
		*trace = new;
	return err;
}

void lttctl_trace_close(struct lttctl_trace *trace)
{
	if (!trace)
		return;
	if (trace->dir >= 0)
		close(trace->dir);
	free(trace);
}

const char *lttctl_trace_name(const struct lttctl_trace *trace)
{
	return trace->name;
}

bool lttctl_trace_exists(const struct lttctl_trace *trace)
{
	char *state;
	int err;

	if (trace->dir >= 0)
		return !faccessat(trace->dir, "state", F_OK, 0);
	err = lttctl_device_ask(trace->ctl, trace, "state", NULL, &state);
	if (!err)
		free(state);
	/* Also when the session has ended, and the trace with it. */
	return err != -ENOENT && err != -ESHUTDOWN && err != -EPIPE;
}

int lttctl_trace_start(struct lttctl_trace *trace)
{
	return lttctl_ask(trace->ctl, trace, "start", NULL, NULL,
			  "start trace %s", trace->name);
}

int lttctl_trace_stop(struct lttctl_trace *trace)
{
	return lttctl_ask(trace->ctl, trace, "stop", NULL, NULL,
			  "stop trace %s", trace->name);
}

int lttctl_trace_snapshot(struct lttctl_trace *trace)
{
	return lttctl_ask(trace->ctl, trace, "snapshot", NULL, NULL,
			  "take a snapshot of trace %s", trace->name);
}

int lttctl_trace_state(struct lttctl_trace *trace, enum lttctl_state *state)
{
	size_t i;
	char *text;
	int err;

	err = lttctl_ask(trace->ctl, trace, "state", NULL, &text,
			 "tell the state of trace %s", trace->name);
	if (err)
		return err;
	text[strcspn(text, "\n")] = '\0';
	err = -EPROTO;
	for (i = 0; i < sizeof(state_names) / sizeof(state_names[0]); i++) {
		if (!strcmp(text, state_names[i])) {
			*state = i;
			err = 0;
		}
	}
	if (err)
		lttctl_fail(trace->ctl, err,
			    "trace %s is in a state unknown here, `%.40s`",
			    trace->name, text);
	free(text);
	return err;
}

int lttctl_trace_destroy(struct lttctl_trace *trace)
{
	if (!lttctl_trace_exists(trace))
		return lttctl_fail(trace->ctl, -ENOENT,
				   "trace %s has been destroyed already",
				   trace->name);
	return lttctl_ask(trace->ctl, trace, "destroy", NULL, NULL,
			  "destroy trace %s", trace->name);
}

int lttctl_trace_set_pid(struct lttctl_trace *trace, pid_t pid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", pid);
	return lttctl_ask(trace->ctl, trace, "filter-set", LTTCTL_ARGS(text),
			  NULL, "restrict trace %s to process %d", trace->name,
			  pid);
}

static const char *const option_names[] = {
	[LTTCTL_SUBBUF_SIZE] = "subbuf_size",
	[LTTCTL_SUBBUF_COUNT] = "subbuf_count",
	[LTTCTL_OVERWRITE] = "overwrite",
	[LTTCTL_LOSSLESS_MS] = "lossless_ms",
};

static int channel_read(struct lttctl_trace *trace, const char *name,
			enum lttctl_channel_option option, uint64_t *value)
{
	char *text, *end;
	int err;

	err = lttctl_ask(trace->ctl, trace, "channel-get",
			 LTTCTL_ARGS(name, option_names[option]), &text,
			 "tell %s of channel %s of trace %s",
			 option_names[option], name, trace->name);
	if (err)
		return err;
	errno = 0;
	*value = strtoull(text, &end, 10);
	if (end == text || errno)
		err = lttctl_fail(trace->ctl, -EPROTO,
				  "%s of channel %s is `%.40s`, not a number",
				  option_names[option], name, text);
	free(text);
	return err;
}

int lttctl_channel_get(struct lttctl_trace *trace, const char *name,
		       struct lttctl_channel *channel)
{
	uint64_t overwrite;
	int err;

	err = check_name(trace->ctl, "channel", name);
	if (!err)
		err = channel_read(trace, name, LTTCTL_SUBBUF_SIZE,
				   &channel->subbuf_size);
	if (!err)
		err = channel_read(trace, name, LTTCTL_SUBBUF_COUNT,
				   &channel->subbuf_count);
	if (!err)
		err = channel_read(trace, name, LTTCTL_OVERWRITE, &overwrite);
	if (!err)
		err = channel_read(trace, name, LTTCTL_LOSSLESS_MS,
				   &channel->lossless_ms);
	if (err)
		return err;
	strcpy(channel->name, name);	/* its length has been checked */
	channel->overwrite = overwrite;
	return 0;
}

int lttctl_channel_set(struct lttctl_trace *trace, const char *name,
		       enum lttctl_channel_option option, uint64_t value)
{
	char text[24];
	int err;

	err = check_name(trace->ctl, "channel", name);
	if (err)
		return err;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	return lttctl_ask(trace->ctl, trace, "channel-set",
			  LTTCTL_ARGS(name, option_names[option], text), NULL,
			  "set %s of channel %s of trace %s to %s",
			  option_names[option], name, trace->name, text);
}

struct channel_visit {
	struct lttctl_trace *trace;
	int (*fn)(const struct lttctl_channel *channel, void *arg);
	void *arg;
};

static int visit_channel(const char *name, void *arg)
{
	struct channel_visit *visit = arg;
	struct lttctl_channel channel;
	int err;

	err = lttctl_channel_get(visit->trace, name, &channel);
	return err ? err : visit->fn(&channel, visit->arg);
}

int lttctl_for_each_channel(struct lttctl_trace *trace,
			    int (*fn)(const struct lttctl_channel *channel,
				      void *arg), void *arg)
{
	struct channel_visit visit = { trace, fn, arg };

	return lttctl_for_each_name(trace->ctl, trace, "channels",
				    visit_channel, &visit);
}

int lttctl_event_enable(struct lttctl_trace *trace, const char *pattern)
{
	int err = lttctl_check_pattern(trace->ctl, pattern);

	if (err)
		return err;
	return lttctl_ask(trace->ctl, trace, "enable", LTTCTL_ARGS(pattern),
			  NULL, "record %s in trace %s", pattern, trace->name);
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
		/* `! pattern` lines tell what has been left out. */
		if (event.name && (*mark == '+' || *mark == '?'))
			ret = fn(&event, arg);
	}
	free(text);
	return ret;
}
