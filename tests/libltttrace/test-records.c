// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Records of sound recordings: headers, clocks, fields and their values.
 */
#include "writer.h"

#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"

static struct part_out part;
static struct packet_out packet;

static void begin(void)
{
	begin_folder();
	part_begin(&part, "t", 1);
	packet_begin(&packet, &part, 100, 0);
}

static const char *end(void)
{
	packet_append(&packet, &part, "events_0", packet.clock);
	return text_of(part.dir);
}

static void headers_have_three_sizes(void)
{
	const u64 far = (1ULL << LTT_TIME_BITS) + 200;

	begin();
	packet_record(&packet, EVENT_A, 100, NULL, 0);
	packet_record(&packet, EVENT_MEDIUM, 101, NULL, 0);
	packet_record(&packet, EVENT_B, far, NULL, 0);
	packet_record(&packet, EVENT_MEDIUM, far + (2ULL << LTT_TIME_BITS), NULL, 0);
	packet_record(&packet, EVENT_A, far + (2ULL << LTT_TIME_BITS), NULL, 0);
	SAME(" a@100 medium@101 g:b@134217928 medium@402653384 a@402653384", end());
	end_folder();
}

static void times_of_27_bits_wrap(void)
{
	const u64 wrap = 1ULL << LTT_TIME_BITS;

	begin_folder();
	part_begin(&part, "t", 1);
	packet_begin(&packet, &part, 3 * wrap - 2, 0);
	packet_record(&packet, EVENT_A, 3 * wrap - 1, NULL, 0);
	packet_record(&packet, EVENT_A, 3 * wrap, NULL, 0);
	packet_record(&packet, EVENT_A, 4 * wrap - 1, NULL, 0);
	packet_record(&packet, EVENT_A, 5 * wrap - 2, NULL, 0);
	SAME(" a@402653183 a@402653184 a@536870911 a@671088638", end());
	end_folder();
}

/* The first record of a packet may come long after its begin. */
static void times_count_from_the_begin_of_the_packet(void)
{
	const u64 wrap = 1ULL << LTT_TIME_BITS;

	begin();
	packet_record(&packet, EVENT_A, 100 + wrap - 1, NULL, 0);
	packet_append(&packet, &part, "events_0", 100 + wrap);
	packet_begin(&packet, &part, 100 + wrap, 1);
	packet_record(&packet, EVENT_A, 100 + wrap, NULL, 0);
	SAME(" a@134217827 a@134217828", end());
	end_folder();
}

static void packets_without_records_are_no_end(void)
{
	begin();
	packet_append(&packet, &part, "events_0", 100);
	packet_begin(&packet, &part, 100, 1);
	packet_append(&packet, &part, "events_0", 100);
	put_packet(&part, "events_0", 200, 2);
	SAME(" a@201 g:b@202", text_of(part.dir));
	end_folder();
}

static void records_fill_a_packet_to_its_end(void)
{
	const size_t text = PAGE - sizeof(struct ltt_ctf_packet) - 4 - 4;
	char payload[PAGE];

	memset(payload, 'x', sizeof(payload));
	payload[text - 1] = '\0';
	begin();
	packet_record(&packet, EVENT_TEXT, 101, payload, text);
	CU_ASSERT_EQUAL(packet.at, PAGE);
	SAME(" text@101", end());
	end_folder();
}

static void a_packet_has_many_pages(void)
{
	const char *text;
	unsigned int i;

	begin();
	for (i = 0; i < 4000; i++)
		packet_record(&packet, EVENT_TEXT, 101 + i, "hello, world", 13);
	CU_ASSERT(packet.at > 8 * PAGE);
	packet_append(&packet, &part, "events_0", packet.clock);
	put_packet(&part, "events_0", 10000, 1);
	text = strstr(text_of(part.dir), " text@4100");
	SAME(" text@4100 a@10001 g:b@10002", text ? text : "");
	end_folder();
}

/* --- Fields ------------------------------------------------------------------------- */

#define INT(n, bytes, sign, in) { .name = (n), .kind = LTT_FIELD_INT, .size = (bytes), .is_signed = (sign), .base = (in) }

static const struct ltt_field contexts[] = { INT("own", 8, true, 10), INT("perf_cycles", 8, false, 10) };

