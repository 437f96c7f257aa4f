// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The faults that other tracers' ring buffers had, each as a test of this one:
 * L numbers are lttng-modules', F numbers the kernel's own ring buffer's.
 * doc/pitfalls.md has all of them, with the tests of those that are not of the algorithm
 * but of what is around it.
 */
#include "ring-fixture.h"

#include <stdio.h>
#include <stdlib.h>

#define SCENARIO(...)	snprintf(fx_scenario, sizeof(fx_scenario), __VA_ARGS__)

static const struct fx_config discard = { .sb_order = 12, .nr_order = 1 };
static const struct fx_config overwrite = { .sb_order = 12, .nr_order = 1, .overwrite = true };

/* ---- Interrupting ---- */

typedef void step(struct ring_fixture *fx);

static step *interrupting;
static const char *at_hook;
static u32 at, seen;

/* Once, at the hook called @at_hook. */
static void interrupt_hook(struct ring_fixture *fx, const char *hook)
{
	if (!hook || strcmp(hook, at_hook))
		return;
	seen++;
	fx_interrupt = NULL;
	interrupting(fx);
}

static void interrupt_at(const char *hook, step *with)
{
	at_hook = hook;
	interrupting = with;
	seen = 0;
	fx_interrupt = interrupt_hook;
}

/* Once, at place number @at. */
static void interrupt_place(struct ring_fixture *fx, const char *hook)
{
	if (seen++ != at)
		return;
	fx_interrupt = NULL;
	interrupting(fx);
	fx_interrupt = interrupt_place;
}

/* @after (may be NULL) looks at the fixture when it is all over. */
static void interrupt_everywhere(const struct fx_config *config, step *before, step *operation,
				 step *with, step *after)
{
	interrupting = with;
	at = 0;
	do {
		struct ring_fixture fx;

		SCENARIO("%s at %u", config->overwrite ? "overwrite" : "discard", at);
		fx_init(&fx, config);
		before(&fx);
		seen = 0;
		fx_interrupt = interrupt_place;
		operation(&fx);
		fx_interrupt = NULL;
		fx_finish(&fx);
		if (after)
			after(&fx);
		fx_done(&fx);
	} while (seen > at++);
}

/* ---- Steps ---- */

static void fill(struct ring_fixture *fx)
{
	fx_fill(fx, 0);
}

static void write_small(struct ring_fixture *fx)
{
	fx_write(fx, 1, 8);
}

static void little_room(struct ring_fixture *fx)
{
	fx_fill(fx, 15);
}

static void flush(struct ring_fixture *fx)
{
	fx_flush(fx, false);
}

static void flush_final(struct ring_fixture *fx)
{
	fx_flush(fx, true);
}

static void refuse(struct ring_fixture *fx)
{
	fx_write(fx, 1, fx_max_len(fx) + 1);
}

static void late(struct ring_fixture *fx)
{
	fx->now += 1 << 27;
}

static void laps(struct ring_fixture *fx)
{
	u32 i;

	for (i = 0; i < 9; i++)
		fx_write(fx, 1, fx_max_len(fx));
}

/* ---- lttng-modules ---- */

/* As long as the interrupted writer has not moved the offset, nothing is in the
 * way of those that interrupt it, even if it has claimed a sub-buffer. */
static void L02_no_false_positives_before_reserve(void)
{
	static const char *const hooks[] = { "plan", "claim", "reserve", "fast reserve" };
	u32 i;

	for (i = 0; i < 4; i++) {
		struct ring_fixture fx;

		SCENARIO("%s", hooks[i]);
		fx_init(&fx, &overwrite);
		fx_fill(&fx, 0);
		fx_fill(&fx, i < 3 ? 15 : 100);
		interrupt_at(hooks[i], laps);
		FX_CHECK(&fx, !fx_write(&fx, 1, 8));
		FX_CHECK(&fx, seen == 1 && !fx_refused_total(&fx));
		fx_done(&fx);
	}
}

/* Afterwards, only the sub-buffer that it is in is in the way: the others take
 * what they hold, and so does this one as soon as it is done. */
