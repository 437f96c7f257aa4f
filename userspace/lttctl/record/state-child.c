// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The lttd that writes the state of the system into a recording.
 *
 * Layer: lttctl.
 */
#include "state-child.h"
#include "lttctl/command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* 10,000 processes take less than a second. */
#define SECONDS 30

int state_check(const char *list)
{
	uint32_t parts;

	return !list || state_parse(&parts, list) ? 0 : misused("--state %s: must be " STATE_FORM, list);
}

pid_t state_start(const char *dir, const char *list)
{
	struct command_line line = { .words = { "lttd", "--state", list ?: "default", "-o", dir }, .nr = 5 };
	uint32_t parts;

	return list && state_parse(&parts, list) && !parts ? 0 : lttd_spawn(&line);
}

/* Return: false if the process still runs when the time is over. */
static bool wait_for_exit(pid_t pid)
{
	struct pollfd pollfd = { .fd = syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };
	int ready;

	/* Without a descriptor, wait however long it takes. */
	if (pollfd.fd < 0)
		return true;
	do
		ready = poll(&pollfd, 1, SECONDS * 1000);
	while (ready < 0 && errno == EINTR);
	close(pollfd.fd);
	return ready;
}

int state_wait(pid_t pid)
{
	bool in_time;
	int status;

	if (pid <= 0)
		return pid ? EXIT_FAILED : 0;
	in_time = wait_for_exit(pid);
	if (!in_time) {
		complain("lttd (pid %d) has not written the state of the system within %d seconds: it is killed",
			 pid, SECONDS);
		kill(pid, SIGKILL);
	}
	child_reap(pid, 0, &status);
	return in_time ? lttd_ended(status) : EXIT_FAILED;
}

int state_write(const char *dir, const char *list)
{
	return state_wait(state_start(dir, list));
}
