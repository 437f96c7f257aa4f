// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Threads that emit events until their process ends, or is killed.
 *
 * A file that outlives the process has how many events each thread began and finished.
 */
#include "prog.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static volatile bool enough;

/* Threads still emit events while the program's destructors run. */
static __attribute__((destructor(101))) void last_of_all(void)
{
	if (enough)
		usleep(50000);
}

/* In a file that outlives the program: how many events a thread began and finished. */
struct counts {
	long begun;
	long done;
};

static struct counts *map_counts(const char *file, int nr)
{
	int fd = open(file, O_RDWR | O_CREAT, 0600);
	void *counts = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, nr * sizeof(struct counts)))
		counts = mmap(NULL, nr * sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return counts == MAP_FAILED ? NULL : counts;
}

static void *count_for_ever(void *arg)
{
	volatile struct counts *counts = arg;
	long i;

	for (i = 0; !told_to_end; i++) {
		counts->begun = i + 1;
		trace_mark(test, count, "i %ld", i);
		counts->done = i + 1;
		if (i % 16 == 0)
			usleep(20);
	}
	return NULL;
}

/* count-in FILE: until SIGTERM. */
int prog_count_in(char **argv)
{
	struct counts *counts = map_counts(argv[0], 1);

	if (!counts)
		return 1;
	end_on_sigterm();
	count_for_ever(counts);
	return 0;
}

/* ---- How a process ends ---- */

static struct counts *handler_counts;

static void count_at_exit(void)
{
	volatile struct counts *counts = handler_counts;
	long i;

	for (i = 0; i < 500; i++) {
		counts->begun = i + 1;
		trace_mark(test, count, "i %ld", i);
		counts->done = i + 1;
	}
}

/* exit-counting FILE HOW: three threads emit events until the process is gone, and so do
 * handlers of exit() and quick_exit(). */
int prog_exit_counting(char **argv)
{
	struct counts *counts = map_counts(argv[0], 4);
	const char *how = argv[1];
	pthread_t id;
	int i;

	if (!counts)
		return 1;
	handler_counts = &counts[3];
	atexit(count_at_exit);
	for (i = 0; i < 3; i++)
		pthread_create(&id, NULL, count_for_ever, &counts[i]);
	usleep(20000);
	enough = true;
	if (!strcmp(how, "_exit"))
		_exit(0);
	if (!strcmp(how, "exec"))
		execl("/bin/true", "true", NULL);
	if (!strcmp(how, "abort"))
		abort();
#ifdef __GLIBC__
	if (!strcmp(how, "quick_exit")) {
		at_quick_exit(count_at_exit);
		quick_exit(0);
	}
#endif
	return 0;
}

static void *for_ever(void *unused)
{
	for (;;)
		trace_mark(test, count, "i %d", 1);
	return unused;
}

int prog_exit_amid_threads(char **argv)
{
	pthread_t id;
	int i;

	(void)argv;
	for (i = 0; i < 3; i++)
		pthread_create(&id, NULL, for_ever, NULL);
	usleep(20000);
	enough = true;
	return 0;
}

/* ---- Storms ---- */

#define STORM_MAX	4096

/* In a file that outlives the processes: how many events each thread began and finished, and how many
 * the handlers of signals in all threads. */
struct storm {
	long nr;
	struct counts counts[STORM_MAX];
	struct counts caught;
};

static struct storm *storm;

static void *storm_on(void *unused)
{
	long nr = __atomic_fetch_add(&storm->nr, 1, __ATOMIC_RELAXED), i;
	volatile struct counts *counts = &storm->counts[nr];

	if (nr >= STORM_MAX)
		abort();
	for (i = 0;; i++) {
		counts->begun = i + 1;
		trace_mark(test, count, "i %ld", i);
		counts->done = i + 1;
		if (i % 16 == 0)
			usleep(20);
	}
	return unused;
}

/* Amid any instruction of a thread, also of an event. */
static void on_alarm(int sig)
{
	(void)sig;
	__atomic_fetch_add(&storm->caught.begun, 1, __ATOMIC_RELAXED);
	trace_mark(test, caught, "");
	__atomic_fetch_add(&storm->caught.done, 1, __ATOMIC_RELAXED);
}

static void start_two(void)
{
	const struct itimerval often = { .it_interval.tv_usec = 500, .it_value.tv_usec = 500 };
	pthread_t id;
	int i;

	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < 2; i++)
		pthread_create(&id, NULL, storm_on, NULL);
}

/* storm FILE: three threads and a handler of signals emit events in each of four processes, until they are
 * killed. */
int prog_storm(char **argv)
{
	int fd = open(argv[0], O_RDWR | O_CREAT, 0600), i;

	if (fd < 0 || ftruncate(fd, sizeof(*storm)))
		return 1;
	storm = mmap(NULL, sizeof(*storm), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (storm == MAP_FAILED)
		return 1;
	print_begun();
	signal(SIGALRM, on_alarm);
	start_two();
	for (i = 0; i < 2; i++) {
		usleep(2000);
		if (!fork())
			start_two();
	}
	return storm_on(NULL) != NULL;
}
