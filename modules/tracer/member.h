/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A member of a set of tasks.
 *
 * Layer: tracer.
 */
#ifndef LTT_TRACER_MEMBER_H
#define LTT_TRACER_MEMBER_H

#include <linux/types.h>

struct cgroup;
struct pid;
struct task_struct;

/**
 * struct ltt_member - one member of a set
 * @text: as the caller passed it
 * @kind: its kind
 * @pid: struct pid of the process, family or thread; the number may be reused
 * @glob: the glob of names; in @text
 * @cgroup: the cgroup, with a reference
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

int ltt_member_init(struct ltt_member *member, const char *text);
void ltt_member_exit(struct ltt_member *member);
bool ltt_member_is(const struct ltt_member *member, struct task_struct *task);

#endif /* LTT_TRACER_MEMBER_H */
