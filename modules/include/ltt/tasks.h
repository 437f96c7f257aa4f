/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets of tasks, to which a trace can be limited.
 *
 * Layer: tracer.  A set is defined by members; from ltt_tasks_follow() on it
 * follows forks, new names and moves between cgroups, whether a trace uses it or
 * not.  Its users share it, and it never changes its definition.
 *
 * Locking: all functions are called with the registry lock held, and may sleep.
 */
#ifndef LTT_TASKS_H
#define LTT_TASKS_H

#include <linux/types.h>

struct ltt_budget;
struct ltt_tasks;
struct seq_file;

#define LTT_TASKS_MEMBERS_MAX	64	/* of a set */
#define LTT_TASKS_FOLLOWED_MAX	1024	/* of all sets that are followed */

/**
 * ltt_tasks_create() - create an empty set, for ltt_tasks_add()
 * @budget: charged for its memory; NULL: its memory is not charged
 *
 * Return: the set, with a reference for the caller, or ERR_PTR(-ENOMEM).
 */
struct ltt_tasks *ltt_tasks_create(struct ltt_budget *budget);

/**
 * ltt_tasks_add() - add a member, before ltt_tasks_follow()
 * @tasks: the set
 * @member: one of
 *	pid:N		a process: all its threads, for as long as it lives
 *	pid:N+children	and all processes that descend from it, now and later
 *	tid:N		one thread
 *	comm:GLOB	the threads whose name matches, as long as it does
 *	cgroup:PATH	the threads in a cgroup v2, or below it, as long as they are
 *
 * Numbers are those of the initial pid namespace, paths begin at the root of the
 * caller's cgroup namespace.
 *
 * Return: 0; -EINVAL @member has none of these forms; -ESRCH no such process or thread;
 * -ENOENT no such cgroup; -E2BIG more than LTT_TASKS_MEMBERS_MAX; -EOPNOTSUPP a cgroup in a
 * kernel without cgroups; -ENOMEM.
 */
int ltt_tasks_add(struct ltt_tasks *tasks, const char *member);

/**
 * ltt_tasks_follow() - find the tasks of a set, now and from now on
 * @tasks: a set with all its members; after an error, it can only be put
 *
 * Return: 0; -EOPNOTSUPP when this kernel lacks a tracepoint that is needed; -ENOMEM;
 * -EUSERS more than LTT_TASKS_FOLLOWED_MAX, or than the budgets may have together;
 * -EDQUOT more members or memory than the budget allows.
 */
int ltt_tasks_follow(struct ltt_tasks *tasks);

/**
 * ltt_tasks_put() - drop a reference
 * @tasks: may be NULL; the last reference ends the set
 */
void ltt_tasks_put(struct ltt_tasks *tasks);

/**
 * ltt_tasks_family() - get N if the only member of a set is pid:N+children
 * @tasks: the set
 *
 * Return: the number, or 0 for any other set.
 */
pid_t ltt_tasks_family(const struct ltt_tasks *tasks);

/**
 * ltt_tasks_show() - print the members, as they were added, separated by blanks
 * @tasks: the set
 * @s: receives the text
 */
void ltt_tasks_show(const struct ltt_tasks *tasks, struct seq_file *s);

#endif /* LTT_TASKS_H */
