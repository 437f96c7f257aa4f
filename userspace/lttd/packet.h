/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Packets in a kernel buffer and on disk.
 *
 * Layer: lttd.
 */
#ifndef LTTD_PACKET_H
#define LTTD_PACKET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define PACKET_MAGIC 0xC1FC1FC1u

/* Packet header and packet context of the trace format; sizes are in bits. */
struct packet_header {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t stream_id;
	uint64_t timestamp_begin;
	uint64_t timestamp_end;
	uint64_t content_size;
	uint64_t packet_size;
	uint64_t sequence;
	uint64_t events_discarded;
	uint32_t cpu;
} __attribute__((packed));

_Static_assert(sizeof(struct packet_header) == 76, "the format has 76 bytes");

/* True: @header is a valid packet header. */
bool packet_valid(const struct packet_header *header);

static inline uint64_t packet_bytes(const struct packet_header *header)
{
	return header->packet_size / 8;
}

/**
 * packets_walk() - find the whole packets at the start of a file
 * @fd: the file
 * @last: receives the header of the last whole packet, if there is one
 *
 * Return: the bytes of whole packets; -errno.
 */
off_t packets_walk(int fd, struct packet_header *last);

#endif /* LTTD_PACKET_H */
