// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Losses, and data files that are damaged, cut, or hostile.
 */
#include "writer.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../unit/unit.h"

static struct part_out part;
static struct packet_out packet;

static void begin(void)
{
	begin_folder();
	part_begin(&part, "t", 1);
}

static const char *file(void)
{
	return at("t/events_0");
}

/* One packet from 100 to 199 between two good ones, made by the caller. */
static void begin_middle(void)
{
	begin();
	put_packet(&part, "events_0", 10, 0);
	packet_begin(&packet, &part, 100, 1);
	packet_record(&packet, EVENT_A, 101, NULL, 0);
}

static const char *end_middle(void)
{
	packet_append(&packet, &part, "events_0", 199);
	put_packet(&part, "events_0", 200, 2);
	return text_of(part.dir);
}

/* --- Losses ------------------------------------------------------------------------- */

static void put_discarded(u64 begin_time, u64 seq, u64 discarded)
{
	packet_begin(&packet, &part, begin_time, seq);
	packet.header.events_discarded = discarded;
	packet_record(&packet, EVENT_A, begin_time + 1, NULL, 0);
	packet_append(&packet, &part, "events_0", begin_time + 9);
}

static void refused_events_are_between_ends_of_packets(void)
{
	begin();
	put_discarded(10, 0, 0);
	put_discarded(20, 1, 3);
	put_discarded(30, 2, 3);
	put_discarded(40, 3, 1003);
	SAME(" a@11 lost-3@19-29 a@21 a@31 lost-1000@39-49 a@41", text_of(part.dir));
	end_folder();
}

static void refused_events_before_the_first_packet_are_in_it(void)
{
	begin();
	put_discarded(10, 0, 5);
	put_discarded(20, 1, 5);
	SAME(" lost-5@10-19 a@11 a@21", text_of(part.dir));
	end_folder();
}

static void a_count_that_goes_back_is_no_loss(void)
{
	begin();
	put_discarded(10, 0, 5);
	put_discarded(20, 1, 2);
	put_discarded(30, 2, 4);
	SAME(" lost-5@10-19 a@11 a@21 lost-2@29-39 a@31", text_of(part.dir));
	end_folder();
}

static void overwritten_packets_are_a_gap(void)
{
	begin();
	put_discarded(10, 7, 0);
	put_discarded(20, 9, 4);
	put_discarded(30, 10, 4);
	SAME(" a@11 lost-4@19-29 packets-1@19-20 a@21 a@31", text_of(part.dir));
	end_folder();
}

/* --- Cut files ------------------------------------------------------------------------- */

static void a_file_cut_anywhere(void)
{
	char want[100];
	long size;

	begin();
	put_packet(&part, "events_0", 10, 0);
	put_packet(&part, "events_0", 20, 1);
	for (size = 2 * PAGE - 1; size > PAGE; size -= size % 7 ? 1 : 60) {
		CU_ASSERT(!truncate(file(), size));
		sprintf(want, " a@11 g:b@12 cut-%ld@19", size - PAGE);
		SAME(want, text_of(part.dir));
	}
	end_folder();
}

/* As after a crash of the machine. */
static void zeros_at_the_end_of_a_file_are_a_cut(void)
{
	static const char zeros[3 * PAGE];

	begin();
	put_packet(&part, "events_0", 10, 0);
	append(file(), zeros, sizeof(zeros));
	SAME(" a@11 g:b@12 cut-12288@19", text_of(part.dir));
	/* Between packets they are damage. */
	put_packet(&part, "events_0", 20, 1);
	SAME(" a@11 g:b@12 damage-12288@19-20 a@21 g:b@22", text_of(part.dir));
	end_folder();
}

