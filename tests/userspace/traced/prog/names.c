// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Threads that change their names.
 */
#include "prog.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Rename the main thread as other processes do. */
static void *rename_main(void *name)
{
	FILE *comm;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/comm", getpid());
	comm = fopen(path, "w");
	if (comm) {
		fputs(name, comm);
		fclose(comm);
	}
	return NULL;
}

/* Each event is more than a millisecond after its rename. */
int prog_names(char **argv)
{
	pthread_t thread;

	(void)argv;
	trace_mark(test, name, "");
	prctl(PR_SET_NAME, "another");
	usleep(2000);
	trace_mark(test, name, "");
	prctl(PR_SET_NAME, "a-name-of-15-characters");
	usleep(2000);
	trace_mark(test, name, "");
	if (pthread_create(&thread, NULL, rename_main, "by-a-thread") || pthread_join(thread, NULL))
		return 1;
	usleep(2000);
	trace_mark(test, name, "");
	if (!fork()) {
		prctl(PR_SET_NAME, "child");
		usleep(2000);
		trace_mark(test, name, "");
		_exit(0);
	}
	return wait(NULL) < 0;
}

static unsigned long us_since(const struct timespec *began)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - began->tv_sec) * 1000000L + (now.tv_nsec - began->tv_nsec) / 1000;
}

/* Events without a pause, with the name that the thread has and the microseconds since then. */
int prog_names_without_pause(char **argv)
{
	struct timespec began;
	unsigned long us;
	char name[24];
	int i;

	(void)argv;
	for (i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "name-%d", i);
		prctl(PR_SET_NAME, name);
		clock_gettime(CLOCK_MONOTONIC, &began);
		do {
			us = us_since(&began);
			trace_mark(test, renamed, "want %s us %lu", name, us);
		} while (us < 3000);
	}
	return 0;
}
