// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Run lttd as a daemon.
 *
 * Layer: lttd.
 */
#include "daemon.h"
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int daemon_fork(void)
{
	int pipefd[2];
	ssize_t got;
	char byte;
	pid_t pid;

	if (pipe2(pipefd, O_CLOEXEC))
		return fail("cannot create a pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		return fail("cannot fork: %s", strerror(errno));
	if (pid) {
		close(pipefd[1]);
		do
			got = read(pipefd[0], &byte, 1);
		while (got < 0 && errno == EINTR);
		if (got < 0) {
			fail("cannot wait for the daemon to start: %s", strerror(errno));
			kill(pid, SIGTERM);
			/* A failed start leaves no process behind. */
			waitpid(pid, NULL, 0);
		}
		_exit(got == 1 ? 0 : 1);
	}
	close(pipefd[0]);
	setsid();
	return pipefd[1];
}

int daemon_ready(int parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	ssize_t done;

	if (null < 0 || chdir("/"))
		return fail("cannot become a daemon: %s", strerror(errno));
	log_to_syslog();
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close(null);
	do
		done = write(parent, "", 1);
	while (done < 0 && errno == EINTR);
	if (done != 1)
		return fail("cannot notify the parent that the daemon is ready: %s",
			    strerror(errno));
	close(parent);
	return 0;
}
