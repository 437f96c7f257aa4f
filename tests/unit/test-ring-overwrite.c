// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The ring as a flight recorder: the records that survive, the counts, and the packets of
 * a reader that comes late, stays long, or takes a snapshot.
 */
#include "ring-fixture.h"

#include <stdio.h>
#include <stdlib.h>

#define SCENARIO(...)	snprintf(fx_scenario, sizeof(fx_scenario), __VA_ARGS__)

static const struct fx_config two = { .sb_order = 12, .nr_order = 1, .overwrite = true };
static const struct fx_config four = { .sb_order = 12, .nr_order = 2, .overwrite = true };

static void set_limit(struct ring_fixture *fx)
{
	/* As ltt-relay does when it has flushed. */
	fx->ring.read_limit = fx->ring.offset.v & ~fx->ring.sb_mask;
}

/* Whenever writers stop: the end of what they wrote, as much as the ring holds,
 * without a gap; the rest is counted. */
static void survivors_are_the_end(void)
{
	u32 n, i, nr_order;

	for (nr_order = 1; nr_order < 4; nr_order++) {
		for (n = 0; n < 400; n++) {
			const struct fx_config config = {
				.sb_order = 12, .nr_order = nr_order, .overwrite = true,
			};
			struct ltt_ring_stats stats;
			struct ring_fixture fx;
			u64 closed, nr = 1U << nr_order;

			SCENARIO("%u records, 2^%u", n, nr_order);
			fx_init(&fx, &config);
			for (i = 0; i < n; i++)
				FX_CHECK(&fx, !fx_write(&fx, i % 60, 100 + i * 13 % 100));
			fx_finish(&fx);
			closed = fx.ring.offset.v >> 12;
			FX_CHECK(&fx, fx.packets == (closed < nr ? closed : nr));
			FX_CHECK(&fx, !n || fx.log[n - 1].fate == FX_READ);
			ltt_ring_get_stats(&fx.ring, &stats);
			FX_CHECK(&fx, stats.overwritten == n - fx.records);
			fx_done(&fx);
			if (fx.failed)
				return;
		}
	}
}

/* The reader gets nothing before the limit is set, and nothing behind it. */
static void limit_of_a_snapshot(void)
{
	struct ring_fixture fx;
	u32 i;

	SCENARIO("limit");
	fx_init(&fx, &four);
	fx.ring.read_limit = 0;
	for (i = 0; i < 3; i++)
		fx_fill(&fx, 0);
	FX_CHECK(&fx, !fx_get(&fx) && !ltt_ring_ready(&fx.ring, false));
	fx_write(&fx, 1, 8);
	FX_CHECK(&fx, fx_flush(&fx, false));
	set_limit(&fx);
	FX_CHECK(&fx, ltt_ring_ready(&fx.ring, false));
	FX_CHECK(&fx, fx_read(&fx, 2) == 2);
	/* One goes where one has been read; it is not part of the snapshot. */
	fx_fill(&fx, 0);
	FX_CHECK(&fx, fx_get(&fx) && ltt_ring_ready(&fx.ring, true));
	FX_CHECK(&fx, fx_read(&fx, 9) == 2 && fx.packets == 4);
	FX_CHECK(&fx, !fx_get(&fx) && !ltt_ring_ready(&fx.ring, false));
	/* The next snapshot goes on from there. */
	FX_CHECK(&fx, !fx_flush(&fx, false));
	set_limit(&fx);
	FX_CHECK(&fx, fx_read(&fx, 9) == 1);
	fx_done(&fx);
	CU_ASSERT_EQUAL(fx.ring.overwritten.v, 0);
	CU_ASSERT_EQUAL(fx.records, 5);
}

