/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Reading the buffers of a channel, which programs may fill with anything.
 */
#ifndef LTT_SHM_READER_H
#define LTT_SHM_READER_H

#include "shm.h"

/* The end of a packet of a thread's ring: the time of its last record. */
#define LTT_SHM_LAST_RECORD	UINT64_MAX

/**
 * struct ltt_shm_reader - of a ring
 * @shm: the buffers
 * @ring: the CPU's
 * @tail: all below was taken; what the ring has of it is for writers only
 * @time: the end of the last packet
 * @thread: the ring is for threads: it has no @last, so that an end is told by
 *	LTT_SHM_LAST_RECORD, and given to ltt_shm_take() as it was found
 */
struct ltt_shm_reader {
	const struct ltt_shm *shm;
	struct ltt_shm_ring *ring;
	uint64_t tail;
	uint64_t time;
	bool thread;
};

/**
 * struct ltt_shm_packet - records that belong together
 * @data: the first one's, in the ring
 * @size: of all, in bytes; 0 when the sub-buffer was closed after the packet before
 * @begin: at most the first one's time; the end of the packet before, or later
 * @end: at least the last one's time, and at most that of any that comes later
 * @next: where the packet after this begins
 * @lost: records that had not been stored when the first one was; 0 for what is left of a
 *	sub-buffer
 */
struct ltt_shm_packet {
	const char *data;
	uint64_t size;
	uint64_t begin;
	uint64_t end;
	uint64_t next;
	uint64_t lost;
};

void ltt_shm_reader_init(struct ltt_shm_reader *reader, const struct ltt_shm *shm, uint32_t nr);
bool ltt_shm_survived(const struct ltt_shm_reader *reader, const struct ltt_shm_packet *packet);
int ltt_shm_peek(struct ltt_shm_reader *reader, bool partial, struct ltt_shm_packet *packet);
void ltt_shm_take(struct ltt_shm_reader *reader, const struct ltt_shm_packet *packet);

#endif /* LTT_SHM_READER_H */
