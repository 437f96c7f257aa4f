// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A namespace of process ids that a child enters without exec().
 */
#include "prog.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int to_parent[2], to_child[2];

static void *emit_in_turns(void *nr)
{
	long i, n = (long)nr;
	char byte = 0;

	for (i = 0; i < 2 * n; i++) {
		if (i == n && (write(to_parent[1], &byte, 1) != 1 || read(to_child[0], &byte, 1) != 1))
			_exit(1);
		trace_mark(test, count, "i %ld", i);
	}
	return NULL;
}

/* The first process of the new namespace: a thread of it gets the id @tid there. */
static int emit_as(pid_t tid, long n)
{
	FILE *last = fopen("/proc/sys/kernel/ns_last_pid", "w");
	pthread_t id;

	if (!last || fprintf(last, "%d", tid - 1) < 0 || fclose(last))
		return 1;
	return pthread_create(&id, NULL, emit_in_turns, (void *)n) || pthread_join(id, NULL);
}

/* enter-namespace N: a thread of the child emits 2 N events, and the parent N amid them.
 * No thread of the parent's namespace has the id that the child's thread has in its own. */
int prog_enter_namespace(char **argv)
{
	long n = number(argv, 0, 10), i;
	pid_t tid = 20000, child;
	char byte = 0;
	int status;

	while (!kill(tid, 0) || errno != ESRCH)
		tid++;
	if (pipe(to_parent) || pipe(to_child) || unshare(CLONE_NEWPID))
		return 77;
	child = fork();
	if (!child) {
		close(to_child[1]);
		exit(emit_as(tid, n));
	}
	close(to_parent[1]);
	if (read(to_parent[0], &byte, 1) != 1)
		return 1;
	for (i = 0; i < n; i++)
		trace_mark(test, count, "i %ld", i);
	if (write(to_child[1], &byte, 1) != 1)
		return 1;
	return waitpid(child, &status, 0) != child || status;
}
