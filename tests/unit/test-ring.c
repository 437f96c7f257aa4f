// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The ring without interruptions: sizes, boundaries, ids, times, counters that
 * wrap, causes of refusal, flush, and the counts that the reader gets.  Tables are
 * numbered; what fails prints the number.
 */
#include "ring-fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))
#define SB		LTT_PAGE_SIZE

static const struct fx_config discard = { .sb_order = 12, .nr_order = 1 };
static const struct fx_config overwrite = { .sb_order = 12, .nr_order = 1, .overwrite = true };

#define SCENARIO(...)	snprintf(fx_scenario, sizeof(fx_scenario), __VA_ARGS__)

static void one_record(void)
{
	struct ring_fixture fx;

	SCENARIO("one");
	fx_init(&fx, &discard);
	CU_ASSERT(!fx_get(&fx) && !ltt_ring_ready(&fx.ring, false));
	CU_ASSERT(!fx_write(&fx, 1, 20));
	CU_ASSERT(!fx_get(&fx));
	CU_ASSERT(fx_flush(&fx, false));
	CU_ASSERT(ltt_ring_ready(&fx.ring, false));
	CU_ASSERT(fx_get(&fx));
	CU_ASSERT_EQUAL(fx.ring.read_content, FX_HEADER + 28);
	fx_done(&fx);
	CU_ASSERT_EQUAL(fx.records, 1);
	CU_ASSERT_EQUAL(fx.packets, 1);
}

/* ---- Sizes and boundaries ---- */

/* From nothing to one byte more than a sub-buffer holds. */
static void every_size(void)
{
	u32 len, max;

	for (len = 0;; len++) {
		struct ring_fixture fx;
		int err;

		SCENARIO("length %u", len);
		fx_init(&fx, &discard);
		max = fx_max_len(&fx);
		err = fx_write(&fx, 1, len);
		FX_CHECK(&fx, err == (len <= max ? 0 : -LTT_REFUSED_BIG));
		/* The last byte of the sub-buffer completes it, no byte less does. */
		FX_CHECK(&fx, ltt_ring_ready(&fx.ring, false) == (len == max));
		fx_done(&fx);
		if (len > max)
			break;
	}
	CU_ASSERT_EQUAL(max, SB - FX_HEADER - FX_OVERHEAD);
}

/* Free room against record size: up to the last byte, and not one more. */
static void every_room(void)
{
	u32 id, room, len;

	for (id = 1; id <= 100; id += 99) {
		for (room = 1; room < 50; room++) {
			for (len = 0; len < 45; len++) {
				u32 size = fx_size(id, len);
				struct ring_fixture fx;
				bool fits = size <= room;

				SCENARIO("id %u length %u in %u", id, len, room);
				fx_init(&fx, &discard);
				fx_fill(&fx, room);
				FX_CHECK(&fx, !fx_write(&fx, id, len));
				FX_CHECK(&fx, fx_room(&fx) == (!fits ? SB - FX_HEADER - size :
							       room - size));
				FX_CHECK(&fx, ltt_ring_ready(&fx.ring, false) ==
					 (!fits || room == size));
				fx_finish(&fx);
				FX_CHECK(&fx, fx.log[1].seq == !fits);
				fx_done(&fx);
			}
		}
	}
}

/* Header, context and payload are cut by a page's end at every byte. */
static void across_a_page(void)
{
	const struct fx_config pages = { .sb_order = 13, .nr_order = 1 };
	u32 id, before, len;
	bool slow;

	for (id = 1; id <= 100; id += 99) {
		for (before = 0; before < 50; before++) {
			for (len = 0; len < 40; len += 3) {
				struct ring_fixture fx;

				slow = before & 1;
				SCENARIO("id %u length %u, %u before a page", id, len, before);
				fx_init(&fx, &pages);
				fx_fill(&fx, SB + before);
				if (slow)
					FX_CHECK(&fx, !fx_write_slow(&fx, id, len));
				else
					FX_CHECK(&fx, !fx_write(&fx, id, len));
				FX_CHECK(&fx, !fx_write(&fx, id, 5));
				fx_finish(&fx);
				FX_CHECK(&fx, fx.packets == 1);
				fx_done(&fx);
			}
		}
	}
}

