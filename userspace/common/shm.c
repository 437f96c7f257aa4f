// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Mapping the buffers of a channel.
 */
#include "shm.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* lttd allocates ahead of a writer as many bytes as it has written: at least so many sub-buffers,
 * but not more than AHEAD_FIRST, and at most AHEAD_MAX. */
#define AHEAD_SUBS	4
#define AHEAD_FIRST	(4ULL << 20)
#define AHEAD_MAX	(16ULL << 20)
/* A writer maps so many bytes at most at once. */
#define MAP_MAX		(1U << 20)
/* The kernel maps so many bytes around one that is read (fault_around_bytes). */
#define MAP_AROUND	(64U << 10)

/* The most that a buffer set takes of the address space: all, or half a gigabyte of four. */
#define MAPPED_MAX	(sizeof(void *) > 4 ? UINT64_MAX : 512ULL << 20)

/* Linux 5.14 */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE	23
#endif

static size_t data_offset(uint32_t nr_sb)
{
	size_t size = sizeof(struct ltt_shm_ring) + nr_sb * sizeof(struct ltt_shm_sub);

	return (size + LTT_SHM_PAGE - 1) & ~(size_t)(LTT_SHM_PAGE - 1);
}

/**
 * ltt_shm_size() - the size of a channel's memfd
 * @nr_rings: see &struct ltt_shm, as for the others
 * @nr_sb: "
 * @sb_order: "
 *
 * Return: bytes.
 */
uint64_t ltt_shm_size(uint32_t nr_rings, uint32_t nr_sb, uint32_t sb_order)
{
	return nr_rings * (data_offset(nr_sb) + ((uint64_t)nr_sb << sb_order));
}

/**
 * ltt_shm_map() - map a channel's buffers
 * @shm: receives the mapping; the caller sets @overwrite, @lossless_ms and @context
 * @fd: a memfd of ltt_shm_size() bytes, initially zero, sealed with F_SEAL_SHRINK so that no
 *	process can truncate memory that others have mapped
 * @nr_cpus: 1 to @nr_rings
 * @nr_rings: at most LTT_SHM_NR_RINGS_MAX
 * @nr_sb: sub-buffers of a ring, a power of two, 2 to LTT_SHM_NR_SB_MAX
 * @sb_order: log2 of the size of a sub-buffer in bytes, 12 to LTT_SHM_SB_ORDER_MAX
 *
 * On machines of 32 bits, @nr_rings in @shm may be less than asked for.
 *
 * Return: 0; -EPERM: @fd is not sealed; -EINVAL: @fd is too small, or a number is out of
 * range; -ENOMEM, also where there is no room for a thread's ring; the error of fcntl(), fstat() or mmap().
 */
int ltt_shm_map(struct ltt_shm *shm, int fd, uint32_t nr_cpus, uint32_t nr_rings, uint32_t nr_sb,
		uint32_t sb_order)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat st;
	uint64_t size, stride;
	void *base;

	if (seals < 0 || fstat(fd, &st))
		return -errno;
	if (!(seals & F_SEAL_SHRINK))
		return -EPERM;
	/* Within these the size does not overflow. */
	if (!nr_cpus || nr_cpus > nr_rings || nr_rings > LTT_SHM_NR_RINGS_MAX || nr_sb < 2 ||
	    nr_sb > LTT_SHM_NR_SB_MAX || nr_sb & (nr_sb - 1) || sb_order < 12 ||
	    sb_order > LTT_SHM_SB_ORDER_MAX)
		return -EINVAL;
	size = ltt_shm_size(nr_rings, nr_sb, sb_order);
	if (st.st_size < 0 || (uint64_t)st.st_size < size)
		return -EINVAL;
	/* Where addresses have 32 bits, threads' rings that there is no room for stay unused. */
	if (size > MAPPED_MAX) {
		stride = size / nr_rings;
		nr_rings = MAPPED_MAX / stride;
		size = nr_rings * stride;
		if (nr_rings <= nr_cpus)
			return -ENOMEM;
	}
	/* PROT_NONE first: after mlockall(MCL_FUTURE), mmap() would allocate all pages now. */
	base = mmap(NULL, size, PROT_NONE, MAP_SHARED, fd, 0);
	if (base == MAP_FAILED)
		return -errno;
	munlock(base, size);
	if (mprotect(base, size, PROT_READ | PROT_WRITE)) {
		munmap(base, size);
		return -ENOMEM;
	}
	/* Keep the buffers out of core dumps of programs. */
	madvise(base, size, MADV_DONTDUMP);
	shm->base = base;
	shm->size = size;
	shm->stride = size / nr_rings;
	shm->data = data_offset(nr_sb);
	shm->nr_cpus = shm->sequence_cpus = nr_cpus;
	shm->nr_rings = nr_rings;
	shm->nr_sb = nr_sb;
	shm->sb_order = sb_order;
	shm->sb_mask = (1ULL << sb_order) - 1;
	shm->mask = ((uint64_t)nr_sb << sb_order) - 1;
	return 0;
}

