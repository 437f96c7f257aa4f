// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The records of a stream.
 *
 * Layer: libltttrace.  Before the records of a packet come those that say what is missing between it and the one before it.
 * Events that were refused: between the end of the last packet and the end of this one.  Packets that are missing: between
 * the end of the last one and the begin of this one.  Sources: CTF specification 1.8.3, section 5.2 (packet context), and core/header.h.
 */
#include "internal.h"

#include "core/ctf.h"
#include "core/header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TIME_MASK ((UINT64_C(1) << LTT_TIME_BITS) - 1)

void cursor_init(struct cursor *cursor, struct stream *stream)
{
	pthread_mutex_t *lock = &stream->part->trace->lock;

	*cursor = (struct cursor){ .stream = stream, .last = -1, .since = INT64_MIN };
	pthread_mutex_lock(lock);
	cursor->others = stream->cursors;
	stream->cursors = cursor;
	pthread_mutex_unlock(lock);
}

void cursor_release(struct cursor *cursor)
{
	pthread_mutex_t *lock = &cursor->stream->part->trace->lock;
	struct cursor **at = &cursor->stream->cursors;

	pthread_mutex_lock(lock);
	while (*at != cursor)
		at = &(*at)->others;
	*at = cursor->others;
	pthread_mutex_unlock(lock);
	ZSTD_freeDCtx(cursor->unpacked.context);
	free(cursor->unpacked.bytes);
}

/* --- What is missing ---------------------------------------------------- */

static void add_loss(struct cursor *cursor, enum ltttrace_record_kind kind, uint64_t count, uint64_t from, uint64_t until)
{
	const struct stream *stream = cursor->stream;
	const struct packet *packet = &stream->packet[cursor->next];
	struct ltttrace_record *loss = &cursor->loss[cursor->losses];

	*loss = (struct ltttrace_record){
		.kind = kind, .stream = &stream->public, .clock = from, .cpu = packet->cpu, .count = count,
		.offset = packet->offset, .ns = part_ns(stream->part, from), .until_ns = part_ns(stream->part, until),
	};
	if (loss->until_ns < loss->ns)
		loss->until_ns = loss->ns;
	cursor->losses++;
}

/* Compare the packet to be entered with the last one. */
static void find_losses(struct cursor *cursor)
{
	const struct packet *packet = &cursor->stream->packet[cursor->next];
	const struct packet *last = cursor->last < 0 ? NULL : &cursor->stream->packet[cursor->last];
	const uint64_t discarded = last ? last->discarded : 0, from = last ? last->end : packet->begin;

	cursor->losses = cursor->reported = 0;
	if (packet->discarded > discarded)
		add_loss(cursor, LTTTRACE_LOST_EVENTS, packet->discarded - discarded, from, packet->end);
	if (last && packet->seq > last->seq + 1)
		add_loss(cursor, LTTTRACE_LOST_PACKETS, packet->seq - last->seq - 1, from, packet->begin);
}

static void set_damage(struct cursor *cursor, uint64_t from, uint64_t until, uint64_t offset, uint64_t bytes,
		       const char *why)
{
	const struct stream *stream = cursor->stream;

	cursor->record = (struct ltttrace_record){
		.kind = LTTTRACE_DAMAGE, .stream = &stream->public, .clock = from, .cpu = stream->public.cpu,
		.ns = part_ns(stream->part, from), .until_ns = part_ns(stream->part, until),
		.count = bytes, .offset = offset, .why = why,
	};
	if (cursor->record.until_ns < cursor->record.ns)
		cursor->record.until_ns = cursor->record.ns;
}

/* The entry of the index that is to be entered next cannot be read. */
static void pass_damage(struct cursor *cursor)
{
	const struct packet *packet = &cursor->stream->packet[cursor->next++];
	const bool is_last = cursor->next >= cursor->stream->packets;

	set_damage(cursor, packet->begin, is_last ? packet->begin : packet[1].begin, packet->offset, packet->stored,
		   packet->damage);
}

/* Return: 1 if the end of the file is to be reported. */
static int report_cut(struct cursor *cursor)
{
	const struct stream *stream = cursor->stream;
	const struct packet *last = stream->packets ? &stream->packet[stream->packets - 1] : NULL;
	const uint64_t end = stream->public.bytes;

	if (!stream->cut || cursor->cut == end)
		return 0;
	cursor->cut = end;
	set_damage(cursor, last ? last->end : 0, last ? last->end : 0,
		   stream->file[stream->files - 1]->scanned, stream->cut, NULL);
	cursor->record.kind = LTTTRACE_CUT;
	return 1;
}

/* --- Packets ---------------------------------------------------------------- */

static int enter_packet(struct cursor *cursor)
{
	const struct stream *stream = cursor->stream;
	const struct packet *packet = &stream->packet[cursor->next];
	int err = file_packet(stream->file[packet->file], packet, &cursor->unpacked, &cursor->data);

	cursor->last = cursor->next++;
	cursor->at = sizeof(struct ltt_ctf_packet);
	cursor->end = packet->content;
	cursor->clock = packet->begin;
	cursor->packet_end = packet->end;
	cursor->cpu = packet->cpu;
	cursor->data_offset = packet->offset;
	if (!err)
		return 0;
	cursor->data = NULL;
	if (err == -ENOMEM)
		return err;
	set_damage(cursor, packet->begin, packet->end, packet->offset, packet->stored,
		   err == -ENOENT ? "the file was deleted" :
		   err == -ESTALE ? "the file has become shorter" : "the frame of zstd is damaged");
	return 1;
}

