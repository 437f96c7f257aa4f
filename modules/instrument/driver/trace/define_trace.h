/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comes before the kernel's <trace/define_trace.h> in a driver that is built with ../../driver.mk.
 *
 * Layer: instrument; compiled into drivers.
 *
 * Every event header ends with this file.  In the one source of the driver that defines
 * CREATE_TRACE_POINTS, the kernel's file makes the tracepoints of the header, and leaves the
 * macro defined.  Then the passes of LTT follow, which make a probe of each event.  No
 * include guard: the file is for each event header of the driver.
 */
#include_next <trace/define_trace.h>

#if defined(CREATE_TRACE_POINTS) && defined(TRACEPOINTS_ENABLED)
#include "../driver-probes.h"
#endif
