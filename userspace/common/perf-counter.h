/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Performance counters of a thread.
 *
 * Counters of the CPU are read from the page that the kernel maps for a perf event, without a system call
 * and without a descriptor.  The kernel's own counts of page faults, context switches and CPU time come
 * from getrusage() and clock_gettime(), which need no permission.
 */
#ifndef LTT_PERF_COUNTER_H
#define LTT_PERF_COUNTER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

/* Bits of LTT_CONTEXT_PERF.  Those below PERF_OF_CPU are counters of the CPU. */
enum perf_counter_number {
	PERF_CYCLES,
	PERF_INSTRUCTIONS,
	PERF_CACHE_MISSES,
	PERF_OF_CPU,
	PERF_PAGE_FAULTS = PERF_OF_CPU,
	PERF_CONTEXT_SWITCHES,
	PERF_TASK_CLOCK,
	PERF_COUNTERS,
};

/**
 * perf_counter_open() - begin to count events of the CPU in the calling thread, outside of the kernel
 * @nr: the counter, below PERF_OF_CPU
 * @page: receives the mapped page, for perf_counter_read() by this thread; perf_counter_close() unmaps it.
 *	A child of fork() has no memory there
 *
 * Context: any thread, and its signal handlers.
 * Return: 0; the errno of perf_event_open() or mmap(), negative; -EOPNOTSUPP: the kernel does not let programs
 * read the counter.
 */
int perf_counter_open(enum perf_counter_number nr, const struct perf_event_mmap_page **page);

/** perf_counter_leave() - after fork(), put memory in the place of a page, for a read that a handler has interrupted */
void perf_counter_leave(const struct perf_event_mmap_page *page);

/** perf_counter_close() - unmap a page of perf_counter_open() */
void perf_counter_close(const struct perf_event_mmap_page *page);

/** typedef perf_read_fn - read the CPU's counter with number @nr */
typedef uint64_t perf_read_fn(uint32_t nr);

/** perf_read_cpu() - a perf_read_fn, by an instruction of the CPU; perf_counter_open() has succeeded */
uint64_t perf_read_cpu(uint32_t nr);

/**
 * perf_counter_read() - read a counter of the thread by its page
 * @page: the page
 * @read: reads the CPU's counter
 *
 * The kernel changes the page of a thread only while the thread does not run.  So the values that are read
 * belong together if the page has not changed meanwhile.
 *
 * Return: the count; LTT_PERF_UNAVAILABLE: the kernel has withdrawn the permission.
 */
static inline uint64_t perf_counter_read(const volatile struct perf_event_mmap_page *page, perf_read_fn *read)
{
	uint64_t count, counted;
	uint32_t lock, index, unused;

	do {
		lock = page->lock;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		if (!page->cap_user_rdpmc)
			return UINT64_MAX;
		index = page->index;
		count = page->offset;
		/* 0: the counter is not in the CPU now, and @offset has it all. */
		if (index) {
			unused = 64 - page->pmc_width;
			counted = read(index - 1) << unused;
			count += (uint64_t)((int64_t)counted >> unused);
		}
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	} while (page->lock != lock);
	return count;
}

#endif /* LTT_PERF_COUNTER_H */
