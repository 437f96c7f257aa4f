// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Read packets from a ring.  Load each position and time once, and check it before use:
 * programs can write to the ring at any time.
 */
#include "reader.h"

#include <errno.h>

#define STEADY_ATTEMPTS	1000

/**
 * ltt_shm_reader_init() - start at the position where the last reader stopped
 * @reader: initialised
 * @shm: the mapped buffers, which must outlive @reader
 * @nr: number of the ring
 */
void ltt_shm_reader_init(struct ltt_shm_reader *reader, const struct ltt_shm *shm, uint32_t nr)
{
	reader->shm = shm;
	reader->ring = ltt_shm_ring(shm, nr);
	reader->thread = nr >= shm->nr_cpus;
	reader->resumes = false;
	reader->tail = __atomic_load_n(&reader->ring->tail, __ATOMIC_RELAXED);
	reader->time = __atomic_load_n(&reader->ring->tail_time, __ATOMIC_RELAXED);
	reader->prepared = 0;
}

/* A(head:R): our loads of records below @head come after this; pairs with the last store of
 * the sequences, which x86 keeps in order. */
static uint64_t load_head(const struct ltt_shm_reader *reader)
{
	return __atomic_load_n(&reader->ring->head, __ATOMIC_ACQUIRE);
}

/* Load @head and the end of a packet that ends there (S4).  Return: false: @head kept moving. */
static bool load_steady(const struct ltt_shm_reader *reader, uint64_t *head, uint64_t *last)
{
	unsigned int i;

	if (reader->thread) {
		*head = load_head(reader);
		*last = LTT_SHM_LAST_RECORD;
		return true;
	}
	for (i = 0; i < STEADY_ATTEMPTS; i++) {
		*head = load_head(reader);
		*last = __atomic_load_n(&reader->ring->last, __ATOMIC_ACQUIRE);
		if (load_head(reader) == *head)
			return true;
	}
	return false;
}

/* This and the next: the sub-buffer at @pos must have a record. */
static uint64_t load_lost(const struct ltt_shm_reader *reader, uint64_t pos)
{
	return __atomic_load_n(&ltt_shm_sub(reader->shm, reader->ring, pos)->lost, __ATOMIC_RELAXED);
}

static uint64_t load_begin(const struct ltt_shm_reader *reader, uint64_t pos)
{
	return __atomic_load_n(&ltt_shm_sub(reader->shm, reader->ring, pos)->begin, __ATOMIC_RELAXED);
}

/* The rest of a closed sub-buffer that ends at @sb_end. */
static int find_closed(struct ltt_shm_reader *reader, uint64_t sb_end, struct ltt_shm_packet *packet)
{
	struct ltt_shm_sub *sub = ltt_shm_sub(reader->shm, reader->ring, reader->tail);
	uint64_t end = __atomic_load_n(&sub->end, __ATOMIC_RELAXED);

	if (end < reader->tail || end > sb_end)
		return -EPROTO;
	packet->size = end - reader->tail;
	packet->next = sb_end;
	return 0;
}

/* The records so far of the sub-buffer that @head is in. */
static int find_open(struct ltt_shm_reader *reader, uint64_t head, struct ltt_shm_packet *packet)
{
	packet->size = head - reader->tail;
	packet->next = head;
	return packet->size ? 0 : -EAGAIN;
}

/* The number of the sub-buffer at @pos, counted from position 0. */
static uint64_t number(const struct ltt_shm_reader *reader, uint64_t pos)
{
	return pos >> reader->shm->sb_order;
}

/* Advance to the oldest sub-buffer that is surely not overwritten.  A writer may write to the
 * one at @head even before it is open. */
static void skip_overwritten(struct ltt_shm_reader *reader, uint64_t head)
{
	uint64_t nr = number(reader, head), oldest = nr < reader->shm->nr_sb ? 0 : nr + 1 - reader->shm->nr_sb;

	if (number(reader, reader->tail) < oldest)
		reader->tail = oldest << reader->shm->sb_order;
}

/**
 * ltt_shm_survived() - check that no writer overwrote a packet while it was copied
 * @reader: the ring's reader
 * @packet: from ltt_shm_peek()
 *
 * Call it after copying.  On false, drop the copy and do not take the packet: the next
 * ltt_shm_peek() finds the oldest packet that is left.
 *
 * Return: true if the copy is valid.
 */
bool ltt_shm_survived(const struct ltt_shm_reader *reader, const struct ltt_shm_packet *packet)
{
	uint64_t pos = packet->next - 1;

	/* A(copy:R): our loads of the packet before that of @head; pairs with the last
	 * store of the sequence that opened the sub-buffer anew. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	/* Signed: a head that went back is damage, not an overwrite. */
	return !reader->shm->overwrite ||
	       (int64_t)(number(reader, load_head(reader)) - number(reader, pos)) < reader->shm->nr_sb;
}