static void L02_no_false_positives_after_reserve(void)
{
	static const char *const hooks[] = { "fast reserved", "commit", "deliver" };
	u32 i, mode, nr_order;

	for (i = 0; i < 3; i++) {
		for (mode = 0; mode < 4; mode++) {
			const struct fx_config config = {
				.sb_order = 12, .nr_order = 1 + (mode >> 1), .overwrite = mode & 1,
			};
			u64 held = 1U << config.nr_order;
			struct ring_fixture fx;

			nr_order = config.nr_order;
			SCENARIO("%s, 2^%u, mode %u", hooks[i], nr_order, mode);
			fx_init(&fx, &config);
			/* The last one fills the sub-buffer, if it is to deliver it. */
			fx_fill(&fx, i == 2 ? 16 : 100);
			interrupt_at(hooks[i], laps);
			FX_CHECK(&fx, !fx_write(&fx, 1, 8));
			/* The nine wanted one each, but one was taken. */
			FX_CHECK(&fx, seen == 1);
			FX_CHECK(&fx, fx.refused[LTT_REFUSED_NESTED] == 9 - (held - 1));
			FX_CHECK(&fx, !fx.refused[LTT_REFUSED_FULL]);
			fx_read(&fx, 1);
			FX_CHECK(&fx, !fx_write(&fx, 1, fx_max_len(&fx)));
			fx_done(&fx);
		}
	}
}

/* R5; and with a clock whose every reading makes a difference. */
static void big_steps(struct ring_fixture *fx)
{
	fx->step = 1 << 20;
	little_room(fx);
}

static void fill_and_write(struct ring_fixture *fx)
{
	fill(fx);
	write_small(fx);
}

static void L03_packets_do_not_overlap_in_time(void)
{
	interrupt_everywhere(&discard, big_steps, write_small, fill_and_write, NULL);
	interrupt_everywhere(&overwrite, big_steps, write_small, fill_and_write, NULL);
	interrupt_everywhere(&discard, big_steps, flush, fill_and_write, NULL);
}

/* R5: the closer's idea of the time is older than a record that came between. */
static void L04_packet_ends_no_earlier_than_its_last_record(void)
{
	interrupt_everywhere(&discard, big_steps, write_small, fill, NULL);
	interrupt_everywhere(&discard, big_steps, flush, write_small, NULL);
	interrupt_everywhere(&discard, big_steps, flush_final, fill, NULL);
}

/* R6: the closer's idea of the count is older than the next packet's. */
static void refuse_and_switch(struct ring_fixture *fx)
{
	refuse(fx);
	fill(fx);
	refuse(fx);
	flush_final(fx);
	fx_read(fx, ~0U);
}

static void L05_refused_count_never_goes_back(void)
{
	interrupt_everywhere(&discard, little_room, write_small, refuse_and_switch, NULL);
	interrupt_everywhere(&overwrite, little_room, write_small, refuse_and_switch, NULL);
	interrupt_everywhere(&discard, little_room, flush, refuse_and_switch, NULL);
}

/* A packet without records is there to report losses, and else not at all. */
static void none_is_empty(struct ring_fixture *fx)
{
	FX_CHECK(fx, !fx->empty);
}

static void L06_no_empty_packets(void)
{
	struct ring_fixture fx;
	u32 i;

	SCENARIO("quiet");
	fx_init(&fx, &discard);
	for (i = 0; i < 3; i++)
		FX_CHECK(&fx, !fx_flush(&fx, false) && !fx_flush(&fx, true));
	fill(&fx);
	FX_CHECK(&fx, !fx_flush(&fx, false) && !fx_flush(&fx, true));
	fx_done(&fx);
	CU_ASSERT_EQUAL(fx.packets, 1);
	interrupt_everywhere(&discard, write_small, flush, fill, none_is_empty);
	interrupt_everywhere(&overwrite, write_small, flush, fill, none_is_empty);
	interrupt_everywhere(&discard, write_small, flush, flush, none_is_empty);
}

/* The reader compares the uuid of all; L28 the sequence number. */
static void L07_L28_empty_packets_have_uuid_and_number(void)
{
	struct ring_fixture fx;
	u32 i;

	SCENARIO("empty");
	fx_init(&fx, &(struct fx_config){ .sb_order = 12, .nr_order = 2 });
	for (i = 0; i < 30; i++) {
		refuse(&fx);
		FX_CHECK(&fx, fx_flush(&fx, true));
		if (i % 3 == 2)
			FX_CHECK(&fx, fx_read(&fx, 9) == 3);
	}
	fx_done(&fx);
	CU_ASSERT(fx.empty == 30 && fx.next_seq == 30);
}