static const struct ltt_field fields[] = {
	INT("u8", 1, false, 10), INT("i8", 1, true, 10), INT("u16", 2, false, 8), INT("i16", 2, true, 10),
	INT("u24", 3, false, 16), INT("i24", 3, true, 10),
	INT("u32", 4, false, 16), INT("i32", 4, true, 10), INT("u64", 8, false, 16), INT("i64", 8, true, 10),
	{ .name = "state", .kind = LTT_FIELD_INT, .size = 4, .is_signed = true, .base = 10,
	  .labels = "idle=0, busy = 0x1, gone=-1}" },
	{ .name = "f", .kind = LTT_FIELD_FLOAT, .size = 4 }, { .name = "d", .kind = LTT_FIELD_FLOAT, .size = 8 },
	{ .name = "text", .kind = LTT_FIELD_STRING, .size = 1 }, { .name = "empty", .kind = LTT_FIELD_STRING, .size = 1 },
	{ .name = "comm", .kind = LTT_FIELD_TEXT, .size = 1, .count = 8 },
	{ .name = "full", .kind = LTT_FIELD_TEXT, .size = 1, .count = 2 },
	{ .name = "array", .kind = LTT_FIELD_ARRAY, .size = 2, .is_signed = true, .base = 10, .count = 3 },
	{ .name = "list", .kind = LTT_FIELD_SEQUENCE, .size = 4, .is_signed = false, .base = 16 },
	{ .name = "none", .kind = LTT_FIELD_SEQUENCE, .size = 8, .is_signed = true, .base = 10 },
	{ .name = "words", .kind = LTT_FIELD_SEQUENCE, .size = 1, .base = LTT_BASE_TEXT },
	INT("last", 2, true, 10),
};

static const struct ltttrace_record *record;

static struct ltttrace_value value(const char *name)
{
	int index = ltttrace_payload_field(record->event, name);

	CU_ASSERT_FATAL(index >= 0);
	return ltttrace_value(record, index);
}

static const struct ltttrace_field *field(const char *name)
{
	return &record->event->fields[ltttrace_payload_field(record->event, name)];
}

static bool has_text(const char *name, const char *text)
{
	struct ltttrace_value got = value(name);

	return got.size == strlen(text) && !memcmp(got.text, text, got.size);
}

static int64_t element(const char *name, size_t index)
{
	struct ltttrace_value list = value(name);

	return ltttrace_element(field(name), &list, index).s;
}

static void put_all_kinds(u64 clock)
{
	const s64 own = -9;
	const u64 cycles = ~0ULL, u64_value = 0xfedcba9876543210;
	const s64 i64_value = INT64_MIN;
	const u32 list[] = { 1, 0xffffffff };
	const int16_t array[] = { 1, -2, 300 };
	const float f = 0.5;
	const double d = -1e300;
	u8 bytes[256], *to = bytes;

#define PUT(x)	(memcpy(to, &(x), sizeof(x)), to += sizeof(x))
#define PUT_U16(x) do { u16 v = (x); PUT(v); } while (0)
	PUT(own), PUT(cycles);
	*to++ = 200, *to++ = (u8)-100;
	PUT_U16(60000);
	PUT_U16(-30000);
	memcpy(to, "\x01\x02\xfd\x80\xff\xff", 6), to += 6;
	PUT(list[1]), PUT(list[1]), PUT(u64_value), PUT(i64_value), PUT(list[1]), PUT(f), PUT(d);
	to = (u8 *)stpcpy((char *)to, "caf\xc3\xa9") + 1;
	*to++ = '\0';
	memcpy(to, "swapper\0ab", 10), to += 10;
	PUT(array);
	PUT_U16(2);
	PUT(list);
	PUT_U16(0);
	PUT_U16(4);
	memcpy(to, "ab\0d", 4), to += 4;
	PUT_U16(-7);
	packet_record(&packet, 7, clock, bytes, to - bytes);
}

