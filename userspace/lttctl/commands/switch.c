// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl start, stop, enable and disable: switch a trace, or events, on or off.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/probe/describe.h"
#include "lttctl/programs/recordings.h"
#include "lttctl/record/event-patterns.h"
#include "lttctl/record/filters.h"

#include <stdlib.h>
#include <string.h>

/**
 * struct switch_command - what one of the four commands calls
 * @name: the command
 * @trace: start and stop: called with the trace
 * @in_trace: enable and disable: called for each kernel pattern with -t
 * @by_default: the same without -t
 * @on: enable: record events of programs; disable: do not
 */
struct switch_command {
	const char *name;
	int (*trace)(struct lttctl_trace *trace);
	int (*in_trace)(struct lttctl_trace *trace, const char *pattern);
	int (*by_default)(struct lttctl *ctl, const char *pattern);
	bool on;
};

static const struct switch_command switches[] = {
	{ "start", .trace = lttctl_trace_start },
	{ "stop", .trace = lttctl_trace_stop },
	{ "enable", NULL, lttctl_event_enable, lttctl_marker_enable, true },
	{ "disable", NULL, lttctl_event_disable, lttctl_marker_disable, false },
};

/* Return: the row of the command that runs. */
static const struct switch_command *current(void)
{
	const struct switch_command *row = switches;

	while (strcmp(row->name, command->name))
		row++;
	return row;
}

/* ---- start and stop ---- */

static int switch_trace(struct lttctl *ctl, struct lttctl_trace *trace)
{
	return tracer_status(ctl, current()->trace(trace));
}

int cmd_switch_trace(int argc, const char **argv)
{
	return run_on_trace(argc, argv, switch_trace);
}

/* ---- enable and disable ---- */

/**
 * struct change - a command line of enable or disable
 * @trace: the value of -t, or NULL
 * @channel: the value of -c, or NULL
 * @filter: the value of -f, or NULL
 * @allow_missing: --allow-missing was given
 * @patterns: the arguments
 */
struct change {
	char *trace;
	char *channel;
	char *filter;
	int allow_missing;
	struct event_patterns patterns;
};

/* The patterns before one that the tracer rejects stay applied. */
static int apply_kernel(struct lttctl *ctl, struct change *change)
{
	const struct switch_command *row = current();
	char **pattern = change->patterns.kernel;
	struct descriptions probes = { NULL, 0 };
	struct lttctl_trace *trace = NULL;
	int err = 0, status = 0;
	size_t i;

	if (row->on && !change->allow_missing)
		status = event_patterns_check_known(ctl, "", &change->patterns, NULL);
	if (!status)
		status = event_patterns_describe(&change->patterns, "", &probes);
	if (status)
		goto out;
	if (change->trace)
		err = lttctl_trace_named(ctl, change->trace, &trace);
	for (; !err && *pattern && change->filter; pattern++)
		err = lttctl_event_enable_filtered(trace, change->channel, *pattern, change->filter);
	for (; !err && *pattern; pattern++)
		err = change->channel ? lttctl_event_enable_in(trace, change->channel, *pattern) :
		      trace ? row->in_trace(trace, *pattern) : row->by_default(ctl, *pattern);
	for (i = 0; !err && i < probes.nr; i++)
		err = probe_enable(ctl, trace, probes.text[i]);
	status = tracer_status(ctl, err);
	lttctl_trace_close(trace);
out:
	descriptions_free(&probes);
	return status;
}

static int change_kernel(struct change *change)
{
	struct lttctl *ctl = tracer_connect(!change->trace);
	int status;

	if (!ctl)
		return EXIT_FAILED;
	status = apply_kernel(ctl, change);
	lttctl_free(ctl);
	return status;
}

/* Set the filter first: no event is recorded without it. */
static int switch_programs(const struct change *change, const char *pattern)
{
	int status = change->filter ? recordings_filter(change->trace, pattern, change->filter) : 0;

	return status ? status : recordings_set(change->trace, pattern, current()->on);
}

static int change_all(struct change *change)
{
	char **pattern = change->patterns.programs;
	int status = 0;
	pid_t pid;

	bool kernel = *change->patterns.kernel || change->patterns.nr_probes;

	if (change->patterns.nr_probes && !current()->on)
		return misused("%s: disable takes the name of a probe, GROUP:NAME", *change->patterns.probes);
	if (kernel && recordings_is_name(change->trace, &pid))
		return misused("-t %s: a recording of programs, whose events are user:group:name",
			       change->trace);
	if (kernel)
		status = change_kernel(change);
	for (; !status && *pattern; pattern++)
		status = switch_programs(change, *pattern);
	return status;
}

int cmd_switch_events(int argc, const char **argv)
{
	struct change change = { NULL };
	const struct poptOption table[] = {
		{ "allow-missing", 0, POPT_ARG_NONE, &change.allow_missing, 0,
		  "accept a PATTERN that matches no event yet", NULL },
		{ "filter", 'f', POPT_ARG_STRING, &change.filter, 0,
		  "record those for which EXPRESSION is true (see doc/expressions.md)", "EXPRESSION" },
		{ "channel", 'c', POPT_ARG_STRING, &change.channel, 0,
		  "record them in this channel of the trace", "CHANNEL" },
		{ "trace", 't', POPT_ARG_STRING, &change.trace, 0,
		  "in this trace only, not by default", "TRACE" },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	const char **args;
	int status;

	/* The first three options are for enable only. */
	status = options_parse(argc, argv, table + (current()->on ? 0 : 3), 0, &context);
	args = poptGetArgs(context);
	if (!status && (!args || !args[0]))
		status = misused("PATTERN is missing");
	if (!status && change.channel && !change.trace)
		status = misused("-c %s: requires -t TRACE", change.channel);
	if (!status && change.filter && !change.trace)
		status = misused("-f `%s`: requires -t TRACE", change.filter);
	if (!status && change.filter)
		status = filter_syntax(change.filter);
	if (!status)
		status = event_patterns_parse(&change.patterns, "", args);
	if (!status && change.filter && change.patterns.nr_probes)
		status = misused("-f `%s`: cannot be combined with the definition of a probe", change.filter);
	if (!status && change.channel && change.patterns.nr_programs)
		status = misused("-c %s: channels are for events of the kernel", change.channel);
	if (!status)
		status = change_all(&change);
	event_patterns_free(&change.patterns);
	poptFreeContext(context);
	free(change.trace);
	free(change.channel);
	free(change.filter);
	return status;
}