/* One record over four pages; it fills them. */
static void pages_in_one_record(void)
{
	struct ring_fixture fx;
	u32 i;

	SCENARIO("four pages");
	fx_init(&fx, &(struct fx_config){ .sb_order = 14, .nr_order = 1 });
	for (i = 0; i < 5; i++) {
		FX_CHECK(&fx, !fx_write(&fx, 1, fx_max_len(&fx)));
		FX_CHECK(&fx, fx_read(&fx, 2) == 1);
	}
	FX_CHECK(&fx, !fx_write(&fx, 1, fx_max_len(&fx) - 3 * SB));
	FX_CHECK(&fx, !fx_write(&fx, 40, SB));
	FX_CHECK(&fx, !fx_write(&fx, 40, SB));
	fx_done(&fx);
}

/* Laps of records of all sizes: they end at all places. */
static void many_laps(void)
{
	u32 i, nr_order;

	for (nr_order = 1; nr_order < 4; nr_order++) {
		struct ring_fixture fx;

		SCENARIO("2^%u sub-buffers", nr_order);
		fx_init(&fx, &(struct fx_config){ .sb_order = 12, .nr_order = nr_order });
		for (i = 0; i < 5000; i++) {
			FX_CHECK(&fx, !fx_write(&fx, i % 37, i * 7 % 301));
			if (i % 16 == 0)
				fx_read(&fx, ~0U);
		}
		fx_done(&fx);
		CU_ASSERT_EQUAL(fx.records, 5000);
	}
}

/* ---- Ids and times ---- */

/* Each kind of header, by each way. */
static void ids(void)
{
	static const u32 table[] = { 0, 1, 28, 29, 30, 31, 32, 255, 256, 32767, 32768, 65535 };
	u32 i;

	for (i = 0; i < COUNT(table); i++) {
		struct ring_fixture fx;

		SCENARIO("row %u", i);
		fx_init(&fx, &discard);
		fx_write(&fx, table[i], 8);	/* the first of a packet */
		fx_write(&fx, table[i], 8);	/* the fast path */
		fx_write_slow(&fx, table[i], 8);
		fx.now += 1 << 27;
		fx_write(&fx, table[i], 8);	/* a long header */
		fx_write(&fx, table[i], 8);
		FX_CHECK(&fx, fx_room(&fx) == SB - FX_HEADER - 4 * fx_size(table[i], 8) - 25);
		fx_finish(&fx);
		FX_CHECK(&fx, !fx.log[0].wide && !fx.log[1].wide && !fx.log[2].wide);
		FX_CHECK(&fx, fx.log[3].wide && !fx.log[4].wide);
		fx_done(&fx);
		CU_ASSERT_EQUAL(fx.records, 5);
	}
}

/* A long header is there exactly when 27 bits cannot tell the time. */
static void times(void)
{
	static const struct {
		u64 delta;
		bool wide;
	} table[] = {
		/* 0: two at once */ { 0, false },
		/* 1 */ { 1, false },
		/* 2 */ { (1 << 27) - 1, false },
		/* 3 */ { 1 << 27, true },
		/* 4: the low 27 bits say nothing */ { (1 << 27) + 1, true },
		/* 5 */ { (1ULL << 32) - 1, true },
		/* 6 */ { 1ULL << 32, true },
		/* 7: more than ftrace keeps */ { (1ULL << 59) + 12345, true },
		/* 8 */ { (1ULL << 63) - 1, true },
	};
	u32 i, slow, room;

	for (i = 0; i < COUNT(table); i++) {
		for (slow = 0; slow < 2; slow++) {
			struct ring_fixture fx;

			SCENARIO("row %u%s", i, slow ? " slow" : "");
			fx_init(&fx, &discard);
			fx.step = 0;
			fx_write(&fx, 1, 0);
			fx.now += table[i].delta;
			room = fx_room(&fx);
			if (slow)
				fx_write_slow(&fx, 1, 0);
			else
				fx_write(&fx, 1, 0);
			FX_CHECK(&fx, room - fx_room(&fx) == FX_OVERHEAD + (table[i].wide ? 9 : 0));
			fx_write(&fx, 1, 0);
			fx_finish(&fx);
			FX_CHECK(&fx, fx.log[1].wide == table[i].wide && !fx.log[2].wide);
			fx_done(&fx);
		}
	}
}

