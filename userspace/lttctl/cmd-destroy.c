// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl destroy: end a trace.  When an lttd serves it, its data is on disk when
 * this returns.
 *
 * Layer: lttctl.
 */
#include "command.h"
#include "recordings.h"

#include <stdlib.h>

static int destroy(struct lttctl *ctl, struct lttctl_trace *trace)
{
	const char *name = lttctl_trace_name(trace);
	struct lttctl_consumer consumer;
	enum lttctl_state state;
	bool served;
	int status, err;

	err = lttctl_trace_state(trace, &state);
	if (!err && state == LTTCTL_RUNNING)
		err = lttctl_trace_stop(trace);
	if (err)
		return tracer_status(ctl, err);
	served = !lttctl_consumer_find(ctl, name, &consumer);
	if (served) {
		status = lttd_wait_attached(ctl, trace);
		if (status)
			return status;
	}
	err = lttctl_trace_destroy(trace);
	if (!err && served)
		lttd_wait_gone(ctl, name);
	return tracer_status(ctl, err);
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
