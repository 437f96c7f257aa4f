// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Threads that emit events, and handlers of signals that interrupt them.
 */
#include "prog.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

/* By handlers of any thread. */
static long handled;

static void on_alarm(int signal)
{
	(void)signal;
	trace_mark(test, handler, "i %ld", __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED));
}

static void *thread(void *n)
{
	long i;

	for (i = 0; i < (long)n; i++)
		trace_mark(test, count, "i %ld", i);
	return NULL;
}

int prog_threads(char **argv)
{
	const struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { { 0, 0 }, { 0, 0 } };
	long rounds = number(argv, 0, 20), n = number(argv, 1, 1000), i;
	pthread_t id[4];

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	while (rounds--) {
		for (i = 0; i < 4; i++)
			pthread_create(&id[i], NULL, thread, (void *)n);
		for (i = 0; i < 4; i++)
			pthread_join(id[i], NULL);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%ld\n", __atomic_load_n(&handled, __ATOMIC_RELAXED));
	return 0;
}

static pthread_barrier_t all_there;

static void *one_of_many(void *unused)
{
	trace_mark(test, count, "i %d", 0);
	pthread_barrier_wait(&all_there);
	return unused;
}

/* Each has emitted an event before the first one goes. */
int prog_many_threads(char **argv)
{
	long n = number(argv, 0, 100), i;
	pthread_t id[n];

	pthread_barrier_init(&all_there, NULL, n);
	for (i = 0; i < n; i++)
		if (pthread_create(&id[i], NULL, one_of_many, NULL))
			return 1;
	for (i = 0; i < n; i++)
		pthread_join(id[i], NULL);
	return 0;
}
