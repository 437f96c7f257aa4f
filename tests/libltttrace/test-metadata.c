// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Metadata that is cut, damaged, of another tracer, or large.
 */
#include "writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../unit/unit.h"

static struct part_out part;
static struct packet_out packet;

static const struct ltt_field some_fields[] = {
	{ .name = "state", .kind = LTT_FIELD_INT, .size = 4, .is_signed = true, .base = 16, .labels = "idle=0, gone=-1}" },
	{ .name = "d", .kind = LTT_FIELD_FLOAT, .size = 8 }, { .name = "f", .kind = LTT_FIELD_FLOAT, .size = 4 },
	{ .name = "text", .kind = LTT_FIELD_STRING, .size = 1 },
	{ .name = "comm", .kind = LTT_FIELD_TEXT, .size = 1, .count = 8 },
	{ .name = "list", .kind = LTT_FIELD_SEQUENCE, .size = 4, .base = 10 },
};

static char text[1 << 20];
static size_t text_len;

/* The metadata to @text; the file stays. */
static void load_text(void)
{
	FILE *file = fopen(at("t/metadata"), "r");

	text_len = fread(text, 1, sizeof(text) - 1, file);
	text[text_len] = '\0';
	fclose(file);
}

static void store(const char *bytes, size_t len)
{
	unlink(at("t/metadata"));
	append(at("t/metadata"), bytes, len);
}

static void begin(void)
{
	begin_folder();
	part_begin(&part, "t", 1);
	ltt_ctf_put_event_with(&part.ctf, EVENTS, 7, "group", "all", some_fields, 3, some_fields + 3, 3);
	put_packet(&part, "events_0", 10, 0);
	load_text();
}

static void metadata_cut_at_every_byte(void)
{
	struct ltttrace *trace;
	size_t len, clock, events, last = 0;
	int err;

	begin();
	clock = strstr(text, "TRUE;\n};") - text + strlen("TRUE;\n};");
	for (len = 0; len <= text_len; len++) {
		const char *path = part.dir;

		store(text, len);
		err = ltttrace_open(&path, 1, 0, &trace, &open_error);
		/* Without the clock there is nothing to read. */
		if (len < clock) {
			CU_ASSERT_EQUAL(err, -EBADMSG);
			CU_ASSERT(strstr(open_error.text, "/metadata") != NULL);
			if (!err)
				ltttrace_close(trace);
			continue;
		}
		if (err)
			printf("# cut at %zu: %d: %s\n", len, err, open_error.text);
		CU_ASSERT_FATAL(!err);
		events = ltttrace_nr_events(trace);
		CU_ASSERT(events >= last && events <= 6);
		last = events;
		merged_text(trace, ALL);
		ltttrace_close(trace);
	}
	CU_ASSERT_EQUAL(last, 6);
	end_folder();
}

/* lttd appends to it while it is read. */
static void metadata_that_grows_byte_by_byte(void)
{
	struct ltttrace *trace;
	size_t len = strstr(text, "/* channel") - text;

	begin();
	store(text, len);
	trace = open_trace(0, part.dir, NULL);
	for (; len < text_len; len++) {
		append(at("t/metadata"), text + len, 1);
		CU_ASSERT(ltttrace_refresh(trace, &open_error) >= 0);
	}
	CU_ASSERT_EQUAL(ltttrace_nr_events(trace), 6);
	CU_ASSERT(ltttrace_event(trace, 5)->id == 7 && ltttrace_event(trace, 5)->channel_id == EVENTS);
	CU_ASSERT_EQUAL(ltttrace_event(trace, 5)->nr_fields, 1 + 6 + 1);
	ltttrace_close(trace);
	end_folder();
}

static void metadata_with_every_byte_changed(void)
{
	static const char others[] = { '\0', '"', '{', '}', ';', '9', '/', '*', '\\', 'x', ' ', '\xff' };
	const char *path;
	struct ltttrace *trace;
	size_t i, j;

	begin();
	path = part.dir;
	for (i = 0; i < text_len; i++)
		for (j = i % 6; j < sizeof(others); j += 6) {
			const char was = text[i];

			text[i] = others[j];
			store(text, text_len);
			text[i] = was;
			if (ltttrace_open(&path, 1, 0, &trace, &open_error))
				continue;
			merged_text(trace, ALL);
			ltttrace_close(trace);
		}
	end_folder();
}

