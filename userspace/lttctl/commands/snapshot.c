// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl snapshot: make what a flight recorder holds readable; the lttd that
 * serves the trace writes it, or, with -o, one that runs for this.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/programs/recordings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int snapshot(const char *name, const char *dir)
{
	struct lttctl_consumer consumer;
	struct lttctl_trace *trace;
	struct lttctl *ctl;
	bool served;
	int status, err;

	ctl = tracer_connect(false);
	if (!ctl)
		return EXIT_FAILED;
	status = tracer_status(ctl, lttctl_trace_open(ctl, name, &trace));
	if (status)
		goto out_ctl;
	err = lttctl_consumer_find(ctl, name, &consumer);
	served = !err;
	if (err && err != -ENOENT)
		status = tracer_status(ctl, err);
	else if (served && dir)
		status = complain("lttd (pid %d) serves trace %s and writes to %s: leave -o out",
				  consumer.pid, name, consumer.dir);
	else if (!served && !dir)
		status = misused("no lttd serves trace %s: say -o DIR", name);
	if (!status)
		status = tracer_status(ctl, lttctl_trace_snapshot(trace));
	if (!status && dir)
		status = lttd_run("--once", dir, name);
	else if (!status)
		printf("lttd (pid %d) writes it to %s\n", consumer.pid,
		       consumer.dir);
	lttctl_trace_close(trace);
out_ctl:
	lttctl_free(ctl);
	return status;
}

int cmd_snapshot(int argc, const char **argv)
{
	char *dir = NULL;
	const struct poptOption table[] = {
		{ "output", 'o', POPT_ARG_STRING, &dir, 0,
		  "write to DIR/kernel, when no lttd serves the trace", "DIR" },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	const char **args;
	int status;
	pid_t pid;

	status = options_parse(argc, argv, table, 0, &context);
	args = poptGetArgs(context);
	if (!status && (!args || !args[0]))
		status = misused("which trace?");
	else if (!status && args[1])
		status = misused("one trace only, not also `%s`", args[1]);
	else if (!status && dir && recordings_is_name(args[0], &pid))
		status = misused("%s: its lttd writes it, leave -o out", args[0]);
	if (!status)
		status = recordings_is_name(args[0], &pid) ? recordings_snapshot(args[0])
							   : snapshot(args[0], dir);
	poptFreeContext(context);
	free(dir);
	return status;
}
