/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The command that `record` runs.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_WORKLOAD_H
#define LTTCTL_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct workload - a command that waits, runs, or is over
 * @argv: the command
 * @file: the program it names
 * @pid: its process; 0 before workload_prepare() and once it has been waited for
 * @ignores_int: it is to ignore SIGINT, as background commands of scripts do
 * @status: its exit status as shells give it (128 + signal), once it is over
 */
struct workload {
	const char **argv;
	char file[4096];
	pid_t pid;
	int gate;
	int failure;
	bool ignores_int;
	int status;
};

/**
 * workload_find() - look its program up in PATH
 * Return: 0; 126 or 127, as shells do, after having said what is wrong.
 */
int workload_find(struct workload *workload, const char **argv);

/**
 * workload_prepare() - make its process, which waits
 *
 * Done before tracing starts, so that the exec is the first that is recorded of
 * the command.
 */
int workload_prepare(struct workload *workload);

/** workload_release() - let it run; its @status is 126 if that fails */
void workload_release(struct workload *workload);

/** workload_cancel() - end a process that still waits */
void workload_cancel(struct workload *workload);

/** workload_reap() - is it over?  Does not wait. */
bool workload_reap(struct workload *workload);

#endif /* LTTCTL_WORKLOAD_H */