static int find_packet(struct ltt_shm_reader *reader, bool partial, struct ltt_shm_packet *packet)
{
	const struct ltt_shm *shm = reader->shm;
	uint64_t sb_mask = ltt_shm_sb_size(shm) - 1;
	uint64_t head, sb_end;
	bool steady;
	int err;

	steady = load_steady(reader, &head, &packet->end);
	if (shm->overwrite)
		skip_overwritten(reader, head);
	sb_end = (reader->tail | sb_mask) + 1;
	packet->next = sb_end;
	if (reader->resumes && head < reader->tail && reader->tail - head <= ltt_shm_sb_size(shm))
		return -EAGAIN;
	if (head < reader->tail || head - reader->tail > shm->mask + 1)
		return -EPROTO;
	/* If the next sub-buffer has a record, the packet ends at that record's time. */
	if (head > sb_end && !reader->thread)
		packet->end = load_begin(reader, sb_end);
	else if (!steady)
		return -EAGAIN;
	if (head >= sb_end)
		err = find_closed(reader, sb_end, packet);
	else
		err = partial ? find_open(reader, head, packet) : -EAGAIN;
	if (err)
		return err;
	packet->data = ltt_shm_at(shm, reader->ring, reader->tail);
	packet->begin = reader->tail & sb_mask ? reader->time : load_begin(reader, reader->tail);
	packet->lost = reader->tail & sb_mask ? 0 : load_lost(reader, reader->tail);
	return packet->begin < reader->time || packet->end < packet->begin ? -EPROTO : 0;
}

/**
 * ltt_shm_peek() - find the next packet
 * @reader: the ring's reader
 * @partial: accept records of a sub-buffer that is not closed
 * @packet: receives the packet
 *
 * The records stay in the ring until ltt_shm_take(); but see ltt_shm_survived().
 *
 * Return: 0; -EAGAIN: there is none, or writers moved @head all the time; -EPROTO: a program
 * has damaged the ring, see ltt_shm_resume().
 */
int ltt_shm_peek(struct ltt_shm_reader *reader, bool partial, struct ltt_shm_packet *packet)
{
	int err = find_packet(reader, partial, packet);

	/* Inconsistent because a writer was overwriting it: not damage. */
	if (err == -EPROTO && !ltt_shm_survived(reader, packet))
		return -EAGAIN;
	return err;
}

/**
 * ltt_shm_resume() - go on to the next sub-buffer of a damaged ring
 * @reader: the ring's reader; ltt_shm_peek() has returned -EPROTO
 *
 * The next sub-buffer is the one after the damage, or if @head itself is damaged, the one that
 * a writer would open after it.  It begins with a record that has all bits of its time.
 */
void ltt_shm_resume(struct ltt_shm_reader *reader)
{
	const struct ltt_shm *shm = reader->shm;
	uint64_t sb_mask = ltt_shm_sb_size(shm) - 1, head = load_head(reader);
	uint64_t next = (reader->tail | sb_mask) + 1;

	if (head < next || head - reader->tail > shm->mask + 1)
		next = (head | sb_mask) + 1;
	reader->tail = next;
	reader->resumes = true;
}

/**
 * ltt_shm_pass() - go on to the next packet, and leave this one in the ring
 * @reader: a reader beside the ring's
 * @packet: from ltt_shm_peek()
 */
void ltt_shm_pass(struct ltt_shm_reader *reader, const struct ltt_shm_packet *packet)
{
	reader->tail = packet->next;
	reader->resumes = false;
	if (packet->end != LTT_SHM_LAST_RECORD)
		reader->time = packet->end;
}

/**
 * ltt_shm_publish() - release to the writers the memory of all that was read
 * @reader: the ring's reader
 */
void ltt_shm_publish(struct ltt_shm_reader *reader)
{
	__atomic_store_n(&reader->ring->tail_time, reader->time, __ATOMIC_RELAXED);
	/* A(tail:R): our loads of the packet before this; pairs with A(tail:S). */
	__atomic_store_n(&reader->ring->tail, reader->tail, __ATOMIC_RELEASE);
}

/**
 * ltt_shm_take() - release a packet's memory to the writers
 * @reader: the ring's reader
 * @packet: from ltt_shm_peek()
 */
void ltt_shm_take(struct ltt_shm_reader *reader, const struct ltt_shm_packet *packet)
{
	ltt_shm_pass(reader, packet);
	ltt_shm_publish(reader);
}
