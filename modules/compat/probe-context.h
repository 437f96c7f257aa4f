/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether the kernel calls probes of tracepoints with preemption off.
 *
 * Layer: none; include it after linux/tracepoint.h.
 *
 * Kernels with the macro __DO_TRACE() call all probes with preemption off, except,
 * once they have DECLARE_TRACE_SYSCALL(), those of system calls.  On other kernels a
 * probe turns preemption off itself.  conftest cannot compile the difference: it is
 * one of macros.
 */
#ifndef LTT_COMPAT_PROBE_CONTEXT_H
#define LTT_COMPAT_PROBE_CONTEXT_H

#include <linux/preempt.h>

#if defined(__DO_TRACE) && !defined(DECLARE_TRACE_SYSCALL)
#define LTT_PREEMPT_DISABLE()	do { } while (0)
#define LTT_PREEMPT_ENABLE()	do { } while (0)
#else
#define LTT_PREEMPT_DISABLE()	preempt_disable_notrace()
#define LTT_PREEMPT_ENABLE()	preempt_enable_notrace()
#endif

#endif /* LTT_COMPAT_PROBE_CONTEXT_H */
