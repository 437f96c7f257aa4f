// SPDX-License-Identifier: GPL-2.0-only
/*
 * One member of a set of tasks: parsing its text, and matching tasks.
 *
 * Layer: tracer.  Context: task, registry lock held, but for ltt_member_is().
 */
#include "member.h"
#include "tracer.h"

#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

static int init_pid(struct ltt_member *member, const char *number, enum pid_type type)
{
	struct pid *pid;
	u32 nr;

	/* kstrtou32() would take a sign. */
	if (*number < '0' || *number > '9' || kstrtou32(number, 10, &nr))
		return -EINVAL;
	rcu_read_lock();
	pid = find_pid_ns(nr, &init_pid_ns);
	if (pid && pid_task(pid, type))
		member->pid = get_pid(pid);
	rcu_read_unlock();
	return member->pid ? 0 : -ESRCH;
}

static int init_process(struct ltt_member *member, char *what)
{
	static const char suffix[] = "+children";
	size_t len = strlen(what), tail = sizeof(suffix) - 1;
	int err;

	if (len <= tail || strcmp(what + len - tail, suffix))
		return init_pid(member, what, PIDTYPE_TGID);
	member->kind = LTT_MEMBER_FAMILY;
	/* Cut for the number only: the text is to be shown. */
	what[len - tail] = '\0';
	err = init_pid(member, what, PIDTYPE_TGID);
	what[len - tail] = *suffix;
	return err;
}

#ifdef CONFIG_CGROUPS

static int init_cgroup(struct ltt_member *member, const char *path)
{
	struct cgroup *cgroup;

	if (*path != '/')
		return -EINVAL;
	cgroup = cgroup_get_from_path(path);
	if (IS_ERR(cgroup))
		return PTR_ERR(cgroup) == -ENOMEM ? -ENOMEM : -ENOENT;
	member->cgroup = cgroup;
	return 0;
}

static void exit_cgroup(struct ltt_member *member)
{
	cgroup_put(member->cgroup);
}

#else

static int init_cgroup(struct ltt_member *member, const char *path)
{
	return -EOPNOTSUPP;
}

static void exit_cgroup(struct ltt_member *member)
{
}

#endif

/* Probes compare names with the glob while interrupts are off, so it is short.  An
 * empty glob is a slip. */
static int init_name(struct ltt_member *member, const char *glob)
{
	member->glob = glob;
	if (!*glob || strlen(glob) >= LTT_PATTERN_MAX || !ltt_glob_is_closed(glob))
		return -EINVAL;
	return 0;
}

static const struct {
	const char *prefix;
	enum ltt_member_kind kind;
} kinds[] = {
	{ "pid:", LTT_MEMBER_PROCESS },	/* or a family */
	{ "tid:", LTT_MEMBER_THREAD },
	{ "comm:", LTT_MEMBER_NAME },
	{ "cgroup:", LTT_MEMBER_CGROUP },
};

static int resolve(struct ltt_member *member)
{
	unsigned int i;
	char *what;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (str_has_prefix(member->text, kinds[i].prefix))
			break;
	if (i == ARRAY_SIZE(kinds))
		return -EINVAL;
	member->kind = kinds[i].kind;
	what = member->text + strlen(kinds[i].prefix);
	switch (member->kind) {
	case LTT_MEMBER_PROCESS:
	case LTT_MEMBER_FAMILY:
		return init_process(member, what);
	case LTT_MEMBER_THREAD:
		return init_pid(member, what, PIDTYPE_PID);
	case LTT_MEMBER_NAME:
		return init_name(member, what);
	case LTT_MEMBER_CGROUP:
		return init_cgroup(member, what);
	}
	return -EINVAL;
}

/**
 * ltt_member_init() - parse a member
 * @member: zeroed; after an error it needs no ltt_member_exit()
 * @text: see ltt_tasks_add()
 *
 * Return: 0, or an error as of ltt_tasks_add().
 */
int ltt_member_init(struct ltt_member *member, const char *text)
{
	int err;

	member->text = kstrdup(text, GFP_KERNEL_ACCOUNT);
	if (!member->text)
		return -ENOMEM;
	err = resolve(member);
	if (err)
		kfree(member->text);
	return err;
}

/**
 * ltt_member_exit() - release what a member refers to
 * @member: not to be used any more
 */
void ltt_member_exit(struct ltt_member *member)
{
	switch (member->kind) {
	case LTT_MEMBER_PROCESS:
	case LTT_MEMBER_FAMILY:
	case LTT_MEMBER_THREAD:
		put_pid(member->pid);
		break;
	case LTT_MEMBER_CGROUP:
		exit_cgroup(member);
		break;
	case LTT_MEMBER_NAME:
		break;
	}
	kfree(member->text);
}

/**
 * ltt_member_is() - match a task by its present properties
 * @member: the member
 * @task: the task
 *
 * Of a family only the head matches, and names never match: follow.c compares a name when
 * the task gets it.
 *
 * Context: any but NMI; RCU read side.
 * Return: true if the task matches.
 */
bool ltt_member_is(const struct ltt_member *member, struct task_struct *task)
{
	switch (member->kind) {
	case LTT_MEMBER_PROCESS:
	case LTT_MEMBER_FAMILY:
		return task_tgid(task) == member->pid;
	case LTT_MEMBER_THREAD:
		return task_pid(task) == member->pid;
	case LTT_MEMBER_CGROUP:
		return task_under_cgroup_hierarchy(task, member->cgroup);
	case LTT_MEMBER_NAME:
		break;
	}
	return false;
}
