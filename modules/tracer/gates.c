// SPDX-License-Identifier: GPL-2.0-only
/*
 * The gates of a trace, and its limits to a set of tasks and to a set of CPUs.
 *
 * Layer: tracer.  Context: task, registry lock held; but see ltt_gates_shut().
 *
 * The sinks of a trace share a gate on each CPU (struct ltt_gate in ltt/sink.h).  While the
 * trace records, the gate of a CPU within the limit has the bits of the set of tasks, or
 * is open if there is none.  All other gates have bits that are all clear.  So an event
 * looks at one word, however many limits there are.
 *
 * Each trace has such gates twice: those of most sinks stay shut while the trace is armed (trigger.c).
 *
 * A set of tasks and a set of CPUs never change their definition.  A running trace can get
 * another limit, or none: the old one is freed when no event can be looking at it.
 */
#include "tracer.h"

#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/threads.h>
#include <linux/vmalloc.h>

#include <ltt/limits.h>

#include "tasks.h"

/* A bit for each thread id, none of them set. */
static const unsigned long *no_tids;

/* ---- Gates ---- */

static const unsigned long *bits_on(const struct ltt_trace *trace, int cpu)
{
	if (trace->cpus && !cpumask_test_cpu(cpu, trace->cpus))
		return no_tids;
	return trace->tasks ? trace->tasks->tids : NULL;
}

static void shut(struct ltt_gate __percpu *gate)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(gate, cpu)->tids, no_tids);
}

/**
 * ltt_gates_shut() - let no event pass
 * @trace: the trace; @trace->active is 0
 *
 * Events that are on their way still pass.
 *
 * Context: any, NMI included.
 */
void ltt_gates_shut(struct ltt_trace *trace)
{
	shut(trace->first_gate);
	shut(trace->gate);
}

/* The gates have been opened: shut them if the trace has been halted meanwhile. */
static void check_halt(struct ltt_trace *trace)
{
	/* O(halt:A): the gates before the look at the flag; pairs with O(halt:B). */
	smp_mb();
	if (!READ_ONCE(trace->active))
		ltt_gates_shut(trace);
}

static void open_gates(struct ltt_trace *trace, bool all)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		const unsigned long *bits = bits_on(trace, cpu);

		/* O(tasks:A): the bits before the pointer to them; pairs with the dependency in
		 * ltt_sink_wants(). */
		smp_store_release(&per_cpu_ptr(trace->first_gate, cpu)->tids, bits);
		if (all)
			/* O(tasks:A) */
			smp_store_release(&per_cpu_ptr(trace->gate, cpu)->tids, bits);
	}
	check_halt(trace);
}

/**
 * ltt_gates_open() - let the events within the limits pass
 * @trace: the trace; @trace->active was 1
 *
 * In an armed trace these are the events that may begin, and those with names of tasks.
 * If the trace is halted meanwhile, the gates are shut on return.
 *
 * Context: sleeps; registry lock held.
 */
void ltt_gates_open(struct ltt_trace *trace)
{
	int armed;

	for (;;) {
		/* O(begin:C): the look before the gates; pairs with O(begin:D). */
		armed = smp_load_acquire(&trace->armed);
		open_gates(trace, armed != LTT_ARMED);
		/* O(begin:A): the gates before the look; pairs with O(begin:B). */
		smp_mb();
		if (armed != LTT_BEGINNING && armed == READ_ONCE(trace->armed))
			return;
		/* An event that began meanwhile may have found gates that were shut still, or had a
		 * former limit, and gives that to others: wait until it has. */
		ltt_marker_synchronize();
	}
}

/**
 * ltt_gates_begin() - let all events of an armed trace pass
 * @trace: the trace
 *
 * Context: any, NMI included, in a sink of the trace.
 * Return: true if the trace was armed.
 */
