// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recording one process and its descendants only.
 *
 * Layer: tracer.  A filter is a bit for each process id.  A fork gives the child
 * the bit of its parent, set or clear: so a number that is used again belongs to
 * its new owner from the first instant on.
 *
 * Context: ltt_filter_passes() and the probe run anywhere; the rest in task
 * context under the registry lock.  The bits are lockless: set and cleared by
 * the probe, read by writers; a writer's own bit is set before it first runs.
 */
#include "tracer.h"

#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <linux/tracepoint.h>

struct ltt_filter {
	unsigned long *tgids;
};

static struct tracepoint *fork_tracepoint;

bool ltt_filter_passes(const struct ltt_trace *trace)
{
	smp_rmb();	/* trace->active before trace->filter; pairs with set_active() */
	return test_bit(current->tgid, READ_ONCE(trace->filter)->tgids);
}

static void probe_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct ltt_filter *filter = data;

	if (child->pid != child->tgid)
		return;		/* a thread of the same process */
	if (test_bit(parent->tgid, filter->tgids))
		set_bit(child->tgid, filter->tgids);
	else
		clear_bit(child->tgid, filter->tgids);
}

/* A child stands behind its parent in the list of all processes. */
static bool set_family(struct ltt_filter *filter, pid_t tgid)
{
	struct task_struct *task;
	bool found = false;

	rcu_read_lock();
	for_each_process(task) {
		if (task->tgid == tgid) {
			found = true;
			set_bit(tgid, filter->tgids);
		} else if (test_bit(rcu_dereference(task->real_parent)->tgid, filter->tgids)) {
			set_bit(task->tgid, filter->tgids);
		}
	}
	rcu_read_unlock();
	return found;
}

/**
 * ltt_filter_create() - a filter that passes a process and its descendants
 * @tgid: its process id in the initial namespace
 * Return: the filter, or ERR_PTR: -ESRCH, -ENOMEM, -EOPNOTSUPP when this kernel
 * lacks the tracepoint that it needs.
 */
struct ltt_filter *ltt_filter_create(pid_t tgid)
{
	struct ltt_filter *filter;
	int err = -ENOMEM;

	if (!fork_tracepoint)
		return ERR_PTR(-EOPNOTSUPP);
	filter = kzalloc(sizeof(*filter), GFP_KERNEL);
	if (!filter)
		return ERR_PTR(err);
	filter->tgids = kvcalloc(BITS_TO_LONGS(PID_MAX_LIMIT), sizeof(long), GFP_KERNEL);
	if (!filter->tgids)
		goto err_tgids;
	/* First the probe, or a fork in between is missed. */
	err = tracepoint_probe_register(fork_tracepoint, probe_fork, filter);
	if (err)
		goto err_fork;
	err = -ESRCH;
	if (!set_family(filter, tgid))
		goto err_family;
	return filter;

err_family:
	tracepoint_probe_unregister(fork_tracepoint, probe_fork, filter);
	tracepoint_synchronize_unregister();
err_fork:
	kvfree(filter->tgids);
err_tgids:
	kfree(filter);
	return ERR_PTR(err);
}

/**
 * ltt_filter_free() - no writer has it any more
 * @filter: may be NULL
 */
void ltt_filter_free(struct ltt_filter *filter)
{
	if (!filter)
		return;
	tracepoint_probe_unregister(fork_tracepoint, probe_fork, filter);
	tracepoint_synchronize_unregister();
	kvfree(filter->tgids);
	kfree(filter);
}

static void find_tracepoint(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sched_process_fork"))
		fork_tracepoint = tp;
}

void __init ltt_filter_init(void)
{
	for_each_kernel_tracepoint(find_tracepoint, NULL);
}
