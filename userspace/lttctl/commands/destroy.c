// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl destroy: remove a trace.  When an lttd serves it, wait until its data is on disk.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/programs/recordings.h"

#include <errno.h>
#include <stdlib.h>

static int destroy(struct lttctl *ctl, struct lttctl_trace *trace)
{
	const char *name = lttctl_trace_name(trace);
	struct lttctl_consumer consumer;
	enum lttctl_state state;
	int status = 0, lost = 0, found, err;

	err = lttctl_trace_bind(trace);
	if (!err)
		err = lttctl_trace_state(trace, &state);
	if (!err && state == LTTCTL_RUNNING)
		err = lttctl_trace_stop(trace);
	if (err)
		return tracer_status(ctl, err);
	found = lttctl_consumer_find(ctl, name, &consumer);
	if (found && found != -ENOENT)
		return tracer_status(ctl, found);
	if (!found)
		status = lttd_wait_attached(ctl, trace, &lost);
	if (!status)
		status = tracer_status(ctl, lttctl_trace_destroy(trace));
	if (!status && !found)
		status = lttd_wait_gone(ctl, name, 0);
	return status ? status : lost;
}

int cmd_destroy(int argc, const char **argv)
{
	char *name;
	pid_t pid;
	int status;

	status = one_argument(argc, argv, "trace", &name);
	if (status)
		return status;
	status = recordings_is_name(name, &pid) ? recordings_destroy(name) : run_on(name, destroy);
	free(name);
	return status;
}
