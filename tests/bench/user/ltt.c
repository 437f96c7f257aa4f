// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Emit events by libltt:
 *
 *   ltt			the cost of each kind of event
 *   ltt N			N events with two integers, as fast as they go
 *   ltt threads		the cost of an event with two integers, in two threads at once
 *   ltt first N		the mean of the first N events, in which the buffers take memory
 *   ltt paced RATE SECONDS	RATE events a second by two threads that never sleep
 */
#include "timing.h"

#include <pthread.h>
#include <string.h>

#include <ltt/marker.h>

#define BURST	100

static double rate, seconds;

static void all_kinds(void)
{
	MEASURE("none", trace_mark(bench, none, ""));
	MEASURE("int2", trace_mark(bench, int2, "a %d b %d", i, 7));
	MEASURE("intstr", trace_mark(bench, intstr, "a %d s %s", i, "hello world"));
	MEASURE("disabled", trace_mark(nobody, listens, "a %d b %d", i, 7));
}

static void fire(long n)
{
	long k;

	for (k = 0; k < n; k++)
		trace_mark(bench, int2, "a %d b %d", (int)k, 7);
}

static void *one_of_two(void *unused)
{
	MEASURE("int2", trace_mark(bench, int2, "a %d b %d", i, 7));
	return unused;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

/* A thread that did not run for a while does not catch up, which would be another rate. */
static void *at_a_pace(void *unused)
{
	double per_thread = rate / 2, began = now(), due;
	long done = 0;

	while (done < per_thread * seconds) {
		due = (now() - began) * per_thread;
		if (due < done)
			continue;
		if (due - done > 10 * BURST)
			began += (due - done) / per_thread;
		fire(BURST);
		done += BURST;
	}
	return unused;
}

static int twice(void *(*run)(void *))
{
	pthread_t threads[2];
	int i;

	for (i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, run, NULL))
			return 1;
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static void first(long n)
{
	double began = thread_ns();

	fire(n);
	printf("first %.2f\n", (thread_ns() - began) / n);
}

int main(int argc, char **argv)
{
	if (argc == 1)
		all_kinds();
	else if (!strcmp(argv[1], "threads"))
		return twice(one_of_two);
	else if (!strcmp(argv[1], "first"))
		first(atol(argv[2]));
	else if (!strcmp(argv[1], "paced")) {
		rate = atof(argv[2]);
		seconds = atof(argv[3]);
		return twice(at_a_pace);
	} else
		fire(atol(argv[1]));
	return 0;
}
