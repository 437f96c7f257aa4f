/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * CPU time of the thread per event, measured in chunks; their spread shows how steady the
 * machine is.
 */
#ifndef TIMING_H
#define TIMING_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHUNKS		400
#define EVENTS		20000

static double thread_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Print "CASE P10 MEDIAN P90" of what @statement takes; it can use @i. */
#define MEASURE(name, statement)						\
	do {									\
		static __thread double ns[CHUNKS];				\
		int chunk, i;							\
										\
		for (chunk = 0; chunk < CHUNKS; chunk++) {			\
			double began = thread_ns();				\
										\
			for (i = 0; i < EVENTS; i++) {				\
				statement;					\
				__asm__ volatile("" : "+r" (i) : : "memory");	\
			}							\
			ns[chunk] = (thread_ns() - began) / EVENTS;		\
		}								\
		qsort(ns, CHUNKS, sizeof(ns[0]), by_size);			\
		printf("%s %.2f %.2f %.2f\n", name, ns[CHUNKS / 10],		\
		       ns[CHUNKS / 2], ns[CHUNKS - CHUNKS / 10]);		\
	} while (0)

#endif /* TIMING_H */