static void garbage(void)
{
	static const char *const texts[] = {
		"", "x", "hello", "/* CTF 1.8 */", "/* CTF 1.8 */ trace", "/* CTF 1.8 */ trace { uuid", "/* CTF 1.8 */ \"",
		"/* CTF 1.8 */ trace { uuid = \"0101\"; };", "/* CTF 1.8 */ trace { uuid = \"zz010101-0101-0101-0101-010101010101\"; };",
		"/* CTF 1.8 */ trace { uuid = 7",
	};
	static const char packets[] = "\x57\x1d\xd1\x75 binary metadata";
	size_t i;

	begin();
	for (i = 0; i < COUNT(texts); i++) {
		store(texts[i], strlen(texts[i]));
		CU_ASSERT(try_open(part.dir) < 0);
	}
	store(packets, sizeof(packets));
	CU_ASSERT_EQUAL(try_open(part.dir), -ENOTSUP);
	store("/* CTF 2 */ {}", 14);
	CU_ASSERT_EQUAL(try_open(part.dir), -ENOTSUP);
	end_folder();
}

/* Replace the first @from by @to.  Return: what ltttrace_open() does. */
static int with(const char *from, const char *to)
{
	static char changed[sizeof(text) + 1000];
	const char *found = strstr(text, from);

	CU_ASSERT_FATAL(found != NULL);
	sprintf(changed, "%.*s%s%s", (int)(found - text), text, to, found + strlen(from));
	store(changed, strlen(changed));
	return try_open(part.dir);
}

/* Each is compared with those before it. */
static void values_of_the_environment(void)
{
	static char many[1025 * 16] = "env {";
	struct ltttrace *trace;
	unsigned int i;

	begin();
	for (i = 0; i < 1000; i++)
		sprintf(many + strlen(many), " v%u = %u;", i, i);
	CU_ASSERT_EQUAL(with("env {", many), 0);
	trace = open_trace(0, part.dir, NULL);
	CU_ASSERT_STRING_EQUAL(ltttrace_env(ltttrace_part(trace, 0), "v999"), "999");
	ltttrace_close(trace);
	for (; i < 1025; i++)
		sprintf(many + strlen(many), " v%u = %u;", i, i);
	CU_ASSERT_EQUAL(with("env {", many), -ENOTSUP);
	end_folder();
}

