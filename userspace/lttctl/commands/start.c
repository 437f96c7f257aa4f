// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl start: start, or go on with, a trace.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"

static int start(struct lttctl *ctl, struct lttctl_trace *trace)
{
	return tracer_status(ctl, lttctl_trace_start(trace));
}

int cmd_start(int argc, const char **argv)
{
	return run_on_trace(argc, argv, start);
}
