/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files about sets of tasks: member.c knows what a member is, tasks.c
 * the set, follow.c how tasks come and go; write.c asks.
 *
 * Layer: tracer.
 */
#ifndef LTT_TRACER_TASKS_H
#define LTT_TRACER_TASKS_H

#include <linux/bitops.h>
#include <linux/spinlock.h>

#include <ltt/tasks.h>

struct cgroup;
struct pid;
struct task_struct;

/**
 * struct ltt_member - one member of a set
 * @text: as it was given
 * @kind: what it is
 * @pid: of a process, a family or a thread.  Not the number, which can be used again
 * @glob: of names; in @text
 * @cgroup: with a reference
 */
struct ltt_member {
	char *text;
	enum ltt_member_kind {
		LTT_MEMBER_PROCESS,
		LTT_MEMBER_FAMILY,
		LTT_MEMBER_THREAD,
		LTT_MEMBER_NAME,
		LTT_MEMBER_CGROUP,
	} kind;
	union {
		struct pid *pid;
		const char *glob;
		struct cgroup *cgroup;
	};
};

/**
 * struct ltt_tasks - a set of tasks
 * @tids: a bit for each thread: is it in the set?  Written under @lock, read by
 *	ltt_sink_wants() without; a thread's own bit is right before it first runs
 * @named: a bit for each thread: has it a name of ours?  NULL if no member is a name;
 *	under @lock
 * @families: a bit for each process: is it of a family of ours?  NULL if no member is
 *	a family; under @lock
 * @lock: so that of two changes of a thread the later one decides; innermost, taken
 *	in task context with the locks of scheduler and cgroups held
 * @budget: is charged for the bits; NULL for nobody
 * @charged: bytes
 * @users: references; registry lock
 * @follows: hooks that are in use; registry lock
 * @is_counted: its members are among those that all sets may have together
 * @nr: members
 * @member: fixed when @follows is set
 */
struct ltt_tasks {
	unsigned long *tids;
	unsigned long *named;
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

/* member.c */
int ltt_member_init(struct ltt_member *member, const char *text);
void ltt_member_exit(struct ltt_member *member);
bool ltt_member_is(const struct ltt_member *member, struct task_struct *task);

/* tasks.c */
bool ltt_tasks_have(const struct ltt_tasks *tasks, enum ltt_member_kind kind);
struct ltt_tasks *ltt_tasks_get(struct ltt_tasks *tasks);

/* follow.c */
int ltt_follow_begin(struct ltt_tasks *tasks);
void ltt_follow_end(struct ltt_tasks *tasks);
void ltt_follow_init(void);

#endif /* LTT_TRACER_TASKS_H */
