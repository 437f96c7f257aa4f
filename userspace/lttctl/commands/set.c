// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl set: change what a trace records, while it runs or not: contexts, and limits to tasks
 * and CPUs; and lttctl channel: add a channel.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/record/contexts.h"
#include "lttctl/record/limits.h"
#include "common/options.h"

#include <stdlib.h>

/* The channel for lists without a pattern, unless -c names another. */
#define CHANNEL "events"

/* The argument of both commands that comes first. */
static int take_trace(const char **args, size_t nr, const char *const *what)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!args || !args[i])
			return misused("%s is missing", what[i]);
	return args[nr] ? misused("%s: too many arguments", args[nr]) : 0;
}

/* ---- set ---- */

/**
 * struct change - a command line of set
 * @contexts: --context
 * @limits: -p, --cgroup, --task and --cpu
 * @all: --all was given
 * @channel: the value of -c, or NULL
 */
struct change {
	struct contexts contexts;
	struct limits limits;
	int all;
	char *channel;
};

static int check_change(struct change *change)
{
	int status = limits_check(&change->limits, false);

	if (!status)
		status = contexts_parse(&change->contexts, true, false);
	if (status)
		return status;
	if (change->all && limits_any(&change->limits))
		return misused("--all: cannot be combined with a limit");
	if (!change->all && !limits_any(&change->limits) && !change->contexts.args)
		return misused("nothing to set: give --context, -p, --cgroup, --task, --cpu or --all");
	if (change->channel && !change->contexts.kernel)
		return misused("-c %s: requires --context LIST", change->channel);
	return 0;
}

static int apply_change(struct lttctl *ctl, const char *name, const struct change *change)
{
	struct lttctl_trace *trace;
	int err = lttctl_trace_open(ctl, name, &trace);

	if (err)
		return tracer_status(ctl, err);
	if (change->all)
		err = lttctl_trace_unlimit(trace);
	if (!err)
		err = limits_apply(&change->limits, trace);
	if (!err)
		err = contexts_apply(&change->contexts, trace, change->channel ?: CHANNEL);
	err = tracer_status(ctl, err);
	lttctl_trace_close(trace);
	return err;
}

int cmd_set(int argc, const char **argv)
{
	static const char *const what[] = { "TRACE" };
	struct change change = { .all = 0 };
	const struct poptOption table[] = {
		LIMITS_OPTIONS(change.limits),
		{ "all", 0, POPT_ARG_NONE, &change.all, 0, "record all tasks, on all CPUs", NULL },
		{ "context", 0, POPT_ARG_ARGV, &change.contexts.args, 0,
		  "what each event has besides its fields, or with PATTERN= each that matches; none, or for a PATTERN default",
		  "[PATTERN=]LIST" },
		{ "channel", 'c', POPT_ARG_STRING, &change.channel, 0,
		  "--context LIST is for the events of CHANNEL (default `events')", "CHANNEL" },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	struct lttctl *ctl = NULL;
	poptContext context;
	const char **args;
	int status;

	status = options_parse(argc, argv, table, 0, &context);
	args = poptGetArgs(context);
	if (!status)
		status = take_trace(args, 1, what);
	if (!status)
		status = check_change(&change);
	if (!status) {
		ctl = tracer_connect(false);
		status = ctl ? apply_change(ctl, args[0], &change) : EXIT_FAILED;
	}
	lttctl_free(ctl);
	poptFreeContext(context);
	contexts_free(&change.contexts);
	limits_free(&change.limits);
	free(change.channel);
	return status;
}

/* ---- channel ---- */

static int set_options(struct lttctl_trace *trace, const char *name,
		       const struct options_buffers *options)
{
	int err = 0;

	if (options->size_text)
		err = lttctl_channel_set(trace, name, LTTCTL_SUBBUF_SIZE, options->size);
	if (!err && options->count_text)
		err = lttctl_channel_set(trace, name, LTTCTL_SUBBUF_COUNT, options->count);
	if (!err)
		err = lttctl_channel_set(trace, name, LTTCTL_OVERWRITE, options->overwrite);
	if (!err && options->lossless_text)
		err = lttctl_channel_set(trace, name, LTTCTL_LOSSLESS_MS, options->lossless_ms);
	return err;
}

static int add_channel(struct lttctl *ctl, const char **args,
		       const struct options_buffers *options, const struct contexts *contexts)
{
	struct lttctl_trace *trace;
	int err = lttctl_trace_open(ctl, args[0], &trace);

	if (err)
		return tracer_status(ctl, err);
	err = lttctl_channel_add(trace, args[1]);
	if (!err)
		err = set_options(trace, args[1], options);
	if (!err)
		err = contexts_apply(contexts, trace, args[1]);
	err = tracer_status(ctl, err);
	lttctl_trace_close(trace);
	return err;
}

int cmd_channel(int argc, const char **argv)
{
	static const char *const what[] = { "TRACE", "CHANNEL" };
	struct options_buffers options = { .size = OPTIONS_SIZE_DEFAULT };
	struct contexts contexts = { NULL };
	const struct poptOption table[] = {
		{ "size", 0, POPT_ARG_STRING, &options.size_text, 0,
		  "size of a sub-buffer, a power of two (default: that of channel `events')", "SIZE" },
		{ "count", 0, POPT_ARG_STRING, &options.count_text, 0,
		  "sub-buffers for each CPU, a power of two (default: that of channel `events')", "N" },
		{ "overwrite", 0, POPT_ARG_NONE, &options.overwrite, 0,
		  "flight recorder: keep the newest events, overwrite the oldest", NULL },
		{ "lossless", 0, POPT_ARG_STRING, &options.lossless_text, 0,
		  "programs wait up to MS milliseconds for room rather than lose events", "MS" },
		{ "context", 0, POPT_ARG_ARGV, &contexts.args, 0,
		  "what each event of the channel has besides its fields", "LIST" },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	struct options_fault fault;
	struct lttctl *ctl = NULL;
	poptContext context;
	const char **args;
	int status;

	status = options_parse(argc, argv, table, 0, &context);
	args = poptGetArgs(context);
	if (!status)
		status = take_trace(args, 2, what);
	if (!status && !options_check(&options, false, &fault))
		status = misused("%s%s%s: %s", fault.option, *fault.text ? " " : "", fault.text,
				 fault.why);
	if (!status)
		status = contexts_parse(&contexts, true, false);
	if (!status) {
		ctl = tracer_connect(false);
		status = ctl ? add_channel(ctl, args, &options, &contexts) : EXIT_FAILED;
	}
	lttctl_free(ctl);
	poptFreeContext(context);
	options_free(&options);
	contexts_free(&contexts);
	return status;
}
