// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Processes: fork, vfork, exec, and other users.
 */
#include "prog.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int prog_forks(char **argv)
{
	long n = number(argv, 0, 10), i;

	trace_mark(test, parent, "pid %d", getpid());
	for (i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid) {
			trace_mark(test, child, "pid %d i %ld", getpid(), i);
			exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	trace_mark(test, parent, "pid %d", getpid());
	return 0;
}

/* The process that emits the numbers outlives its parent and grandparent. */
int prog_orphan(char **argv)
{
	long n = number(argv, 0, 10), i;

	trace_mark(test, parent, "pid %d", getpid());
	if (wait_for_line())
		return 1;
	if (fork())
		return 0;
	if (fork())
		_exit(0);
	while (getppid() != 1)
		usleep(1000);
	if (wait_for_line())
		return 1;
	for (i = 0; i < n; i++)
		trace_mark(test, count, "i %ld", i);
	return 0;
}

/* leave-a-child N: the child emits N events, of which the first are sent to its parent's buffers,
 * prints a line, and waits for one; the parent ends at once. */
int prog_leave_a_child(char **argv)
{
	trace_mark(test, parent, "pid %d", getpid());
	if (fork())
		_exit(0);
	return prog_count_and_wait(argv);
}

int prog_vforks(char **argv)
{
	long n = number(argv, 0, 100);
	volatile long i;
	int status;

	for (i = 0; i < n; i++) {
		pid_t pid = vfork();

		if (!pid) {
			trace_mark(test, child, "i %ld", i);
			_exit(7);
		}
		trace_mark(test, parent, "i %ld", i);
		waitpid(pid, &status, 0);
		if (WEXITSTATUS(status) != 7)
			return 1;
	}
	return 0;
}

/* Children that exit right after the fork: the odd ones emit an event before. */
int prog_forks_exit(char **argv)
{
	long n = number(argv, 0, 10), i;
	pid_t child;

	for (i = 0; i < n; i++) {
		child = fork();
		if (!child) {
			if (i % 2)
				trace_mark(test, child, "i %ld", i);
			exit(3);
		}
		if (waitpid(child, NULL, 0) < 0)
			return 1;
	}
	return 0;
}

int prog_fork_when_told(char **argv)
{
	long i;

	(void)argv;
	trace_mark(test, count, "i %ld", -1L);
	if (wait_for_line())
		return 1;
	if (!fork()) {
		for (i = 0; i < 1000; i++) {
			trace_mark(test, count, "i %ld", i);
			usleep(100);
		}
		_exit(0);
	}
	return wait(NULL) < 0;
}

int prog_exec(char **argv)
{
	trace_mark(test, before, "pid %d", getpid());
	execl("/proc/self/exe", "prog", "count", argv[0] ? argv[0] : "10", NULL);
	return 1;
}

/* Becomes a daemon: closes all descriptors; those it opens then are its own. */
int prog_daemonize(char **argv)
{
	long n = number(argv, 0, 1000), i;
	int fd, fds[2];
	char byte;

	trace_mark(test, before, "pid %d", getpid());
	for (fd = 3; fd < 4096; fd++)
		close(fd);
	if (pipe(fds) || write(fds[1], "x", 1) != 1)
		return 1;
	for (i = 0; i < n; i++)
		trace_mark(test, count, "i %ld", i);
	usleep(100000);
	/* No library has taken it. */
	return read(fds[0], &byte, 1) != 1;
}

/* Becomes user @argv[0] in a way, or hides its memory, prints a line and waits. */
int prog_act_for(char **argv)
{
	uid_t user = number(argv, 0, 0);

	trace_mark(test, before, "pid %d", getpid());
	if (argv[1] && !strcmp(argv[1], "for-ever") && (setresgid(user, user, user) || setresuid(user, user, user)))
		return 1;
	if (argv[1] && !strcmp(argv[1], "for-a-while") && seteuid(user))
		return 1;
	if (argv[1] && !strcmp(argv[1], "hidden"))
		prctl(PR_SET_DUMPABLE, 0);
	if (wait_for_line())
		return 1;
	trace_mark(test, after, "pid %d", getpid());
	return 0;
}
