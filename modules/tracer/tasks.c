// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a set of tasks.
 *
 * Layer: tracer.  Context: task, registry lock held.
 */
#include "tasks.h"

#include <linux/err.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>

#include <ltt/budget.h>
#include <ltt/registry.h>

struct ltt_tasks *ltt_tasks_create(struct ltt_budget *budget)
{
	struct ltt_tasks *tasks = kzalloc(sizeof(*tasks), GFP_KERNEL_ACCOUNT);

	if (!tasks)
		return ERR_PTR(-ENOMEM);
	raw_spin_lock_init(&tasks->lock);
	tasks->users = 1;
	tasks->budget = ltt_budget_get(budget);
	return tasks;
}
EXPORT_SYMBOL_GPL(ltt_tasks_create);

int ltt_tasks_add(struct ltt_tasks *tasks, const char *member)
{
	int err;

	ltt_markers_assert_held();
	if (tasks->nr == LTT_TASKS_MEMBERS_MAX)
		return -E2BIG;
	err = ltt_member_init(&tasks->member[tasks->nr], member);
	if (!err)
		tasks->nr++;
	return err;
}
EXPORT_SYMBOL_GPL(ltt_tasks_add);

static int alloc_bits(struct ltt_tasks *tasks, unsigned long **bits)
{
	size_t bytes = BITS_TO_LONGS(PID_MAX_LIMIT) * sizeof(long);
	int err = tasks->budget ? tasks->budget->charge(tasks->budget, bytes) : 0;

	if (err)
		return err;
	tasks->charged += bytes;
	*bits = kvzalloc(bytes, GFP_KERNEL_ACCOUNT);
	return *bits ? 0 : -ENOMEM;
}

/* Members of all sets that are followed; guarded by the registry lock. */
static unsigned int nr_followed;

/* Each fork looks at each of them with interrupts off, so their number is limited. */
static int charge_members(struct ltt_tasks *tasks)
{
	int err = 0;

	if (nr_followed + tasks->nr > LTT_TASKS_FOLLOWED_MAX)
		return -EUSERS;
	if (tasks->budget)
		err = tasks->budget->charge_members(tasks->budget, tasks->nr);
	if (err)
		return err;
	nr_followed += tasks->nr;
	tasks->is_counted = true;
	return 0;
}

static void uncharge_members(struct ltt_tasks *tasks)
{
	if (!tasks->is_counted)
		return;
	nr_followed -= tasks->nr;
	if (tasks->budget)
		tasks->budget->uncharge_members(tasks->budget, tasks->nr);
}

/* After an error, the release of the set undoes the rest. */
int ltt_tasks_follow(struct ltt_tasks *tasks)
{
	int err;

	ltt_markers_assert_held();
	err = charge_members(tasks);
	if (err)
		return err;
	err = alloc_bits(tasks, &tasks->tids);
	if (!err && ltt_tasks_have(tasks, LTT_MEMBER_NAME))
		err = alloc_bits(tasks, &tasks->named);
	if (!err && ltt_tasks_have(tasks, LTT_MEMBER_FAMILY))
		err = alloc_bits(tasks, &tasks->families);
	return err ? err : ltt_follow_begin(tasks);
}
EXPORT_SYMBOL_GPL(ltt_tasks_follow);

/**
 * ltt_tasks_get() - a reference more
 * @tasks: may be NULL
 */
struct ltt_tasks *ltt_tasks_get(struct ltt_tasks *tasks)
{
	if (tasks)
		tasks->users++;
	return tasks;
}

void ltt_tasks_put(struct ltt_tasks *tasks)
{
	ltt_markers_assert_held();
	if (!tasks || --tasks->users)
		return;
	ltt_follow_end(tasks);
	uncharge_members(tasks);
	while (tasks->nr)
		ltt_member_exit(&tasks->member[--tasks->nr]);
	kvfree(tasks->families);
	kvfree(tasks->named);
	kvfree(tasks->tids);
	if (tasks->budget)
		tasks->budget->uncharge(tasks->budget, tasks->charged);
	ltt_budget_put(tasks->budget);
	kfree(tasks);
}
EXPORT_SYMBOL_GPL(ltt_tasks_put);

pid_t ltt_tasks_family(const struct ltt_tasks *tasks)
{
	if (tasks->nr != 1 || tasks->member[0].kind != LTT_MEMBER_FAMILY)
		return 0;
	return pid_nr(tasks->member[0].pid);
}
EXPORT_SYMBOL_GPL(ltt_tasks_family);

void ltt_tasks_show(const struct ltt_tasks *tasks, struct seq_file *s)
{
	unsigned int i;

	for (i = 0; i < tasks->nr; i++)
		seq_printf(s, "%s%s", i ? " " : "", tasks->member[i].text);
}
EXPORT_SYMBOL_GPL(ltt_tasks_show);