/* Behind its new end the mapping of the file cannot be read. */
static void a_file_that_becomes_shorter(void)
{
	struct ltttrace_cursor *cursor;
	struct ltttrace *trace;
	char name[32];
	bool is_compressed;
	const char *text;
	int i;

	for (is_compressed = false; ; is_compressed = true) {
		begin();
		for (i = 0; i < 3; i++)
			put_packet(&part, "events_0", 10 * i + 10, i);
		if (is_compressed)
			compress(file());
		sprintf(name, "t/events_0%s", is_compressed ? ".zst" : "");
		trace = open_trace(0, part.dir, NULL);
		CU_ASSERT_FATAL(!ltttrace_merge(trace, NULL, NULL, &cursor));
		CU_ASSERT(!truncate(at("%s", name), is_compressed ? 1 : PAGE));
		take_text(cursor);
		CU_ASSERT(!truncate(at("%s", name), 0));
		CU_ASSERT(!ltttrace_seek(cursor, BASE_NS + 20));
		text = take_text(cursor);
		CU_ASSERT(strstr(text, " damage-") && !strstr(text, " a@"));
		ltttrace_cursor_free(cursor);
		ltttrace_close(trace);
		end_folder();
		if (is_compressed)
			return;
	}
}

/* Holes are passed over, and in a few steps: to read so many zeros would take minutes. */
static void a_file_that_is_mostly_a_hole(void)
{
	begin();
	put_packet(&part, "events_0", 10, 0);
	CU_ASSERT(!truncate(file(), 1LL << 40));
	alarm(10);
	SAME(" a@11 g:b@12 cut-1099511623680@19", text_of(part.dir));
	put_packet(&part, "events_0", 20, 1);
	SAME(" a@11 g:b@12 damage-1099511623680@19-20 a@21 g:b@22", text_of(part.dir));
	alarm(0);
	end_folder();
}

static void a_file_that_is_only_a_cut_packet(void)
{
	begin();
	put_packet(&part, "events_0", 10, 0);
	CU_ASSERT(!truncate(file(), 90));
	SAME(" cut-90@0", text_of(part.dir));
	CU_ASSERT(!truncate(file(), 1));
	SAME(" cut-1@0", text_of(part.dir));
	CU_ASSERT(!truncate(file(), 0));
	SAME("", text_of(part.dir));
	end_folder();
}

/* --- Damaged packets ------------------------------------------------------------------- */

static void a_packet_whose_header_is_zero(void)
{
	static const char zero[sizeof(struct ltt_ctf_packet)];

	begin_middle();
	end_middle();
	overwrite(file(), PAGE, zero, sizeof(zero));
	SAME(" a@11 g:b@12 damage-4096@19-200 packets-1@19-200 a@201 g:b@202", text_of(part.dir));
	end_folder();
}

static void a_long_packet_whose_header_is_damaged(void)
{
	static const char junk[] = "junk";
	unsigned int i;

	begin_middle();
	for (i = 0; i < 1000; i++)
		packet_record(&packet, EVENT_TEXT, 101, "hello, world", 13);
	CU_ASSERT(packet.at > 4 * PAGE && packet.at < 6 * PAGE);
	end_middle();
	overwrite(file(), PAGE, junk, sizeof(junk));
	SAME(" a@11 g:b@12 damage-24576@19-200 packets-1@19-200 a@201 g:b@202", text_of(part.dir));
	end_folder();
}

static void damage_at_the_begin_lasts_until_the_first_packet(void)
{
	begin();
	put_packet(&part, "events_0", 10, 0);
	put_packet(&part, "events_0", 20, 1);
	overwrite(file(), 0, "x", 1);
	SAME(" damage-4096@20-20 a@21 g:b@22", text_of(part.dir));
	end_folder();
}

static void damage_at_the_end(void)
{
	begin();
	put_packet(&part, "events_0", 10, 0);
	put_packet(&part, "events_0", 20, 1);
	overwrite(file(), PAGE, "x", 1);
	SAME(" a@11 g:b@12 damage-4096@19-19", text_of(part.dir));
	end_folder();
}

#define FIELD(name) offsetof(struct ltt_ctf_packet, name)

