// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups: names for patterns of events, for tasks or for CPUs; and the limits of
 * traces, which are groups of tasks or CPUs.
 *
 * Layer: control.  Context: task, registry lock held.
 *
 * A group is never changed, only replaced.  Uses of the former one, such as
 * the limit of a trace, stay as they are.
 */
#include "../control.h"

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <ltt/limits.h>
#include <ltt/registry.h>
#include <ltt/tasks.h>

#define GROUPS_MAX	64	/* of a face */
#define PATTERNS_MAX	64	/* of a group */

/**
 * struct ltt_group - a named group
 * @node: in the face's list; guarded by the registry lock
 * @name: see ltt_name_valid()
 * @kind: which of the next three the group has
 * @patterns: patterns, separated by one blank each
 * @tasks: the set of tasks; the group has a reference
 * @cpus: the CPUs, at least one
 */
struct ltt_group {
	struct list_head node;
	char name[LTT_NAME_MAX];
	enum kind { EVENTS, TASKS, CPUS } kind;
	union {
		char *patterns;
		struct ltt_tasks *tasks;
		struct cpumask *cpus;
	};
};

static const char *const kind_names[] = {
	[EVENTS] = "events", [TASKS] = "tasks", [CPUS] = "cpus",
};

static void free_group(struct ltt_group *group)
{
	switch (group->kind) {
	case EVENTS:
		kfree(group->patterns);
		break;
	case TASKS:
		ltt_tasks_put(group->tasks);
		break;
	case CPUS:
		kfree(group->cpus);
		break;
	}
	kfree(group);
}

/**
 * ltt_groups_free() - free all groups of a face
 * @face: the face, which is not used any more
 *
 * Context: sleeps; registry lock held.
 */
void ltt_groups_free(struct ltt_face *face)
{
	struct ltt_group *group, *next;

	list_for_each_entry_safe(group, next, &face->groups, node)
		free_group(group);
}

static struct ltt_group *find_group(struct ltt_face *face, const char *name)
{
	struct ltt_group *group;

	list_for_each_entry(group, &face->groups, node)
		if (!strcmp(group->name, name))
			return group;
	return NULL;
}

/* Return: the group that "@NAME" means; NULL with call->error and *err set. */
static struct ltt_group *named_group(struct ltt_call *call, const char *text, int *err)
{
	struct ltt_group *group;

	if (*text != '@') {
		*err = ltt_fail(call, -EINVAL, "\"%.100s\" is not a group: write @NAME", text);
		return NULL;
	}
	group = find_group(call->face, text + 1);
	if (!group)
		*err = ltt_fail(call, -ENOENT, "there is no group \"%.100s\"", text + 1);
	return group;
}

/**
 * ltt_group_patterns() - find the patterns of a group of events
 * @call: the call; its error is set after an error
 * @text: "@NAME"
 *
 * Context: registry lock held.
 * Return: the patterns, separated by blanks, valid while the lock is held; ERR_PTR:
 * -EINVAL not a group of events, -ENOENT no such group.
 */
const char *ltt_group_patterns(struct ltt_call *call, const char *text)
{
	int err;
	struct ltt_group *group = named_group(call, text, &err);

	if (!group)
		return ERR_PTR(err);
	if (group->kind != EVENTS)
		return ERR_PTR(ltt_fail(call, -EINVAL,
					"\"%s\" is a group of %s: use a group of events",
					group->name, kind_names[group->kind]));
	return group->patterns;
}

/* ---- Definition ---- */

/* Find the group that a group of this kind and name replaces; NULL if there is none. */
static int check_name(struct ltt_call *call, enum kind kind, struct ltt_group **old)
{
	const char *name = call->arg[0].text;
	struct list_head *node;
	unsigned int nr = 0;

	if (!ltt_name_valid(name))
		return ltt_fail(call, -EINVAL,
				"\"%.70s\" cannot name a group: use 1 to 63 of A-Z a-z 0-9 _ . - with no leading dot",
				name);
	*old = find_group(call->face, name);
	if (*old && (*old)->kind != kind)
		return ltt_fail(call, -EEXIST,
				"\"%s\" is a group of %s: ungroup it, or choose another name", name,
				kind_names[(*old)->kind]);
	list_for_each(node, &call->face->groups)
		nr++;
	if (!*old && nr >= GROUPS_MAX)
		return ltt_fail(call, -ENOSPC, "there are %u groups, the most there may be: ungroup one", nr);
	return 0;
}

