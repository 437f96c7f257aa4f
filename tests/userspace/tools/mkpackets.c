// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Writes packets to stdout: mkpackets FIRST COUNT BYTES [TIME]
 *
 * Packet n has sequence number n, begins at n*TIME (1000), ends just before the
 * next, and is filled with a pattern of n, so that two files made of the same
 * packets are equal.
 *
 * Layer: tests.
 */
#include "../../../userspace/common/packet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	struct ltt_ctf_packet header = { .magic = LTT_CTF_MAGIC };
	unsigned long n, first, count, bytes, time = 1000;
	unsigned char *packet;

	if (argc < 4 || argc > 5)
		return 2;
	first = strtoul(argv[1], NULL, 10);
	count = strtoul(argv[2], NULL, 10);
	bytes = strtoul(argv[3], NULL, 10);
	if (argc == 5)
		time = strtoul(argv[4], NULL, 10);
	packet = malloc(bytes);
	if (!packet)
		return 1;
	for (n = first; n < first + count; n++) {
		memset(packet, n % 251, bytes);
		header.packet_seq_num = n;
		header.timestamp_begin = n * time;
		header.timestamp_end = (n + 1) * time - 1;
		header.content_size = header.packet_size = bytes * 8;
		memcpy(packet, &header, sizeof(header));
		if (fwrite(packet, bytes, 1, stdout) != 1)
			return 1;
	}
	free(packet);
	return fflush(stdout) ? 1 : 0;
}
