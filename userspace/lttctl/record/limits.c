// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The options -p, --cgroup, --task and --cpu, which limit a trace to tasks and CPUs.
 *
 * Layer: lttctl.
 */
#include "limits.h"
#include "lttctl/command.h"
#include "common/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tracer separates members by blanks. */
static int check_words(const char *option, char *const *words)
{
	for (; words && *words; words++)
		if (!**words || strpbrk(*words, " \t\n"))
			return misused("%s %s: must have no blanks, and not be empty", option, *words);
	return 0;
}

int limits_check(struct limits *limits, bool programs)
{
	const char *why = limits->pid_text ? options_pid(limits->pid_text, &limits->pid) : NULL;
	int status;

	if (why)
		return misused("-p %s: %s", limits->pid_text, why);
	if (programs && (limits->cgroups || limits->tasks || limits->cpus))
		return misused("%s: limits events of the kernel only; leave out -e user:... or use -p",
			       limits->cgroups ? "--cgroup" : limits->tasks ? "--task" : "--cpu");
	status = check_words("--cgroup", limits->cgroups);
	return status ? status : check_words("--task", limits->tasks);
}

const char *limits_of_tasks(const struct limits *limits)
{
	return limits->pid ? "-p" : limits->cgroups ? "--cgroup" : limits->tasks ? "--task" : NULL;
}

bool limits_any(const struct limits *limits)
{
	return limits->pid || limits->cgroups || limits->tasks || limits->cpus;
}

/* Print all members of the set of tasks. */
static void print_members(const struct limits *limits, FILE *out)
{
	char **word;

	if (limits->pid)
		fprintf(out, "pid:%d+children ", limits->pid);
	for (word = limits->cgroups; word && *word; word++)
		fprintf(out, "cgroup:%s ", *word);
	for (word = limits->tasks; word && *word; word++)
		fprintf(out, "comm:%s ", *word);
}

static int apply_tasks(const struct limits *limits, struct lttctl_trace *trace)
{
	char *members = NULL;
	size_t size;
	FILE *out;
	int err;

	if (!limits->cgroups && !limits->tasks)
		return limits->pid ? lttctl_trace_set_pid(trace, limits->pid) : 0;
	out = open_memstream(&members, &size);
	if (!out)
		return -ENOMEM;
	print_members(limits, out);
	if (fclose(out))
		err = -ENOMEM;
	else
		err = lttctl_trace_limit_tasks(trace, members);
	free(members);
	return err;
}

int limits_apply(const struct limits *limits, struct lttctl_trace *trace)
{
	int err = apply_tasks(limits, trace);

	return err || !limits->cpus ? err : lttctl_trace_limit_cpus(trace, limits->cpus);
}

static void free_words(char **words)
{
	size_t i;

	for (i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}

void limits_free(struct limits *limits)
{
	free(limits->pid_text);
	free_words(limits->cgroups);
	free_words(limits->tasks);
	free(limits->cpus);
}
