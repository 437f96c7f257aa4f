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
 * struct workload - a command that waits, runs, or has exited
 * @argv: the command and its arguments
 * @file: the path of its program
 * @pid: its process; 0 before workload_prepare() and after workload_reap() has seen its exit
 * @gate: pipe to the child: see workload.c
 * @failure: pipe from the child: see workload.c
 * @preload: what LD_PRELOAD is to be; NULL to leave it as it is
 * @ignores_int: let it ignore SIGINT, as shells do for background commands of scripts
 * @status: its exit status as shells define it (128 + signal), after its exit
 */
struct workload {
	const char **argv;
	char file[4096];
	pid_t pid;
	int gate;
	int failure;
	char *preload;
	bool ignores_int;
	int status;
};

/**
 * workload_find() - find the program of a command in PATH
 * @workload: receives the command and the path
 * @argv: the command and its arguments; NULL at the end
 *
 * Return: 0; after a message 126 when the program cannot be run, 127 when it is not found.
 */
int workload_find(struct workload *workload, const char **argv);

/**
 * workload_prepare() - create the process of the command, which waits
 * @workload: of workload_find()
 *
 * The process exists before tracing starts, so that exec is its first event.
 *
 * Return: 0, or EXIT_FAILED after a message.
 */
int workload_prepare(struct workload *workload);

/** workload_release() - let the process run the command; it exits with 126 if that fails */
void workload_release(struct workload *workload);

/** workload_cancel() - end a process that waits */
void workload_cancel(struct workload *workload);

/** workload_reap() - check, without waiting, whether the command has exited */
bool workload_reap(struct workload *workload);

#endif /* LTTCTL_WORKLOAD_H */
