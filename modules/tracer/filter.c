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
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(trace->gate, cpu)->tids, no_tids);
}

/**
 * ltt_gates_open() - let the events within the limits pass
 * @trace: the trace; @trace->active was 1
 *
 * If the trace is halted meanwhile, the gates are shut on return.
 */
void ltt_gates_open(struct ltt_trace *trace)
{
	int cpu;

	/* O(tasks:A): the bits before the pointer to them; pairs with the dependency in
	 * ltt_sink_wants(). */
	for_each_possible_cpu(cpu)
		smp_store_release(&per_cpu_ptr(trace->gate, cpu)->tids, bits_on(trace, cpu));
	/* O(halt:A): the gates before the look at the flag; pairs with O(halt:B). */
	smp_mb();
	if (!READ_ONCE(trace->active))
		ltt_gates_shut(trace);
}

/**
 * ltt_gates_create() - make the gates of a trace, shut
 * @trace: a trace that sinks do not know yet
 *
 * Return: 0 or -ENOMEM; ltt_filter_free() is due.
 */
int ltt_gates_create(struct ltt_trace *trace)
{
	trace->gate = alloc_percpu_gfp(struct ltt_gate, GFP_KERNEL_ACCOUNT);
	if (!trace->gate)
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
 * ltt_filter_free() - free the gates and limits of a trace
 * @trace: the trace; no sink of it can be called any more
 */
void ltt_filter_free(struct ltt_trace *trace)
{
	ltt_tasks_put(trace->tasks);
	kfree(trace->cpus);
	free_percpu(trace->gate);
}

/**
 * ltt_filter_init() - make the bits that are all clear
 *
 * Return: 0 or -ENOMEM.
 */
int __init ltt_filter_init(void)
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
 * ltt_filter_exit() - undo ltt_filter_init(); there is no trace any more
 */
void ltt_filter_exit(void)
{
	vunmap(no_tids);
}