static int leave_damaged(struct cursor *cursor, const char *why)
{
	set_damage(cursor, cursor->clock, cursor->packet_end, cursor->data_offset + cursor->at, cursor->end - cursor->at, why);
	cursor->data = NULL;
	return 1;
}

/* --- Records ------------------------------------------------------------------ */

/**
 * struct head - the header of a record
 * @id: of the event
 * @clock: its time
 * @bytes: of the header
 */
struct head {
	uint32_t id;
	uint64_t clock;
	size_t bytes;
};

/* Return: false if the packet ends in the header. */
static inline bool take_head(const struct cursor *cursor, struct head *head)
{
	const unsigned char *data = cursor->data + cursor->at;
	const size_t room = cursor->end - cursor->at;
	uint64_t time;
	uint32_t word;

	if (room < LTT_HEADER_COMPACT)
		return false;
	memcpy(&word, data, sizeof(word));
	head->id = word & ((1U << LTT_ID_BITS) - 1);
	if (head->id == LTT_ID_LONG) {
		head->bytes = LTT_HEADER_LONG;
		if (room < LTT_HEADER_LONG)
			return false;
		head->id = load_unsigned(data + 1, 4);
		head->clock = load_unsigned(data + 5, 8);
		return true;
	}
	head->bytes = LTT_HEADER_COMPACT;
	if (head->id == LTT_ID_MEDIUM) {
		head->bytes = LTT_HEADER_MEDIUM;
		if (room < LTT_HEADER_MEDIUM)
			return false;
		head->id = load_unsigned(data + LTT_HEADER_COMPACT, 2);
	}
	time = word >> LTT_ID_BITS;
	head->clock = (cursor->clock & ~TIME_MASK) | time;
	if (time < (cursor->clock & TIME_MASK))
		head->clock += TIME_MASK + 1;
	return true;
}

static int take_record(struct cursor *cursor)
{
	const struct stream *stream = cursor->stream;
	const struct channel *channel = stream->channel;
	struct ltttrace_record *record = &cursor->record;
	const struct event *event;
	struct head head;
	size_t room;

	if (!take_head(cursor, &head))
		return leave_damaged(cursor, "the packet ends within a record");
	event = head.id < channel->ids ? channel->event[head.id] : NULL;
	if (!event)
		return leave_damaged(cursor, "the event of a record is not in the metadata");
	if (head.clock < cursor->clock)
		return leave_damaged(cursor, "a record is earlier than the one before it");
	if (head.clock > cursor->packet_end)
		return leave_damaged(cursor, "a record is later than the end of its packet");
	room = cursor->end - cursor->at - head.bytes;
	record->data = cursor->data + cursor->at + head.bytes;
	record->size = event->steps ? plan_size(event, record->data, room) : event->rest;
	if (record->size > room)
		return leave_damaged(cursor, "the packet ends within a record");
	record->kind = LTTTRACE_EVENT;
	record->stream = &stream->public;
	record->event = &event->public;
	record->clock = head.clock;
	record->ns = record->until_ns = part_ns(stream->part, head.clock);
	record->cpu = cursor->cpu;
	record->count = 0;
	record->why = NULL;
	record->offset = cursor->data_offset + cursor->at;
	cursor->clock = head.clock;
	cursor->at += head.bytes + record->size;
	return 1;
}

/* Between packets.  Return: 1: there is a record; 0: there is none now, or the packet was entered; -errno. */
static int go_on(struct cursor *cursor, bool *entered)
{
	int err;

	*entered = false;
	if (cursor->next >= cursor->stream->packets)
		return report_cut(cursor);
	if (cursor->stream->packet[cursor->next].damage) {
		pass_damage(cursor);
		return 1;
	}
	if (cursor->reported == cursor->losses && !cursor->reported)
		find_losses(cursor);
	if (cursor->reported < cursor->losses) {
		cursor->record = cursor->loss[cursor->reported++];
		return 1;
	}
	cursor->losses = cursor->reported = 0;
	err = enter_packet(cursor);
	*entered = !err;
	return err;
}

static int take_next(struct cursor *cursor)
{
	bool entered;
	int status;

	for (;;) {
		if (cursor->data && cursor->at < cursor->end)
			return take_record(cursor);
		cursor->data = NULL;
		status = go_on(cursor, &entered);
		if (status || !entered)
			return status;
	}
}

int cursor_next(struct cursor *cursor)
{
	int status;

	do
		status = take_next(cursor);
	while (status > 0 && cursor->record.until_ns < cursor->since);
	return status;
}

/* Return: the first packet that ends at @ns or later; the number of packets if all end before. */
static size_t find_packet(const struct stream *stream, int64_t ns)
{
	size_t low = 0, high = stream->packets, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (part_ns(stream->part, stream->packet[middle].end) < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Return: the last packet before @next that can be read; -1: there is none. */
static ssize_t packet_before(const struct stream *stream, size_t next)
{
	while (next-- > 0)
		if (!stream->packet[next].damage)
			return next;
	return -1;
}

int cursor_seek(struct cursor *cursor, int64_t ns)
{
	cursor->data = NULL;
	cursor->losses = cursor->reported = 0;
	cursor->cut = 0;
	cursor->since = ns;
	cursor->next = find_packet(cursor->stream, ns);
	/* Bytes that cannot be read last until the packet behind them. */
	while (cursor->next && cursor->stream->packet[cursor->next - 1].damage)
		cursor->next--;
	cursor->last = packet_before(cursor->stream, cursor->next);
	return cursor_next(cursor);
}
