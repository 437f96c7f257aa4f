/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The options -p, --cgroup, --task and --cpu, which limit a trace to tasks and CPUs.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_LIMITS_H
#define LTTCTL_LIMITS_H

#include <stdbool.h>
#include <sys/types.h>

struct lttctl_trace;

/**
 * struct limits - the tasks and CPUs that a trace is limited to
 * @pid_text: the argument of -p; this and the following are NULL without the option
 * @cgroups: the arguments of --cgroup, NULL at the end
 * @tasks: the arguments of --task, NULL at the end
 * @cpus: the argument of --cpu
 * @pid: a process, which is recorded with its descendants; 0 for none
 */
struct limits {
	char *pid_text;
	char **cgroups;
	char **tasks;
	char *cpus;
	pid_t pid;
};

/* The options, for a table of popt; @of is a struct limits. */
#define LIMITS_OPTIONS(of)								\
	{ "pid", 'p', POPT_ARG_STRING, &(of).pid_text, 0,				\
	  "record only process PID and its descendants", "PID" },			\
	{ "cgroup", 0, POPT_ARG_ARGV, &(of).cgroups, 0,					\
	  "record only tasks in the cgroup (of version 2) PATH, or below it (may be repeated)", "PATH" }, \
	{ "task", 0, POPT_ARG_ARGV, &(of).tasks, 0,					\
	  "record only threads whose name matches GLOB (may be repeated)", "GLOB" },	\
	{ "cpu", 0, POPT_ARG_STRING, &(of).cpus, 0,					\
	  "record only what happens on the CPUs of LIST, such as 0-3,7", "LIST" }

/**
 * limits_check() - check the values of the options
 * @limits: receives the value of -p
 * @programs: events of programs are recorded, for which there is -p only
 *
 * Return: 0, or EXIT_USAGE after a message.
 */
int limits_check(struct limits *limits, bool programs);

/* Return: the first of -p, --cgroup and --task that was given; NULL if none was. */
const char *limits_of_tasks(const struct limits *limits);

/* Return: true if one of the options was given. */
bool limits_any(const struct limits *limits);

/**
 * limits_apply() - limit a trace
 * @limits: what to limit it to: to all tasks that one of the options means
 * @trace: the trace
 *
 * Return: 0; -errno of liblttctl.
 */
int limits_apply(const struct limits *limits, struct lttctl_trace *trace);

/** limits_free() - free what popt has stored */
void limits_free(struct limits *limits);

#endif /* LTTCTL_LIMITS_H */
