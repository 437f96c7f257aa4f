/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The buffer of programs on one CPU, on its way to its file.
 *
 * Layer: lttd.
 */
#ifndef LTTD_RING_H
#define LTTD_RING_H

#include <stdbool.h>

#include "common/reader.h"
#include "event.h"
#include "lttd/packet.h"

/**
 * struct ring - a buffer and its file
 * @reader: of the buffer
 * @cpu: whose; of a ring for threads, its number: no CPU has it
 * @out: the file; -1: there is none yet, for nothing was in the buffer
 * @size: bytes of whole packets in it
 * @sequence: of the next packet
 * @next: the sub-buffer that is expected next, counted from the first ever
 * @lost: events that programs say were lost, up to now
 * @told: what the last packet in the file says of that
 * @damaged: bytes of records that were not what they should be
 * @stored: records in the file
 * @overwritten: sub-buffers that a flight recorder has given up
 */
struct ring {
	struct ltt_shm_reader reader;
	uint32_t cpu;
	int out;
	off_t size;
	uint64_t sequence;
	uint64_t next;
	uint64_t lost;
	uint64_t told;
	uint64_t damaged;
	uint64_t stored;
	uint64_t overwritten;
};

/**
 * struct ring_trace - what all rings of a user share
 * @dir: the folder of the trace on disk
 * @uuid: of the trace
 * @events: of the channel
 * @shm: the buffers
 * @packet: room for a packet: header, a sub-buffer, padding to whole pages
 */
struct ring_trace {
	int dir;
	uint8_t uuid[16];
	struct events events;
	struct ltt_shm shm;
	char *packet;
};

/** ring_init() - before anything has been taken from a CPU's buffer */
void ring_init(struct ring *ring, const struct ring_trace *trace, uint32_t cpu);

/**
 * ring_take() - write what is there to the file
 * @ring: the buffer
 * @trace: its trace
 * @partial: also what is in the sub-buffer that is being filled
 * @max: packets at most; programs may be as fast as we are
 *
 * What a packet has after a record that is not what its event says, or not in the order
 * of time, is not written: readers would come to grief over it.
 *
 * Return: 0; -1 after having said why not.
 */
int ring_take(struct ring *ring, struct ring_trace *trace, bool partial, unsigned int max);

/**
 * ring_tell_losses() - write a packet without records, if there were losses since the last
 * @ring: the buffer, of which all has been taken
 * @trace: its trace
 *
 * Return: 0; -1 after having said why not.
 */
int ring_tell_losses(struct ring *ring, struct ring_trace *trace);

/** ring_end() - the disk has all of the file, which is closed.  0; -1: and it has been said */
int ring_end(struct ring *ring);

/** ring_name() - of its file; @name has 32 bytes */
void ring_name(const struct ring *ring, char *name);

/** ring_packet_room() - the size of &ring_trace.packet */
size_t ring_packet_room(const struct ltt_shm *shm);

#endif /* LTTD_RING_H */
