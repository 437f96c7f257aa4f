/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of the jobs of ltt-sample-events, as any event header of the kernel has them. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM sample_jobs

#if !defined(LTT_SAMPLE_JOBS_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTT_SAMPLE_JOBS_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(sample_job_queue,
	TP_PROTO(u32 id, const char *name, const u16 *sizes, unsigned int nr),
	TP_ARGS(id, name, sizes, nr),
	TP_STRUCT__entry(
		__field(u32, id)
		__string(name, name)
		__dynamic_array(u16, sizes, nr)
	),
	TP_fast_assign(
		__entry->id = id;
		/* __assign_str() has other arguments since Linux 6.10.  LTT cuts texts that are too long. */
		strscpy(__get_str(name), name, __get_dynamic_array_len(name));
		memcpy(__get_dynamic_array(sizes), sizes, nr * sizeof(*sizes));
	),
	TP_printk("id=%u name=%s", __entry->id, __get_str(name))
);

DECLARE_EVENT_CLASS(sample_job,
	TP_PROTO(u32 id, s64 result),
	TP_ARGS(id, result),
	TP_STRUCT__entry(
		__field(u32, id)
		__field(s64, result)
	),
	TP_fast_assign(
		__entry->id = id;
		__entry->result = result;
	),
	TP_printk("id=%u result=%lld", __entry->id, __entry->result)
);

DEFINE_EVENT(sample_job, sample_job_start, TP_PROTO(u32 id, s64 result), TP_ARGS(id, result));
DEFINE_EVENT(sample_job, sample_job_end, TP_PROTO(u32 id, s64 result), TP_ARGS(id, result));

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE jobs-trace
#include <trace/define_trace.h>
