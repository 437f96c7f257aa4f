/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Verdicts, which the program of an event returns (command filter-attach, doc/device.md): 0 to drop the
 * event, or several of these bits.  The others are reserved, and 0.
 *
 * While a trace is armed, only LTT_VERDICT_BEGIN does something, and LTT_VERDICT_RECORD alone.
 *
 * A slot is for a trigger that a program in user space waits for.  The tracer counts how often the
 * programs of a trace have reported in each slot (command triggers, notification trigger).
 *
 * A program has no way of its own to some contexts of the event.  One that uses the last of the 512 bytes of its stack
 * asks for them: it finds a struct ltt_run_values just before what the member bpf_ctx of the current task points to.
 *
 * A program that was attached with counters of perf (command filter-attach-counters) finds their counts, of 64 bits
 * each, before that: the first counter of the list is the last of them.
 */
#ifndef _UAPI_LTT_VERDICT_H
#define _UAPI_LTT_VERDICT_H

#include <linux/types.h>

#define LTT_VERDICT_RECORD		1	/* record the event */
#define LTT_VERDICT_STOP		2	/* stop the trace: no later event of this CPU is recorded */
#define LTT_VERDICT_BEGIN		4	/* begin to record, with this event, in an armed trace (command arm) */
#define LTT_VERDICT_RECORD_BEGUN	8	/* record the event unless the trace is still armed */
#define LTT_VERDICT_REPORT(slot)		(1U << (LTT_VERDICT_REPORT_SHIFT + (slot)))
#define LTT_VERDICT_REPORT_SHIFT		8
#define LTT_REPORT_SLOTS			8
#define LTT_RUN_COUNTERS			4	/* most counters of a program */

/**
 * struct ltt_run_values - the values of the contexts "preempt", "irq" and "need_resched" (lttctl-record(1))
 * @preempt: how many times preemption is off; -1: this kernel does not count
 * @irq: in which interrupt the event happened, and whether interrupts were off
 * @need_resched: 1 if the task is to be switched, at once or when it leaves the kernel
 * @reserved: 0
 */
struct ltt_run_values {
	__s32 preempt;
	__u8 irq;
	__u8 need_resched;
	__u16 reserved;
};

#endif /* _UAPI_LTT_VERDICT_H */