/* Pages are apart from each other in the tests, so ASan sees it. */
static void L12_zero_length_at_the_end_of_a_sub_buffer(void)
{
	struct ring_fixture fx;
	u32 i;

	SCENARIO("zero");
	fx_init(&fx, &discard);
	for (i = 0; i < 4; i++) {
		fx_fill(&fx, FX_OVERHEAD);
		FX_CHECK(&fx, !fx_write(&fx, 1, 0) && !fx_room(&fx));
		ltt_ring_copy(&fx.ring, fx.ring.offset.v, NULL, 0);
		fx_fill(&fx, FX_OVERHEAD + 2);
		FX_CHECK(&fx, !fx_write(&fx, 99, 0) && !fx_room(&fx));
		FX_CHECK(&fx, fx_read(&fx, 9) == 2);
	}
	fx_done(&fx);
}

static void L13_packet_header_of_more_than_255_bytes(void)
{
	static const u32 sizes[] = { 255, 256, 257, 1000, 4000, LTT_PAGE_SIZE };
	u32 i, j;

	for (i = 0; i < 6; i++) {
		struct ring_fixture fx;

		SCENARIO("%u", sizes[i]);
		fx_init(&fx, &(struct fx_config){
			.sb_order = 13, .nr_order = 1, .header_size = sizes[i],
		});
		for (j = 0; j < 50; j++) {
			FX_CHECK(&fx, !fx_write(&fx, 1, j * 60));
			FX_CHECK(&fx, j % 7 || fx_flush(&fx, false));
			fx_read(&fx, 9);
		}
		FX_CHECK(&fx, !fx_write(&fx, 1, fx_max_len(&fx)));
		refuse(&fx);
		fx_done(&fx);
	}
}

/* ---- The kernel's ring buffer ---- */

/* R4: the reader wants each record later than the one before. */
static void nested_is_not_at_the_same_time(struct ring_fixture *fx)
{
	if (fx->nr_log > 2)
		FX_CHECK(fx, fx->log[1].time != fx->log[2].time);
}

static void F01_nested_record_has_its_own_time(void)
{
	interrupt_everywhere(&discard, write_small, write_small, write_small,
			     nested_is_not_at_the_same_time);
}

/* F03 a long header that is nested; F06 a time read again on the way to the slow
 * path: the reader expects the last value that the clock gave the writer. */
static void write_late(struct ring_fixture *fx)
{
	late(fx);
	write_small(fx);
}

static void late_after(struct ring_fixture *fx)
{
	write_small(fx);
	late(fx);
}

static void F03_F06_times_of_long_headers(void)
{
	interrupt_everywhere(&discard, write_small, write_small, write_late, NULL);
	interrupt_everywhere(&discard, late_after, write_small, write_small, NULL);
	interrupt_everywhere(&discard, late_after, write_small, write_late, NULL);
	interrupt_everywhere(&discard, late_after, write_small, late, NULL);
	interrupt_everywhere(&discard, little_room, write_small, write_late, NULL);
}

static void F09_clock_goes_back_by_one(void)
{
	struct ring_fixture fx;
	u32 i;

	SCENARIO("back");
	fx_init(&fx, &discard);
	fx.loose_time = true;
	fx.step = 0;
	for (i = 0; i < 300; i++) {
		fx_write(&fx, 1, 8);
		fx.now += i & 1 ? 5 : -1;
		if (i % 50 == 0)
			fx_flush(&fx, false);
		fx_read(&fx, 9);
	}
	fx_finish(&fx);
	for (i = 0; i < 300; i++)
		FX_CHECK(&fx, !fx.log[i].wide);
	fx_done(&fx);
}

static void F10_times_of_more_than_59_bits(void)
{
	struct ring_fixture fx;

	SCENARIO("64 bits");
	fx_init(&fx, &discard);
	fx_write(&fx, 1, 8);
	fx.now = 0x7edcba9876543210;
	fx_write(&fx, 1, 8);
	fx.now += 0x0101010101010101;
	fx_write(&fx, 50, 8);
	fx_finish(&fx);
	FX_CHECK(&fx, fx.log[1].wide && fx.log[2].wide);
	CU_ASSERT(fx.last_time > 0x7fddbb9977553311 - 100);
	fx_done(&fx);
}

/* An event in the client's callback, which the event calls: it ends, and what
 * cannot be stored is counted. */
