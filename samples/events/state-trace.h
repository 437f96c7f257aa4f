/* SPDX-License-Identifier: GPL-2.0-only */
/* The event of the state of ltt-sample-events: a driver can have several event headers. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM sample_state

#if !defined(LTT_SAMPLE_STATE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTT_SAMPLE_STATE_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(sample_state_change,
	TP_PROTO(bool busy, unsigned long jobs),
	TP_ARGS(busy, jobs),
	TP_STRUCT__entry(
		__field(bool, busy)
		__field(unsigned long, jobs)
	),
	TP_fast_assign(
		__entry->busy = busy;
		__entry->jobs = jobs;
	),
	TP_printk("busy=%d jobs=%lu", __entry->busy, __entry->jobs)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE state-trace
#include <trace/define_trace.h>