/* The first of a packet needs no long header: the packet begins with its time. */
static void silence_before_a_packet(void)
{
	struct ring_fixture fx;

	SCENARIO("silence");
	fx_init(&fx, &discard);
	fx.now += 1ULL << 40;
	fx_write(&fx, 1, 8);
	fx_fill(&fx, 20);
	fx.now += 1ULL << 40;
	/* With a long header it would not fit, and then it has none. */
	fx_write(&fx, 1, 12);
	fx_finish(&fx);
	FX_CHECK(&fx, !fx.log[0].wide && !fx.log[2].wide && fx.log[2].seq == 1);
	fx_done(&fx);
}

/* R4, R5 with a clock that goes backwards: time stands still until it is back. */
static void clock_goes_backwards(void)
{
	static const u64 back[] = { 1, 1000, 1 << 27, 1ULL << 40 };
	u32 i;

	for (i = 0; i < COUNT(back); i++) {
		struct ring_fixture fx;

		SCENARIO("row %u", i);
		fx_init(&fx, &(struct fx_config){ .sb_order = 12, .nr_order = 2 });
		fx.loose_time = true;
		fx.now = 1ULL << 41;
		fx_write(&fx, 1, 8);
		fx.now -= back[i];
		fx_write(&fx, 1, 8);
		fx_fill(&fx, 10);
		fx_write(&fx, 1, 8);		/* in the next packet */
		fx.now -= back[i];
		fx_flush(&fx, false);
		fx_write(&fx, 1, 8);
		fx.now += 3 * back[i];
		fx_flush(&fx, false);		/* the last to tell the time */
		fx.now -= back[i];
		fx_write(&fx, 1, 8);
		fx.now += 2 * back[i];
		fx_write(&fx, 1, 8);
		fx_finish(&fx);
		CU_ASSERT_EQUAL(fx.last_time, fx.log[6].time);
		fx_done(&fx);
	}
}

/* ---- Counters that wrap ---- */

/* Laps where the offset passes 2^32 and more, the tag of the lap (29 bits), the
 * sign bit. */
static void counters_wrap(void)
{
	static const u64 at[] = { 1ULL << 31, 1ULL << 32, 1ULL << (29 + 13), 3ULL << (29 + 13),
				  1ULL << 63 };
	u32 i, j, mode;

	for (i = 0; i < COUNT(at); i++) {
		for (mode = 0; mode < 4; mode++) {
			struct fx_config config = mode & 1 ? overwrite : discard;
			struct ring_fixture fx;

			SCENARIO("row %u mode %u", i, mode);
			config.start = at[i] - 5 * SB;
			fx_init(&fx, &config);
			FX_CHECK(&fx, !fx_get(&fx) && !fx_flush(&fx, true));
			for (j = 0; j < 300; j++) {
				int err = fx_write(&fx, j % 40, j * 11 % 400);

				if (!(mode & 2))
					fx_read(&fx, ~0U);
				else if (j % 100 == 99)
					fx_read(&fx, 1);
				FX_CHECK(&fx, !err || mode == 2);
			}
			FX_CHECK(&fx, fx.ring.offset.v - config.start > (mode == 2 ? 3 : 10) * SB);
			fx_done(&fx);
		}
	}
}

/* ---- Refused (R2) ---- */

