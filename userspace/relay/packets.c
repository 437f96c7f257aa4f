// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The whole packets of a data file.
 *
 * Layer: relay.
 */
#include "packets.h"

#include <unistd.h>

bool packets_next(int fd, off_t at, off_t size, struct ltt_ctf_packet *header)
{
	if (size - at < (off_t)sizeof(*header) || pread(fd, header, sizeof(*header), at) != (ssize_t)sizeof(*header))
		return false;
	/* The protocol has 32 bits for the size. */
	return packet_valid(header) && packet_bytes(header) <= UINT32_MAX && packet_bytes(header) <= (uint64_t)(size - at);
}
