// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Seeking, and the order of several streams.
 */
#include "writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"

static struct part_out part;
static struct packet_out packet;
static struct ltttrace *trace;

static void begin(void)
{
	begin_folder();
	part_begin(&part, "t", 1);
}

static void look(void)
{
	trace = open_trace(0, part.dir, NULL);
}

static void end(void)
{
	ltttrace_close(trace);
	end_folder();
}

static void put(const char *name, u64 begin_time, u64 seq, u64 discarded, unsigned int records, u64 step)
{
	unsigned int i;

	packet_begin(&packet, &part, begin_time, seq);
	packet.header.events_discarded = discarded;
	for (i = 1; i <= records; i++)
		packet_record(&packet, EVENT_A, begin_time + i * step, NULL, 0);
	packet_append(&packet, &part, name, packet.clock + step);
}

/* At each time, the text is the rest of the whole text. */
static void a_seek_to_each_time(void)
{
	char whole[16384];
	int64_t time;
	size_t skip;

	begin();
	put("events_0", 10, 0, 0, 3, 5);
	put("events_0", 40, 1, 0, 0, 1);
	put("events_0", 50, 2, 0, 4, 1);
	put("events_1", 12, 0, 0, 9, 4);
	put("events_1", 80, 1, 0, 1, 4);
	put("events_2", 12, 0, 0, 1, 4);
	look();
	snprintf(whole, sizeof(whole), "%s", merged_text(trace, ALL));
	for (time = -5; time < 100; time++) {
		for (skip = 0; whole[skip] && atoll(strchr(whole + skip, '@') + 1) < time; )
			skip += strcspn(whole + skip + 1, " ") + 1;
		SAME(whole + skip, merged_text(trace, time));
	}
	CU_ASSERT(strlen(whole) > 80);
	end();
}

static void a_loss_that_lasts_until_the_time_comes_first(void)
{
	begin();
	put("events_0", 10, 0, 0, 3, 1);		/* 11 12 13, ends at 14 */
	put("events_0", 20, 2, 7, 3, 1);		/* 21 22 23, ends at 24 */
	put("events_0", 30, 3, 7, 1, 1);
	look();
	SAME(" a@11 a@12 a@13 lost-7@14-24 packets-1@14-20 a@21 a@22 a@23 a@31", merged_text(trace, ALL));
	SAME(" lost-7@14-24 packets-1@14-20 a@21 a@22 a@23 a@31", merged_text(trace, 15));
	SAME(" lost-7@14-24 packets-1@14-20 a@21 a@22 a@23 a@31", merged_text(trace, 20));
	SAME(" lost-7@14-24 a@22 a@23 a@31", merged_text(trace, 22));
	SAME(" lost-7@14-24 a@31", merged_text(trace, 24));
	SAME(" a@31", merged_text(trace, 25));
	SAME("", merged_text(trace, 50));
	SAME(" a@11 a@12 a@13 lost-7@14-24 packets-1@14-20 a@21 a@22 a@23 a@31", merged_text(trace, -100));
	end();
}

static void damage_that_lasts_until_the_time_comes_first(void)
{
	begin();
	put("events_0", 10, 0, 0, 3, 1);
	put("events_0", 20, 1, 0, 3, 1);
	put("events_0", 30, 2, 0, 1, 1);
	put("events_0", 40, 3, 0, 1, 1);
	overwrite(at("t/events_0"), PAGE, "x", 1);
	look();
	SAME(" damage-4096@14-30 packets-1@14-30 a@31 a@41", merged_text(trace, 15));
	SAME(" damage-4096@14-30 packets-1@14-30 a@31 a@41", merged_text(trace, 30));
	SAME(" a@31 a@41", merged_text(trace, 31));
	end();
}

static void a_damaged_rest_of_a_packet_lasts_until_its_end(void)
{
	begin();
	packet_begin(&packet, &part, 10, 0);
	packet_record(&packet, EVENT_A, 11, NULL, 0);
	packet_record(&packet, 29, 12, NULL, 0);
	packet_append(&packet, &part, "events_0", 19);
	put("events_0", 30, 1, 0, 1, 1);
	look();
	SAME(" damage-8@11-19 a@31", merged_text(trace, 15));
	SAME(" a@31", merged_text(trace, 20));
	end();
}