static void refused_full(void)
{
	struct ring_fixture fx;
	u32 i, stored = 0;

	SCENARIO("full");
	fx_init(&fx, &discard);
	while (stored < 100 && !fx_write(&fx, 1, 1000))
		stored++;
	CU_ASSERT_EQUAL(stored, 6);
	for (i = 0; i < 10; i++)
		FX_CHECK(&fx, fx_write(&fx, 1, 1000) == -LTT_REFUSED_FULL);
	/* A smaller one still fits in the last sub-buffer. */
	FX_CHECK(&fx, !fx_write(&fx, 1, 900));
	FX_CHECK(&fx, fx_write(&fx, 1, 1000) == -LTT_REFUSED_FULL);
	/* The packet that is out is not free yet. */
	FX_CHECK(&fx, fx_get(&fx) && fx_write(&fx, 1, 1000) == -LTT_REFUSED_FULL);
	fx_put(&fx);
	FX_CHECK(&fx, !fx_write(&fx, 1, 1000));
	CU_ASSERT_EQUAL(fx.refused[LTT_REFUSED_FULL], 13);
	fx_done(&fx);
}

/* A full ring refuses at once, whatever the size, until a sub-buffer is freed. */
static void refused_at_once(void)
{
	static const struct {
		u32 room;	/* bytes left in the last sub-buffer */
		bool full;
	} table[] = {
		{ 0, true },
		{ 1, true },
		{ LTT_FULL_ROOM - 1, true },
		{ LTT_FULL_ROOM, false },
		{ 2000, false },
	};
	struct ring_fixture fx;
	u32 i;

	for (i = 0; i < COUNT(table); i++) {
		SCENARIO("row %u", i);
		fx_init(&fx, &discard);
		FX_CHECK(&fx, !ltt_ring_is_full(&fx.ring));
		fx_fill(&fx, 0);
		FX_CHECK(&fx, !fx_write(&fx, 1, 1000));
		fx_fill(&fx, table[i].room);
		FX_CHECK(&fx, fx_room(&fx) == table[i].room && !ltt_ring_is_full(&fx.ring));
		/* The slow path finds it full, and leaves that to the fast one. */
		FX_CHECK(&fx, fx_write(&fx, 1, 2000) == -LTT_REFUSED_FULL);
		FX_CHECK(&fx, ltt_ring_is_full(&fx.ring) == table[i].full);
		/* A reader that has taken a packet has not freed it. */
		FX_CHECK(&fx, fx_get(&fx) && ltt_ring_is_full(&fx.ring) == table[i].full);
		fx_put(&fx);
		FX_CHECK(&fx, !ltt_ring_is_full(&fx.ring) && !fx_write(&fx, 1, 2000));
		fx_done(&fx);
	}
}

static void refused_big(void)
{
	static const u32 more[] = { 1, 2, SB, 1 << 20, (1U << 31) - SB };
	static u8 byte;
	struct ring_fixture fx;
	u32 i, mode;

	for (mode = 0; mode < 2; mode++) {
		SCENARIO("mode %u", mode);
		fx_init(&fx, mode ? &overwrite : &discard);
		for (i = 0; i < COUNT(more); i++) {
			/* Nothing of the payload is looked at. */
			FX_CHECK(&fx, ltt_record_write_slow(&fx.ring, 1, 0, &byte, fx_max_len(&fx) +
							    more[i]) == -LTT_REFUSED_BIG);
			fx.refused[LTT_REFUSED_BIG]++;
		}
		/* By the room that a medium header takes. */
		FX_CHECK(&fx, fx_write(&fx, 30, fx_max_len(&fx) - 1) == -LTT_REFUSED_BIG);
		FX_CHECK(&fx, !fx_write(&fx, 30, fx_max_len(&fx) - 2));
		CU_ASSERT_EQUAL(fx.ring.refused[LTT_REFUSED_BIG].v, COUNT(more) + 1);
		fx.nr_log = 0;
		fx_free(&fx);
		CU_ASSERT(!fx.failed);
	}
}

