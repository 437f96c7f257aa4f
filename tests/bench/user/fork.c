// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The microseconds from fork() to the end of a child that exits at once: tenth percentile and
 * median.  With -DTHREAD the program has no markers, but a thread that sleeps; with an argument, each
 * child also starts such a thread, as libltt does: that is the floor for it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef THREAD
#include <ltt/marker.h>
#endif

#define FORKS	1000

static double now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e6 + ts.tv_nsec * 1e-3;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void *sleeps(void *unused)
{
	pause();
	return unused;
}

static int start_thread(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, 256 * 1024);
	return pthread_create(&thread, &attr, sleeps, NULL);
}

int main(int argc, char **argv)
{
	static double us[FORKS];
	int i;

	(void)argv;
#ifdef THREAD
	if (start_thread())
		return 1;
#else
	trace_mark(bench, none, "");
#endif
	for (i = 0; i < FORKS; i++) {
		double began = now_us();
		pid_t child = fork();

		if (!child)
			_exit(argc > 1 ? start_thread() : 0);
		if (child < 0 || waitpid(child, NULL, 0) < 0)
			return 1;
		us[i] = now_us() - began;
	}
	qsort(us, FORKS, sizeof(us[0]), by_size);
	printf("fork %.1f %.1f\n", us[FORKS / 10], us[FORKS / 2]);
	return 0;
}
