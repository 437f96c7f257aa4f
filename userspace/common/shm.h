/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A buffer set: a memfd with a ring for each CPU, and additional rings for threads that have
 * no restartable sequences.  Each process has a buffer set of its own in each recording, or
 * all processes of a user share one.  After a fork(), the child writes to its parent's until
 * lttd has given it its own.
 *
 * A program writes each record within one restartable sequence on the ring's CPU
 * (sequence.h), or as the only thread that owns the ring (own.c).  It publishes the record
 * by storing @head.  lttd reads records and stores @tail.  Neither side writes members of
 * the other side, so that the death of either leaves nothing to repair.
 *
 *  S1	All records below @head are complete: they are published in order, one store each.
 *  S2	A record lies in one sub-buffer.  @head is at the start of a sub-buffer only while
 *	the previous one is closed and the new one is empty.
 *  S3	Times do not decrease within a ring.
 *  S4	@last is at least the time of each record below @head, and at most the time of each
 *	record stored later.  This holds for CPUs' rings; threads' rings have no @last.
 *  S5	A record that is not stored is counted in @lost, and an event that its filter drops in @filtered.
 *  S6	A ring's records take at most the memory of @nr_sb minus @withheld sub-buffers.  lttd withholds
 *	what the limit of the user's memory does not permit.
 *
 * Positions increase for ever; a ring holds the last @nr_sb << @sb_order bytes.
 * A record begins with one of the headers of core/header.h.  The payload follows without
 * padding.
 */
#ifndef LTT_SHM_H
#define LTT_SHM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/header.h"

#define LTT_SHM_PAGE		4096U
#define LTT_SHM_LINE		128	/* so far apart, CPUs do not disturb each other */
#define LTT_SHM_SB_ORDER_MAX	28
#define LTT_SHM_NR_SB_MAX	65536
#define LTT_SHM_NR_RINGS_MAX	65536

/**
 * struct ltt_shm_sub - state of a sub-buffer
 * @end: position after its last record; stored when the sub-buffer is closed
 * @begin: time of its first record; stored with that record
 * @lost: value of &ltt_shm_ring.lost at that time; stored with that record
 */
struct ltt_shm_sub {
	uint64_t end;
	uint64_t begin;
	uint64_t lost;
};

/**
 * struct ltt_shm_ring - a CPU's or thread's ring; its data follows at &struct ltt_shm.data
 * @head: position of the next record; stored last
 * @last: see S4
 * @epoch: upper bits of the last record's time.  While they are unchanged, records have the
 *	short header.  Any thread stores it after @head: a stale value makes one more record
 *	long, and the value is never ahead of @head
 * @lost: see S5
 * @over_limit: how many of the @lost are due to @withheld
 * @closed: in CPU 0's ring: number of sub-buffers closed on any CPU while lttd is @waiting;
 *	lttd sleeps on it (futex).  A thread that is killed before it increments @closed does
 *	not wake lttd, so lttd also polls
 * @begun: in CPU 0's ring: incremented before the first record of each ring, so that lttd looks for
 *	new rings
 * @uncounted: in CPU 0's ring: number of values of performance counters that are missing
 * @uncounted_errno: in CPU 0's ring: why, an errno
 * @filtered: see S5
 * @in_vain: 1 and the @tail at which a wait for room timed out; no thread waits again before
 *	@tail moves
 * @owner: of a thread's ring: the thread id and, above it, the inode of its namespace of
 *	process ids; 0: free.  The ring of a dead thread is free, too
 * @tail: all records below it have been read; written by lttd
 * @tail_time: end of the packet before @tail; stored before @tail; written by lttd
 * @prepared: so many bytes of the data, from its start on, have pages in the memfd; written by
 *	lttd.  See ltt_shm_prepare()
 * @waiting: in CPU 0's ring: not 0 while lttd wants to be woken; written by lttd
 * @withheld: in CPU 0's ring: so many sub-buffers of each ring of the buffer set may not be used, see S6;
 *	written by lttd
 * @sub: the sub-buffers
 */
struct ltt_shm_ring {
	uint64_t head;
	uint64_t last;
	uint64_t epoch;
	uint64_t lost;
	uint64_t over_limit;
	uint64_t in_vain;
	uint64_t owner;
	uint32_t closed;
	uint32_t begun;
	uint64_t uncounted;
	uint32_t uncounted_errno;
	uint64_t filtered __attribute__((aligned(8)));
	uint64_t tail __attribute__((aligned(LTT_SHM_LINE)));
	uint64_t tail_time;
	uint64_t prepared;
	uint32_t waiting;
	uint32_t withheld;
	struct ltt_shm_sub sub[] __attribute__((aligned(LTT_SHM_LINE)));
};