static void layouts_of_others(void)
{
	begin();
	CU_ASSERT_EQUAL(with("byte_order = le", "byte_order = be"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("minor = 8", "minor = 7"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("uuid = ", "stream {}; uuid = "), -ENOTSUP);
	CU_ASSERT_EQUAL(with("size = 27; align = 1", "size = 27; align = 8"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("uint32_t cpu_id;", "uint32_t cpu_id; uint32_t more;"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("compact = 0 ... 29", "compact = 0 ... 30"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("};\n\nenv {", "};\n\ncallsite {};\nenv {"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("string _text", "variant <x> {} _text"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("integer { size = 32; align = 8; signed = true", "integer { size = 31; align = 8; signed = true"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("integer { size = 32; align = 8; signed = true", "integer { size = 32; align = 1; signed = true"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("integer { size = 32; align = 8; signed = true", "integer { size = 32; align = 8; signed = maybe"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("integer { size = 32; align = 8; signed = true", "integer { size = 32; align = 8; byte_order = be; signed = true"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("exp_dig = 11; mant_dig = 53", "exp_dig = 15; mant_dig = 113"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("string _text;", "string _text[3];"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("_list[__list_length]", "_list[__other]"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("_comm[8]", "_comm[99999999]"), -ENOTSUP);
	CU_ASSERT_EQUAL(with("name = \"a\";\n\tid = 1;", "name = \"a\";\n\tid = 65536;"), -EBADMSG);
	CU_ASSERT_EQUAL(with("stream_id = 0;", "stream_id = 255;"), -EBADMSG);
	CU_ASSERT_EQUAL(with("stream {\n\tid = 1;", "stream {\n\tid = 256;"), -EBADMSG);
	CU_ASSERT_EQUAL(with("freq = 1000000000", "freq = 0"), -EBADMSG);
	CU_ASSERT_EQUAL(with("offset_s = 1000", "offset_s = 10000000000"), -EBADMSG);
	CU_ASSERT_EQUAL(with("offset_s = 1000", "offset_s = 99999999999999999999"), -EBADMSG);
	CU_ASSERT_EQUAL(with("signed = true; base = 16; }", "signed = true; base = 16; } "), 0);
	end_folder();
}

static void errors_name_the_line(void)
{
	begin();
	CU_ASSERT_EQUAL(with("minor = 8", "minor = 7"), -ENOTSUP);
	CU_ASSERT(strstr(open_error.text, "/t/metadata, line 12: ") != NULL);
	end_folder();
}

static void events_described_twice_count_once(void)
{
	struct ltttrace *trace;
	u64 i;

	begin();
	for (i = 0; i < 3; i++) {
		ltt_ctf_put_event(&part.ctf, EVENTS, EVENT_A, NULL, "other", some_fields, 4);
		ltt_ctf_put_stream(&part.ctf, EVENTS, "other", some_fields, 1);
	}
	trace = open_trace(0, part.dir, NULL);
	CU_ASSERT_EQUAL(ltttrace_nr_events(trace), 6);
	SAME(" a@11 g:b@12", merged_text(trace, ALL));
	ltttrace_close(trace);
	end_folder();
}

static void texts_with_quotes_and_backslashes(void)
{
	static const char *const env[][2] = { { "hostname", "a\\\"b\\" }, { "n", "18" }, { "command", "x /* y */ \"" } };
	static const u8 zero[16];
	struct ltt_ctf_trace described = {
		.uuid = part.uuid, .clock_name = "c", .clock_description = "\"\\", .clock_uuid = zero, .freq = 1000000000,
		.env = env, .nr_env = COUNT(env),
	};
	struct ltttrace *trace;

	begin();
	unlink(at("t/metadata"));
	ltt_ctf_put_trace(&part.ctf, &described);
	trace = open_trace(0, part.dir, NULL);
	CU_ASSERT_STRING_EQUAL(ltttrace_part(trace, 0)->host, "a\\\"b\\");
	CU_ASSERT_STRING_EQUAL(ltttrace_env(ltttrace_part(trace, 0), "n"), "18");
	CU_ASSERT_STRING_EQUAL(ltttrace_env(ltttrace_part(trace, 0), "command"), "x /* y */ \"");
	ltttrace_close(trace);
	end_folder();
}

/* --- Limits ------------------------------------------------------------------------------ */

static void channels_up_to_255(void)
{
	struct ltttrace *trace;
	char name[16];
	u32 i;

	begin_folder();
	part_begin_bare(&part, "t", 1, 1000000000);
	for (i = 0; i < 256; i++) {
		sprintf(name, "c%u", i);
		ltt_ctf_put_stream(&part.ctf, i, name, NULL, 0);
		ltt_ctf_put_event(&part.ctf, i, 0, NULL, name, NULL, 0);
		packet_begin(&packet, &part, 32 * i, 0);
		packet.header.stream_id = i;
		packet_bytes(&packet, (u32[]){ (32 * i + 1) << LTT_ID_BITS }, 4);
		packet_append(&packet, &part, name, 32 * i + 2);
	}
	trace = open_trace(0, part.dir, NULL);
	CU_ASSERT(ltttrace_nr_events(trace) == 256 && ltttrace_nr_streams(trace) == 256);
	CU_ASSERT_STRING_EQUAL(ltttrace_stream(trace, 255)->channel, "c255");
	SAME(" c254@8129 c255@8161", merged_text(trace, 254 * 32));
	ltttrace_close(trace);
	end_folder();
}

static void events_up_to_65535(void)
{
	struct ltttrace *trace;
	char name[16];
	u32 i;

	begin_folder();
	part_begin_bare(&part, "t", 1, 1000000000);
	ltt_ctf_put_stream(&part.ctf, EVENTS, "events", some_fields, 1);
	for (i = 0; i < 65536; i += i < 65000 ? 50 : 1) {
		sprintf(name, "e%u", i);
		ltt_ctf_put_event(&part.ctf, EVENTS, i, NULL, name, NULL, 0);
	}
	packet_begin(&packet, &part, 10, 0);
	for (i = 65530; i < 65536; i++)
		packet_record(&packet, i, i, NULL, 0);
	packet_record(&packet, 65535, 1ULL << 40, NULL, 0);
	packet_append(&packet, &part, "events_0", 1ULL << 40);
	trace = open_trace(0, part.dir, NULL);
	SAME(" e65530@65530 e65531@65531 e65532@65532 e65533@65533 e65534@65534 e65535@65535 e65535@1099511627776",
	     merged_text(trace, ALL));
	ltttrace_close(trace);
	end_folder();
}

static int try_fields(unsigned int nr, enum ltt_field_kind kind)
{
	static struct ltt_field fields[1100];
	static char names[1100][8];
	unsigned int i;
	int err;

	begin_folder();
	part_begin(&part, "t", 1);
	for (i = 0; i < nr; i++) {
		sprintf(names[i], "f%u", i);
		fields[i] = (struct ltt_field){ .name = names[i], .kind = kind, .size = 1, .base = 10 };
	}
	ltt_ctf_put_event(&part.ctf, EVENTS, 9, NULL, "many", fields, nr);
	memset(packet.bytes, 0, sizeof(packet.bytes));
	packet_begin(&packet, &part, 10, 0);
	packet_record(&packet, 9, 11, text, 0);
	packet.at += nr;
	packet_append(&packet, &part, "events_0", 20);
	err = try_open(part.dir);
	if (!err)
		SAME(" many@11", text_of(part.dir));
	end_folder();
	return err;
}

static void fields_up_to_1024(void)
{
	CU_ASSERT_EQUAL(try_fields(1024, LTT_FIELD_INT), 0);
	CU_ASSERT_EQUAL(try_fields(1024, LTT_FIELD_STRING), 0);
	CU_ASSERT_EQUAL(try_fields(1025, LTT_FIELD_INT), -ENOTSUP);
}

/* 1024 arrays of the greatest length are more than a record can have. */
static void fields_that_are_too_large(void)
{
	static struct ltt_field fields[1024];
	size_t i;

	begin_folder();
	part_begin(&part, "t", 1);
	for (i = 0; i < COUNT(fields); i++)
		fields[i] = (struct ltt_field){ .name = "x", .kind = LTT_FIELD_ARRAY, .size = 8, .base = 10, .count = 1 << 20 };
	ltt_ctf_put_event(&part.ctf, EVENTS, 9, NULL, "large", fields, 31);
	CU_ASSERT_EQUAL(try_open(part.dir), 0);
	ltt_ctf_put_event(&part.ctf, EVENTS, 10, NULL, "larger", fields, COUNT(fields));
	CU_ASSERT_EQUAL(try_open(part.dir), -EBADMSG);
	end_folder();
}

/* Else a short text could have labels that take all memory: their number times that of the events. */
static void events_share_the_labels_of_their_channel(void)
{
	static const struct ltt_field labelled = {
		.name = "state", .kind = LTT_FIELD_INT, .size = 4, .base = 10, .labels = "idle=0, gone=1}",
	};
	struct ltttrace *trace;

	begin_folder();
	part_begin_bare(&part, "t", 1, 1000000000);
	ltt_ctf_put_stream(&part.ctf, EVENTS, "events", &labelled, 1);
	ltt_ctf_put_event(&part.ctf, EVENTS, 1, NULL, "a", some_fields, 1);
	ltt_ctf_put_event(&part.ctf, EVENTS, 2, NULL, "b", some_fields, 1);
	trace = open_trace(0, part.dir, NULL);
	CU_ASSERT_FATAL(ltttrace_nr_events(trace) == 2 && ltttrace_event(trace, 0)->nr_fields == 2);
	CU_ASSERT_PTR_EQUAL(ltttrace_event(trace, 0)->fields[0].labels, ltttrace_event(trace, 1)->fields[0].labels);
	CU_ASSERT_STRING_EQUAL(ltttrace_label(&ltttrace_event(trace, 1)->fields[0], 1), "gone");
	ltttrace_close(trace);
	end_folder();
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(metadata_cut_at_every_byte),
		UNIT_TEST(metadata_that_grows_byte_by_byte),
		UNIT_TEST(metadata_with_every_byte_changed),
		UNIT_TEST(garbage),
		UNIT_TEST(values_of_the_environment),
		UNIT_TEST(layouts_of_others),
		UNIT_TEST(errors_name_the_line),
		UNIT_TEST(events_described_twice_count_once),
		UNIT_TEST(texts_with_quotes_and_backslashes),
		UNIT_TEST(channels_up_to_255),
		UNIT_TEST(events_up_to_65535),
		UNIT_TEST(fields_up_to_1024),
		UNIT_TEST(fields_that_are_too_large),
		UNIT_TEST(events_share_the_labels_of_their_channel),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