static void check_values(void)
{
	CU_ASSERT_EQUAL(value("u8").u, 200);
	CU_ASSERT_EQUAL(value("i8").s, -100);
	CU_ASSERT_EQUAL(value("u16").u, 60000);
	CU_ASSERT_EQUAL(value("i16").s, -30000);
	CU_ASSERT_EQUAL(value("u24").u, 0xfd0201);
	CU_ASSERT_EQUAL(value("i24").s, -128);
	CU_ASSERT_EQUAL(value("u32").u, 0xffffffff);
	CU_ASSERT_EQUAL(value("i32").s, -1);
	CU_ASSERT_EQUAL(value("u64").u, 0xfedcba9876543210);
	CU_ASSERT_EQUAL(value("i64").s, INT64_MIN);
	CU_ASSERT_EQUAL(value("f").f, 0.5);
	CU_ASSERT_EQUAL(value("d").f, -1e300);
	CU_ASSERT(has_text("text", "caf\xc3\xa9") && has_text("empty", "") && has_text("comm", "swapper"));
	CU_ASSERT(has_text("full", "ab") && has_text("words", "ab"));
	CU_ASSERT_EQUAL(value("array").length, 3);
	CU_ASSERT_EQUAL(element("array", 1), -2);
	CU_ASSERT_EQUAL(value("list").length, 2);
	CU_ASSERT_EQUAL(element("list", 1), 0xffffffff);
	CU_ASSERT_EQUAL(value("none").length, 0);
	CU_ASSERT_EQUAL(value("_list_length").u, 2);
	CU_ASSERT_EQUAL(value("last").s, -7);
	CU_ASSERT_EQUAL(ltttrace_integer(record, record->event->tid), 77);
	CU_ASSERT_EQUAL(ltttrace_integer(record, ltttrace_context_field(record->event, "own")), -9);
	CU_ASSERT_EQUAL(ltttrace_value(record, ltttrace_context_field(record->event, "perf_cycles")).u, UINT64_MAX);
	CU_ASSERT_EQUAL(ltttrace_integer(record, -1), 0);
	CU_ASSERT_EQUAL(ltttrace_integer(record, ltttrace_payload_field(record->event, "text")), 0);
	CU_ASSERT_EQUAL(ltttrace_payload_field(record->event, "own"), -1);
	CU_ASSERT_EQUAL(ltttrace_context_field(record->event, "u8"), -1);
}

static void check_descriptions(void)
{
	const struct ltttrace_event *event = record->event;

	CU_ASSERT_EQUAL(event->own, 1);
	CU_ASSERT_EQUAL(event->payload, 3);
	CU_ASSERT_EQUAL(event->tid, 0);
	CU_ASSERT_EQUAL(event->nr_fields, 3 + COUNT(fields) + 3);
	CU_ASSERT_STRING_EQUAL(event->name, "group:all");
	CU_ASSERT_STRING_EQUAL(event->channel, "events");
	CU_ASSERT(field("u8")->kind == LTTTRACE_UNSIGNED && field("u8")->bits == 8 && field("u8")->base == 10);
	CU_ASSERT(field("u16")->base == 8 && field("u64")->base == 16 && field("list")->base == 16);
	CU_ASSERT(field("d")->kind == LTTTRACE_FLOAT && field("d")->bits == 64 && field("f")->bits == 32);
	CU_ASSERT(field("text")->kind == LTTTRACE_STRING && !field("text")->bits);
	CU_ASSERT(field("comm")->kind == LTTTRACE_ARRAY && field("comm")->is_text && field("comm")->length == 8);
	CU_ASSERT(field("array")->kind == LTTTRACE_ARRAY && field("array")->element == LTTTRACE_SIGNED);
	CU_ASSERT(!field("array")->is_text && field("array")->length == 3 && field("array")->bits == 16);
	CU_ASSERT(field("words")->kind == LTTTRACE_SEQUENCE && field("words")->is_text);
	CU_ASSERT(field("_list_length")->is_length && !field("u16")->is_length);
	CU_ASSERT_EQUAL(field("state")->nr_labels, 3);
	CU_ASSERT_STRING_EQUAL(ltttrace_label(field("state"), 0), "idle");
	CU_ASSERT_STRING_EQUAL(ltttrace_label(field("state"), 1), "busy");
	CU_ASSERT_STRING_EQUAL(ltttrace_label(field("state"), value("state").u), "gone");
	CU_ASSERT_PTR_NULL(ltttrace_label(field("state"), 2));
	CU_ASSERT_PTR_NULL(ltttrace_label(field("u8"), 2));
}