/* Call @take for each word of the second argument. */
static int each_word(struct ltt_call *call, struct ltt_group *group,
		     int (*take)(struct ltt_call *call, struct ltt_group *group, const char *word))
{
	char *copy = kstrdup(call->arg[1].text, GFP_KERNEL), *rest = copy, *word;
	bool any = false;
	int err = 0;

	if (!copy)
		return -ENOMEM;
	while (!err && (word = strsep(&rest, " \t\n"))) {
		if (!*word)
			continue;
		err = take(call, group, word);
		any = true;
	}
	kfree(copy);
	if (!any)
		return ltt_fail(call, -EINVAL, "group \"%s\" would be empty: use ungroup to remove it",
				call->arg[0].text);
	return err;
}

static int take_pattern(struct ltt_call *call, struct ltt_group *group, const char *word)
{
	char *patterns = group->patterns, *c;
	unsigned int nr = 1;
	int err;

	err = ltt_check_pattern(call, word);
	if (err)
		return err;
	for (c = patterns; *c; c++)
		nr += *c == ' ';
	if (*patterns && ++nr > PATTERNS_MAX)
		return ltt_fail(call, -E2BIG, "a group has at most %u patterns: use wider ones, or two groups",
				PATTERNS_MAX);
	/* There is room: the text had all words, and was as long. */
	if (*patterns)
		*c++ = ' ';
	strcpy(c, word);
	return 0;
}

static int fill_events(struct ltt_call *call, struct ltt_group *group)
{
	group->patterns = kzalloc(strlen(call->arg[1].text) + 1, GFP_KERNEL_ACCOUNT);
	if (!group->patterns)
		return -ENOMEM;
	return each_word(call, group, take_pattern);
}

static int take_member(struct ltt_call *call, struct ltt_group *group, const char *word)
{
	int err = ltt_tasks_add(group->tasks, word);

	switch (err) {
	case -EINVAL:
		return ltt_fail(call, err,
				"\"%.100s\" is not a member: write pid:N, pid:N+children, tid:N, comm:GLOB or cgroup:/PATH",
				word);
	case -ESRCH:
		return ltt_fail(call, err, "\"%.100s\": there is no such process or thread", word);
	case -ENOENT:
		return ltt_fail(call, err, "\"%.100s\": there is no such cgroup (of version 2)", word);
	case -E2BIG:
		return ltt_fail(call, err, "a group has at most %u members: use cgroups or globs",
				LTT_TASKS_MEMBERS_MAX);
	}
	return err;
}

/**
 * ltt_fail_tasks() - set the sentence of a call that cannot follow tasks
 * @call: the call; its error is set
 * @err: from ltt_tasks_create() or ltt_tasks_follow()
 * @what: the name of the group, or of the trace that is limited
 *
 * Context: any.
 * Return: @err.
 */
int ltt_fail_tasks(struct ltt_call *call, int err, const char *what)
{
	if (err == -EDQUOT)
		return ltt_fail(call, err,
				"\"%s\": its user may have %u members of groups and %llu MiB: remove groups, or raise max_members or max_buffer_mib in /sys/module/ltt_control/parameters",
				what, ltt_user_max_members(), ltt_user_max_bytes() >> 20);
	if (err == -EUSERS)
		return ltt_fail(call, err,
				"\"%s\": all groups together may have %u members (EUSERS), those of users without CAP_SYS_RESOURCE %u: remove groups, or use cgroups or globs",
				what, LTT_TASKS_FOLLOWED_MAX, LTT_USERS_MEMBERS_MAX);
	return ltt_fail_with(call, err, "\"%s\": cannot follow the tasks", what);
}

static int fill_tasks(struct ltt_call *call, struct ltt_group *group)
{
	struct ltt_tasks *tasks = ltt_tasks_create(call->face->budget);
	int err;

	if (IS_ERR(tasks))
		return PTR_ERR(tasks);
	group->tasks = tasks;
	err = each_word(call, group, take_member);
	if (!err)
		err = ltt_tasks_follow(tasks);
	return err && !*call->error ? ltt_fail_tasks(call, err, call->arg[0].text) : err;
}

static int fill_cpus(struct ltt_call *call, struct ltt_group *group)
{
	const char *list = call->arg[1].text;

	group->cpus = kzalloc(cpumask_size(), GFP_KERNEL_ACCOUNT);
	if (!group->cpus)
		return -ENOMEM;
	if (cpulist_parse(list, group->cpus) || cpumask_empty(group->cpus) ||
	    !cpumask_subset(group->cpus, cpu_possible_mask))
		return ltt_fail(call, -EINVAL,
				"\"%.100s\" is not a list of this machine's CPUs: write numbers below %u, such as 0-3,7",
				list, nr_cpu_ids);
	return 0;
}

