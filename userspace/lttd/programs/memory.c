// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The limit of the memory of a user's buffers.
 *
 * Layer: lttd.
 */
#include "memory.h"

/* The least that a ring works with: one sub-buffer that is read, and one that is written. */
#define SHARE_MIN	2
/* Half of the limit is enough for the least of so many processes. */
#define PROCESSES	16384
/* The smallest sub-buffers that lttd chooses, in which the largest event has room. */
#define ORDER_MIN	14
/* A buffer set that keeps all its memory takes such a part of what is left; one that all processes share, half. */
#define PART		16
#define PART_SHARED	2

static uint64_t needed(const struct buffer_set *set, uint32_t share)
{
	uint32_t rings = set->shm.nr_cpus;
	const struct ring *ring;

	if (set->allocated)
		return set->shm.size;
	for (ring = set->rings; ring; ring = ring->later)
		rings += ring->reader.thread;
	return rings * (set->shm.data + ((uint64_t)share << set->shm.sb_order));
}

static void reserve(struct slots *slots, struct buffer_set *set, uint64_t bytes)
{
	slots->reserved += bytes - set->reserved;
	set->reserved = bytes;
}

/* The writers see it when they open a sub-buffer. */
static void set_share(struct buffer_set *set, uint32_t share)
{
	set->share = share;
	__atomic_store_n(&ltt_shm_ring(&set->shm, 0)->withheld, set->shm.nr_sb - share, __ATOMIC_RELAXED);
}

static bool try_share(struct slots *slots, struct buffer_set *set, uint32_t share, uint64_t limit)
{
	uint64_t bytes = needed(set, share);

	if (slots->reserved - set->reserved + bytes > limit)
		return false;
	reserve(slots, set, bytes);
	set_share(set, share);
	return true;
}

/* The largest sub-buffers of which @nr have room. */
static uint32_t largest_order(uint32_t order, uint64_t nr, uint64_t room)
{
	while (order > ORDER_MIN && nr << order > room)
		order--;
	return order;
}

/* Smaller sub-buffers are more, for only those that are used take memory. */
static void choose_growing(const struct slots *slots, uint32_t *order, uint32_t *nr_sb)
{
	const struct buffers *buffers = slots->buffers;
	uint64_t limit = buffers->memory, nr;

	*order = largest_order(buffers->sb_order, (uint64_t)buffer_set_cpus() * SHARE_MIN,
			       slots->reserved < limit / 2 ? limit / 4 : limit / 2 / PROCESSES);
	nr = (uint64_t)buffers->nr_sb << (buffers->sb_order - *order);
	*nr_sb = nr < LTT_SHM_NR_SB_MAX ? nr : LTT_SHM_NR_SB_MAX;
}

static void choose_whole(const struct slots *slots, uint32_t *order, uint32_t *nr_sb)
{
	const struct buffers *buffers = slots->buffers;
	uint64_t left = buffers->memory > slots->reserved ? buffers->memory - slots->reserved : 0;
	uint64_t room = left / (buffers->shared ? PART_SHARED : PART), rings = buffer_set_rings(buffers);

	*order = largest_order(buffers->sb_order, rings * buffers->nr_sb, room);
	*nr_sb = buffers->nr_sb;
	while (*nr_sb > SHARE_MIN && rings * *nr_sb << *order > room)
		*nr_sb /= 2;
}

void memory_choose(const struct slots *slots, uint32_t *order, uint32_t *nr_sb)
{
	if (slots->buffers->allocated)
		choose_whole(slots, order, nr_sb);
	else
		choose_growing(slots, order, nr_sb);
}

bool memory_begin(struct slots *slots, struct buffer_set *set)
{
	uint64_t limit = slots->buffers->memory;
	uint32_t share;

	if (set->allocated)
		return try_share(slots, set, set->shm.nr_sb, limit);
	for (share = set->shm.nr_sb; share > SHARE_MIN; share /= 2)
		if (try_share(slots, set, share, limit / 2))
			return true;
	return try_share(slots, set, SHARE_MIN, limit);
}