static void fields_of_all_kinds(void)
{
	struct ltttrace_cursor *cursor;
	struct ltttrace *trace;

	begin_folder();
	part_begin(&part, "t", 1);
	ltt_ctf_put_event_with(&part.ctf, EVENTS, 7, "group", "all", contexts, COUNT(contexts), fields, COUNT(fields));
	packet_begin(&packet, &part, 100, 0);
	put_all_kinds(101);
	put_all_kinds(102);
	packet_append(&packet, &part, "events_0", 102);
	SAME(" group:all@101 group:all@102", text_of(part.dir));
	trace = open_trace(0, part.dir, NULL);
	CU_ASSERT_FATAL(!ltttrace_merge(trace, NULL, NULL, &cursor));
	while (ltttrace_next(cursor, &record) > 0) {
		check_values();
		check_descriptions();
		CU_ASSERT_EQUAL(record->size, packet.at / 2 - sizeof(struct ltt_ctf_packet) / 2 - 4);
	}
	ltttrace_cursor_free(cursor);
	ltttrace_close(trace);
	end_folder();
}

static void a_record_has_its_place_in_the_file(void)
{
	struct ltttrace_cursor *cursor;
	struct ltttrace *trace;

	begin();
	packet_record(&packet, EVENT_TEXT, 105, "x", 2);
	packet.header.cpu_id = 5;
	packet_append(&packet, &part, "events_0", 109);
	put_packet(&part, "events_0", 200, 1);
	trace = open_trace(0, part.dir, NULL);
	CU_ASSERT_FATAL(!ltttrace_read(trace, ltttrace_stream(trace, 0), &cursor));
	CU_ASSERT_FATAL(ltttrace_next(cursor, &record) == 1);
	CU_ASSERT(record->offset == sizeof(struct ltt_ctf_packet) && record->cpu == 5 && record->clock == 105);
	CU_ASSERT(record->ns == BASE_NS + 105 && record->until_ns == record->ns && !record->count && record->size == 6);
	CU_ASSERT_FATAL(ltttrace_next(cursor, &record) == 1);
	CU_ASSERT(record->offset == PAGE + sizeof(struct ltt_ctf_packet) && record->cpu == 0);
	CU_ASSERT(record->stream == ltttrace_stream(trace, 0) && record->stream->packets == 2);
	CU_ASSERT(record->stream->bytes == 2 * PAGE && record->stream->cpu == 5 && !record->stream->is_state);
	CU_ASSERT(record->stream->first_ns == BASE_NS + 100 && record->stream->last_ns == BASE_NS + 209);
	ltttrace_cursor_free(cursor);
	ltttrace_close(trace);
	end_folder();
}

/* Clocks of other frequencies: as babeltrace2 does, in floating point. */
static void clocks_have_frequencies(void)
{
	struct ltttrace_cursor *cursor;
	struct ltttrace *trace;

	begin_folder();
	part_begin_bare(&part, "t", 1, 3000000000);
	ltt_ctf_put_stream(&part.ctf, EVENTS, "events", NULL, 0);
	packet_begin(&packet, &part, 3000000000, 0);
	packet_append(&packet, &part, "events_0", 3000000001);
	packet_begin(&packet, &part, 3000000002, 2);
	packet_append(&packet, &part, "events_0", 30000000000);
	trace = open_trace(0, part.dir, NULL);
	CU_ASSERT_FATAL(!ltttrace_merge(trace, NULL, NULL, &cursor));
	CU_ASSERT_FATAL(ltttrace_next(cursor, &record) == 1);
	CU_ASSERT(record->kind == LTTTRACE_LOST_PACKETS && record->ns == BASE_NS + 1000000000);
	CU_ASSERT(record->clock == 3000000001 && record->until_ns == BASE_NS + 1000000000);
	CU_ASSERT(ltttrace_stream(trace, 0)->last_ns == BASE_NS + 10000000000);
	ltttrace_cursor_free(cursor);
	ltttrace_close(trace);
	end_folder();
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(headers_have_three_sizes),
		UNIT_TEST(times_of_27_bits_wrap),
		UNIT_TEST(times_count_from_the_begin_of_the_packet),
		UNIT_TEST(packets_without_records_are_no_end),
		UNIT_TEST(records_fill_a_packet_to_its_end),
		UNIT_TEST(a_packet_has_many_pages),
		UNIT_TEST(fields_of_all_kinds),
		UNIT_TEST(a_record_has_its_place_in_the_file),
		UNIT_TEST(clocks_have_frequencies),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
