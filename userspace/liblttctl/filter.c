// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The filters of a trace: expressions for patterns, which this library compiles for each event.
 *
 * Layer: liblttctl; uses the library for expressions.
 *
 * The tracer keeps the expression of each pattern, and does not record an event that has one until a
 * program for it is attached.  So an event whose module comes later waits for lttctl_filters_attach().
 *
 * A pattern can match events of which some lack a field of the expression: these are dropped, as `lttctl
 * view -f` does not show them.
 */
#include "fields.h"
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expression/expression.h"

/* Events of this channel have no filter. */
#define CHANNEL_STATE "state"

/* Set the sentence of an error in an expression.  Return: @err. */
static int fail_expression(struct lttctl *ctl, int err, const char *event,
			   const struct expression_error *error)
{
	char column[32] = "";

	if (error->column)
		snprintf(column, sizeof(column), "column %u: ", error->column);
	return lttctl_fail(ctl, err, "%s%s%s%s", event, *event ? ": " : "", column, error->text);
}

/* ---- One event ---- */

/**
 * struct compiled - a program, and the event that it is for
 * @fields: the fields of the event
 * @program: the program
 * @lacks_name: the event lacks a name of the expression: the program drops it.  The sentence of the
 *	handle says which
 */
struct compiled {
	struct lttctl_fields fields;
	struct expression_program program;
	bool lacks_name;
};

static void free_compiled(struct compiled *compiled)
{
	expression_program_free(&compiled->program);
	lttctl_fields_free(&compiled->fields);
}

/* For a program that is only checked. */
static int no_map(const char *name, void *data, struct expression_error *error)
{
	(void)name;
	(void)data;
	(void)error;
	return 0;
}

/* @trace: for the maps; NULL: the program is not to be loaded.  Return: 0, then free_compiled() is due; -errno. */
static int compile(struct lttctl *ctl, struct lttctl_trace *trace, const char *event, const char *expression,
		   struct compiled *compiled)
{
	const struct expression_maps maps = { event, trace ? lttctl_since_map : no_map, trace };
	struct expression_error error = { .column = 0 };
	int err;

	*compiled = (struct compiled){ .program = { .insns = NULL } };
	err = lttctl_marker_fields(ctl, event, &compiled->fields);
	if (err)
		return err;
	err = expression_compile(expression, compiled->fields.field, compiled->fields.nr, &maps,
				 &compiled->program, &error);
	if (err == -ENOENT) {
		fail_expression(ctl, err, event, &error);
		compiled->lacks_name = true;
		err = expression_compile("0", NULL, 0, NULL, &compiled->program, &error);
	}
	if (!err)
		return 0;
	lttctl_fields_free(&compiled->fields);
	return fail_expression(ctl, err, event, &error);
}

int lttctl_filter_attach(struct lttctl_trace *trace, const char *event, const char *layout, int program,
			 const char *counters, const char *text)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", program);
	if (*counters)
		return lttctl_ask(trace->ctl, trace, "filter-attach-counters", LTTCTL_ARGS(event, layout, number, counters, text),
				  NULL, "filter %s in trace %s", event, trace->name);
	return lttctl_ask(trace->ctl, trace, "filter-attach", LTTCTL_ARGS(event, layout, number, text), NULL,
			  "filter %s in trace %s", event, trace->name);
}

static int attach(struct lttctl_trace *trace, const char *event, const char *expression)
{
	struct expression_error error = { .column = 0 };
	struct compiled compiled;
	int fd, err;

	err = compile(trace->ctl, trace, event, expression, &compiled);
	if (err)
		return err;
	fd = expression_check_tracer(&compiled.program, &error);
	if (!fd)
		fd = expression_load(&compiled.program, strchr(event, ':') + 1, &error);
	if (fd < 0) {
		err = fail_expression(trace->ctl, fd, event, &error);
		goto out;
	}
	err = lttctl_filter_attach(trace, event, compiled.fields.layout, fd, compiled.program.counters,
				   expression);
	close(fd);
out:
	free_compiled(&compiled);
	return err;
}

/* ---- The list of filters ---- */

/* "program ID runs N filtered N unjudged N" */
static void parse_counts(struct lttctl_filter *filter, char *rest)
{
	const struct {
		const char *key;
		uint64_t *to;
	} keys[] = {
		{ "program", &filter->program },
		{ "runs", &filter->runs },
		{ "filtered", &filter->filtered },
		{ "unjudged", &filter->unjudged },
	};
	char *key, *number;
	size_t i;

	while ((key = strsep(&rest, " ")) && (number = strsep(&rest, " ")))
		for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (!strcmp(key, keys[i].key))
				*keys[i].to = strtoull(number, NULL, 10);
}

