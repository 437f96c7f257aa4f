/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of tasks, which follows what happens to tasks.
 *
 * Layer: tracer.  tasks.c is the life of a set, follow.c keeps its bits right, and
 * member.c parses and matches members.
 */
#ifndef LTT_TRACER_FOLLOW_H
#define LTT_TRACER_FOLLOW_H

#include <linux/spinlock.h>
#include <linux/types.h>

#include <ltt/tasks.h>

#include "member.h"

struct ltt_budget;

/**
 * struct ltt_tasks - a set of tasks
 * @tids: a bit for each thread: is it in the set?  Written under @lock, read by
 *	ltt_sink_wants() without; a thread's own bit is right before it first runs
 * @named: a bit for each thread: has it a name of ours?  NULL if no member is a name;
 *	under @lock
 * @renamed: a bit for each thread: did it get its name while find_tasks() runs?  NULL at other times, and if no
 *	member is a name; under @lock
 * @families: a bit for each process: is it of a family of ours?  NULL if no member is
 *	a family; under @lock
 * @lock: so that of two changes of a thread the later one decides; innermost, taken
 *	in task context with the locks of scheduler and cgroups held
 * @budget: is charged for the bits; NULL: no budget is charged
 * @charged: bytes charged
 * @users: references; registry lock
 * @follows: hooks that are in use; registry lock
 * @is_counted: its members are among those that all sets may have together
 * @nr: members
 * @member: fixed when @follows is set
 */
struct ltt_tasks {
	unsigned long *tids;
	unsigned long *named;
	unsigned long *renamed;
	unsigned long *families;
	raw_spinlock_t lock;
	struct ltt_budget *budget;
	size_t charged;
	unsigned int users;
	unsigned int follows;
	bool is_counted;
	unsigned int nr;
	struct ltt_member member[LTT_TASKS_MEMBERS_MAX];
};

bool ltt_tasks_have(const struct ltt_tasks *tasks, enum ltt_member_kind kind);
int ltt_follow_begin(struct ltt_tasks *tasks);
void ltt_follow_end(struct ltt_tasks *tasks);
void ltt_follow_init(void);

#endif /* LTT_TRACER_FOLLOW_H */