/* Replace or add a group.  After an error the former group stays. */
static int define(struct ltt_call *call, enum kind kind,
		  int (*fill)(struct ltt_call *call, struct ltt_group *group))
{
	struct ltt_group *group, *old;
	int err = check_name(call, kind, &old);

	if (err)
		return err;
	group = kzalloc(sizeof(*group), GFP_KERNEL_ACCOUNT);
	if (!group)
		return -ENOMEM;
	strscpy(group->name, call->arg[0].text, sizeof(group->name));
	group->kind = kind;
	err = fill(call, group);
	if (err) {
		free_group(group);
		return err;
	}
	if (old) {
		list_replace(&old->node, &group->node);
		free_group(old);
	} else {
		list_add_tail(&group->node, &call->face->groups);
	}
	return 0;
}

static int op_group_events(struct ltt_call *call)
{
	return define(call, EVENTS, fill_events);
}

static int op_group_tasks(struct ltt_call *call)
{
	return define(call, TASKS, fill_tasks);
}

static int op_group_cpus(struct ltt_call *call)
{
	return define(call, CPUS, fill_cpus);
}

static int op_groups(struct ltt_call *call)
{
	struct ltt_group *group;

	list_for_each_entry(group, &call->face->groups, node) {
		seq_printf(call->out, "%s %s ", kind_names[group->kind], group->name);
		if (group->kind == EVENTS)
			seq_puts(call->out, group->patterns);
		else if (group->kind == TASKS)
			ltt_tasks_show(group->tasks, call->out);
		else
			seq_printf(call->out, "%*pbl", cpumask_pr_args(group->cpus));
		seq_putc(call->out, '\n');
	}
	return 0;
}

static int op_ungroup(struct ltt_call *call)
{
	struct ltt_group *group = find_group(call->face, call->arg[0].text);

	if (!group)
		return ltt_fail(call, -ENOENT, "there is no group \"%.100s\"", call->arg[0].text);
	list_del(&group->node);
	free_group(group);
	return 0;
}

/* ---- The limits of a trace ---- */

static int op_limit(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	struct ltt_group *group;
	int err;

	if (!trace)
		return -ENOENT;
	group = named_group(call, call->arg[1].text, &err);
	if (!group)
		return err;
	switch (group->kind) {
	case TASKS:
		ltt_trace_limit_tasks(trace, group->tasks);
		return 0;
	case CPUS:
		return ltt_trace_limit_cpus(trace, group->cpus);
	case EVENTS:
		break;
	}
	return ltt_fail(call, -EINVAL,
			"\"%s\" is a group of events: a limit needs a group of tasks or CPUs",
			group->name);
}

static int op_unlimit(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);

	if (!trace)
		return -ENOENT;
	ltt_trace_limit_tasks(trace, NULL);
	return ltt_trace_limit_cpus(trace, NULL);
}

static int op_limits(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);

	if (!trace)
		return -ENOENT;
	if (ltt_trace_tasks(trace)) {
		seq_puts(call->out, "tasks ");
		ltt_tasks_show(ltt_trace_tasks(trace), call->out);
		seq_putc(call->out, '\n');
	}
	if (ltt_trace_cpus(trace))
		seq_printf(call->out, "cpus %*pbl\n", cpumask_pr_args(ltt_trace_cpus(trace)));
	return 0;
}

const struct ltt_op ltt_group_ops[] = {
	{ "group-events", op_group_events, "define @NAME as patterns, separated by blanks",
	  { LTT_TEXT("name"), LTT_TEXT("patterns") } },
	{ "group-tasks", op_group_tasks,
	  "define @NAME as pid:N, pid:N+children, tid:N, comm:GLOB, cgroup:/PATH",
	  { LTT_TEXT("name"), LTT_TEXT("members") } },
	{ "group-cpus", op_group_cpus, "define @NAME as CPUs, such as 0-3,7",
	  { LTT_TEXT("name"), LTT_TEXT("list") } },
	{ "groups", op_groups, "list the groups: kind, name, members", {}, LTT_OP_SHOWS },
	{ "ungroup", op_ungroup, "remove a group; limits made with it stay",
	  { LTT_TEXT("name") } },
	{ "limit", op_limit, "record only the tasks, or only on the CPUs, of @NAME",
	  { LTT_TEXT("trace"), LTT_TEXT("group") } },
	{ "unlimit", op_unlimit, "record all tasks, on all CPUs", { LTT_TEXT("trace") } },
	{ "limits", op_limits, "show what a trace is limited to", { LTT_TEXT("trace") }, LTT_OP_SHOWS },
	{}
};