static void a_cursor_can_seek_often(void)
{
	struct ltttrace_cursor *cursor;

	begin();
	put("events_0", 10, 0, 0, 3, 1);
	put("events_1", 10, 0, 0, 3, 1);
	look();
	CU_ASSERT_FATAL(!ltttrace_merge(trace, NULL, NULL, &cursor));
	SAME(" a@11 a@11 a@12 a@12 a@13 a@13", take_text(cursor));
	SAME("", take_text(cursor));
	CU_ASSERT_EQUAL(ltttrace_seek(cursor, BASE_NS + 13), 0);
	SAME(" a@13 a@13", take_text(cursor));
	CU_ASSERT_EQUAL(ltttrace_seek(cursor, BASE_NS + 100), 0);
	SAME("", take_text(cursor));
	CU_ASSERT_EQUAL(ltttrace_seek(cursor, INT64_MIN), 0);
	SAME(" a@11 a@11 a@12 a@12 a@13 a@13", take_text(cursor));
	CU_ASSERT_EQUAL(ltttrace_seek(cursor, INT64_MAX), 0);
	SAME("", take_text(cursor));
	CU_ASSERT_EQUAL(ltttrace_seek(cursor, BASE_NS + 12), 0);
	SAME(" a@12 a@12 a@13 a@13", take_text(cursor));
	ltttrace_cursor_free(cursor);
	end();
}

/* --- Several streams -------------------------------------------------------------------- */

static void equal_times_come_in_the_order_of_streams(void)
{
	struct ltttrace_cursor *cursor;
	const struct ltttrace_record *record;
	unsigned int last = 0, i;
	char name[32];

	begin();
	for (i = 0; i < 20; i++) {
		sprintf(name, "events_%u", i);
		put(name, 10, 0, 0, 2, 1);
	}
	look();
	CU_ASSERT_FATAL(!ltttrace_merge(trace, NULL, NULL, &cursor));
	for (i = 0; ltttrace_next(cursor, &record) > 0; i++) {
		CU_ASSERT_EQUAL(record->stream->number, i % 20);
		CU_ASSERT_EQUAL(record->ns, BASE_NS + 11 + i / 20);
		last = record->stream->number;
	}
	CU_ASSERT(i == 40 && last == 19);
	ltttrace_cursor_free(cursor);
	end();
}

static bool is_second(const struct ltttrace_stream *stream, void *data)
{
	++*(unsigned int *)data;
	return stream->number == 1;
}

static void a_cursor_reads_the_streams_that_are_wanted(void)
{
	struct ltttrace_cursor *cursor;
	unsigned int asked = 0;

	begin();
	put("events_0", 10, 0, 0, 1, 1);
	put("events_1", 20, 0, 0, 1, 1);
	put("events_2", 30, 0, 0, 1, 1);
	look();
	CU_ASSERT_FATAL(!ltttrace_merge(trace, is_second, &asked, &cursor));
	SAME(" a@21", take_text(cursor));
	CU_ASSERT_EQUAL(asked, 3);
	ltttrace_cursor_free(cursor);
	CU_ASSERT_FATAL(!ltttrace_read(trace, ltttrace_stream(trace, 2), &cursor));
	SAME(" a@31", take_text(cursor));
	ltttrace_cursor_free(cursor);
	end();
}

/* Against a sort of what was written. */
static void random_streams_are_merged(void)
{
	unsigned int round, i, seq, nr;
	u64 next;
	const char *text;
	char name[32];
	size_t events, words;

	srand(1);
	for (round = 0; round < 20; round++) {
		begin();
		for (i = 0, events = 0; i < 8; i++) {
			sprintf(name, "events_%u", i);
			next = rand() % 100;
			for (seq = 0; seq < 5; seq++) {
				nr = rand() % 30;
				put(name, next, seq, 0, nr, rand() % 5);
				next = packet.header.timestamp_end + rand() % 50;
				events += nr;
			}
		}
		look();
		text = merged_text(trace, ALL);	/* checks the order */
		for (words = 0; *text; text++)
			words += *text == ' ';
		CU_ASSERT_EQUAL(words, events);
		end();
	}
}

static void the_span_is_that_of_events(void)
{
	int64_t first, last;

	begin();
	look();
	CU_ASSERT(!ltttrace_span(trace, &first, &last));
	ltttrace_close(trace);
	packet_begin(&packet, &part, 5, 0);
	packet.header.stream_id = STATE;
	packet_append(&packet, &part, "state_0", 500);
	put_packet(&part, "events_0", 20, 0);
	put_packet(&part, "events_0", 40, 1);
	put_packet(&part, "events_1", 10, 0);
	look();
	CU_ASSERT(ltttrace_span(trace, &first, &last) && first == BASE_NS + 10 && last == BASE_NS + 49);
	CU_ASSERT(ltttrace_stream(trace, 2)->is_state && !ltttrace_stream(trace, 0)->is_state);
	end();
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(a_seek_to_each_time),
		UNIT_TEST(a_loss_that_lasts_until_the_time_comes_first),
		UNIT_TEST(damage_that_lasts_until_the_time_comes_first),
		UNIT_TEST(a_damaged_rest_of_a_packet_lasts_until_its_end),
		UNIT_TEST(a_cursor_can_seek_often),
		UNIT_TEST(equal_times_come_in_the_order_of_streams),
		UNIT_TEST(a_cursor_reads_the_streams_that_are_wanted),
		UNIT_TEST(random_streams_are_merged),
		UNIT_TEST(the_span_is_that_of_events),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
