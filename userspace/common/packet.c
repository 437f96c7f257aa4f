// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Packets in a kernel buffer and on disk.
 *
 * Layer: common.
 */
#include "packet.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* The smallest page of any machine; packets are whole pages. */
#define PAGE_GRAIN 4096

bool packet_valid(const struct ltt_ctf_packet *header)
{
	return header->magic == LTT_CTF_MAGIC && header->packet_size &&
	       !(header->packet_size % (8 * PAGE_GRAIN)) &&
	       header->content_size >= 8 * sizeof(*header) &&
	       header->content_size <= header->packet_size;
}

off_t packets_walk(int fd, struct ltt_ctf_packet *last)
{
	struct ltt_ctf_packet header;
	struct stat st;
	off_t at = 0;
	ssize_t got;

	if (fstat(fd, &st))
		return -errno;
	for (;;) {
		got = pread(fd, &header, sizeof(header), at);
		if (got < 0)
			return -errno;
		if (got < (ssize_t)sizeof(header) || !packet_valid(&header) ||
		    packet_bytes(&header) > (uint64_t)(st.st_size - at))
			return at;
		at += packet_bytes(&header);
		*last = header;
	}
}
