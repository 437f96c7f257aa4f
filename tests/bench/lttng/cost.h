/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tracepoints of ltt-test-cost as LTTng records them.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM cost

#if !defined(LTT_BENCH_LTTNG_COST_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTT_BENCH_LTTNG_COST_H

#include <lttng/tracepoint-event.h>

LTTNG_TRACEPOINT_EVENT(cost_none,
	TP_PROTO(int unused),
	TP_ARGS(unused),
	TP_FIELDS()
)

LTTNG_TRACEPOINT_EVENT(cost_int2,
	TP_PROTO(u32 a, u64 b),
	TP_ARGS(a, b),
	TP_FIELDS(
		ctf_integer(u32, a, a)
		ctf_integer(u64, b, b)
	)
)

LTTNG_TRACEPOINT_EVENT(cost_intstr,
	TP_PROTO(u32 a, const char *s),
	TP_ARGS(a, s),
	TP_FIELDS(
		ctf_integer(u32, a, a)
		ctf_string(s, s)
	)
)

LTTNG_TRACEPOINT_EVENT(cost_bytes32,
	TP_PROTO(const u64 *v),
	TP_ARGS(v),
	TP_FIELDS(
		ctf_array(u64, v, v, 4)
	)
)

#endif

#include <lttng/define_trace.h>
