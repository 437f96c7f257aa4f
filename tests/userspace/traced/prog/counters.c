// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Events whose context has performance counters, beside the kernel's accounts of the thread.
 */
#include "prog.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE	4096

static unsigned long long thread_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

/* The fields have the thread's account right before the event. */
static void emit_usage(long pages)
{
	struct rusage usage;
	unsigned long long ns = thread_ns();

	getrusage(RUSAGE_THREAD, &usage);
	trace_mark(test, usage, "faults %ld switches %ld ns %llu pages %ld", usage.ru_minflt + usage.ru_majflt,
		   usage.ru_nvcsw + usage.ru_nivcsw, ns, pages);
}

/* Touches so many new pages between two events. */
static void *use_pages(void *arg)
{
	long pages = (long)arg, round, i;
	volatile char *memory;

	emit_usage(pages);
	for (round = 0; round < 3; round++) {
		memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			abort();
		madvise((void *)memory, pages * PAGE, MADV_NOHUGEPAGE);
		for (i = 0; i < pages; i++)
			memory[i * PAGE] = 1;
		usleep(1000);
		emit_usage(pages);
	}
	return NULL;
}

int prog_usage(char **argv)
{
	pthread_t few, many;

	(void)argv;
	if (pthread_create(&few, NULL, use_pages, (void *)10L) || pthread_create(&many, NULL, use_pages, (void *)500L))
		return 1;
	pthread_join(few, NULL);
	pthread_join(many, NULL);
	return 0;
}

static void *emit_one(void *unused)
{
	trace_mark(test, one, "i %d", 0);
	return unused;
}

/* Return: 0; 1: the child has failed. */
static int in_child(long child)
{
	int status;

	if (!child) {
		trace_mark(test, child, "pid %d", getpid());
		_exit(0);
	}
	return child < 0 || waitpid(child, &status, 0) < 0 || status;
}

/* An event of the main thread, of threads one after the other, of a child, and of one that the C library has not made. */
int prog_counted(char **argv)
{
	long n = number(argv, 0, 10), i;
	pthread_t thread;

	emit_one(NULL);
	for (i = 0; i < n; i++)
		if (pthread_create(&thread, NULL, emit_one, NULL) || pthread_join(thread, NULL))
			return 1;
	if (in_child(fork()) || in_child(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)))
		return 1;
	trace_mark(test, end, "i %d", 0);
	return 0;
}