void memory_grow(struct slots *slots, struct buffer_set *set)
{
	uint64_t limit = slots->buffers->memory;
	uint32_t share;

	for (share = set->shm.nr_sb; share > set->share; share /= 2)
		if (try_share(slots, set, share, limit - limit / 4))
			return;
}

/* ---- Shrinking ---- */

/* The number of sub-buffers that a ring's records take; of a flight recorder, that have ever been opened. */
static uint64_t nr_held(const struct ring *ring, bool overwrite)
{
	uint64_t head = __atomic_load_n(&ring->reader.ring->head, __ATOMIC_RELAXED);
	uint64_t tail = overwrite ? 0 : ring->reader.tail;

	return (head >> ring->reader.shm->sb_order) - (tail >> ring->reader.shm->sb_order) + 1;
}

static uint32_t least_share(const struct slots *slots, const struct buffer_set *set)
{
	uint64_t share = SHARE_MIN, held;
	const struct ring *ring;

	for (ring = set->rings; ring; ring = ring->later) {
		held = nr_held(ring, slots->buffers->overwrite);
		if (held > share)
			share = held;
	}
	return share < set->shm.nr_sb ? share : set->shm.nr_sb;
}

/* A handler may have stored records beyond @head in the ring of a thread that lives. */
static bool may_hide_records(const struct ring *ring)
{
	return ring->reader.thread && __atomic_load_n(&ring->reader.ring->owner, __ATOMIC_RELAXED);
}

/* Punch holes for the part of a ring that is withheld.  A writer that was preempted before that may still
 * open the sub-buffer at @head, and only that one: the sequence checks @head. */
static void punch(const struct buffer_set *set, const struct ring *ring)
{
	const struct ltt_shm *shm = &set->shm;
	uint64_t sb = ltt_shm_sb_size(shm), size = shm->mask + 1;
	uint64_t tail = ring->reader.tail & ~(sb - 1), from = tail + set->share * sb;
	uint64_t head = __atomic_load_n(&ring->reader.ring->head, __ATOMIC_RELAXED);

	/* Else a program has damaged it. */
	if (head - tail > size)
		return;
	if (from < (head | (sb - 1)) + 1)
		from = (head | (sb - 1)) + 1;
	for (; from < tail + size; from += sb)
		ring_punch(ltt_shm_at(shm, ring->reader.ring, from), 0, sb);
}

/* The writers have seen @share meanwhile. */
static void settle(struct slots *slots, struct buffer_set *set)
{
	uint64_t bytes = needed(set, set->share);
	const struct ring *ring;

	if (bytes >= set->reserved)
		return;
	for (ring = set->rings; ring; ring = ring->later)
		if (may_hide_records(ring))
			return;
	for (ring = slots->buffers->overwrite ? NULL : set->rings; ring; ring = ring->later)
		punch(set, ring);
	reserve(slots, set, bytes);
}

void memory_look_after(struct slots *slots, struct buffer_set *set)
{
	uint64_t passed = 0, bytes = needed(set, set->share);
	uint32_t share = least_share(slots, set);
	const struct ring *ring;

	if (set->allocated)
		return;
	/* Rings of threads that lttd has seen since. */
	if (bytes > set->reserved)
		reserve(slots, set, bytes);
	for (ring = set->rings; ring; ring = ring->later)
		passed += __atomic_load_n(&ring->reader.ring->head, __ATOMIC_RELAXED) >> set->shm.sb_order;
	/* A ring that is full does not move on: it waits for a larger share. */
	if (passed != set->passed || share > set->share) {
		set->passed = passed;
		memory_grow(slots, set);
		return;
	}
	settle(slots, set);
	if (slots->reserved > slots->buffers->memory / 2 && share < set->share)
		set_share(set, share);
}

void memory_keep(struct slots *slots, struct buffer_set *set)
{
	reserve(slots, set, buffer_set_measure(set));
}

void memory_end(struct slots *slots, struct buffer_set *set)
{
	reserve(slots, set, 0);
}