/* A CPU whose buffer has no memory, or not yet. */
static void refused_without_memory(void)
{
	struct ltt_reservation res;
	struct ltt_ring_stats stats;
	struct ring_fixture fx;
	struct ltt_ring ring;
	u32 i;

	SCENARIO("no memory");
	fx_init(&fx, &discard);
	ring = fx.ring;
	memset(&fx.ring, 0, sizeof(fx.ring));
	for (i = 1; i <= 5; i++)
		FX_CHECK(&fx, fx_write(&fx, i * 10, i) == -LTT_REFUSED_NESTED);
	/* Nor is there room for a client that has not entered. */
	FX_CHECK(&fx, ltt_ring_reserve(&fx.ring, 8, 0, &res) == -LTT_REFUSED_NESTED);
	fx.refused[LTT_REFUSED_NESTED]++;
	FX_CHECK(&fx, !ltt_ring_flush(&fx.ring, true) && !ltt_ring_needs_flush(&fx.ring, true));
	FX_CHECK(&fx, !ltt_ring_get(&fx.ring) && !ltt_ring_ready(&fx.ring, false));
	ltt_ring_get_stats(&fx.ring, &stats);
	CU_ASSERT_EQUAL(stats.refused_total, 6);
	CU_ASSERT_EQUAL(stats.refused[LTT_REFUSED_NESTED], 6);
	CU_ASSERT_EQUAL(stats.stored, 0);
	/* When memory comes the count of what was refused is kept. */
	fx.ring.slot = ring.slot;
	fx.ring.page = ring.page;
	fx.ring.content = ring.content;
	fx.ring.ops = ring.ops;
	ltt_ring_init(&fx.ring, 12, 1, FX_HEADER, false);
	FX_CHECK(&fx, !fx_write(&fx, 1, 8));
	/* One of them is not in the log. */
	fx.log[fx.nr_log++] = fx.log[0];
	fx_done(&fx);
	CU_ASSERT_EQUAL(fx.last_discarded, 6);
}

/* ---- Flush and reader ---- */

static void flush_when_needed(void)
{
	struct ring_fixture fx;

	SCENARIO("flush");
	fx_init(&fx, &discard);
	FX_CHECK(&fx, !ltt_ring_needs_flush(&fx.ring, true) && !fx_flush(&fx, true));
	fx_write(&fx, 1, 8);
	FX_CHECK(&fx, ltt_ring_needs_flush(&fx.ring, false) && fx_flush(&fx, false));
	FX_CHECK(&fx, !ltt_ring_needs_flush(&fx.ring, true) && !fx_flush(&fx, true));
	/* At the end of a sub-buffer there is nothing to end. */
	fx_fill(&fx, 0);
	FX_CHECK(&fx, !ltt_ring_needs_flush(&fx.ring, false) && !fx_flush(&fx, false));
	/* Refused records are reported by a final flush only, once there is room. */
	fx_write(&fx, 1, 8);
	FX_CHECK(&fx, !ltt_ring_needs_flush(&fx.ring, false) && !fx_flush(&fx, false));
	FX_CHECK(&fx, ltt_ring_needs_flush(&fx.ring, true) && !fx_flush(&fx, true));
	FX_CHECK(&fx, fx_read(&fx, 1) == 1 && fx_flush(&fx, true) && !fx_flush(&fx, true));
	FX_CHECK(&fx, fx_read(&fx, 9) == 2 && fx.empty == 1 && fx.last_discarded == 1);
	fx_done(&fx);
}

