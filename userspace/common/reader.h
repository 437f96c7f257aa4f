/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Read a buffer set.  Programs are untrusted: the buffers may hold anything.
 */
#ifndef LTT_SHM_READER_H
#define LTT_SHM_READER_H

#include "shm.h"

/* &ltt_shm_packet.end of a thread's ring: the packet ends at the time of its last record. */
#define LTT_SHM_LAST_RECORD	UINT64_MAX

/**
 * struct ltt_shm_reader - reader of one ring
 * @shm: the buffers
 * @ring: the ring
 * @tail: position of the next packet; the ring's copy is for writers only
 * @time: end of the last packet
 * @prepared: result of the last ltt_shm_prepare()
 * @resumes: the ring was damaged, and the next packet is the sub-buffer at @tail, which need
 *	not be open yet
 * @thread: the ring is a thread's and has no @last: ltt_shm_peek() returns the end
 *	LTT_SHM_LAST_RECORD, and the caller replaces it before ltt_shm_take()
 */
struct ltt_shm_reader {
	const struct ltt_shm *shm;
	struct ltt_shm_ring *ring;
	uint64_t tail;
	uint64_t time;
	uint64_t prepared;
	bool resumes;
	bool thread;
};

/**
 * struct ltt_shm_packet - records of one sub-buffer
 * @data: the first record, in the ring
 * @size: bytes of all records; 0: the sub-buffer was closed after the previous packet
 * @begin: at most the first record's time, and at least the previous packet's end
 * @end: at least the last record's time, and at most that of each later record
 * @next: position of the next packet
 * @lost: records lost before the first record; 0 if the packet is the rest of a sub-buffer
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
void ltt_shm_resume(struct ltt_shm_reader *reader);
void ltt_shm_publish(struct ltt_shm_reader *reader);
void ltt_shm_pass(struct ltt_shm_reader *reader, const struct ltt_shm_packet *packet);
void ltt_shm_take(struct ltt_shm_reader *reader, const struct ltt_shm_packet *packet);

#endif /* LTT_SHM_READER_H */
