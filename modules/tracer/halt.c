// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stop a trace in any context: set one flag at once, and do the rest in a work item.
 *
 * Layer: tracer.  Context: see each.
 */
#include "tracer.h"

#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <ltt/raise.h>

/* For all traces: the work may run when the halted trace is gone. */
static DEFINE_PER_CPU(struct work_struct, halt_works);

static void stop_halted(struct work_struct *work)
{
	struct ltt_trace *trace;

	ltt_markers_lock();
	list_for_each_entry(trace, &ltt_traces, node)
		if (ltt_trace_is_halted(trace))
			ltt_trace_stop(trace);
	ltt_markers_unlock();
}

/* On every CPU, because some CPUs may run no tasks any more: the first CPU that runs the
 * work stops the trace.  The scheduler can put an unbound worker on a CPU that runs no tasks,
 * and has no reason to move it. */
static void schedule_halt(struct irq_work *unused)
{
	int cpu;

	for_each_online_cpu(cpu)
		queue_work_on(cpu, system_highpri_wq, per_cpu_ptr(&halt_works, cpu));
}

/* A CPU that could raise no interrupt has halted a trace; written in any context, read when the CPU is online or dead. */
static bool is_owed;

/* Work cannot be queued from an NMI, an interrupt can be raised there. */
static struct irq_work halt_interrupt = IRQ_WORK_INIT_HARD(schedule_halt);

/* Return: true if this call halted the trace: finish() is due. */
static bool begin(struct ltt_trace *trace)
{
	/* Preemption is off until the text is whole: the thread that stops the trace waits
	 * for that, and no thread reads it, nor starts the trace again, before it is stopped. */
	preempt_disable_notrace();
	/* O(halt:B): the flag before the gates; pairs with O(halt:A). */
	if (xchg(&trace->active, 0)) {
		ltt_gates_shut(trace);
		return true;
	}
	preempt_enable_notrace();
	return false;
}

static void finish(void)
{
	if (!ltt_raise(&halt_interrupt))
		WRITE_ONCE(is_owed, true);
	preempt_enable_notrace();
}

void ltt_trace_halt(struct ltt_trace *trace, const char *why)
{
	if (!begin(trace))
		return;
	strscpy(trace->why, why, sizeof(trace->why));
	finish();
}
EXPORT_SYMBOL_GPL(ltt_trace_halt);

/**
 * ltt_trace_stop_by() - halt a trace because of an event that its user has waited for
 * @trace: the trace
 * @event: the event
 *
 * Context: any, NMI included.
 */
void ltt_trace_stop_by(struct ltt_trace *trace, const struct ltt_event *event)
{
	if (!begin(trace))
		return;
	scnprintf(trace->why, sizeof(trace->why), "%s:%s", event->group, event->name);
	trace->is_triggered = true;
	finish();
}

bool ltt_trace_is_halted(const struct ltt_trace *trace)
{
	ltt_markers_assert_held();
	return trace->state == LTT_TRACE_RUNNING && !READ_ONCE(trace->active);
}
EXPORT_SYMBOL_GPL(ltt_trace_is_halted);

/**
 * ltt_halt_again() - have traces stopped that a CPU halted while it could raise no interrupt
 *
 * Context: any.
 */
void ltt_halt_again(void)
{
	if (xchg(&is_owed, false))
		irq_work_queue(&halt_interrupt);
}

/**
 * ltt_halt_init() - initialize the work items, before there are traces
 */
void __init ltt_halt_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		INIT_WORK(per_cpu_ptr(&halt_works, cpu), stop_halted);
}

/**
 * ltt_halt_exit() - end the work items; no trace is left
 */
void ltt_halt_exit(void)
{
	int cpu;

	irq_work_sync(&halt_interrupt);
	/* Cancelled, not flushed: a flush would wait for a CPU that runs no tasks. */
	for_each_possible_cpu(cpu)
		cancel_work_sync(per_cpu_ptr(&halt_works, cpu));
}