/**
 * struct ltt_shm - a process's mapping of a buffer set
 * @base: CPU 0's ring; the CPUs' rings come first, then the threads' rings
 * @size: bytes of all rings
 * @stride: bytes from one ring to the next
 * @data: offset of a ring's data from the ring, in bytes
 * @nr_cpus: number of CPUs' rings: the highest number of a present CPU plus 1
 * @sequence_cpus: @nr_cpus, or 0 if restartable sequences are not used
 * @nr_rings: number of CPUs' and threads' rings
 * @nr_sb: sub-buffers of a ring, a power of two
 * @sb_order: log2 of the size of a sub-buffer in bytes
 * @sb_mask: that size minus 1
 * @mask: bytes of a ring's data, minus 1
 * @overwrite: a full ring loses its oldest sub-buffer instead of the new record
 * @lossless_ms: how long a writer waits when the ring is full, in milliseconds; 0: not at all
 * @context: fields of each record before those of its event: LTT_CONTEXT_TID and so on
 * @opened: in a program, for each ring: how many sub-buffers the process has opened; or NULL
 * @gone: lttd has exited; @base is private memory that no process reads
 * @successor: after a fork(), the buffer set that has replaced this one, which is retired: no
 *	record is to be written here any more.  Each restartable sequence checks it
 */
struct ltt_shm {
	char *base;
	size_t size;
	size_t stride;
	size_t data;
	uint32_t nr_cpus;
	uint32_t sequence_cpus;
	uint32_t nr_rings;
	uint32_t nr_sb;
	uint32_t sb_order;
	uint64_t sb_mask;
	uint64_t mask;
	bool overwrite;
	uint32_t lossless_ms;
	uint32_t context;
	uint32_t *opened;
	bool gone;
	const struct ltt_shm *successor;
};

#define LTT_LOSSLESS_MS_MAX	10000

/* Context fields, in this order: two ids of LTT_TASK_ID_SIZE bytes, signed; a string; a u16 with so many u64; and a u64
 * for each bit of LTT_CONTEXT_PERF from the lowest on (see &enum perf_counter_number). */
#define LTT_CONTEXT_TID		1U
#define LTT_CONTEXT_PID		2U
#define LTT_CONTEXT_NAME	4U	/* the thread's */
#define LTT_CONTEXT_STACK	8U	/* the thread's call stack */
#define LTT_CONTEXT_USUAL	(LTT_CONTEXT_TID | LTT_CONTEXT_PID)

/* The bytes of a thread or process id: Linux has none above 2^22 (PID_MAX_LIMIT in include/linux/threads.h). */
#define LTT_TASK_ID_SIZE	3
#define LTT_TASK_ID_BITS	(8 * LTT_TASK_ID_SIZE)
/* The bytes of LTT_CONTEXT_USUAL. */
#define LTT_CONTEXT_USUAL_SIZE	(2 * LTT_TASK_ID_SIZE)

/* Above these fields: the largest number of addresses of LTT_CONTEXT_STACK, in 8 bits. */
#define LTT_CONTEXT_DEPTH	8
#define LTT_STACK_DEPTH		16U
#define LTT_STACK_DEPTH_MAX	64U

/* Above the depth: performance counters of the thread. */
#define LTT_CONTEXT_PERF_SHIFT	16
#define LTT_CONTEXT_PERF	(~0U << LTT_CONTEXT_PERF_SHIFT)
#define LTT_PERF_UNAVAILABLE	UINT64_MAX

/* Programs of 32 and of 64 bits share a buffer set, and see the same in it. */
_Static_assert(sizeof(struct ltt_shm_sub) == 24 && sizeof(struct ltt_shm_ring) == 2 * LTT_SHM_LINE &&
	       offsetof(struct ltt_shm_ring, closed) == 56 && offsetof(struct ltt_shm_ring, filtered) == 80 &&
	       offsetof(struct ltt_shm_ring, withheld) == LTT_SHM_LINE + 28, "shared memory is the same for all");

static inline uint32_t ltt_context_depth(uint32_t context)
{
	uint32_t depth = context >> LTT_CONTEXT_DEPTH & 0xff;

	return depth < LTT_STACK_DEPTH_MAX ? depth : LTT_STACK_DEPTH_MAX;
}

static inline struct ltt_shm_ring *ltt_shm_ring(const struct ltt_shm *shm, uint32_t nr)
{
	return (struct ltt_shm_ring *)(shm->base + nr * shm->stride);
}

static inline uint64_t ltt_shm_sb_size(const struct ltt_shm *shm)
{
	return shm->sb_mask + 1;
}

static inline struct ltt_shm_sub *ltt_shm_sub(const struct ltt_shm *shm, struct ltt_shm_ring *ring,
					      uint64_t pos)
{
	return &ring->sub[(pos >> shm->sb_order) & (shm->nr_sb - 1)];
}

/* A record does not cross the end of a sub-buffer (S2), so it is contiguous. */
static inline char *ltt_shm_at(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos)
{
	return (char *)ring + shm->data + (pos & shm->mask);
}

/* A thread is about to open the sub-buffer at @pos.  Release: the load or store by which the ring got
 * its first page; pairs with lttd's load of @begun. */
static inline void ltt_shm_begin(const struct ltt_shm *shm, uint64_t pos)
{
	if (!pos)
		__atomic_fetch_add(&ltt_shm_ring(shm, 0)->begun, 1, __ATOMIC_RELEASE);
}

int ltt_shm_map(struct ltt_shm *shm, int fd, uint32_t nr_cpus, uint32_t nr_rings, uint32_t nr_sb,
		uint32_t sb_order);
void ltt_shm_unmap(struct ltt_shm *shm);
uint64_t ltt_shm_prepare(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t prepared);
void ltt_shm_map_prepared(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos);
uint64_t ltt_shm_size(uint32_t nr_rings, uint32_t nr_sb, uint32_t sb_order);

#endif /* LTT_SHM_H */
