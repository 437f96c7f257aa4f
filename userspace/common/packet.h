/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Packets in a kernel buffer and on disk.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_PACKET_H
#define LTT_COMMON_PACKET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/ctf.h"

/** packet_valid() - return true if @header is a valid packet header */
bool packet_valid(const struct ltt_ctf_packet *header);

static inline uint64_t packet_bytes(const struct ltt_ctf_packet *header)
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
off_t packets_walk(int fd, struct ltt_ctf_packet *last);

#endif /* LTT_COMMON_PACKET_H */
