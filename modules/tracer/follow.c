// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the bits of a set of tasks right when tasks are created, get a new name or move
 * between cgroups.
 *
 * Layer: tracer.  A set has a bit for each thread, which probes on three tracepoints of the
 * kernel update.  So an event tests one bit, however many members the set has.  A new thread
 * gets its bit before it first runs, so a reused number belongs to its new owner.  The bit of
 * the idle threads (0) is never set.
 *
 * Two properties of a task cannot be found out later, and have bits of their own: its descent
 * (the parent may be gone), and whether its name matches (a probe receives a name just before
 * the task gets it).
 *
 * These probes run before those of events: if a thread is recorded because of its new name,
 * the event of the new name is recorded, too.
 *
 * Context: probes: task context, with locks of the kernel held.  Probes take no lock but the
 * set's, and wake no thread.  The rest: registry lock held.
 */
#include "follow.h"

#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/glob.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <linux/tracepoint.h>

/* Its users are to declare them; without CONFIG_CGROUPS nothing else does. */
struct cgroup;
struct cgroup_root;
#include <trace/events/cgroup.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "../compat/checked-probe.h"

/**
 * ltt_tasks_have() - check whether a set has a member of a kind
 * @tasks: the set
 * @kind: the kind
 *
 * Return: true if it has.
 */
bool ltt_tasks_have(const struct ltt_tasks *tasks, enum ltt_member_kind kind)
{
	unsigned int i;

	for (i = 0; i < tasks->nr; i++)
		if (tasks->member[i].kind == kind)
			return true;
	return false;
}

static bool is_member(const struct ltt_tasks *tasks, struct task_struct *task)
{
	unsigned int i;

	if (tasks->families && test_bit(task->tgid, tasks->families))
		return true;
	if (tasks->named && test_bit(task->pid, tasks->named))
		return true;
	for (i = 0; i < tasks->nr; i++)
		if (ltt_member_is(&tasks->member[i], task))
			return true;
	return false;
}

static bool name_matches(const struct ltt_tasks *tasks, const char *comm)
{
	char name[TASK_COMM_LEN];
	unsigned int i;

	/* A name as it is set can be longer than the name that the thread gets. */
	strscpy(name, comm, sizeof(name));
	for (i = 0; i < tasks->nr; i++)
		if (tasks->member[i].kind == LTT_MEMBER_NAME &&
		    glob_match(tasks->member[i].glob, name))
			return true;
	return false;
}

/* Set the bits of a thread.  @comm: its new name; NULL if it keeps its name. */
static void update(struct ltt_tasks *tasks, struct task_struct *task, const char *comm)
{
	unsigned long flags;

	rcu_read_lock();
	raw_spin_lock_irqsave(&tasks->lock, flags);
	/* The number of a task that is gone may be another's. */
	if (pid_alive(task)) {
		if (comm && tasks->named) {
			assign_bit(task->pid, tasks->named, name_matches(tasks, comm));
			if (tasks->renamed)
				set_bit(task->pid, tasks->renamed);
		}
		assign_bit(task->pid, tasks->tids, is_member(tasks, task));
	}
	raw_spin_unlock_irqrestore(&tasks->lock, flags);
	rcu_read_unlock();
}

/* ---- Descent ---- */

static bool heads_family(const struct ltt_tasks *tasks, struct task_struct *process)
{
	unsigned int i;

	for (i = 0; i < tasks->nr; i++)
		if (tasks->member[i].kind == LTT_MEMBER_FAMILY &&
		    ltt_member_is(&tasks->member[i], process))
			return true;
	return false;
}

/* A new process inherits from its parent.  The parent is read under the lock: before it,
 * find_tasks() could go past both in between, and what it found would be undone. */
static void inherit(struct ltt_tasks *tasks, struct task_struct *process)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&tasks->lock, flags);
	/* It can be named before it first runs. */
	assign_bit(process->tgid, tasks->families, heads_family(tasks, process) ||
						   test_bit(current->tgid, tasks->families));
	raw_spin_unlock_irqrestore(&tasks->lock, flags);
}

/* Membership of a process that was there before. */
static void find_family(struct ltt_tasks *tasks, struct task_struct *process)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&tasks->lock, flags);
	if (pid_alive(process) &&
	    (heads_family(tasks, process) ||
	     test_bit(rcu_dereference(process->real_parent)->tgid, tasks->families)))
		set_bit(process->tgid, tasks->families);
	raw_spin_unlock_irqrestore(&tasks->lock, flags);
}

/* ---- What happens ---- */

/* Called in the thread that created @task, for every task but the idle ones, also for those
 * that sched_process_fork does not report.  (A name that another thread of the process gives
 * the task between its creation and now can be missed: it is written while we read.) */
static void probe_wakeup_new(void *data, struct task_struct *task)
{
	struct ltt_tasks *tasks = data;

	if (tasks->families && thread_group_leader(task))
		inherit(tasks, task);
	update(tasks, task, task->comm);
}