/* Writers overwrite part of a snapshot, then all of it, while it is read. */
static void snapshot_overtaken(void)
{
	u32 i, more;

	for (more = 0; more < 12; more++) {
		/* Of packets 2 to 5 the first is read.  The next one written goes
		 * where it was, those after that where the others are. */
		u32 left = more < 2 ? 3 : more < 5 ? 4 - more : 0;
		struct ring_fixture fx;

		SCENARIO("%u more", more);
		fx_init(&fx, &four);
		for (i = 0; i < 6; i++)
			fx_fill(&fx, 0);
		set_limit(&fx);
		FX_CHECK(&fx, fx_read(&fx, 1) == 1 && fx.next_seq == 3);
		for (i = 0; i < more; i++)
			fx_fill(&fx, 0);
		FX_CHECK(&fx, fx_read(&fx, 99) == left);
		FX_CHECK(&fx, !ltt_ring_ready(&fx.ring, false));
		fx.ring.read_limit = 1ULL << 62;
		fx_done(&fx);
	}
}

/* The packet that is out stays as it is for any number of laps. */
static void reader_keeps_a_packet(void)
{
	struct ring_fixture fx;
	u32 i, laps;

	for (laps = 1; laps < 5; laps++) {
		SCENARIO("%u laps", laps);
		fx_init(&fx, &two);
		fx_fill(&fx, 0);
		FX_CHECK(&fx, fx_get(&fx));
		for (i = 0; i < 2 * laps; i++)
			fx_fill(&fx, 0);
		FX_CHECK(&fx, ltt_ring_ready(&fx.ring, true));
		/* fx_put() compares. */
		fx_put(&fx);
		FX_CHECK(&fx, fx_read(&fx, 99) == 2);
		fx_done(&fx);
		CU_ASSERT_EQUAL(fx.ring.overwritten.v, 2 * laps - 2);
	}
}

/* The spare pages go round: each set is read from, and written to, in turn. */
static void page_sets_go_round(void)
{
	struct ring_fixture fx;
	u32 i, seen = 0;

	SCENARIO("sets");
	fx_init(&fx, &four);
	for (i = 0; i < 25; i++) {
		fx_write(&fx, 1, 100);
		fx_flush(&fx, false);
		FX_CHECK(&fx, fx_get(&fx));
		seen |= 1U << fx.ring.read_base;
		fx_put(&fx);
	}
	CU_ASSERT_EQUAL(seen, 0x1f);
	fx_done(&fx);
	CU_ASSERT_EQUAL(fx.records, 25);
}

/* Far behind, the reader finds the oldest packet there is, and does so at once. */
static u32 places;

static void count_places(struct ring_fixture *fx, const char *hook)
{
	places++;
}

static void reader_comes_late(void)
{
	struct ring_fixture fx;
	u32 i;

	SCENARIO("late");
	fx_init(&fx, &four);
	for (i = 0; i < 4003; i++)
		fx_fill(&fx, 0);
	places = 0;
	fx_interrupt = count_places;
	FX_CHECK(&fx, fx_get(&fx));
	fx_interrupt = NULL;
	CU_ASSERT(places > 3 && places < 50);
	CU_ASSERT_EQUAL(fx.next_seq - 1, 4003 - 4);
	fx_done(&fx);
	CU_ASSERT_EQUAL(fx.packets, 4);
}

/* Losses other than overwriting are counted in this mode too. */
static void refused_is_reported(void)
{
	struct ring_fixture fx;
	u32 i;

	SCENARIO("refused");
	fx_init(&fx, &two);
	for (i = 0; i < 10; i++) {
		fx_fill(&fx, 0);
		FX_CHECK(&fx, fx_write(&fx, 1, fx_max_len(&fx) + 1) == -LTT_REFUSED_BIG);
	}
	fx_done(&fx);
	CU_ASSERT_EQUAL(fx.last_discarded, 10);
	CU_ASSERT_EQUAL(fx.empty, 1);
}

/* ---- The reader's exchange against the writer ---- */

static u32 at, seen;
static bool reader_first;

/* The reader takes what the writer is about to claim. */
static void take(struct ring_fixture *fx, const char *hook)
{
	if (seen++ == at)
		fx_read(fx, 1);
}