/* The packet stays out, the same, until it is put; the hint for poll is right. */
static void get_until_put(void)
{
	struct ring_fixture fx;
	u32 base;

	SCENARIO("get");
	fx_init(&fx, &discard);
	fx_fill(&fx, 0);
	FX_CHECK(&fx, fx_get(&fx));
	base = fx.ring.read_base;
	FX_CHECK(&fx, !ltt_ring_ready(&fx.ring, true));
	fx_fill(&fx, 0);
	FX_CHECK(&fx, fx_get(&fx) && fx.ring.read_base == base && fx.packets == 1);
	FX_CHECK(&fx, ltt_ring_ready(&fx.ring, false) && ltt_ring_ready(&fx.ring, true));
	fx_put(&fx);
	FX_CHECK(&fx, ltt_ring_ready(&fx.ring, false) && ltt_ring_ready(&fx.ring, true));
	FX_CHECK(&fx, fx_get(&fx) && fx.ring.read_base != base);
	fx_put(&fx);
	FX_CHECK(&fx, !ltt_ring_ready(&fx.ring, false) && !fx_get(&fx));
	fx_done(&fx);
}

/* Statistics while records are in the ring, unread. */
static void statistics(void)
{
	struct ltt_ring_stats stats;
	struct ring_fixture fx;
	u32 i;

	SCENARIO("statistics");
	fx_init(&fx, &overwrite);
	for (i = 0; i < 3000; i++)
		FX_CHECK(&fx, !fx_write(&fx, 1, i % 200));
	ltt_ring_get_stats(&fx.ring, &stats);
	CU_ASSERT_EQUAL(stats.stored + stats.overwritten, 3000);
	CU_ASSERT(stats.overwritten > 2000 && stats.stored > 20);
	fx_finish(&fx);
	/* All records in the ring could be read. */
	CU_ASSERT_EQUAL(stats.stored, fx.records);
	fx_done(&fx);
}

/* Does counting succeed in a child that can read one page of slots only? */
static bool counts_within(const struct ltt_ring *ring, char *slots, size_t size, char *page,
			  u64 stored)
{
	pid_t child = fork();
	int status;

	if (!child) {
		struct ltt_ring_stats stats;

		mprotect(slots, size, PROT_NONE);
		mprotect(page, LTT_PAGE_SIZE, PROT_READ);
		ltt_ring_get_stats(ring, &stats);
		_exit(stats.stored != stored);
	}
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       !WEXITSTATUS(status);
}

/* Statistics look at no more sub-buffers than writers can be in, however many there are. */
static void statistics_of_many_subbufs(void)
{
	const struct fx_config many = { .sb_order = 12, .nr_order = 12 };
	size_t size = sizeof(struct ltt_slot) << many.nr_order;
	struct ltt_slot *slots, *allocated;
	struct ring_fixture fx;
	u32 i;

	SCENARIO("statistics of many");
	fx_init(&fx, &many);
	for (i = 0; i < 1000; i++)
		FX_CHECK(&fx, !fx_write(&fx, 1, 3000));
	slots = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CU_ASSERT_FATAL(slots != MAP_FAILED);
	allocated = fx.ring.slot;
	memcpy(slots, allocated, size);
	fx.ring.slot = slots;
	CU_ASSERT(counts_within(&fx.ring, (char *)slots, size,
				(char *)slots + (1000 * sizeof(*slots) & ~LTT_PAGE_MASK), 1000));
	fx.ring.slot = allocated;
	munmap(slots, size);
	fx_done(&fx);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(one_record),
		UNIT_TEST(every_size),
		UNIT_TEST(every_room),
		UNIT_TEST(across_a_page),
		UNIT_TEST(pages_in_one_record),
		UNIT_TEST(many_laps),
		UNIT_TEST(ids),
		UNIT_TEST(times),
		UNIT_TEST(silence_before_a_packet),
		UNIT_TEST(clock_goes_backwards),
		UNIT_TEST(counters_wrap),
		UNIT_TEST(refused_full),
		UNIT_TEST(refused_at_once),
		UNIT_TEST(refused_big),
		UNIT_TEST(refused_without_memory),
		UNIT_TEST(flush_when_needed),
		UNIT_TEST(get_until_put),
		UNIT_TEST(statistics),
		UNIT_TEST(statistics_of_many_subbufs),
		{ 0 }
	};

	return unit_main(argv[0], tests);
}
