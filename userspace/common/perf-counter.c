// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Performance counters of a thread.
 */
#include "perf-counter.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE	4096

#if defined(__x86_64__) || defined(__i386__)

uint64_t perf_read_cpu(uint32_t nr)
{
	uint32_t low, high;

	__asm__ __volatile__("rdpmc" : "=a" (low), "=d" (high) : "c" (nr));
	return low | (uint64_t)high << 32;
}

static bool can_read(const struct perf_event_mmap_page *page)
{
	return page->cap_user_rdpmc;
}

#else

uint64_t perf_read_cpu(uint32_t nr)
{
	(void)nr;
	return 0;
}

static bool can_read(const struct perf_event_mmap_page *page)
{
	(void)page;
	return false;
}

#endif

/* The page stays mapped after the descriptor has been closed, so the program's table keeps none. */
static int map(int fd, const struct perf_event_mmap_page **page)
{
	void *memory = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);

	if (memory == MAP_FAILED)
		return -errno;
	if (!can_read(memory)) {
		munmap(memory, PAGE);
		return -EOPNOTSUPP;
	}
	*page = memory;
	return 0;
}

int perf_counter_open(enum perf_counter_number nr, const struct perf_event_mmap_page **page)
{
	static const uint64_t config[] = {
		[PERF_CYCLES] = PERF_COUNT_HW_CPU_CYCLES,
		[PERF_INSTRUCTIONS] = PERF_COUNT_HW_INSTRUCTIONS,
		[PERF_CACHE_MISSES] = PERF_COUNT_HW_CACHE_MISSES,
	};
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = config[nr],
		/* A user without privileges may count the rest. */
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = map(fd, page);
	close(fd);
	return err;
}

/* A page of zeros says that the counter cannot be read. */
void perf_counter_leave(const struct perf_event_mmap_page *page)
{
	mmap((void *)page, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

void perf_counter_close(const struct perf_event_mmap_page *page)
{
	munmap((void *)page, PAGE);
}