/**
 * ltt_shm_unmap() - undo ltt_shm_map()
 * @shm: mapped by ltt_shm_map(); no thread may use it any more
 */
void ltt_shm_unmap(struct ltt_shm *shm)
{
	munmap(shm->base, shm->size);
}

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* @head: position of the writers, who are in the first lap. */
static uint64_t ahead_of(uint64_t head, uint64_t sb)
{
	uint64_t first = min(AHEAD_SUBS * sb, AHEAD_FIRST), written = min(head & -sb, AHEAD_MAX);

	return written > first ? written : first;
}

/**
 * ltt_shm_prepare() - allocate the pages that the writers of a ring need next
 * @shm: lttd's mapping
 * @ring: the ring
 * @prepared: the result of the last call for this ring, initially 0
 *
 * A page fault that allocates costs a writer as much as 200 events.  So lttd allocates pages
 * ahead of the first lap, once a writer has filled a sub-buffer; memory stays in proportion to
 * what is written.  Where the kernel cannot do that, writers take the faults.
 *
 * Return: how many bytes of the ring's data, from its start on, need no further call.
 */
uint64_t ltt_shm_prepare(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t prepared)
{
	uint64_t size = shm->mask + 1, sb = ltt_shm_sb_size(shm), from, end;
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);

	if (prepared == size || head < sb)
		return prepared;
	/* From the sub-buffer after that of the writers on: they have the pages of this one already. */
	from = head < size ? (head | (sb - 1)) + 1 : size;
	end = min(from + ahead_of(head, sb), size);
	if (from < prepared)
		from = prepared;
	if (end > from && madvise((char *)ring + shm->data + from, end - from, MADV_POPULATE_WRITE))
		return size;
	__atomic_store_n(&ring->prepared, end, __ATOMIC_RELAXED);
	return end;
}

/**
 * ltt_shm_map_prepared() - map the pages of a sub-buffer that the process is about to fill
 * @shm: a program's mapping
 * @ring: the ring
 * @pos: the position where the sub-buffer begins
 *
 * The kernel maps existing pages around one that is read, but not around one that is written to. So
 * reading first costs a sixth of what the faults of the writes cost; MADV_POPULATE_READ costs a
 * quarter to a third.  Does nothing for the first sub-buffer of the process, which may have few
 * events, and after the first lap.
 *
 * Context: any thread, and its signal handlers.
 */
void ltt_shm_map_prepared(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos)
{
	uint64_t offset = pos & shm->mask;
	uint64_t size = ltt_shm_sb_size(shm) < MAP_MAX ? ltt_shm_sb_size(shm) : MAP_MAX;
	uint32_t *opened = shm->opened ? &shm->opened[((char *)ring - shm->base) / shm->stride] : NULL;
	const char *at = ltt_shm_at(shm, ring, pos), *end = at + size;

	/* Threads that count at the same time miss a sub-buffer or map one twice. */
	if (!opened || __atomic_load_n(opened, __ATOMIC_RELAXED) >= shm->nr_sb ||
	    !__atomic_fetch_add(opened, 1, __ATOMIC_RELAXED))
		return;
	if (offset + size > __atomic_load_n(&ring->prepared, __ATOMIC_RELAXED))
		return;
	for (; at < end; at += MAP_AROUND - (uintptr_t)at % MAP_AROUND)
		__atomic_load_n(at, __ATOMIC_RELAXED);
}
