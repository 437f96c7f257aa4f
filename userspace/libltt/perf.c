// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Performance counters of the calling thread.
 *
 * A thread opens a counter of the CPU at its first event, and closes it when it ends.  The library keeps
 * the mapped page only, as a descriptor would be in the program's table: the program could close
 * it, and use its number for another file.
 *
 * The kernel does not copy these pages on fork().  A child that libltt does not see, by the bare
 * system call, recognises itself by @alive, which the kernel clears in each child.
 */
#include "perf.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "common/perf-counter.h"
#include "section.h"

#define PAGE	4096

/**
 * struct counters - the CPU's counters of the thread
 * @page: their pages; NULL: it is not open
 * @err: why it cannot be opened, an errno; 0: not tried yet
 */
struct counters {
	const struct perf_event_mmap_page *page[PERF_OF_CPU];
	int err[PERF_OF_CPU];
};

static __thread struct counters counters __attribute__((tls_model("initial-exec")));
static pthread_key_t key;

/* A page that holds 1 in the process that has set it; NULL: no counter of the CPU can be had. */
static uint32_t *alive;

/* ---- Opening ---- */

/* In a section: a handler would use a page that goes. */
static void close_all(void *unused)
{
	struct ltt_section before;
	unsigned int i;

	(void)unused;
	ltt_section_begin(&before);
	for (i = 0; i < PERF_OF_CPU; i++)
		if (counters.page[i])
			perf_counter_close(counters.page[i]);
	/* Events of later destructors have no values. */
	memset(&counters, 0, sizeof(counters));
	for (i = 0; i < PERF_OF_CPU; i++)
		counters.err[i] = ESRCH;
	ltt_section_end(&before);
}

void ltt_perf_prepare(void)
{
	uint32_t *page;

	if (alive)
		return;
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return;
	if (madvise(page, PAGE, MADV_WIPEONFORK) || pthread_key_create(&key, close_all)) {
		munmap(page, PAGE);
		return;
	}
	*page = 1;
	__atomic_store_n(&alive, page, __ATOMIC_RELEASE);
}

void ltt_perf_forget(void)
{
	unsigned int i;

	for (i = 0; i < PERF_OF_CPU; i++)
		if (counters.page[i])
			perf_counter_leave(counters.page[i]);
	memset(&counters, 0, sizeof(counters));
	if (alive)
		*alive = 1;
}

/* In a section: a handler may want the same counter. */
static __attribute__((noinline)) void try_open(enum perf_counter_number nr)
{
	struct ltt_section before;

	ltt_section_begin(&before);
	if (!counters.page[nr] && !counters.err[nr])
		counters.err[nr] = -perf_counter_open(nr, &counters.page[nr]);
	ltt_section_end(&before);
	/* It can allocate, and allocations may be traced: the counter is open by now. */
	if (counters.page[nr] && !pthread_getspecific(key))
		pthread_setspecific(key, &counters);
}

/* ---- Reading ---- */

static uint64_t read_cpu(enum perf_counter_number nr, int *err)
{
	uint64_t value;

	*err = EOPNOTSUPP;
	if (!alive)
		return LTT_PERF_UNAVAILABLE;
	if (!*alive)
		ltt_perf_forget();
	if (!counters.page[nr] && !counters.err[nr])
		try_open(nr);
	*err = counters.err[nr];
	if (!counters.page[nr])
		return LTT_PERF_UNAVAILABLE;
	value = perf_counter_read(counters.page[nr], perf_read_cpu);
	if (value == LTT_PERF_UNAVAILABLE)
		*err = EOPNOTSUPP;
	return value;
}

static uint64_t read_kernel(enum perf_counter_number nr)
{
	struct timespec time;
	struct rusage usage;

	if (nr == PERF_TASK_CLOCK) {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
		return time.tv_sec * 1000000000ULL + time.tv_nsec;
	}
	getrusage(RUSAGE_THREAD, &usage);
	return nr == PERF_PAGE_FAULTS ? (uint64_t)usage.ru_minflt + usage.ru_majflt :
					(uint64_t)usage.ru_nvcsw + usage.ru_nivcsw;
}

static void miss(const struct ltt_shm *shm, int err)
{
	struct ltt_shm_ring *first = ltt_shm_ring(shm, 0);

	__atomic_store_n(&first->uncounted_errno, err, __ATOMIC_RELAXED);
	__atomic_fetch_add(&first->uncounted, 1, __ATOMIC_RELAXED);
}

char *ltt_perf(char *to, const struct ltt_shm *shm)
{
	uint32_t wanted = shm->context >> LTT_CONTEXT_PERF_SHIFT;
	int saved = errno, err = 0;
	unsigned int nr;
	uint64_t value;

	for (nr = 0; nr < PERF_COUNTERS; nr++) {
		if (!(wanted >> nr & 1))
			continue;
		value = nr < PERF_OF_CPU ? read_cpu(nr, &err) : read_kernel(nr);
		if (value == LTT_PERF_UNAVAILABLE)
			miss(shm, err);
		to = mempcpy(to, &value, sizeof(value));
	}
	errno = saved;
	return to;
}
