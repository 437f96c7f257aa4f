// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Emit markers for the bench of readers:
 *
 *   emit N		N events by two threads, most of them small, as in the recordings that people make
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <ltt/marker.h>

#define BURST	5000	/* events between two pauses, in which the daemon stores them */

static long per_thread;

static void emit(int i, int thread)
{
	static const char *const names[] = { "open", "read", "write", "close" };

	switch (i % 10) {
	case 0:
		trace_mark(bench, intstr, "a %d s %s", i, names[i / 10 % 4]);
		break;
	case 1:
		trace_mark(bench, request, "id %u path %s bytes %lu{none=0} ratio %f", (unsigned int)i,
			   "/usr/share/doc/ltt/README.md", (unsigned long)i * 100 % 4096, i / 3.0);
		break;
	case 2:
		trace_mark(bench, none, "");
		break;
	default:
		trace_mark(bench, int2, "a %d b %d", i, thread);
	}
}

static void *run(void *thread)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	long i;

	for (i = 0; i < per_thread; i++) {
		emit(i, (long)thread);
		if (i % BURST == BURST - 1)
			nanosleep(&pause, NULL);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t other;

	per_thread = (argc > 1 ? atol(argv[1]) : 1000000) / 2;
	if (pthread_create(&other, NULL, run, (void *)1L)) {
		perror("emit: pthread_create");
		return 1;
	}
	run(NULL);
	pthread_join(other, NULL);
	return 0;
}
