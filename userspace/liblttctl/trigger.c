// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Triggers: what events do besides being recorded.
 *
 * Layer: liblttctl.
 *
 * A trigger is an action in the filter of its event, "EXPRESSION; ACTION CONDITION" (doc/expressions.md), so
 * what holds for filters holds for it, too: an event whose module comes later gets it from lttd.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression.h"

#define CHANNEL_STATE "state"

/**
 * struct target - an event that is to get a trigger
 * @event: group:name
 * @group: its group
 * @name: its name
 * @enabled: the trace records it, or will when there is such an event
 * @names_tasks: in the channel "state", where only a filter for the very event counts
 * @filter: the filter that it has now, or NULL
 */
struct target {
	const char *event;
	char group[LTTCTL_NAME_SIZE];
	const char *name;
	bool enabled;
	bool names_tasks;
	char *filter;
};

static int look_at_event(const struct lttctl_event *event, void *arg)
{
	struct target *target = arg;

	if (event->waiting) {
		target->enabled |= lttctl_pattern_matches(event->name, target->group, target->name);
		return 0;
	}
	if (strcmp(event->name, target->event))
		return 0;
	target->enabled = true;
	target->names_tasks = !strcmp(event->channel, CHANNEL_STATE);
	return 1;
}

static int look_at_filter(const struct lttctl_filter *filter, void *arg)
{
	struct target *target = arg;

	if (!filter->pattern)
		return 0;
	if (target->names_tasks ? strcmp(filter->pattern, target->event) != 0
				: !lttctl_pattern_matches(filter->pattern, target->group, target->name))
		return 0;
	free(target->filter);
	target->filter = strdup(filter->expression);
	return target->filter ? 0 : -ENOMEM;
}

/* Return: true if a filter has an action without a condition, as set() writes it: a field can have the name, too. */
static bool has_action(const char *filter, const char *action)
{
	const size_t len = strlen(action);

	while ((filter = strstr(filter, "; "))) {
		filter += strlen("; ");
		if (!strncmp(filter, action, len) && (!filter[len] || filter[len] == ';'))
			return true;
	}
	return false;
}

/* "PRESENT; ACTION CONDITION", unless it has that already: an event that is not recorded now is recorded when the trigger fires. */
static int set(struct lttctl_trace *trace, const struct target *target, const char *action, const char *condition)
{
	const char *present = target->filter ?: target->enabled ? "1" : "0";
	char *text;
	int err;

	if (!*condition && has_action(present, action))
		return 0;
	if (asprintf(&text, "%s; %s%s%s", present, action, *condition ? " " : "", condition) < 0)
		return lttctl_fail(trace->ctl, -ENOMEM, "out of memory");
	err = lttctl_filter_set(trace, target->event, text);
	if (!err && !target->enabled)
		err = lttctl_event_enable(trace, target->event);
	if (!err)
		err = lttctl_filters_attach(trace);
	free(text);
	return err;
}

int lttctl_action_add(struct lttctl_trace *trace, const char *event, const char *action, const char *condition)
{
	const char *colon = strchr(event, ':');
	struct target target = { .event = event, .name = colon ? colon + 1 : "" };
	int err;

	if (!colon || strpbrk(event, "*?["))
		return lttctl_fail(trace->ctl, -EINVAL, "%.100s is not an event: write GROUP:NAME", event);
	snprintf(target.group, sizeof(target.group), "%.*s", (int)(colon - event), event);
	err = lttctl_for_each_event(trace, look_at_event, &target);
	if (err >= 0)
		err = lttctl_for_each_filter(trace, look_at_filter, &target);
	if (!err)
		err = set(trace, &target, action, condition);
	free(target.filter);
	return err;
}

int lttctl_trigger_add(struct lttctl_trace *trace, const char *event, const char *action, const char *condition)
{
	int err = lttctl_condition_check(trace->ctl, event, condition);

	if (!err && *condition)
		err = lttctl_filter_note(trace, event, condition);
	return err ? err : lttctl_action_add(trace, event, action, condition);
}

/* Add the events that a condition asks about to those of *@arg. */
static int add_asked(const struct expression_call *call, void *arg)
{
	char **events = arg, *more;

	if (asprintf(&more, "%s %s%s%s", *events, call->event, call->end ? " " : "", call->end ?: "") < 0)
		return -ENOMEM;
	free(*events);
	*events = more;
	return 0;
}

int lttctl_trace_arm(struct lttctl_trace *trace, const char *event, const char *condition)
{
	struct expression *expression = NULL;
	struct expression_error error;
	char *events = strdup(event);
	int err = events ? 0 : -ENOMEM;

	if (!err && *condition)
		err = expression_parse_filter(condition, &expression, &error);
	if (!err && expression)
		err = expression_for_each_call(expression, add_asked, &events);
	if (err)
		err = lttctl_fail(trace->ctl, err, "cannot find the events that `%s` asks about", condition);
	else
		err = lttctl_ask(trace->ctl, trace, "arm", LTTCTL_ARGS(events), NULL,
				 "start trace %s with event %s", trace->name, event);
	expression_free(expression);
	free(events);
	return err;
}

int lttctl_trace_triggers(struct lttctl_trace *trace, struct lttctl_triggers *triggers)
{
	char *text, *line, *rest;
	unsigned int slot, count;
	int err;

	memset(triggers, 0, sizeof(*triggers));
	err = lttctl_ask(trace->ctl, trace, "triggers", NULL, &text, "show the triggers of trace %s", trace->name);
	if (err)
		return err;
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		if (!strncmp(line, "armed ", strlen("armed ")))
			triggers->armed = true;
		else if (sscanf(line, "report %u %u", &slot, &count) == 2 && slot < LTTCTL_SLOTS)
			triggers->reports[slot] = count;
	}
	free(text);
	return 0;
}
