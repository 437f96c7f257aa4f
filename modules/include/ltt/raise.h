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
 * A CPU that goes has its last interrupt while kprobes and functions still emit events on it.  What it raised later would run
 * when it comes back, and irq_work_sync() would wait for that.  So such a CPU raises nothing: the owner of @work has a
 * callback of CPU hotplug that raises it on another CPU, when this one is dead.
 *
 * Context: any, NMI included.
 */
static inline notrace void ltt_raise(struct irq_work *work)
{
	int cpu = raw_smp_processor_id();

	/* A CPU that comes is not online at first, either, but its interrupts are only late. */
	if (likely(cpu_online(cpu)) || !cpu_dying(cpu))
		irq_work_queue(work);
}

#endif