/* The writer claims what the reader is about to take. */
static void overwrite(struct ring_fixture *fx, const char *hook)
{
	if (seen++ == at) {
		fx_interrupt = NULL;
		fx_fill(fx, 0);
	}
}

/* Either gets it whole, and the other sees that. */
static void exchange_race(void)
{
	u32 taken = 0, overwritten = 0;

	for (reader_first = false;; reader_first = true) {
		at = 0;
		do {
			struct ring_fixture fx;

			SCENARIO("%s, at %u", reader_first ? "reader" : "writer", at);
			fx_init(&fx, &two);
			fx_fill(&fx, 0);
			fx_fill(&fx, 0);
			seen = 0;
			fx_interrupt = reader_first ? overwrite : take;
			if (reader_first)
				fx_read(&fx, 1);
			else
				fx_write(&fx, 1, 8);
			fx_interrupt = NULL;
			/* Packet 0 was read or it was overwritten. */
			taken += fx.log[0].fate == FX_READ;
			overwritten += fx.log[0].fate == FX_STORED;
			FX_CHECK(&fx, fx.packets == (seen > at || reader_first));
			fx_finish(&fx);
			FX_CHECK(&fx, fx.ring.overwritten.v == (fx.log[0].fate == FX_STORED));
			fx_done(&fx);
		} while (seen > at++);
		if (reader_first)
			break;
	}
	/* Both happen. */
	CU_ASSERT(taken > 5 && overwritten > 5);
}

static void read_at_claim(struct ring_fixture *fx, const char *hook)
{
	if (hook && !strcmp(hook, "claim")) {
		seen++;
		fx_interrupt = NULL;
		fx_read(fx, 1);
	}
}

/* The sub-buffer that a flush wants for its report is read just now: it looks again. */
static void flush_meets_the_reader(void)
{
	struct ring_fixture fx;

	SCENARIO("flush");
	fx_init(&fx, &two);
	fx_fill(&fx, 0);
	fx_fill(&fx, 0);
	FX_CHECK(&fx, fx_write(&fx, 1, fx_max_len(&fx) + 1) == -LTT_REFUSED_BIG);
	seen = 0;
	fx_interrupt = read_at_claim;
	FX_CHECK(&fx, fx_flush(&fx, true));
	fx_interrupt = NULL;
	FX_CHECK(&fx, seen == 1 && fx.packets == 1);
	fx_done(&fx);
	CU_ASSERT_EQUAL(fx.ring.overwritten.v, 0);
	CU_ASSERT_EQUAL(fx.empty, 1);
}

/* ---- Peeks ---- */

static char peeked[4096];

/* Peek at all positions that the ring can hold.  Return: how many packets there are. */
static u32 peek_all(struct ring_fixture *fx)
{
	u64 end = fx->ring.offset.v & ~fx->ring.sb_mask, size = 1ULL << fx->ring.buf_order, pos;
	u32 content, nr = 0;

	for (pos = end > size ? end - size : 0; pos != end; pos += 4096) {
		const struct ltt_ctf_packet *packet = (const void *)peeked;

		if (ltt_ring_peek(&fx->ring, pos, peeked, &content) != LTT_PEEKED)
			continue;
		nr++;
		FX_CHECK(fx, packet->magic == LTT_CTF_MAGIC && packet->content_size == content * 8);
		FX_CHECK(fx, packet->packet_seq_num == pos >> 12);
	}
	return nr;
}

/* Peeks, whole and repeated, change nothing: the reader gets all afterwards (R7). */
static void peek_leaves_all(void)
{
	struct ltt_ring_stats before, after;
	struct ring_fixture fx;
	u32 i, n;

	for (n = 0; n < 12; n++) {
		SCENARIO("%u packets", n);
		fx_init(&fx, &four);
		for (i = 0; i < n; i++)
			fx_fill(&fx, 0);
		ltt_ring_get_stats(&fx.ring, &before);
		for (i = 0; i < 3; i++)
			FX_CHECK(&fx, peek_all(&fx) == (n < 4 ? n : 4));
		ltt_ring_get_stats(&fx.ring, &after);
		FX_CHECK(&fx, !memcmp(&before, &after, sizeof(before)));
		FX_CHECK(&fx, fx_read(&fx, 99) == (n < 4 ? n : 4));
		FX_CHECK(&fx, !peek_all(&fx));
		fx_done(&fx);
	}
}

