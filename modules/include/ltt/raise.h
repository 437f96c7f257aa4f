/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Raise an interrupt that does what a writer of events cannot do.
 *
 * Layer: relay; the tracer uses it, too.
 */
#ifndef LTT_RAISE_H
#define LTT_RAISE_H

#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/smp.h>

/**
 * ltt_raise() - raise an interrupt, which is not raised twice before it runs
 * @work: its function; %IRQ_WORK_HARD_IRQ on PREEMPT_RT
 *
 * Kprobes and functions emit events on a CPU that takes no interrupts: one that goes has had its last, and one that comes has
 * not enabled them.  An interrupt that is raised there could be lost, with all that are raised on that CPU later, and
 * irq_work_sync() would wait for it.  So a CPU that is not online raises nothing.  The owner of @work has callbacks
 * of CPU hotplug that raise it when the CPU is online, or dead.
 *
 * Context: any, NMI included.
 * Return: whether it is raised.
 */
static inline notrace bool ltt_raise(struct irq_work *work)
{
	/* Where preemption is on, the CPU is online, whichever it is. */
	if (unlikely(!cpu_online(raw_smp_processor_id())))
		return false;
	irq_work_queue(work);
	return true;
}

#endif
