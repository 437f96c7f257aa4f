/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Write a data stream: packets and headers as those of LTT (doc/format.md).
 *
 * Layer: lttctl export.
 */
#ifndef LTTCTL_EXPORT_LTTNG_PACKETS_H
#define LTTCTL_EXPORT_LTTNG_PACKETS_H

#include <ltt/ltttrace.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct lttng_packets - a stream that is being written
 * @part: the trace that it belongs to
 * @stream: the number of its channel
 * @cpu: the CPU of the next packet
 * @discarded: events that are missing up to the end of the next packet
 * @number: sequence number of the next packet
 * @data: the file
 * @bytes: written so far
 * @packet: private: the packet, in memory of @room bytes
 * @len: private: bytes of @packet
 * @first: private: clock value of its first record
 * @last: private: that of the last
 * @room: private: see @packet
 * @err: private: the first error, -errno
 */
struct lttng_packets {
	const struct ltttrace_part *part;
	uint32_t stream;
	uint32_t cpu;
	uint64_t discarded;
	uint64_t number;
	FILE *data;
	uint64_t bytes;
	unsigned char *packet;
	size_t len;
	uint64_t first, last;
	size_t room;
	int err;
};

/* Append a record, of which @data are all fields.  A failure is reported by lttng_packets_end(). */
void lttng_packets_record(struct lttng_packets *packets, uint64_t clock, uint32_t id, const void *data, size_t size);

/* End the packet, if one was begun; later records are in the next one. */
void lttng_packets_cut(struct lttng_packets *packets);

/* The same with a packet of no records, at @clock, if none was begun. */
void lttng_packets_cut_at(struct lttng_packets *packets, uint64_t clock);

/* End the stream.  Return: 0; -errno of the first failure. */
int lttng_packets_end(struct lttng_packets *packets);

#endif /* LTTCTL_EXPORT_LTTNG_PACKETS_H */