bool ltt_gates_begin(struct ltt_trace *trace)
{
	int cpu;

	/* O(begin:B): the flag before the look at the gates; pairs with O(begin:A). */
	if (READ_ONCE(trace->armed) != LTT_ARMED ||
	    cmpxchg(&trace->armed, LTT_ARMED, LTT_BEGINNING) != LTT_ARMED)
		return false;
	/* They may be opening: ltt_gates_open() does so again then. */
	for_each_possible_cpu(cpu)
		/* O(tasks:A) */
		smp_store_release(&per_cpu_ptr(trace->gate, cpu)->tids,
				  READ_ONCE(per_cpu_ptr(trace->first_gate, cpu)->tids));
	check_halt(trace);
	/* O(begin:D): the gates before the flag; pairs with O(begin:C). */
	smp_store_release(&trace->armed, LTT_BEGUN);
	return true;
}

/**
 * ltt_gates_create() - make the gates of a trace, shut
 * @trace: a trace that sinks do not know yet
 *
 * Return: 0 or -ENOMEM; ltt_gates_free() is due.
 */
int ltt_gates_create(struct ltt_trace *trace)
{
	trace->gate = alloc_percpu_gfp(struct ltt_gate, GFP_KERNEL_ACCOUNT);
	trace->first_gate = alloc_percpu_gfp(struct ltt_gate, GFP_KERNEL_ACCOUNT);
	if (!trace->gate || !trace->first_gate)
		return -ENOMEM;
	ltt_gates_shut(trace);
	return 0;
}

/* ---- Limits ---- */

/* When this returns, no event looks at a former limit any more. */
static void take_effect(struct ltt_trace *trace)
{
	if (READ_ONCE(trace->active))
		ltt_gates_open(trace);
	ltt_marker_synchronize();
}

void ltt_trace_limit_tasks(struct ltt_trace *trace, struct ltt_tasks *tasks)
{
	struct ltt_tasks *old = trace->tasks;

	ltt_markers_assert_held();
	trace->tasks = ltt_tasks_get(tasks);
	take_effect(trace);
	ltt_tasks_put(old);
}
EXPORT_SYMBOL_GPL(ltt_trace_limit_tasks);

struct ltt_tasks *ltt_trace_tasks(const struct ltt_trace *trace)
{
	ltt_markers_assert_held();
	return trace->tasks;
}
EXPORT_SYMBOL_GPL(ltt_trace_tasks);

int ltt_trace_limit_cpus(struct ltt_trace *trace, const struct cpumask *cpus)
{
	struct cpumask *old = trace->cpus, *new = NULL;

	ltt_markers_assert_held();
	if (cpus) {
		new = kmemdup(cpus, cpumask_size(), GFP_KERNEL_ACCOUNT);
		if (!new)
			return -ENOMEM;
	}
	trace->cpus = new;
	take_effect(trace);
	kfree(old);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_trace_limit_cpus);

const struct cpumask *ltt_trace_cpus(const struct ltt_trace *trace)
{
	ltt_markers_assert_held();
	return trace->cpus;
}
EXPORT_SYMBOL_GPL(ltt_trace_cpus);

/**
 * ltt_gates_free() - free the gates and limits of a trace
 * @trace: the trace; no sink of it can be called any more
 */
void ltt_gates_free(struct ltt_trace *trace)
{
	ltt_tasks_put(trace->tasks);
	kfree(trace->cpus);
	free_percpu(trace->first_gate);
	free_percpu(trace->gate);
}

/**
 * ltt_gates_init() - make the bits that are all clear
 *
 * Return: 0 or -ENOMEM.
 */
int __init ltt_gates_init(void)
{
	unsigned int i, nr = DIV_ROUND_UP(BITS_TO_LONGS(PID_MAX_LIMIT) * sizeof(long), PAGE_SIZE);
	struct page **pages = kmalloc_array(nr, sizeof(*pages), GFP_KERNEL);

	if (!pages)
		return -ENOMEM;
	/* The kernel's page of zeros again and again: takes no memory. */
	for (i = 0; i < nr; i++)
		pages[i] = ZERO_PAGE(0);
	no_tids = vmap(pages, nr, VM_MAP, PAGE_KERNEL_RO);
	kfree(pages);
	return no_tids ? 0 : -ENOMEM;
}

/**
 * ltt_gates_exit() - undo ltt_gates_init(); there is no trace any more
 */
void ltt_gates_exit(void)
{
	vunmap(no_tids);
}
