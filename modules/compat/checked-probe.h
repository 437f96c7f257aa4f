/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes of tracepoints that LTT finds by name.
 *
 * Layer: none; include it after the header of the tracepoint.
 */
#ifndef LTT_COMPAT_CHECKED_PROBE_H
#define LTT_COMPAT_CHECKED_PROBE_H

/*
 * A probe that takes other arguments than its tracepoint has would corrupt memory.  So the compiler compares it with
 * the kernel's declaration: this is NULL where a kernel has changed that.
 */
#define LTT_CHECKED_PROBE(event, function)						\
	__builtin_choose_expr(__builtin_types_compatible_p(				\
		typeof(check_trace_callback_type_##event), void (typeof(&function))),	\
		(void *)function, NULL)

#endif /* LTT_COMPAT_CHECKED_PROBE_H */
