// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on filters: expressions for patterns, and their programs for events.
 *
 * Layer: control.  Context: task, registry lock held, but for the operation that looks programs up.
 */
#include "../control.h"

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/string.h>

#include <ltt/filter.h>
#include <ltt/registry.h>
#include <ltt/trace.h>

static int op_filter(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	const char *pattern = call->arg[1].text, *expression = call->arg[2].text;
	int err;

	if (!trace)
		return -ENOENT;
	err = ltt_check_pattern(call, pattern);
	if (err)
		return err;
	err = ltt_trace_set_filter(trace, pattern, expression);
	switch (err) {
	case 0:
		return 0;
	case -EBADMSG:
		return ltt_fail(call, -EINVAL, "a filter is one line, and not empty");
	case -E2BIG:
		return ltt_fail(call, err, "a filter has at most %u characters",
				LTT_EXPRESSION_MAX - 1);
	case -EDQUOT:
		return ltt_fail(call, err, "a trace has filters for at most %u patterns: use wider ones",
				LTT_SETTINGS_MAX);
	}
	return ltt_fail_with(call, err, "cannot set the filter of \"%.100s\"", pattern);
}

static int op_unfilter(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	const char *pattern = call->arg[1].text;
	int err;

	if (!trace)
		return -ENOENT;
	err = ltt_check_pattern(call, pattern);
	if (err)
		return err;
	err = ltt_trace_unset_filter(trace, pattern);
	if (err == -ENOENT)
		return ltt_fail(call, err, "trace \"%s\" has no filter for \"%.100s\"",
				call->arg[0].text, pattern);
	return err ? ltt_fail_with(call, err, "cannot remove the filter of \"%.100s\"", pattern) : 0;
}

/* Set the event of @what from "GROUP:NAME", which is cut at the colon. */
static int take_event(struct ltt_call *call, char *text, struct ltt_attachment *what)
{
	char *colon = strchr(text, ':');

	if (!colon)
		return ltt_fail(call, -EINVAL, "\"%.100s\" is not an event: write GROUP:NAME", text);
	*colon = '\0';
	what->group = text;
	what->name = colon + 1;
	return 0;
}

static int take_layout(struct ltt_call *call, const char *text, u64 *layout)
{
	/* kstrtou64() would take a sign. */
	if (strlen(text) == 16 && !kstrtou64(text, 16, layout))
		return 0;
	return ltt_fail(call, -EINVAL,
			"\"%.64s\" is not a layout: write the 16 digits that the command info shows", text);
}

/* Registry lock held. */
static int attach(struct ltt_call *call, struct ltt_attachment *what)
{
	struct ltt_trace *trace = ltt_find(call);
	char why[LTT_ERROR_MAX] = "";
	int err;

	if (!trace)
		return -ENOENT;
	err = ltt_trace_attach(trace, what, why, sizeof(why));
	if (err && *why)
		return ltt_fail(call, err, "%s", why);
	return err ? ltt_fail_with(call, err, "cannot attach a program to event %.64s:%.64s",
				   what->group, what->name) : 0;
}

static int find_and_attach(struct ltt_call *call, const char *counters, const char *expression)
{
	struct ltt_attachment what = { .counters = counters, .expression = expression };
	char why[LTT_ERROR_MAX] = "", event[2 * LTT_NAME_MAX];
	int err;

	if (strscpy(event, call->arg[1].text, sizeof(event)) < 0)
		return ltt_fail(call, -ENAMETOOLONG, "the name of an event has at most 63 characters");
	err = take_event(call, event, &what);
	if (!err)
		err = take_layout(call, call->arg[2].text, &what.layout);
	if (err)
		return err;
	what.program = ltt_program_get(call->arg[3].text, why, sizeof(why));
	if (IS_ERR(what.program))
		return ltt_fail(call, PTR_ERR(what.program), "%s", why);
	ltt_markers_lock();
	err = attach(call, &what);
	ltt_markers_unlock();
	ltt_program_put(what.program);
	return err;
}

static int op_filter_attach(struct ltt_call *call)
{
	return find_and_attach(call, NULL, call->arg[4].text);
}

static int op_filter_attach_counters(struct ltt_call *call)
{
	int err = ltt_check_perfmon(call, "counters of perf");

	if (err)
		return err;
	return find_and_attach(call, call->arg[4].text, call->arg[5].text);
}

static int op_filters(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);

	if (!trace)
		return -ENOENT;
	ltt_trace_show_filters(trace, call->out);
	return 0;
}

const struct ltt_op ltt_filter_ops[] = {
	{ "filter", op_filter, "set the filter of the events that a pattern matches: an expression",
	  { LTT_TEXT("trace"), LTT_TEXT("pattern"), LTT_TEXT("expression") } },
	{ "unfilter", op_unfilter, "remove the filter of a pattern",
	  { LTT_TEXT("trace"), LTT_TEXT("pattern") } },
	{ "filter-attach", op_filter_attach,
	  "give an event the program of its filter: a descriptor of yours, or the path of a pinned program",
	  { LTT_TEXT("trace"), LTT_TEXT("event"), LTT_TEXT("layout"), LTT_TEXT("program"),
	    LTT_TEXT("expression") }, LTT_OP_UNLOCKED },
	{ "filter-attach-counters", op_filter_attach_counters,
	  "the same for a program that asks for counters of perf, separated by commas",
	  { LTT_TEXT("trace"), LTT_TEXT("event"), LTT_TEXT("layout"), LTT_TEXT("program"),
	    LTT_TEXT("counters"), LTT_TEXT("expression") }, LTT_OP_UNLOCKED },
	{ "filters", op_filters,
	  "show the filters of patterns, and the programs of events, or that they wait for them",
	  { LTT_TEXT("trace") }, LTT_OP_SHOWS },
	{}
};
