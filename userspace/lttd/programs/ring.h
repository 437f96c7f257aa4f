/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Copy a ring of programs to its file.
 *
 * Layer: lttd.
 */
#ifndef LTTD_RING_H
#define LTTD_RING_H

#include <stdbool.h>

#include "common/reader.h"
#include "event.h"
#include "common/packet.h"

/**
 * struct ring - a ring and its file
 * @reader: reader of the ring
 * @cpu: number of the CPU; for a thread's ring, a number above all CPUs
 * @out: the file; -1: not made yet, because the ring was empty
 * @size: bytes of whole packets in the file
 * @sequence: sequence number of the next packet
 * @next: number of the next sub-buffer, counted from position 0
 * @lost: events that programs have counted as lost
 * @reported: lost events that the last packet in the file reports
 * @damaged: bytes of invalid records
 * @stored: number of records in the file
 * @overwritten: number of sub-buffers that a flight recorder has overwritten
 * @keeps: packets stay in the ring
 */
struct ring {
	struct ltt_shm_reader reader;
	uint32_t cpu;
	int out;
	off_t size;
	uint64_t sequence;
	uint64_t next;
	uint64_t lost;
	uint64_t reported;
	uint64_t damaged;
	uint64_t stored;
	uint64_t overwritten;
	bool keeps;
};

/**
 * struct ring_trace - data that all rings of a user share
 * @dir: descriptor of the trace's directory on disk
 * @uuid: the trace's uuid
 * @events: the channel's events
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

/** ring_init() - initialise @ring for the ring with number @cpu */
void ring_init(struct ring *ring, const struct ring_trace *trace, uint32_t cpu);

/**
 * ring_init_copy() - initialise a ring for a snapshot of another
 * @copy: reads the packets of @ring, and leaves them there; its file is new
 * @ring: the ring
 */
void ring_init_copy(struct ring *copy, const struct ring *ring);

/**
 * ring_take() - write the ring's packets to the file
 * @ring: the ring
 * @trace: its trace
 * @partial: write also the records of the sub-buffer that is being filled
 * @max: largest number of packets, because programs may write as fast as lttd reads
 *
 * Drops the rest of a packet from the first record that does not match its event, or whose
 * time decreases: readers could not parse it.
 *
 * Return: 0; -1 with the failure logged.
 */
int ring_take(struct ring *ring, struct ring_trace *trace, bool partial, unsigned int max);

/**
 * ring_prepare() - allocate memory ahead of the ring's writers; ring_take() does it, too
 * @ring: the ring
 * @trace: its trace
 *
 * Return: true if no further call is needed.
 */
bool ring_prepare(struct ring *ring, const struct ring_trace *trace);

/**
 * ring_report_losses() - if events were lost after the last packet, write an empty one
 * @ring: the ring, after ring_take() has written all packets
 * @trace: its trace
 *
 * Return: 0; -1 with the failure logged.
 */
int ring_report_losses(struct ring *ring, struct ring_trace *trace);

/**
 * ring_end() - wait until all of the file is on the disk, and close it
 * @ring: the ring
 *
 * Return: 0; -1 with the failure logged.
 */
int ring_end(struct ring *ring);

/** ring_name() - write the name of the ring's file to @name, 32 bytes */
void ring_name(const struct ring *ring, char *name);

/** ring_packet_room() - return the size of &ring_trace.packet in bytes */
size_t ring_packet_room(const struct ltt_shm *shm);

#endif /* LTTD_RING_H */
