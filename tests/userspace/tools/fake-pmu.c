// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * LD_PRELOAD: a machine whose CPUs have performance counters, for machines that have none.
 *
 * A perf event of the hardware gets a page as of a counter that is not in the CPU now, whose count is 1000000 plus the
 * thread id.  As in the kernel, a child of fork() has no memory there.  With FAKE_PMU_DENIES, a file, opening
 * fails with EACCES.  At exit, the number of pages that are left is appended to the file FAKE_PMU_LEFT.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define COUNTED	1000000

static __thread int opened = -1;
static long (*real_syscall)(long nr, ...);
static void *(*real_mmap)(void *at, size_t size, int prot, int flags, int fd, off_t offset);
static int (*real_munmap)(void *at, size_t size);
static int left;
static char *pages[4096];
static unsigned int nr_pages;

static __attribute__((constructor)) void find(void)
{
	real_syscall = dlsym(RTLD_NEXT, "syscall");
	real_mmap = dlsym(RTLD_NEXT, "mmap");
	real_munmap = dlsym(RTLD_NEXT, "munmap");
}

static __attribute__((destructor)) void report(void)
{
	const char *path = getenv("FAKE_PMU_LEFT");
	FILE *file = path ? fopen(path, "a") : NULL;

	if (!file)
		return;
	fprintf(file, "%d\n", left);
	fclose(file);
}

static int open_event(const struct perf_event_attr *attr)
{
	const char *denies = getenv("FAKE_PMU_DENIES");

	if (attr->type != PERF_TYPE_HARDWARE || !attr->exclude_kernel) {
		errno = EINVAL;
		return -1;
	}
	if (denies && !access(denies, F_OK)) {
		errno = EACCES;
		return -1;
	}
	return opened = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

long syscall(long nr, ...)
{
	long arg[6];
	va_list args;
	int i;

	va_start(args, nr);
	for (i = 0; i < 6; i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	if (nr == SYS_perf_event_open && ((const struct perf_event_attr *)arg[0])->type == PERF_TYPE_HARDWARE)
		return open_event((const void *)arg[0]);
	if (!real_syscall)
		find();
	return real_syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

static void *map_page(size_t size)
{
	struct perf_event_mmap_page *page = real_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int nr = __atomic_fetch_add(&nr_pages, 1, __ATOMIC_RELAXED);

	if (page == MAP_FAILED || nr >= sizeof(pages) / sizeof(pages[0]))
		abort();
	opened = -1;
	page->lock = 2;
	page->cap_user_rdpmc = 1;
	page->pmc_width = 48;
	page->offset = COUNTED + real_syscall(SYS_gettid);
	mprotect(page, size, PROT_READ);
	madvise(page, size, MADV_DONTFORK);
	pages[nr] = (char *)page;
	__atomic_fetch_add(&left, 1, __ATOMIC_RELAXED);
	return page;
}

void *mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
	if (!real_mmap)
		find();
	if (fd >= 0 && fd == opened)
		return map_page(size);
	return real_mmap(at, size, prot, flags, fd, offset);
}

/* By which name it is called depends on how the caller was compiled. */
void *mmap64(void *at, size_t size, int prot, int flags, int fd, off_t offset) __attribute__((alias("mmap")));

int munmap(void *at, size_t size)
{
	unsigned int i;

	if (!real_munmap)
		find();
	for (i = 0; i < nr_pages && i < sizeof(pages) / sizeof(pages[0]); i++) {
		if (pages[i] != at)
			continue;
		pages[i] = NULL;
		__atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED);
	}
	return real_munmap(at, size);
}
