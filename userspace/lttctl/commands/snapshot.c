// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl snapshot: write what a flight recorder holds to a directory of its own.
 *
 * Layer: lttctl.  A flight recorder of programs is copied by its lttd.
 */
#include "lttctl/command.h"
#include "lttctl/programs/recordings.h"
#include "lttctl/record/state-child.h"
#include "lttctl/snapshot/take.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Find the directory of the lttd that serves the trace; without -o DIR there has to be one. */
static int find_lttd(struct lttctl *ctl, const char *name, const char *dir, struct lttctl_consumer *consumer)
{
	int err = lttctl_consumer_find(ctl, name, consumer);

	if (err && err != -ENOENT)
		return tracer_status(ctl, err);
	if (!err)
		return 0;
	consumer->dir[0] = '\0';
	return dir ? 0 : misused("no lttd serves trace %s: name a directory with -o DIR", name);
}

static int take(struct lttctl *ctl, struct lttctl_trace *trace, const char *dir, const char *state)
{
	struct lttctl_consumer consumer;
	const struct snapshot_to to = { consumer.dir, dir, state };
	char path[SNAPSHOT_PATH_SIZE];
	int status = find_lttd(ctl, lttctl_trace_name(trace), dir, &consumer);

	if (!status)
		status = snapshot_take(ctl, trace, &to, path);
	if (status)
		return status;
	printf("%s\n", path);
	return output_status();
}

static int snapshot_kernel(const char *name, const char *dir, const char *state)
{
	struct lttctl_trace *trace;
	struct lttctl *ctl;
	int status;

	lttctl_raise_files();
	ctl = tracer_connect(false);
	if (!ctl)
		return EXIT_FAILED;
	status = tracer_status(ctl, lttctl_trace_open(ctl, name, &trace));
	if (!status) {
		status = take(ctl, trace, dir, state);
		lttctl_trace_close(trace);
	}
	lttctl_free(ctl);
	return status;
}

int cmd_snapshot(int argc, const char **argv)
{
	char *dir = NULL, *state = NULL;
	const struct poptOption table[] = {
		{ "output", 'o', POPT_ARG_STRING, &dir, 0,
		  "write to DIR/snapshot-N (default: beside the directory of the lttd that serves the trace)",
		  "DIR" },
		OPTIONS_STATE(&state),
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
		status = misused("TRACE is missing");
	else if (!status && args[1])
		status = misused("one trace only, not also `%s`", args[1]);
	else if (!status && dir && recordings_is_name(args[0], &pid))
		status = misused("%s: its lttd writes beside its own directory, leave -o out", args[0]);
	if (!status)
		status = state_check(state);
	if (!status)
		status = recordings_is_name(args[0], &pid) ? recordings_snapshot(args[0], state)
							   : snapshot_kernel(args[0], dir, state);
	poptFreeContext(context);
	free(state);
	free(dir);
	return status;
}
