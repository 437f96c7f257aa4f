// SPDX-License-Identifier: GPL-2.0-only
/*
 * The limits of a trace: to a set of tasks, to a set of CPUs.
 *
 * Layer: tracer.  Context: task, registry lock held.
 *
 * A writer looks for limits, with passes() in write.c, when trace->active tells it to.
 * Each of the two is a pointer to what never changes its definition, or NULL; they are
 * exchanged under a running trace, and the old one goes when no writer can have it.
 */
#include "tracer.h"

#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "tasks.h"

/* By exchange, so that a trace that is being halted stays so. */
static void take_effect(struct ltt_trace *trace)
{
	if (ltt_trace_is_limited(trace))
		/* O(limits:B): a writer that sees FILTERED sees the limits; pairs with O(limits:A). */
		cmpxchg_release(&trace->active, LTT_ACTIVE, LTT_ACTIVE_FILTERED);
	else
		cmpxchg(&trace->active, LTT_ACTIVE_FILTERED, LTT_ACTIVE);
	/* Probes may still look at the former limit. */
	ltt_marker_synchronize();
}

void ltt_trace_limit_tasks(struct ltt_trace *trace, struct ltt_tasks *tasks)
{
	struct ltt_tasks *old = trace->tasks;

	ltt_markers_assert_held();
	/* O(tasks:A): whole before it is seen; pairs with the dependency in passes(). */
	smp_store_release(&trace->tasks, ltt_tasks_get(tasks));
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
	/* O(cpus:A): whole before it is seen; pairs with the dependency in passes(). */
	smp_store_release(&trace->cpus, new);
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
