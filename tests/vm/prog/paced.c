// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A modest program: bursts of a system call and an event of the program, at a rate of its own,
 * in rounds that another process begins:
 *
 *	paced NAME BURST BURSTS...
 *
 * Round R has as many bursts as the argument R says, 20 ms apart.  It begins when no process has an
 * exclusive lock (flock) on the file "go.R" any more.  The file "NAME.R" shows that it has ended, and
 * "NAME.0" that the program has begun.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <ltt/marker.h>

#define PAUSE_NS	20000000

static void show(const char *name, int round)
{
	char file[64];
	int fd;

	snprintf(file, sizeof(file), "%s.%d", name, round);
	fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		err(1, "%s", file);
	close(fd);
}

static void wait_for(int round)
{
	char file[16];
	int fd;

	snprintf(file, sizeof(file), "go.%d", round);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_SH))
		err(1, "%s", file);
	close(fd);
}

static void burst(int n)
{
	int i;

	for (i = 0; i < n; i++) {
		trace_mark(paced, step, "i %d", i);
		/* Fails at once, for there is no such policy. */
		syscall(SYS_sched_get_priority_max, 1000);
	}
}

int main(int argc, char **argv)
{
	int round, bursts;

	if (argc < 4)
		errx(1, "usage: paced NAME BURST BURSTS...");
	show(argv[1], 0);
	for (round = 1; round <= argc - 3; round++) {
		wait_for(round);
		for (bursts = atoi(argv[round + 2]); bursts; bursts--) {
			burst(atoi(argv[2]));
			nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
		}
		show(argv[1], round);
	}
	return 0;
}