static void headers_that_cannot_be(void)
{
	static const struct { const char *what; size_t offset, bytes; u64 value; } wrong[] = {
		{ "magic", FIELD(magic), 4, 0xC1FC1FC0 },
		{ "uuid", FIELD(uuid), 1, 2 },
		{ "channel", FIELD(stream_id), 4, 2 },
		{ "another channel", FIELD(stream_id), 4, STATE },
		{ "channel number", FIELD(stream_id), 4, 0xffffffff },
		{ "end", FIELD(timestamp_end), 8, 99 },
		{ "begin", FIELD(timestamp_begin), 8, 5 },
		{ "CPU", FIELD(cpu_id), 4, 0xffffffff },
		{ "another CPU", FIELD(cpu_id), 4, 65536 },
		{ "content < header", FIELD(content_size), 8, 75 * 8 },
		{ "content > size", FIELD(content_size), 8, PAGE * 8 + 8 },
		{ "content bits", FIELD(content_size), 8, 84 * 8 + 1 },
		{ "size 0", FIELD(packet_size), 8, 0 },
		{ "size bits", FIELD(packet_size), 8, PAGE * 8 + 1 },
		{ "no whole pages", FIELD(packet_size), 8, 100 * 8 },
		{ "large size", FIELD(packet_size), 8, 1ULL << 63 },
		{ "beyond the file", FIELD(packet_size), 8, 16 * PAGE * 8 },
	};
	size_t i;

	for (i = 0; i < COUNT(wrong); i++) {
		begin_middle();
		end_middle();
		overwrite(file(), PAGE + wrong[i].offset, &wrong[i].value, wrong[i].bytes);
		SAME(" a@11 g:b@12 damage-4096@19-200 packets-1@19-200 a@201 g:b@202", text_of(part.dir));
		end_folder();
	}
}

/* --- Damaged records ---------------------------------------------------------------------- */

static void an_unknown_event_ends_its_packet(void)
{
	begin_middle();
	packet_record(&packet, 29, 102, NULL, 0);
	packet_record(&packet, EVENT_A, 103, NULL, 0);
	SAME(" a@11 g:b@12 a@101 damage-16@101-199 a@201 g:b@202", end_middle());
	end_folder();
	begin_middle();
	packet_record(&packet, 65535, 102, NULL, 0);
	SAME(" a@11 g:b@12 a@101 damage-10@101-199 a@201 g:b@202", end_middle());
	end_folder();
	begin_middle();
	packet_record(&packet, 0xfffffff0, 1ULL << 40, NULL, 0);
	SAME(" a@11 g:b@12 a@101 damage-17@101-199 a@201 g:b@202", end_middle());
	end_folder();
}

static void a_record_beyond_the_content(void)
{
	static const struct { u32 id; u64 clock; size_t len, cut; } cases[] = {
		{ EVENT_A, 102, 0, 1 }, { EVENT_A, 102, 0, 4 }, { EVENT_A, 102, 0, 7 },
		{ EVENT_MEDIUM, 102, 0, 5 }, { EVENT_MEDIUM, 102, 0, 4 }, { EVENT_MEDIUM, 102, 0, 1 },
		{ EVENT_A, 102 + (1ULL << LTT_TIME_BITS), 0, 5 }, { EVENT_A, 102 + (1ULL << LTT_TIME_BITS), 0, 16 },
		{ EVENT_TEXT, 102, 20, 1 }, { EVENT_TEXT, 102, 20, 20 }, { EVENT_TEXT, 102, 20, 24 },
	};
	char want[200];
	size_t i, from;

	for (i = 0; i < COUNT(cases); i++) {
		begin_middle();
		from = packet.at;
		packet_record(&packet, cases[i].id, cases[i].clock, "0123456789abcdefghi", cases[i].len);
		packet.at -= cases[i].cut;
		sprintf(want, " a@11 g:b@12 a@101 damage-%zu@101-199 a@201 g:b@202", packet.at - from);
		SAME(want, end_middle());
		end_folder();
	}
}

static void a_sequence_longer_than_the_packet(void)
{
	static const struct ltt_field list = { .name = "list", .kind = LTT_FIELD_SEQUENCE, .size = 8, .base = 10 };
	const u16 length = 0xffff;

	begin();
	ltt_ctf_put_event(&part.ctf, EVENTS, 9, NULL, "list", &list, 1);
	packet_begin(&packet, &part, 100, 0);
	packet_record(&packet, 9, 101, &length, sizeof(length));
	packet_append(&packet, &part, "events_0", 199);
	SAME(" damage-10@100-199", text_of(part.dir));
	end_folder();
}