/* Return: false for a line of another kind. */
static bool parse_line(struct lttctl_filter *filter, char *line)
{
	static const char waiting[] = "waiting ";
	char *kind = strsep(&line, " "), *name = strsep(&line, " ");

	*filter = (struct lttctl_filter){ .pattern = NULL };
	if (!line)
		return false;
	if (!strcmp(kind, "pattern")) {
		filter->pattern = name;
		filter->expression = line;
		return true;
	}
	filter->event = name;
	if (!strncmp(line, waiting, strlen(waiting)))
		filter->expression = line + strlen(waiting);
	else
		parse_counts(filter, line);
	return !strcmp(kind, "event");
}

int lttctl_for_each_filter(struct lttctl_trace *trace,
			   int (*fn)(const struct lttctl_filter *filter, void *arg), void *arg)
{
	struct lttctl_filter filter;
	char *text, *line, *rest;
	int ret;

	ret = lttctl_ask(trace->ctl, trace, "filters", NULL, &text, "list the filters of trace %s",
			 trace->name);
	if (ret)
		return ret;
	rest = text;
	while (!ret && (line = strsep(&rest, "\n")))
		if (parse_line(&filter, line))
			ret = fn(&filter, arg);
	free(text);
	return ret;
}

/**
 * struct attaching - the state of a pass over the filters
 * @trace: the trace
 * @only: the expression of the events in question; NULL for all
 * @err: the first error
 * @why: its sentence
 */
struct attaching {
	struct lttctl_trace *trace;
	const char *only;
	int err;
	char why[sizeof(((struct lttctl *)NULL)->error)];
};

static int attach_waiting(const struct lttctl_filter *filter, void *arg)
{
	struct attaching *attaching = arg;
	int err;

	if (!filter->event || !filter->expression ||
	    (attaching->only && strcmp(attaching->only, filter->expression)))
		return 0;
	err = attach(attaching->trace, filter->event, filter->expression);
	/* Another client was faster, or the module of the event has gone. */
	if (!err || err == -ESTALE || err == -ENOENT || attaching->err)
		return 0;
	attaching->err = err;
	strcpy(attaching->why, lttctl_error(attaching->trace->ctl));
	return 0;
}

static int attach_all(struct lttctl_trace *trace, const char *only)
{
	struct attaching attaching = { .trace = trace, .only = only };
	int err = lttctl_for_each_filter(trace, attach_waiting, &attaching);

	if (err || !attaching.err)
		return err;
	return lttctl_fail(trace->ctl, attaching.err, "%s", attaching.why);
}

int lttctl_filters_attach(struct lttctl_trace *trace)
{
	return attach_all(trace, NULL);
}

/* ---- Changes ---- */

/**
 * struct checking - the state of a check
 * @ctl: the handle
 * @pattern: the pattern
 * @expression: its filter
 * @fits: it fits an event
 * @lacking: the sentence about the first event that lacks a name of it; "" if there is none
 */
struct checking {
	struct lttctl *ctl;
	const char *pattern;
	const char *expression;
	bool fits;
	char lacking[sizeof(((struct lttctl *)NULL)->error)];
};

static int check_event(struct checking *checking, const char *event)
{
	struct compiled compiled;
	int err = compile(checking->ctl, NULL, event, checking->expression, &compiled);

	/* Its module may just have gone. */
	if (err)
		return err == -ENOENT ? 0 : err;
	if (!compiled.lacks_name)
		checking->fits = true;
	else if (!*checking->lacking)
		strcpy(checking->lacking, lttctl_error(checking->ctl));
	free_compiled(&compiled);
	return 0;
}

/* Of the events that there are, one at least must have all names. */
static int check_names(const struct checking *checking)
{
	if (checking->fits || !*checking->lacking)
		return 0;
	return lttctl_fail(checking->ctl, -EINVAL, "%s", checking->lacking);
}

static int check_enabled(const struct lttctl_event *event, void *arg)
{
	struct checking *checking = arg;
	char group[LTTCTL_NAME_SIZE];
	const char *colon = strchr(event->name, ':');

	if (event->waiting || !colon || !strcmp(event->channel, CHANNEL_STATE))
		return 0;
	snprintf(group, sizeof(group), "%.*s", (int)(colon - event->name), event->name);
	if (!lttctl_pattern_matches(checking->pattern, group, colon + 1))
		return 0;
	return check_event(checking, event->name);
}

static int check_marker(const struct lttctl_marker *marker, void *arg)
{
	char event[2 * LTTCTL_NAME_SIZE];

	snprintf(event, sizeof(event), "%s:%s", marker->group, marker->name);
	return check_event(arg, event);
}

/* @pattern: of a filter; NULL for a condition.  The events that note their times name the event that asks. */
static int check_syntax(struct lttctl *ctl, const char *pattern, const char *text)
{
	struct expression_error error = { .column = 0 };
	struct expression *expression;
	int err = expression_parse_filter(text, &expression, &error);

	if (err)
		return fail_expression(ctl, err, "", &error);
	if (!pattern && expression_has_actions(expression))
		err = lttctl_fail(ctl, -EINVAL, "a condition cannot have actions: remove what follows the semicolon");
	if (pattern && (!strchr(pattern, ':') || strpbrk(pattern, "*?[")) && lttctl_since_any(expression))
		err = lttctl_fail(ctl, -EINVAL, "since() needs a filter for one event, GROUP:NAME, not for %s", pattern);
	expression_free(expression);
	return err;
}

