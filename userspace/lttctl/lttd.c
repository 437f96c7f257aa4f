// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Running lttd, and waiting for it.
 *
 * Layer: lttctl.  lttd is looked for beside lttctl, in ../sbin from there, and
 * in PATH.
 */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define POLL_US 5000

/* A daemon on an idle machine takes milliseconds; this is for a very busy one. */
#define ATTACH_SECONDS 30

static const char *find_lttd(char *path, size_t size)
{
	static const char *const places[] = { "lttd", "../sbin/lttd" };
	ssize_t len = readlink("/proc/self/exe", path, size - 32);
	char *name;
	size_t i;

	path[len > 0 ? len : 0] = '\0';
	name = strrchr(path, '/');
	for (i = 0; name && i < sizeof(places) / sizeof(places[0]); i++) {
		strcpy(name + 1, places[i]);
		if (!access(path, X_OK))
			return path;
	}
	return "lttd";
}

pid_t lttd_spawn(const char *option, const char *dir, const char *trace)
{
	const char *argv[6];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	char path[4096];
	sigset_t none;
	int argc = 0;
	pid_t pid;
	int err;

	argv[argc++] = "lttd";
	if (option)
		argv[argc++] = option;
	argv[argc++] = "-o";
	argv[argc++] = dir;
	argv[argc++] = trace;
	argv[argc] = NULL;

	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	/* A session of its own: the terminal's ^C is for lttctl to deal with. */
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK |
				 POSIX_SPAWN_SETSID);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
					 O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null",
					 O_WRONLY, 0);
	err = posix_spawnp(&pid, find_lttd(path, sizeof(path)), &files, &attr,
			   (char **)argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	if (!err)
		return pid;
	complain("cannot run lttd: %s (it is looked for beside lttctl and in PATH)",
		 strerror(err));
	return -1;
}

/* It has said itself what went wrong, unless a signal ended it. */
int lttd_run(const char *option, const char *dir, const char *trace)
{
	pid_t pid = lttd_spawn(option, dir, trace);
	int status;

	if (pid < 0)
		return EXIT_FAILED;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		return complain("lttd was killed by signal %d",
				WTERMSIG(status));
	return WEXITSTATUS(status) ? EXIT_FAILED : 0;
}

int lttd_wait_ready(struct lttctl *ctl, const char *trace, pid_t pid)
{
	struct lttctl_consumer consumer;
	siginfo_t info;

	for (;;) {
		if (!lttctl_consumer_find(ctl, trace, &consumer) &&
		    consumer.pid == pid)
			return 0;
		info.si_pid = 0;
		waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT);
		if (info.si_pid)	/* it has said why */
			return EXIT_FAILED;
		usleep(POLL_US);
	}
}

static int count(const char *name, void *arg)
{
	(void)name;
	++*(unsigned int *)arg;
	return 0;
}

void lttd_wait_attached(struct lttctl *ctl, struct lttctl_trace *trace)
{
	const char *name = lttctl_trace_name(trace);
	struct lttctl_consumer consumer;
	unsigned int buffers = 0;
	long tries;

	lttctl_for_each_buffer(trace, count, &buffers);
	for (tries = ATTACH_SECONDS * 1000000L / POLL_US; tries; tries--) {
		if (lttctl_consumer_find(ctl, name, &consumer) ||
		    consumer.buffers >= buffers)
			return;
		usleep(POLL_US);
	}
	complain("warning: lttd (pid %d) has taken %u of %u buffers only; the others are lost",
		 consumer.pid, consumer.buffers, buffers);
}

void lttd_wait_gone(struct lttctl *ctl, const char *name)
{
	struct lttctl_consumer consumer;

	while (!lttctl_consumer_find(ctl, name, &consumer))
		usleep(POLL_US);
}