static void F12_event_in_a_callback(void)
{
	struct ring_fixture fx;
	u32 mode;

	for (mode = 0; mode < 2; mode++) {
		SCENARIO("mode %u", mode);
		fx_init(&fx, &(struct fx_config){
			.sb_order = 12, .nr_order = 3, .overwrite = mode,
		});
		fx.on_deliver = fill;
		fill(&fx);
		/* Each delivery but the last writes the next record. */
		CU_ASSERT_EQUAL(fx.nr_log, LTT_NESTING_MAX + 1);
		CU_ASSERT_EQUAL(fx.refused[LTT_REFUSED_NESTED], 1);
		fill(&fx);
		fx.on_deliver = NULL;
		fx_done(&fx);
	}
}

/* As deep as contexts nest, and one deeper. */
static u32 depth;

static void recurse(struct ring_fixture *fx, const char *hook)
{
	/* In an inner writer that is refused no hook is called. */
	if (hook && !strcmp(hook, at_hook) && depth < 20) {
		depth++;
		write_small(fx);
	}
}

static void F12_recursion_ends(void)
{
	static const char *const hooks[] = { "fast reserve", "fast reserved", "commit" };
	u32 i;

	for (i = 0; i < 3; i++) {
		struct ring_fixture fx;

		SCENARIO("%s", hooks[i]);
		fx_init(&fx, &discard);
		write_small(&fx);
		at_hook = hooks[i];
		depth = 0;
		fx_interrupt = recurse;
		write_small(&fx);
		fx_interrupt = NULL;
		CU_ASSERT_EQUAL(depth, LTT_NESTING_MAX);
		CU_ASSERT_EQUAL(fx.refused[LTT_REFUSED_NESTED], 1);
		fx_done(&fx);
		CU_ASSERT_EQUAL(fx.records, 1 + LTT_NESTING_MAX);
	}
}

/* At every attempt another writer is first. */
static void overtake(struct ring_fixture *fx, const char *hook)
{
	static bool inside;

	if (inside || !hook || strcmp(hook, at_hook))
		return;
	inside = true;
	seen++;
	write_small(fx);
	inside = false;
}

/* A probe on the clock that traces would have the probed writer try for ever. */
static void F12_overtaken_again_and_again(void)
{
	struct ring_fixture fx;

	fx_init(&fx, &(struct fx_config){ .sb_order = 14, .nr_order = 1 });
	fx_interrupt = overtake;
	at_hook = "reserve";
	seen = 0;
	write_small(&fx);
	CU_ASSERT(seen > 10 && seen < 1000);
	CU_ASSERT_EQUAL(fx.refused[LTT_REFUSED_NESTED], 1);
	at_hook = "flush";
	seen = 0;
	CU_ASSERT(!fx_flush(&fx, false));
	CU_ASSERT(seen > 10 && seen < 1000);
	fx_interrupt = NULL;
	CU_ASSERT(fx_flush(&fx, false));
	fx_done(&fx);
}

/* A flush comes between a writer's reservation and its commit. */
static void flush_a_writer(struct ring_fixture *fx, const char *hook)
{
	u64 end;

	if (!hook || strcmp(hook, at_hook))
		return;
	at_hook = "";
	seen++;
	FX_CHECK(fx, fx_flush(fx, false));
	end = ltt_count_read(&fx->ring.offset);
	FX_CHECK(fx, !ltt_ring_ready(&fx->ring, false) && !ltt_ring_settled(&fx->ring, end));
	/* Up to three more writers can have moved on by a sub-buffer each. */
	FX_CHECK(fx, !fx_write(fx, 1, 20) && fx_flush(fx, false));
	FX_CHECK(fx, !ltt_ring_settled(&fx->ring, ltt_count_read(&fx->ring.offset)));
	FX_CHECK(fx, ltt_ring_settled(&fx->ring, end - LTT_PAGE_SIZE));
}

static void flushed_packet_settles_when_its_writer_has_committed(void)
{
	struct ring_fixture fx;
	struct ltt_ring bare = { 0 };

	SCENARIO("settled");
	fx_init(&fx, &(struct fx_config){ .sb_order = 12, .nr_order = 2 });
	CU_ASSERT(ltt_ring_settled(&fx.ring, 0) && ltt_ring_settled(&bare, 0));
	fx_interrupt = flush_a_writer;
	at_hook = "reserved";
	seen = 0;
	CU_ASSERT(!fx_write_slow(&fx, 1, 20));
	fx_interrupt = NULL;
	CU_ASSERT_EQUAL(seen, 1);
	CU_ASSERT(ltt_ring_settled(&fx.ring, ltt_count_read(&fx.ring.offset)));
	fx_done(&fx);
}

