// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng's probes for the tracepoints of ltt-test-cost. ./build puts this file and
 * cost.h into the sources of lttng-modules, beside LTTng's own probes.
 */
#include <linux/module.h>
#include <lttng/tracer.h>

/* The compiler is to see that the prototypes are those of the tracepoints. */
#include <cost-events.h>

#include <wrapper/tracepoint.h>

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events
#include <instrumentation/events/cost.h>

MODULE_DESCRIPTION("LTT bench: LTTng probes of the cost tracepoints");
MODULE_LICENSE("GPL");
