/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Copy a ring of programs to its data stream.
 *
 * Layer: lttd.
 */
#ifndef LTTD_RING_H
#define LTTD_RING_H

#include <stdbool.h>

#include "common/reader.h"
#include "stream.h"

/**
 * struct ring - a ring on its way to its data stream
 * @later: the next one of its buffer set, which was found later
 * @reader: reader of the ring
 * @stream: the data stream
 * @next: number of the next sub-buffer, counted from position 0
 * @mark: end of the records at the last ring_passes()
 * @lost: events that programs have counted as lost
 * @filtered: events that filters have dropped
 * @damaged: bytes of invalid records
 * @ended: time from which on no record can be; 0: programs still write
 * @keeps: packets stay in the ring
 */
struct ring {
	struct ring *later;
	struct ltt_shm_reader reader;
	struct stream *stream;
	uint64_t next;
	uint64_t mark;
	uint64_t lost;
	uint64_t filtered;
	uint64_t damaged;
	uint64_t ended;
	bool keeps;
};

/**
 * struct ring_how - how ring_take() takes packets
 * @partial: write also the records of the sub-buffer that is being filled
 * @give_back: give the memory of the packets back to the kernel, before writers may use it again
 * @max: largest number of packets, because programs may write as fast as lttd reads
 */
struct ring_how {
	bool partial;
	bool give_back;
	unsigned int max;
};

/**
 * ring_init() - initialise a ring
 * @ring: the ring
 * @shm: its buffer set
 * @nr: its number in the buffer set
 * @stream: its data stream
 */
void ring_init(struct ring *ring, const struct ltt_shm *shm, uint32_t nr, struct stream *stream);

/**
 * ring_init_copy() - initialise a ring for a snapshot of another
 * @copy: reads the packets of @ring, and leaves them there
 * @ring: the ring
 * @stream: the data stream of the copy
 */
void ring_init_copy(struct ring *copy, const struct ring *ring, struct stream *stream);

/**
 * ring_take() - write the ring's packets to its data stream
 * @ring: the ring
 * @trace: its trace
 * @how: see &struct ring_how
 *
 * Drops the rest of a packet from the first record that does not match its event, or whose
 * time decreases: readers could not parse it.  After other damage it goes on with the next
 * sub-buffer.
 *
 * Return: 0; -1 with the failure logged.
 */
int ring_take(struct ring *ring, struct ring_trace *trace, const struct ring_how *how);

/**
 * ring_passes() - find out if all records are in files that the ring had when this was last called
 * @ring: the ring
 *
 * In the common ring of a CPU, a writer reads the clock and publishes its record in one sequence, or begins anew.  So a record
 * that is published later has a time after the last call, unless the CPU itself stood still.
 *
 * Return: also false for the ring of a thread, whose writer may stop between the two.
 */
bool ring_passes(struct ring *ring);

/**
 * ring_end() - leave the data stream to another ring
 * @ring: the ring, after ring_take() has written all packets; not used any more
 */
void ring_end(struct ring *ring);

/**
 * ring_drop() - drop the packets of a flight recorder's ring, as if they were overwritten
 * @ring: the ring, to which no program writes; not used any more
 */
void ring_drop(struct ring *ring);

/* ring_lost() - return the number of events lost in the ring.  Damage counts as one lost event,
 * as the number is unknown. */
static inline uint64_t ring_lost(const struct ring *ring)
{
	return ring->lost + !!ring->damaged;
}

/** ring_packet_room() - return the size of &ring_trace.packet in bytes */
size_t ring_packet_room(uint32_t sb_order);

/**
 * ring_punch() - give the memory of a part of a sub-buffer back
 * @sub: the sub-buffer
 * @from: bytes from its beginning to the part; those before it are not used, either
 * @to: bytes from its beginning to the end of the part
 *
 * Only pages within it go.  A page of the kernel may be larger than LTT_SHM_PAGE, and then it has bytes of
 * other sub-buffers, too, or of the next ring.
 */
void ring_punch(char *sub, uint64_t from, uint64_t to);

#endif /* LTTD_RING_H */