/* R3: up to the hook "delivered" there is nothing to read, from there on all. */
static bool was_delivered;

static void try_to_read(struct ring_fixture *fx, const char *hook)
{
	if (hook && !strcmp(hook, "delivered"))
		was_delivered = true;
	if (hook)
		FX_CHECK(fx, ltt_ring_ready(&fx->ring, false) == was_delivered);
	FX_CHECK(fx, fx_get(fx) == was_delivered || fx->in_reader);
}

static void F14_nothing_is_read_past_commit(void)
{
	struct ring_fixture fx;
	u32 mode;

	for (mode = 0; mode < 2; mode++) {
		SCENARIO("mode %u", mode);
		was_delivered = false;
		fx_init(&fx, mode ? &overwrite : &discard);
		fx_fill(&fx, 16);
		fx_interrupt = try_to_read;
		write_small(&fx);
		fx_interrupt = NULL;
		CU_ASSERT(was_delivered && fx.packets == 1);
		fx_done(&fx);
	}
}

/* F15 is exchange_race in test-ring-overwrite; F20 is reader_comes_late there. */

/* Statistics after each of many steps, nested ones too. */
static void F22_statistics_do_not_drift(void)
{
	struct ltt_ring_stats stats;
	struct ring_fixture fx;
	u32 i, mode;

	for (mode = 0; mode < 2; mode++) {
		u64 last = 0;

		fx_init(&fx, mode ? &overwrite : &discard);
		for (i = 0; i < 3000; i++) {
			SCENARIO("mode %u step %u", mode, i);
			at = i % 40;
			seen = 0;
			interrupting = i % 3 ? write_small : i % 5 ? refuse : fill;
			fx_interrupt = interrupt_place;
			fx_write(&fx, 1, i % 200);
			fx_interrupt = NULL;
			if (i % 10 == 0)
				fx_read(&fx, 1);
			ltt_ring_get_stats(&fx.ring, &stats);
			FX_CHECK(&fx, stats.stored + stats.overwritten + stats.refused_total ==
				 fx.nr_log);
			FX_CHECK(&fx, stats.refused_total == fx_refused_total(&fx));
			FX_CHECK(&fx, stats.overwritten >= last);
			last = stats.overwritten;
		}
		fx_done(&fx);
	}
}

/* Bytes that are not content are as the pages were: the reader compares.  The
 * allocator of the pages has to clear them. */
static void F45_nothing_is_written_behind_the_content(void)
{
	static const u32 leave[] = { 1, 2, 7, 15 };
	struct ring_fixture fx;
	u32 i;

	SCENARIO("padding");
	fx_init(&fx, &(struct fx_config){ .sb_order = 13, .nr_order = 1 });
	for (i = 0; i < 40; i++) {
		fx_fill(&fx, leave[i % 4]);
		write_small(&fx);
		FX_CHECK(&fx, fx_flush(&fx, false));
		refuse(&fx);
		fx_read(&fx, 2);
	}
	fx_done(&fx);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(L02_no_false_positives_before_reserve),
		UNIT_TEST(L02_no_false_positives_after_reserve),
		UNIT_TEST(L03_packets_do_not_overlap_in_time),
		UNIT_TEST(L04_packet_ends_no_earlier_than_its_last_record),
		UNIT_TEST(L05_refused_count_never_goes_back),
		UNIT_TEST(L06_no_empty_packets),
		UNIT_TEST(L07_L28_empty_packets_have_uuid_and_number),
		UNIT_TEST(L12_zero_length_at_the_end_of_a_sub_buffer),
		UNIT_TEST(L13_packet_header_of_more_than_255_bytes),
		UNIT_TEST(F01_nested_record_has_its_own_time),
		UNIT_TEST(F03_F06_times_of_long_headers),
		UNIT_TEST(F09_clock_goes_back_by_one),
		UNIT_TEST(F10_times_of_more_than_59_bits),
		UNIT_TEST(F12_event_in_a_callback),
		UNIT_TEST(F12_recursion_ends),
		UNIT_TEST(F12_overtaken_again_and_again),
		UNIT_TEST(flushed_packet_settles_when_its_writer_has_committed),
		UNIT_TEST(F14_nothing_is_read_past_commit),
		UNIT_TEST(F22_statistics_do_not_drift),
		UNIT_TEST(F45_nothing_is_written_behind_the_content),
		{ 0 }
	};

	return unit_main(argv[0], tests);
}
