/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tracepoints whose cost is measured: plain TRACE_EVENTs.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM cost

#if !defined(LTT_TEST_COST_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTT_TEST_COST_EVENTS_H

#include <linux/tracepoint.h>

TRACE_EVENT(cost_none,
	TP_PROTO(int unused),
	TP_ARGS(unused),
	TP_STRUCT__entry(),
	TP_fast_assign(),
	TP_printk("%s", "")
);

TRACE_EVENT(cost_int2,
	TP_PROTO(u32 a, u64 b),
	TP_ARGS(a, b),
	TP_STRUCT__entry(
		__field(u32, a)
		__field(u64, b)
	),
	TP_fast_assign(
		__entry->a = a;
		__entry->b = b;
	),
	TP_printk("%u %llu", __entry->a, __entry->b)
);

TRACE_EVENT(cost_intstr,
	TP_PROTO(u32 a, const char *s),
	TP_ARGS(a, s),
	TP_STRUCT__entry(
		__field(u32, a)
		__string(s, s)
	),
	TP_fast_assign(
		__entry->a = a;
		assign_event_str(s, s);
	),
	TP_printk("%u %s", __entry->a, __get_str(s))
);

TRACE_EVENT(cost_bytes32,
	TP_PROTO(const u64 *v),
	TP_ARGS(v),
	TP_STRUCT__entry(
		__array(u64, v, 4)
	),
	TP_fast_assign(
		memcpy(__entry->v, v, sizeof(__entry->v));
	),
	TP_printk("%llu", __entry->v[0])
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE cost-events
#include <trace/define_trace.h>