static void a_clock_that_goes_back(void)
{
	const u64 back = 50;
	const u32 id = EVENT_A;
	const u8 escape = LTT_ID_LONG;

	begin_middle();
	packet_bytes(&packet, &escape, 1);
	packet_bytes(&packet, &id, 4);
	packet_bytes(&packet, &back, 8);
	packet_bytes(&packet, &id, 4);
	SAME(" a@11 g:b@12 a@101 damage-17@101-199 a@201 g:b@202", end_middle());
	end_folder();
}

static void a_record_after_the_end_of_its_packet(void)
{
	begin_middle();
	packet_record(&packet, EVENT_A, 200, NULL, 0);
	SAME(" a@11 g:b@12 a@101 damage-8@101-199 a@201 g:b@202", end_middle());
	end_folder();
	begin_middle();
	packet_record(&packet, EVENT_A, UINT64_MAX, NULL, 0);
	SAME(" a@11 g:b@12 a@101 damage-17@101-199 a@201 g:b@202", end_middle());
	end_folder();
}

static void packets_that_overlap_are_read_in_order(void)
{
	begin();
	packet_begin(&packet, &part, 100, 0);
	packet_record(&packet, EVENT_A, 150, NULL, 0);
	packet_append(&packet, &part, "events_0", 199);
	packet_begin(&packet, &part, 120, 1);
	packet_record(&packet, EVENT_A, 130, NULL, 0);
	packet_record(&packet, EVENT_A, 201, NULL, 0);
	packet_append(&packet, &part, "events_0", 209);
	put_packet(&part, "events_0", 300, 2);
	text_of(part.dir);	/* checks that times do not go back */
	end_folder();
}

static void clock_values_near_the_greatest(void)
{
	const u64 late = UINT64_MAX - 20;

	begin();
	put_packet(&part, "events_0", 10, 0);
	put_packet(&part, "events_0", INT64_MAX - 4, 1);
	put_packet(&part, "events_0", late, 2);
	text_of(part.dir);
	CU_ASSERT(strstr(text_of(part.dir), " a@11 g:b@12 a@") && true);
	end_folder();
}

static void no_byte_of_a_packet_is_trusted(void)
{
	size_t i, bytes;

	begin_middle();
	packet_record(&packet, EVENT_TEXT, 102, "hello", 6);
	packet_record(&packet, EVENT_MEDIUM, 103, NULL, 0);
	packet_record(&packet, EVENT_A, 104 + (1ULL << LTT_TIME_BITS), NULL, 0);
	bytes = packet.at;
	packet_append(&packet, &part, "events_0", 199 + (1ULL << LTT_TIME_BITS));
	put_packet(&part, "events_0", 200 + (1ULL << LTT_TIME_BITS), 2);
	for (i = 0; i < bytes; i++) {
		overwrite(file(), PAGE + i, "\xff", 1);
		text_of(part.dir);
		overwrite(file(), PAGE + i, packet.bytes + i, 1);
	}
	end_folder();
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(refused_events_are_between_ends_of_packets),
		UNIT_TEST(refused_events_before_the_first_packet_are_in_it),
		UNIT_TEST(a_count_that_goes_back_is_no_loss),
		UNIT_TEST(overwritten_packets_are_a_gap),
		UNIT_TEST(a_file_cut_anywhere),
		UNIT_TEST(zeros_at_the_end_of_a_file_are_a_cut),
		UNIT_TEST(a_file_that_becomes_shorter),
		UNIT_TEST(a_file_that_is_mostly_a_hole),
		UNIT_TEST(a_file_that_is_only_a_cut_packet),
		UNIT_TEST(a_packet_whose_header_is_zero),
		UNIT_TEST(a_long_packet_whose_header_is_damaged),
		UNIT_TEST(damage_at_the_begin_lasts_until_the_first_packet),
		UNIT_TEST(damage_at_the_end),
		UNIT_TEST(headers_that_cannot_be),
		UNIT_TEST(an_unknown_event_ends_its_packet),
		UNIT_TEST(a_record_beyond_the_content),
		UNIT_TEST(a_sequence_longer_than_the_packet),
		UNIT_TEST(a_clock_that_goes_back),
		UNIT_TEST(a_record_after_the_end_of_its_packet),
		UNIT_TEST(packets_that_overlap_are_read_in_order),
		UNIT_TEST(clock_values_near_the_greatest),
		UNIT_TEST(no_byte_of_a_packet_is_trusted),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
