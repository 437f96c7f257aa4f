// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * timed-write FILE TEXT: write TEXT to FILE, print INSTRUCTIONS NANOSECONDS
 *
 * For a VM with one CPU whose TSC, and with it the scheduler's clock, counts
 * instructions.  INSTRUCTIONS counts all tasks but the idle one, from the start of the write until
 * SETTLE after its end, so it includes work that the write leaves to other threads.  NANOSECONDS is
 * the duration of write(): while write() waits, for example for a grace period, the CPU executes
 * no instructions.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SETTLE 100000000

static unsigned long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void settle(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = SETTLE }, NULL);
}

/* A task's time is in it only when another task has taken over: settle() first. */
static unsigned long long executed(int schedstat)
{
	unsigned long long ns = 0;
	char text[1024], *line;
	ssize_t len = pread(schedstat, text, sizeof(text) - 1, 0);

	text[len < 0 ? 0 : len] = '\0';
	line = strstr(text, "cpu0 ");
	if (!line || sscanf(line, "cpu0 %*u %*u %*u %*u %*u %*u %llu", &ns) != 1) {
		fputs("timed-write: /proc/schedstat has no time of cpu0\n", stderr);
		exit(1);
	}
	return ns;
}

int main(int argc, char **argv)
{
	unsigned long long before, after, start, end;
	int schedstat = open("/proc/schedstat", O_RDONLY);
	int file = argc == 3 ? open(argv[1], O_WRONLY) : -1;

	if (schedstat < 0 || file < 0) {
		fputs("timed-write: cannot open the files\n", stderr);
		return 1;
	}
	settle();
	before = executed(schedstat);
	start = now();
	if (write(file, argv[2], strlen(argv[2])) < 0) {
		perror("timed-write");
		return 1;
	}
	end = now();
	settle();
	after = executed(schedstat);
	printf("%llu %llu\n", after - before, end - start);
	return 0;
}