int lttctl_condition_check(struct lttctl *ctl, const char *event, const char *condition)
{
	struct compiled compiled;
	int err;

	if (!*condition)
		return 0;
	err = check_syntax(ctl, NULL, condition);
	if (!err)
		err = compile(ctl, NULL, event, condition, &compiled);
	/* Its module may come later. */
	if (err)
		return err == -ENOENT ? 0 : err;
	if (compiled.lacks_name)
		err = -EINVAL;
	free_compiled(&compiled);
	return err;
}

int lttctl_filter_check(struct lttctl_trace *trace, const char *pattern, const char *expression)
{
	struct checking checking = {
		.ctl = trace->ctl, .pattern = pattern, .expression = expression,
	};
	int err = lttctl_check_pattern(trace->ctl, pattern);

	if (!err)
		err = check_syntax(trace->ctl, pattern, expression);
	if (!err)
		err = lttctl_for_each_event(trace, check_enabled, &checking);
	return err ? err : check_names(&checking);
}

/* Find the filter that @pattern has: a copy in *@arg. */
struct search {
	char pattern[2 * LTT_PATTERN_MAX];
	char *expression;
};

static int find_pattern(const struct lttctl_filter *filter, void *arg)
{
	struct search *search = arg;

	if (!filter->pattern || strcmp(filter->pattern, search->pattern))
		return 0;
	search->expression = strdup(filter->expression);
	return search->expression ? 1 : -ENOMEM;
}

int lttctl_filter_set(struct lttctl_trace *trace, const char *pattern, const char *text)
{
	return lttctl_ask(trace->ctl, trace, "filter", LTTCTL_ARGS(pattern, text), NULL,
			  "filter %s in trace %s", pattern, trace->name);
}

static int unset(struct lttctl_trace *trace, const char *pattern)
{
	return lttctl_ask(trace->ctl, trace, "unfilter", LTTCTL_ARGS(pattern), NULL,
			  "remove the filter of %s in trace %s", pattern, trace->name);
}

/* After an error, whose sentence stays: give the pattern the filter that it had. */
static void restore(struct lttctl_trace *trace, const char *pattern, const char *former)
{
	char why[sizeof(trace->ctl->error)];

	strcpy(why, trace->ctl->error);
	if (former)
		lttctl_filter_set(trace, pattern, former);
	else
		unset(trace, pattern);
	lttctl_filters_attach(trace);
	strcpy(trace->ctl->error, why);
}

int lttctl_trace_filter(struct lttctl_trace *trace, const char *pattern, const char *expression)
{
	struct search search = { .expression = NULL };
	int err = lttctl_filter_check(trace, pattern, expression);

	if (err)
		return err;
	snprintf(search.pattern, sizeof(search.pattern), "%s%s", strchr(pattern, ':') ? "" : "*:",
		 pattern);
	err = lttctl_for_each_filter(trace, find_pattern, &search);
	if (err < 0)
		return err;
	err = lttctl_filter_set(trace, pattern, expression);
	if (!err) {
		err = lttctl_filter_note(trace, pattern, expression);
		if (!err)
			err = attach_all(trace, expression);
		if (err)
			restore(trace, pattern, search.expression);
	}
	free(search.expression);
	return err;
}

int lttctl_event_enable_filtered(struct lttctl_trace *trace, const char *channel,
				 const char *pattern, const char *expression)
{
	struct checking checking = { .ctl = trace->ctl, .expression = expression };
	char why[sizeof(trace->ctl->error)];
	int err = lttctl_for_each_marker(trace->ctl, pattern, check_marker, &checking);

	if (!err)
		err = check_names(&checking);
	if (!err)
		err = lttctl_trace_filter(trace, pattern, expression);
	if (err)
		return err;
	err = channel ? lttctl_event_enable_in(trace, channel, pattern)
		      : lttctl_event_enable(trace, pattern);
	if (!err)
		err = attach_all(trace, expression);
	if (!err)
		return 0;
	strcpy(why, trace->ctl->error);
	lttctl_event_disable(trace, pattern);
	unset(trace, pattern);
	strcpy(trace->ctl->error, why);
	return err;
}

int lttctl_trace_unfilter(struct lttctl_trace *trace, const char *pattern)
{
	int err = lttctl_check_pattern(trace->ctl, pattern);

	if (!err)
		err = unset(trace, pattern);
	/* Another pattern may have a filter for what this one matches.  An event that cannot have that
	 * is listed as waiting. */
	if (!err)
		lttctl_filters_attach(trace);
	return err;
}