/* The packet that is being written, and one that the reader has taken. */
static void peek_finds_nothing(void)
{
	struct ring_fixture fx;
	u32 content;

	SCENARIO("nothing");
	fx_init(&fx, &four);
	fx_write(&fx, 1, 8);
	FX_CHECK(&fx, ltt_ring_peek(&fx.ring, 0, peeked, &content) == LTT_PEEK_BUSY);
	FX_CHECK(&fx, fx_flush(&fx, false));
	FX_CHECK(&fx, ltt_ring_peek(&fx.ring, 0, peeked, &content) == LTT_PEEKED);
	FX_CHECK(&fx, fx_get(&fx));
	FX_CHECK(&fx, ltt_ring_peek(&fx.ring, 0, peeked, &content) == LTT_PEEK_GONE);
	fx_put(&fx);
	FX_CHECK(&fx, ltt_ring_peek(&fx.ring, 0, peeked, &content) == LTT_PEEK_GONE);
	fx_done(&fx);
}

/* A packet of several pages is copied as the reader gets it. */
static void peek_copies_all_pages(void)
{
	static const struct fx_config large = { .sb_order = 14, .nr_order = 1, .overwrite = true };
	static char whole[1 << 14];
	struct ring_fixture fx;
	u32 content, at;

	SCENARIO("pages");
	fx_init(&fx, &large);
	fx_fill(&fx, 0);
	FX_CHECK(&fx, ltt_ring_peek(&fx.ring, 0, whole, &content) == LTT_PEEKED);
	FX_CHECK(&fx, fx_get(&fx) && fx.ring.read_content == content && content > 4096);
	for (at = 0; at < content; at++)
		FX_CHECK(&fx, whole[at] ==
			 ((char *)fx.ring.page[fx.ring.read_base + (at >> 12)])[at & 4095]);
	fx_put(&fx);
	fx_done(&fx);
}

/* A writer overwrites the packet at any moment of a peek: whole, or nothing. */
static void peek_overtaken(void)
{
	u32 whole = 0, gone = 0;

	at = 0;
	do {
		const struct ltt_ctf_packet *packet = (const void *)peeked;
		enum ltt_peek found;
		struct ring_fixture fx;
		u32 content;

		SCENARIO("at %u", at);
		fx_init(&fx, &two);
		fx_fill(&fx, 0);
		fx_fill(&fx, 0);
		seen = 0;
		fx_interrupt = overwrite;
		found = ltt_ring_peek(&fx.ring, 0, peeked, &content);
		fx_interrupt = NULL;
		FX_CHECK(&fx, found != LTT_PEEK_BUSY);
		FX_CHECK(&fx, found == LTT_PEEK_GONE || packet->packet_seq_num == 0);
		whole += found == LTT_PEEKED;
		gone += found == LTT_PEEK_GONE;
		fx_done(&fx);
	} while (seen > at++);
	CU_ASSERT(whole > 0 && gone > 0);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(survivors_are_the_end),
		UNIT_TEST(limit_of_a_snapshot),
		UNIT_TEST(snapshot_overtaken),
		UNIT_TEST(reader_keeps_a_packet),
		UNIT_TEST(page_sets_go_round),
		UNIT_TEST(reader_comes_late),
		UNIT_TEST(refused_is_reported),
		UNIT_TEST(exchange_race),
		UNIT_TEST(flush_meets_the_reader),
		UNIT_TEST(peek_leaves_all),
		UNIT_TEST(peek_finds_nothing),
		UNIT_TEST(peek_copies_all_pages),
		UNIT_TEST(peek_overtaken),
		{ 0 }
	};

	return unit_main(argv[0], tests);
}
