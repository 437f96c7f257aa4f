/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The passes of ../probes.h for an event header of a driver, in the driver's own source.
 *
 * Layer: instrument; compiled into drivers.  Included by trace/define_trace.h; no include
 * guard.
 *
 * The passes define macros anew that event headers consist of.  They are as they were
 * behind this file, because another event header may follow in the same source.
 */
#undef CREATE_TRACE_POINTS

#include "link.h"

#pragma push_macro("TRACE_EVENT")
#pragma push_macro("TRACE_EVENT_FN")
#pragma push_macro("TRACE_EVENT_FN_COND")
#pragma push_macro("TRACE_EVENT_CONDITION")
#pragma push_macro("TRACE_EVENT_NOP")
#pragma push_macro("TRACE_EVENT_SYSCALL")
#pragma push_macro("TRACE_EVENT_FLAGS")
#pragma push_macro("TRACE_EVENT_PERF_PERM")
#pragma push_macro("TRACE_DEFINE_ENUM")
#pragma push_macro("TRACE_DEFINE_SIZEOF")
#pragma push_macro("DECLARE_EVENT_CLASS")
#pragma push_macro("DECLARE_EVENT_SYSCALL_CLASS")
#pragma push_macro("DECLARE_EVENT_CLASS_NOP")
#pragma push_macro("DEFINE_EVENT")
#pragma push_macro("DEFINE_EVENT_FN")
#pragma push_macro("DEFINE_EVENT_PRINT")
#pragma push_macro("DEFINE_EVENT_CONDITION")
#pragma push_macro("DEFINE_EVENT_WRITABLE")
#pragma push_macro("DEFINE_EVENT_NOP")
#pragma push_macro("DECLARE_TRACE")
#pragma push_macro("DECLARE_TRACE_CONDITION")
#pragma push_macro("DECLARE_TRACE_WRITABLE")

/* For probes.h, in place of what probes in ltt-tracepoints do. */
#ifndef LTT_IN_DRIVER
#define LTT_IN_DRIVER
#define ltt_driver_ops(data)	(((const struct ltt_driver_probe *)(data))->ops)
#define ltt_probe_sink(data)	READ_ONCE(*((const struct ltt_driver_probe *)(data))->out)
#define ltt_scratch_begin(s, fixed)	ltt_driver_ops(ltt_data)->begin(s, fixed)
#define ltt_scratch_end(s, sink)	ltt_driver_ops(ltt_data)->end(s, sink)
#define ltt_copy_string(...)		ltt_driver_ops(ltt_data)->copy_string(__VA_ARGS__)
#define ltt_copy_string_len(...)	ltt_driver_ops(ltt_data)->copy_string_len(__VA_ARGS__)
#define ltt_copy_vstring(...)		ltt_driver_ops(ltt_data)->copy_vstring(__VA_ARGS__)
#define ltt_copy_array(...)		ltt_driver_ops(ltt_data)->copy_array(__VA_ARGS__)
#endif

/* Where the header is: as define_trace.h of the kernel finds it. */
#ifdef TRACE_INCLUDE_FILE
#define LTT_DRIVER_FILE	TRACE_INCLUDE_FILE
#else
#define LTT_DRIVER_FILE	TRACE_SYSTEM
#endif
#ifdef TRACE_INCLUDE_PATH
#define LTT_DRIVER_HEADER(file)	__stringify(TRACE_INCLUDE_PATH/file.h)
#else
#define LTT_DRIVER_HEADER(file)	<trace/events/file.h>
#endif
#define LTT_DRIVER_INCLUDE(file) LTT_DRIVER_HEADER(file)
#define LTT_HEADER	LTT_DRIVER_INCLUDE(LTT_DRIVER_FILE)
#define LTT_UNIT	TRACE_SYSTEM

/* See ../Kbuild for why. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "../probes.h"
#pragma GCC diagnostic pop

#undef LTT_UNIT
#undef LTT_HEADER
#undef LTT_DRIVER_INCLUDE
#undef LTT_DRIVER_HEADER
#undef LTT_DRIVER_FILE
#undef TRACE_HEADER_MULTI_READ

#pragma pop_macro("TRACE_EVENT")
#pragma pop_macro("TRACE_EVENT_FN")
#pragma pop_macro("TRACE_EVENT_FN_COND")
#pragma pop_macro("TRACE_EVENT_CONDITION")
#pragma pop_macro("TRACE_EVENT_NOP")
#pragma pop_macro("TRACE_EVENT_SYSCALL")
#pragma pop_macro("TRACE_EVENT_FLAGS")
#pragma pop_macro("TRACE_EVENT_PERF_PERM")
#pragma pop_macro("TRACE_DEFINE_ENUM")
#pragma pop_macro("TRACE_DEFINE_SIZEOF")
#pragma pop_macro("DECLARE_EVENT_CLASS")
#pragma pop_macro("DECLARE_EVENT_SYSCALL_CLASS")
#pragma pop_macro("DECLARE_EVENT_CLASS_NOP")
#pragma pop_macro("DEFINE_EVENT")
#pragma pop_macro("DEFINE_EVENT_FN")
#pragma pop_macro("DEFINE_EVENT_PRINT")
#pragma pop_macro("DEFINE_EVENT_CONDITION")
#pragma pop_macro("DEFINE_EVENT_WRITABLE")
#pragma pop_macro("DEFINE_EVENT_NOP")
#pragma pop_macro("DECLARE_TRACE")
#pragma pop_macro("DECLARE_TRACE_CONDITION")
#pragma pop_macro("DECLARE_TRACE_WRITABLE")

#define CREATE_TRACE_POINTS