static void probe_rename(void *data, struct task_struct *task, const char *comm)
{
	/* Also when an exec has made it the first thread of its process. */
	update(data, task, comm);
}

static void probe_attach(void *data, struct cgroup *cgroup, const char *path,
			 struct task_struct *task, bool whole_process)
{
	struct task_struct *thread;

	if (!whole_process) {
		update(data, task, NULL);
		return;
	}
	rcu_read_lock();
	for_each_thread(task, thread)
		update(data, thread, NULL);
	rcu_read_unlock();
}

static struct hook {
	const char *name;
	void *probe;
	struct tracepoint *tracepoint;
} hooks[] = {
	{ "sched_wakeup_new", LTT_CHECKED_PROBE(sched_wakeup_new, probe_wakeup_new) },
	{ "task_rename", LTT_CHECKED_PROBE(task_rename, probe_rename) },
	/* Last, for it is needed for cgroups only. */
	{ "cgroup_attach_task", LTT_CHECKED_PROBE(cgroup_attach_task, probe_attach) },
};

/* ---- Beginning and end ---- */

/*
 * Set the bits of a thread that was there before.  The kernel writes a new name after it has called probe_rename(), so the name
 * that is read here may be the old one: a name that the probe has seen counts.  Up to 6.13 the kernel does both under
 * task_lock(), so a name whose probe was called before the hooks were set is written by now.
 */
static void find_thread(struct ltt_tasks *tasks, struct task_struct *task)
{
	unsigned long flags;

	task_lock(task);
	raw_spin_lock_irqsave(&tasks->lock, flags);
	if (pid_alive(task)) {
		if (tasks->named && !test_bit(task->pid, tasks->renamed))
			assign_bit(task->pid, tasks->named, name_matches(tasks, task->comm));
		assign_bit(task->pid, tasks->tids, is_member(tasks, task));
	}
	raw_spin_unlock_irqrestore(&tasks->lock, flags);
	task_unlock(task);
}

/* A child stands behind its parent in the list of all processes. */
static void find_tasks(struct ltt_tasks *tasks)
{
	struct task_struct *process, *thread;

	rcu_read_lock();
	for_each_process(process) {
		if (tasks->families)
			find_family(tasks, process);
		for_each_thread(process, thread)
			find_thread(tasks, thread);
	}
	rcu_read_unlock();
}

static int set_hooks(struct ltt_tasks *tasks)
{
	unsigned int nr = ARRAY_SIZE(hooks) - !ltt_tasks_have(tasks, LTT_MEMBER_CGROUP);
	int err;

	for (; tasks->follows < nr; tasks->follows++) {
		struct hook *hook = &hooks[tasks->follows];

		if (!hook->tracepoint || !hook->probe)
			return -EOPNOTSUPP;
		err = tracepoint_probe_register_prio(hook->tracepoint, hook->probe, tasks,
						     TRACEPOINT_DEFAULT_PRIO + 1);
		if (err)
			return err;
	}
	return 0;
}

static void free_renamed(struct ltt_tasks *tasks)
{
	unsigned long *renamed, flags;

	raw_spin_lock_irqsave(&tasks->lock, flags);
	renamed = tasks->renamed;
	tasks->renamed = NULL;
	raw_spin_unlock_irqrestore(&tasks->lock, flags);
	kvfree(renamed);
}

/**
 * ltt_follow_begin() - find the tasks, now and from now on
 * @tasks: zeroed bits, fixed members; after an error, too, ltt_follow_end() is due
 * Return: 0, -EOPNOTSUPP, -ENOMEM.
 */
int ltt_follow_begin(struct ltt_tasks *tasks)
{
	int err;

	if (tasks->named) {
		tasks->renamed = kvzalloc(BITS_TO_LONGS(PID_MAX_LIMIT) * sizeof(long), GFP_KERNEL_ACCOUNT);
		if (!tasks->renamed)
			return -ENOMEM;
	}
	err = set_hooks(tasks);
	/* Now that nothing is missed. */
	if (!err)
		find_tasks(tasks);
	free_renamed(tasks);
	return err;
}

/**
 * ltt_follow_end() - undo it, wholly or as far as it came
 */
void ltt_follow_end(struct ltt_tasks *tasks)
{
	struct hook *hook;

	while (tasks->follows) {
		hook = &hooks[--tasks->follows];
		tracepoint_probe_unregister(hook->tracepoint, hook->probe, tasks);
	}
	/* Probes under way. The last user of the set has waited for the events that look at it. */
	tracepoint_synchronize_unregister();
}

static void find_hook(struct tracepoint *tracepoint, void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		if (!strcmp(tracepoint->name, hooks[i].name))
			hooks[i].tracepoint = tracepoint;
}

void __init ltt_follow_init(void)
{
	unsigned int i;

	for_each_kernel_tracepoint(find_hook, NULL);
	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		if (!hooks[i].probe)
			pr_warn("ltt: no trace can be limited to tasks whose membership the tracepoint %s changes: its arguments in this kernel are not those that LTT was written for\n",
				hooks[i].name);
}
