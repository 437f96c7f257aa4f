// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Write a data stream.
 *
 * Layer: lttctl export.  Each header is a long one, which has a whole time: then no record depends on the one before it.
 */
#include "lttng-packets.h"

#include "core/ctf.h"
#include "core/header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PACKET_BYTES	(256U << 10)
#define PAGE_BYTES	4096U
#define HEAD_BYTES	sizeof(struct ltt_ctf_packet)

static size_t to_pages(size_t bytes)
{
	return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

static bool make_room(struct lttng_packets *packets, size_t bytes)
{
	const size_t room = bytes > PACKET_BYTES ? to_pages(bytes) : PACKET_BYTES;
	unsigned char *more;

	if (packets->err || bytes <= packets->room)
		return !packets->err;
	more = realloc(packets->packet, room);
	if (!more) {
		packets->err = -ENOMEM;
		return false;
	}
	packets->packet = more;
	packets->room = room;
	return true;
}

static void put(struct lttng_packets *packets, const void *bytes, size_t len)
{
	memcpy(packets->packet + packets->len, bytes, len);
	packets->len += len;
}

void lttng_packets_record(struct lttng_packets *packets, uint64_t clock, uint32_t id, const void *data, size_t size)
{
	const uint8_t long_id = LTT_ID_LONG;

	if (packets->len && packets->len + LTT_HEADER_LONG + size > packets->room)
		lttng_packets_cut(packets);
	if (!make_room(packets, (packets->len ? packets->len : HEAD_BYTES) + LTT_HEADER_LONG + size))
		return;
	if (!packets->len) {
		packets->len = HEAD_BYTES;
		packets->first = clock;
	}
	packets->last = clock;
	put(packets, &long_id, sizeof(long_id));
	put(packets, &id, sizeof(id));
	put(packets, &clock, sizeof(clock));
	put(packets, data, size);
}

void lttng_packets_cut(struct lttng_packets *packets)
{
	struct ltt_ctf_packet head = {
		.magic = LTT_CTF_MAGIC, .stream_id = packets->stream, .cpu_id = packets->cpu,
		.timestamp_begin = packets->first, .timestamp_end = packets->last,
		.content_size = packets->len * 8, .packet_seq_num = packets->number, .events_discarded = packets->discarded,
	};
	const size_t size = to_pages(packets->len);

	if (!packets->len || packets->err)
		return;
	memcpy(head.uuid, packets->part->uuid, sizeof(head.uuid));
	head.packet_size = size * 8;
	memcpy(packets->packet, &head, sizeof(head));
	memset(packets->packet + packets->len, 0, size - packets->len);
	if (fwrite(packets->packet, 1, size, packets->data) != size)
		packets->err = -errno;
	packets->bytes += size;
	packets->number++;
	packets->len = 0;
}

void lttng_packets_cut_at(struct lttng_packets *packets, uint64_t clock)
{
	if (!packets->len && make_room(packets, PAGE_BYTES)) {
		packets->len = HEAD_BYTES;
		packets->first = packets->last = clock;
	}
	lttng_packets_cut(packets);
}

int lttng_packets_end(struct lttng_packets *packets)
{
	lttng_packets_cut(packets);
	free(packets->packet);
	packets->packet = NULL;
	return packets->err;
}
