/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The buffers of programs: a memfd for each channel and user, with a ring for each CPU,
 * and some more for threads that have no restartable sequences.
 *
 * Programs write, each record within one restartable sequence on the ring's CPU
 * (sequence.h), or as the only thread that has the ring (own.c), and publish it by
 * storing @head.  lttd reads, and stores @tail.  Neither ever writes what
 * is the other's, so whoever dies, and when, there is nothing to repair.
 *
 *  S1	What is below @head is whole: records are published in order, each by one store.
 *  S2	A record lies in one sub-buffer.  @head is at the start of one only while the
 *	one before is closed and nothing is in the new one.
 *  S3	Times do not go back within a ring.
 *  S4	@last is at least the time of each record below @head, and at most that of each
 *	that is stored later.  (Of a CPU's ring: a thread's has no @last.)
 *  S5	A record that is not stored is counted in @lost.
 *
 * Positions run on for ever; a ring holds the last @nr_sb << @sb_order bytes of them.
 * A record is LTT's compact form (doc/format.md): u32 with the id, below 30, in its lower
 * 5 bits and the time in the others; or the whole one, u8 31, u32 id and u64 time.  The
 * payload comes after that, without gaps.
 */
#ifndef LTT_SHM_H
#define LTT_SHM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LTT_SHM_PAGE		4096U
#define LTT_SHM_SB_ORDER_MAX	28
#define LTT_SHM_NR_SB_MAX	65536
#define LTT_SHM_NR_RINGS_MAX	65536
#define LTT_SHM_TIME_BITS	27
#define LTT_SHM_ID_BITS		5
#define LTT_SHM_ID_COMPACT	30U	/* smaller ids are */
#define LTT_SHM_ID_WHOLE	31U
#define LTT_SHM_HEADER_WHOLE	13U	/* u8, u32 id, u64 time */

/**
 * struct ltt_shm_sub - of a sub-buffer
 * @end: position after its last record; stored as it is closed
 * @begin: the time of its first record; stored with that record
 * @lost: what &ltt_shm_ring.lost was then; stored with that record
 */
struct ltt_shm_sub {
	uint64_t end;
	uint64_t begin;
	uint64_t lost;
};

/**
 * struct ltt_shm_ring - of a CPU or thread; its data follows at &struct ltt_shm.data
 * @head: where the next record goes; stored last of all
 * @last: see S4
 * @epoch: the upper bits of the last record's time.  If they are still the same, the
 *	next leaves them out.  It is stored after @head, by whoever comes to it: a value
 *	that is too old makes one more record whole, and no value is ever too new
 * @lost: see S5
 * @closed: of the ring of CPU 0: sub-buffers that were closed on any CPU while lttd
 *	@waiting; lttd sleeps on it (futex).  Who is killed before he counts here wakes
 *	nobody, so lttd looks now and then by itself
 * @in_vain: 1 and the @tail that a wait for room was in vain at; nobody waits again before
 *	it has moved
 * @owner: of a thread's ring: its id and, above that, the inode of its namespace of process
 *	ids; 0: nobody has it.  Who has died needs it no more
 * @tail: all below was read; lttd's
 * @tail_time: the end of the packet before @tail; stored before it; lttd's
 * @waiting: of the ring of CPU 0, not 0: lttd wants to be woken; lttd's
 * @sub: the sub-buffers
 */
struct ltt_shm_ring {
	uint64_t head;
	uint64_t last;
	uint64_t epoch;
	uint64_t lost;
	uint64_t in_vain;
	uint64_t owner;
	uint32_t closed;
	uint8_t programs_end[LTT_SHM_PAGE - 6 * sizeof(uint64_t) - sizeof(uint32_t)];
	uint64_t tail;
	uint64_t tail_time;
	uint32_t waiting;
	uint8_t lttd_end[LTT_SHM_PAGE - 2 * sizeof(uint64_t) - sizeof(uint32_t)];
	struct ltt_shm_sub sub[];
};

/**
 * struct ltt_shm - the buffers of a channel, as a process has mapped them
 * @base: the ring of CPU 0; after those of all CPUs come those for threads
 * @size: of all rings, in bytes
 * @stride: from one CPU's ring to that of the next, in bytes
 * @data: from a ring to its data, in bytes
 * @nr_cpus: rings for CPUs: the highest number that a CPU can have, and 1
 * @sequence_cpus: as many, or 0 where no sequences are to be used
 * @nr_rings: with those for threads
 * @nr_sb: sub-buffers in a ring, a power of two
 * @sb_order: of the size of a sub-buffer
 * @overwrite: without room the oldest sub-buffer is lost, not the new record
 * @lossless_ms: without room, wait so many milliseconds at most; 0: do not
 * @context: what each record has before its event's fields: LTT_CONTEXT_TID and so on
 * @gone: lttd has gone; what is at @base now is nobody's
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
	bool overwrite;
	uint32_t lossless_ms;
	uint32_t context;
	bool gone;
};

#define LTT_LOSSLESS_MS_MAX	10000

/* In this order: s32, s32, and a string. */
#define LTT_CONTEXT_TID		1U
#define LTT_CONTEXT_PID		2U
#define LTT_CONTEXT_NAME	4U	/* the thread's */
#define LTT_CONTEXT_USUAL	(LTT_CONTEXT_TID | LTT_CONTEXT_PID)

static inline struct ltt_shm_ring *ltt_shm_ring(const struct ltt_shm *shm, uint32_t nr)
{
	return (struct ltt_shm_ring *)(shm->base + nr * shm->stride);
}

static inline uint64_t ltt_shm_sb_size(const struct ltt_shm *shm)
{
	return 1ULL << shm->sb_order;
}

static inline struct ltt_shm_sub *ltt_shm_sub(const struct ltt_shm *shm, struct ltt_shm_ring *ring,
					      uint64_t pos)
{
	return &ring->sub[(pos >> shm->sb_order) & (shm->nr_sb - 1)];
}

/* A record does not cross the end of a sub-buffer, so it is in one piece. */
static inline char *ltt_shm_at(const struct ltt_shm *shm, struct ltt_shm_ring *ring, uint64_t pos)
{
	return (char *)ring + shm->data + (pos & (((uint64_t)shm->nr_sb << shm->sb_order) - 1));
}

int ltt_shm_map(struct ltt_shm *shm, int fd, uint32_t nr_cpus, uint32_t nr_rings, uint32_t nr_sb,
		uint32_t sb_order);
void ltt_shm_unlock(struct ltt_shm *shm);
void ltt_shm_unmap(struct ltt_shm *shm);
size_t ltt_shm_size(uint32_t nr_rings, uint32_t nr_sb, uint32_t sb_order);

#endif /* LTT_SHM_H */
