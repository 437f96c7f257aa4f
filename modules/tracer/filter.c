// SPDX-License-Identifier: GPL-2.0-only
/*
 * The limits of a trace: to a set of tasks, to a set of CPUs.
 *
 * Layer: tracer.  Context: task, registry lock held.
 *
 * The trace's gate tells a writer which limits there are; passes() in write.c looks at
 * them.  A set of tasks and a set of CPUs never change their definition.  A running trace
 * can get another limit, or none: the old one is freed when no writer can be looking at it.
 */
#include "tracer.h"

#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "tasks.h"

/* When this returns, no writer looks at a former limit any more. */
static void take_effect(struct ltt_trace *trace)
{
	u32 active = READ_ONCE(trace->gate.active);

	/* By exchange: ltt_trace_halt() may make it inactive meanwhile, which must last.
	 * O(limits:B): the limits before the mode that names them; pairs with O(limits:A). */
	if (active != LTT_INACTIVE)
		cmpxchg_release(&trace->gate.active, active, ltt_filter_mode(trace));
	ltt_marker_synchronize();
	if (!trace->tasks)
		WRITE_ONCE(trace->gate.tids, NULL);
	if (!trace->cpus)
		WRITE_ONCE(trace->gate.cpus, NULL);
}

void ltt_trace_limit_tasks(struct ltt_trace *trace, struct ltt_tasks *tasks)
{
	struct ltt_tasks *old = trace->tasks;

	ltt_markers_assert_held();
	trace->tasks = ltt_tasks_get(tasks);
	/* O(tasks:A): the bits before the pointer; pairs with the dependency in passes(). */
	if (tasks)
		smp_store_release(&trace->gate.tids, tasks->tids);
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
	/* O(cpus:A): the bits before the pointer; pairs with the dependency in passes(). */
	if (new)
		smp_store_release(&trace->gate.cpus, new);
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
 * ltt_filter_free() - the trace ends, no writer has it any more
 */
void ltt_filter_free(struct ltt_trace *trace)
{
	ltt_tasks_put(trace->tasks);
	kfree(trace->cpus);
}
