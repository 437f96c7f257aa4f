// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl create: create a trace, to be started later; with -o also run an lttd for it.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/record/programs-lttd.h"
#include "lttctl/record/state-child.h"

#include <stdlib.h>

/* A daemon without data to write exits within milliseconds; a busy machine needs more. */
#define GONE_SECONDS 10

static int create(const char *name, const char *dir)
{
	struct lttctl_trace *trace;
	struct lttctl *ctl;
	int status;

	ctl = tracer_connect(true);
	if (!ctl)
		return EXIT_FAILED;
	status = trace_options_check_events(ctl, NULL);
	if (!status)
		status = trace_options_create(ctl, name, NULL, dir, &trace);
	if (status)
		goto out_ctl;
	if (dir)
		status = lttd_run("-d", dir, name);
	/* lttd may run in spite of the failure; it exits when the trace is destroyed. */
	if (status && !lttctl_trace_destroy(trace))
		lttd_wait_gone(ctl, name, GONE_SECONDS);
	if (!status && dir)
		state_write(dir, trace_options_state());
	lttctl_trace_close(trace);
out_ctl:
	lttctl_free(ctl);
	return status;
}

int cmd_create(int argc, const char **argv)
{
	char *dir = NULL;
	const struct poptOption table[] = {
		{ "output", 'o', POPT_ARG_STRING, &dir, 0,
		  "run lttd, which writes to DIR/kernel until the trace is destroyed",
		  "DIR" },
		OPTIONS_TRACE,
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	struct programs_wanted programs;
	const char **args;
	int status;

	status = options_parse(argc, argv, table, 0, &context);
	args = poptGetArgs(context);
	if (!status && (!args || !args[0]))
		status = misused("TRACE is missing");
	else if (!status && args[1])
		status = misused("%s: only one TRACE can be given", args[1]);
	if (!status)
		status = trace_options_check();
	if (!status && trace_options_programs(&programs))
		status = misused("-e user: create takes events of the kernel only; use record");
	if (!status && trace_options_state() && !dir)
		status = misused("--state: requires -o DIR, which receives it");
	if (!status)
		status = create(args[0], dir);
	poptFreeContext(context);
	trace_options_free();
	free(dir);
	return status;
}
