// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl stop: stop a trace; it can be started again.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"

static int stop(struct lttctl *ctl, struct lttctl_trace *trace)
{
	return tracer_status(ctl, lttctl_trace_stop(trace));
}

int cmd_stop(int argc, const char **argv)
{
	return run_on_trace(argc, argv, stop);
}
