// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The ring fixture's reader and its account; see ring-fixture.h.
 */
#include "ring-reader.h"

#include <stdlib.h>

const u8 fx_uuid[16] = {
	0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76, 0x87,
	0x98, 0xa9, 0xba, 0xcb, 0xdc, 0xed, 0xfe, 0x0f,
};

/* Longer than any sub-buffer in the tests. */
static u8 noise[(1 << 16) + 256];

const u8 *fx_payload(u32 serial, u32 len)
{
	u32 x = 2463534242U;
	size_t i;

	if (!noise[0]) {
		for (i = 0; i < sizeof(noise); i++) {
			x ^= x << 13;
			x ^= x >> 17;
			x ^= x << 5;
			noise[i] = x | 1;
		}
	}
	return noise + serial % 251;
}

static u32 get_u32(const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static void copy_packet(const struct ring_fixture *fx, u8 *to)
{
	u64 i, pages = (fx->ring.sb_mask + 1) >> LTT_PAGE_SHIFT;

	for (i = 0; i < pages; i++)
		memcpy(to + i * LTT_PAGE_SIZE, fx->ring.page[fx->ring.read_base + i],
		       LTT_PAGE_SIZE);
}

static bool is_filled(const u8 *p, size_t len, u8 with)
{
	return !len || (*p == with && !memcmp(p, p + 1, len - 1));
}

/*
 * One record, @at bytes into the packet that is out.
 * Return: its size, or 0 if it makes no sense.
 */
static u32 check_record(struct ring_fixture *fx, u32 at, const struct ltt_ctf_packet *packet)
{
	bool first = at == fx->ring.header_size;
	const u8 *p = fx->held + at;
	u32 left = fx->ring.read_content - at;
	u32 id = p[0] & 31, header = LTT_HEADER_COMPACT, serial;
	struct fx_record *rec;
	u64 time = 0;

	if (id == LTT_ID_LONG) {
		header = LTT_HEADER_LONG;
		id = get_u32(p + 1);
		memcpy(&time, p + 5, sizeof(time));
	} else {
		u64 low = get_u32(p) >> 5;

		/* The next time with these 27 bits after the last one. */
		time = (fx->last_time & ~0x7ffffffULL) | low;
		if (time < fx->last_time)
			time += 1 << 27;
		if (id == LTT_ID_MEDIUM) {
			header = LTT_HEADER_MEDIUM;
			id = p[4] | p[5] << 8;
		}
	}
	if (left < header + LTT_CONTEXT_SIZE)
		return 0;
	serial = get_u32(p + header);
	if (serial >= fx->nr_log)
		return 0;
	rec = &fx->log[serial];
	/* R1: exactly once. */
	FX_CHECK(fx, rec->fate == FX_PENDING || rec->fate == FX_STORED);
	rec->fate = FX_READ;
	rec->wide = header == LTT_HEADER_LONG;
	rec->seq = packet->packet_seq_num;
	FX_CHECK(fx, rec->id == id);
	/* R4.  A packet begins with its first record; no two others have the same
	 * time when the clock moves at each reading. */
	if (first)
		FX_CHECK(fx, time == packet->timestamp_begin);
	else
		FX_CHECK(fx, (s64)(time - fx->last_time) >= (fx->step && !fx->loose_time));
	if (!fx->loose_time)
		FX_CHECK(fx, time == rec->time);
	fx->last_time = time;
	if (left < header + LTT_CONTEXT_SIZE + rec->len)
		return 0;
	p += header + LTT_CONTEXT_SIZE;
	FX_CHECK(fx, !memcmp(p, fx_payload(serial, rec->len), rec->len));
	return header + LTT_CONTEXT_SIZE + rec->len;
}

static void check_header(struct ring_fixture *fx, const struct ltt_ctf_packet *packet)
{
	const struct ltt_ring *ring = &fx->ring;
	u64 size = (ring->read_content + LTT_PAGE_MASK) & ~LTT_PAGE_MASK;
	u64 gap;

	FX_CHECK(fx, packet->magic == LTT_CTF_MAGIC);
	FX_CHECK(fx, !memcmp(packet->uuid, fx_uuid, sizeof(fx_uuid)));
	FX_CHECK(fx, packet->stream_id == FX_STREAM && packet->cpu_id == FX_CPU);
	FX_CHECK(fx, packet->content_size == ring->read_content * 8ULL);
	FX_CHECK(fx, packet->packet_size == size * 8);
	FX_CHECK(fx, is_filled(fx->held + FX_HEADER, ring->header_size - FX_HEADER,
			       FX_HEADER_FILL));
	/* A gap is packets that were overwritten; else there is none. */
	FX_CHECK(fx, packet->packet_seq_num == ring->read_pos >> ring->sb_order);
	gap = (packet->packet_seq_num - fx->next_seq) << ring->sb_order;
	FX_CHECK(fx, ring->overwrite ? (s64)gap >= 0 : !gap);
	/* R5 */
	FX_CHECK(fx, (s64)(packet->timestamp_begin - fx->last_end) >= 0);
	FX_CHECK(fx, (s64)(packet->timestamp_end - packet->timestamp_begin) >= 0);
	/* R6 */
	FX_CHECK(fx, packet->events_discarded >= fx->last_discarded);
	FX_CHECK(fx, packet->events_discarded <= ring->refused[LTT_REFUSED_FULL].v +
		 ring->refused[LTT_REFUSED_BIG].v + ring->refused[LTT_REFUSED_NESTED].v);
}

/* Check all properties of the packet that is out. */
static void check_packet(struct ring_fixture *fx)
{
	struct ltt_ring *ring = &fx->ring;
	u32 at = ring->header_size, content = ring->read_content;
	u32 set = ring->read_base >> (ring->sb_order - LTT_PAGE_SHIFT);
	struct ltt_ctf_packet packet;
	u64 records = fx->records;

	copy_packet(fx, fx->held);
	memcpy(&packet, fx->held, sizeof(packet));
	FX_CHECK(fx, content >= at && content <= ring->sb_mask + 1);
	if (fx->failed)
		return;
	check_header(fx, &packet);
	fx->last_time = packet.timestamp_begin;
	while (at < content) {
		u32 size = check_record(fx, at, &packet);

		/* R3: whole records, up to the end. */
		FX_CHECK(fx, size);
		if (!size)
			return;
		fx->records++;
		at += size;
	}
	/* R5: it ends no earlier than its last record. */
	FX_CHECK(fx, (s64)(packet.timestamp_end - fx->last_time) >= 0);
	/* Nothing is written behind the content: it would go to disk. */
	if (!ring->overwrite)
		FX_CHECK(fx, is_filled(fx->held + content, ring->sb_mask + 1 - content,
				       fx->fill[set]));
	/* A packet without records is there to report a loss, or it was due to when
	 * its flush began and another writer was quicker. */
	if (fx->records == records) {
		fx->empty++;
		fx->redundant += packet.events_discarded == fx->last_discarded;
		FX_CHECK(fx, fx->redundant <= fx->final_flushes);
	}
	fx->last_end = packet.timestamp_end;
	fx->last_discarded = packet.events_discarded;
	fx->next_seq = packet.packet_seq_num + 1;
	fx->packets++;
}

bool fx_get(struct ring_fixture *fx)
{
	bool was_out = fx->ring.reading, out;

	if (fx->in_reader)
		return was_out;
	fx->in_reader = true;
	out = ltt_ring_get(&fx->ring);
	if (out && !was_out)
		check_packet(fx);
	fx->in_reader = false;
	return out;
}

void fx_put(struct ring_fixture *fx)
{
	struct ltt_ring *ring = &fx->ring;
	u64 i, pages = (ring->sb_mask + 1) >> LTT_PAGE_SHIFT;

	if (fx->in_reader || !ring->reading)
		return;
	for (i = 0; i < pages; i++) {
		u8 *page = ring->page[ring->read_base + i];

		/* R3: no writer reached it while it was out. */
		FX_CHECK(fx, !memcmp(page, fx->held + i * LTT_PAGE_SIZE, LTT_PAGE_SIZE));
		memset(page, FX_POISON, LTT_PAGE_SIZE);
	}
	fx->fill[ring->read_base >> (ring->sb_order - LTT_PAGE_SHIFT)] = FX_POISON;
	fx->in_reader = true;
	ltt_ring_put(ring);
	fx->in_reader = false;
}

u32 fx_read(struct ring_fixture *fx, u32 max)
{
	u32 n = 0;

	while (n < max && !fx->failed && !fx->in_reader && fx_get(fx)) {
		fx_put(fx);
		n++;
	}
	fx->read_early |= n;
	return n;
}

/* ---- The account ---- */

/* emitted = read + refused + overwritten, by record and by count (R1, R2). */
static void check_account(struct ring_fixture *fx)
{
	u64 fate[FX_READ + 1] = { 0 }, first_read = ~0ULL, last_lost = 0;
	struct ltt_ring_stats stats;
	u32 i;

	for (i = 0; i < fx->nr_log; i++) {
		const struct fx_record *rec = &fx->log[i];

		fate[rec->fate]++;
		if (rec->fate == FX_READ && rec->time < first_read)
			first_read = rec->time;
		if (rec->fate == FX_STORED && rec->time > last_lost)
			last_lost = rec->time;
	}
	ltt_ring_get_stats(&fx->ring, &stats);
	FX_CHECK(fx, !fate[FX_PENDING]);
	FX_CHECK(fx, fate[FX_READ] == fx->records);
	FX_CHECK(fx, fate[FX_STORED] == stats.overwritten);
	FX_CHECK(fx, fate[FX_READ] == stats.stored);
	FX_CHECK(fx, fate[FX_REFUSED] == stats.refused_total);
	for (i = 1; i < LTT_REFUSALS; i++)
		FX_CHECK(fx, fx->refused[i] == stats.refused[i]);
	FX_CHECK(fx, !stats.overwritten || fx->config.overwrite);
	/* The end of it survives, without gaps. */
	if (!fx->read_early && !fx->loose_time && fate[FX_STORED] && fate[FX_READ])
		FX_CHECK(fx, last_lost < first_read);
}

void fx_finish(struct ring_fixture *fx)
{
	struct ltt_ring *ring = &fx->ring;
	bool read_early = fx->read_early || fx->packets;
	u64 closed;
	u32 rounds = 0;

	/* Losses are to be reported even where the last packets were full. */
	for (;;) {
		bool ended = fx_flush(fx, true), read = ring->reading;

		fx_put(fx);
		read |= fx_read(fx, ~0U);
		if (fx->failed || (!ended && !read))
			break;
		FX_CHECK(fx, ++rounds < 10);
	}
	if (fx->failed)
		return;
	fx->read_early = read_early;
	closed = (ring->offset.v - fx->config.start) >> ring->sb_order;
	FX_CHECK(fx, ring->nesting_left == LTT_NESTING_MAX);
	FX_CHECK(fx, !(ring->offset.v & ring->sb_mask));
	FX_CHECK(fx, fx->begun == closed && fx->ended == closed && fx->delivered == closed);
	FX_CHECK(fx, fx->packets == closed || (ring->overwrite && fx->packets < closed));
	FX_CHECK(fx, !ltt_ring_ready(ring, false) && !ltt_ring_needs_flush(ring, true));
	FX_CHECK(fx, fx->last_discarded == fx_refused_total(fx));
	check_account(fx);
}
