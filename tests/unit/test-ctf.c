// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The metadata of core/ctf.c describes a trace as babeltrace2 reads it: every kind of
 * field, every kind of event header, the clock, the environment, and without a
 * message.
 */
#include "ctf-trace.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

/* L27: every width, sign and base, at the ends of their ranges too. */
static void integers(void)
{
	static const u64 values[] = {
		0, 1, 8, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000,
		0x7fffffffffffffff, 0x8000000000000000, ~0ULL, 0xf1e2d3c4b5a69788,
	};
	static char names[24][8];
	struct ltt_field fields[24];
	u32 i, j;

	if (is_missing())
		return;
	start_trace(NULL, 0);
	for (i = 0; i < COUNT(fields); i++) {
		snprintf(names[i], sizeof(names[i]), "f%u", i);
		fields[i] = (struct ltt_field){
			.name = names[i],
			.kind = LTT_FIELD_INT,
			.size = 1 << (i & 3),
			.is_signed = i >> 2 & 1,
			.base = (const u8[]){ 10, 8, 16 }[i >> 3],
		};
	}
	ltt_ctf_put_event(&ctf, FX_STREAM, 4, "group", "name-1.x", fields, COUNT(fields));
	for (i = 0; i < COUNT(values); i++) {
		for (j = 0; j < COUNT(fields); j++)
			pack_int(values[i], fields[j].size);
		emit(4, 1000 + i);
		expect(" group:name-1.x: { cpu_id = 5 }, { tid = %u }, {", 1000 + i);
		for (j = 0; j < COUNT(fields); j++) {
			expect("%s %s = ", j ? "," : "", names[j]);
			expect_int(values[i], fields[j].size, fields[j].is_signed, fields[j].base);
		}
		expect(" }\n");
	}
	finish_trace();
	babeltrace("--no-delta --clock-cycles", true);
	check_output();
	remove_trace();
}

static void strings_and_texts(void)
{
	static const struct ltt_field fields[] = {
		{ .name = "s", .kind = LTT_FIELD_STRING, .size = 1, .base = 10 },
		{ .name = "t", .kind = LTT_FIELD_TEXT, .size = 1, .base = 10, .count = 6 },
		/* As a char array is described where char is signed. */
		{ .name = "u", .kind = LTT_FIELD_TEXT, .size = 1, .base = 10, .count = 1,
		  .is_signed = true },
		{ .name = "end", .kind = LTT_FIELD_STRING, .size = 1, .base = 10 },
	};
	static const struct {
		const char *s;
		const char *t;	/* as long as its array, or shorter */
		const char *u;
		const char *end;
	} rows[] = {
		{ "", "", "", "" },
		{ "one", "two", "3", "four" },
		{ "/a path/with spaces", "123456", "x", "gr\303\274n" },
	};
	u32 i;

	if (is_missing())
		return;
	start_trace(NULL, 0);
	ltt_ctf_put_event(&ctf, FX_STREAM, 1, NULL, "bare", fields, COUNT(fields));
	for (i = 0; i < COUNT(rows); i++) {
		char t[7] = "", u[2] = "";

		strcpy(t, rows[i].t);
		strcpy(u, rows[i].u);
		pack(rows[i].s, strlen(rows[i].s) + 1);
		pack(t, 6);
		pack(u, 1);
		pack(rows[i].end, strlen(rows[i].end) + 1);
		emit(1, -1);
		expect(" bare: { cpu_id = 5 }, { tid = -1 }, { s = \"%s\", t = \"%s\", ",
		       rows[i].s, t);
		expect("u = \"%s\", end = \"%s\" }\n", u, rows[i].end);
	}
	finish_trace();
	babeltrace("--no-delta --clock-cycles", true);
	check_output();
	remove_trace();
}

static void real_numbers_and_labels(void)
{
	static const struct ltt_field fields[] = {
		{ .name = "f", .kind = LTT_FIELD_FLOAT, .size = 4, .base = 10 },
		{ .name = "d", .kind = LTT_FIELD_FLOAT, .size = 8, .base = 10 },
		{ .name = "state", .kind = LTT_FIELD_INT, .size = 2, .is_signed = true, .base = 10,
		  .labels = "idle=0, bad = -32768,max=0x7fff}" },
		{ .name = "flags", .kind = LTT_FIELD_INT, .size = 8, .base = 16,
		  .labels = "all=0xffffffffffffffff}" },
	};
	const float f = -1.5;
	const double d = 0.25;

	if (is_missing())
		return;
	start_trace(NULL, 0);
	ltt_ctf_put_event(&ctf, FX_STREAM, 1, NULL, "e", fields, COUNT(fields));
	pack(&f, sizeof(f));
	pack(&d, sizeof(d));
	pack_int(-32768, 2);
	pack_int(~0ULL, 8);
	emit(1, 3);
	expect(" e: { cpu_id = 5 }, { tid = 3 }, { f = -1.5, d = 0.25, "
	       "state = ( \"bad\" : container = -32768 ), "
	       "flags = ( \"all\" : container = 0xFFFFFFFFFFFFFFFF ) }\n");
	pack(&f, sizeof(f));
	pack(&d, sizeof(d));
	pack_int(1, 2);
	pack_int(1, 8);
	emit(1, 3);
	expect(" e: { cpu_id = 5 }, { tid = 3 }, { f = -1.5, d = 0.25, "
	       "state = ( <unknown> : container = 1 ), flags = ( <unknown> : container = 0x1 ) }\n");
	finish_trace();
	babeltrace("--no-delta --clock-cycles", true);
	check_output();
	remove_trace();
}

/* Elements of every width and sign; @n of them. */
static void put_elements(const struct ltt_field *field, u32 n)
{
	u32 i;

	if (field->kind == LTT_FIELD_SEQUENCE) {
		pack_int(n, 2);
		expect(" _%s_length = %u,", field->name, n);
	}
	expect(" %s = [", field->name);
	for (i = 0; i < n; i++) {
		u64 value = 0xf1e2d3c4b5a69788 * (i + 1);

		pack_int(value, field->size);
		expect("%s [%u] = ", i ? "," : "", i);
		expect_int(value, field->size, field->is_signed, field->base);
	}
	expect(" ]");
}

static void arrays_and_sequences(void)
{
	static const u32 lengths[] = { 0, 1, 2, 100 };
	static char names[17][8];
	struct ltt_field fields[17];
	u32 i, j;

	if (is_missing())
		return;
	start_trace(NULL, 0);
	for (i = 0; i < COUNT(fields); i++) {
		bool array = i < 8;

		snprintf(names[i], sizeof(names[i]), "%s%u", array ? "a" : "s", i);
		fields[i] = (struct ltt_field){
			.name = names[i],
			.kind = array ? LTT_FIELD_ARRAY : LTT_FIELD_SEQUENCE,
			.count = array ? 1 + i : 0,
			.size = 1 << (i & 3),
			.is_signed = i >> 2 & 1,
			.base = i & 1 ? 16 : 10,
		};
	}
	/* The next field begins where a sequence ends. */
	fields[16] = (struct ltt_field){
		.name = "last", .kind = LTT_FIELD_INT, .size = 4, .base = 10,
	};
	ltt_ctf_put_event(&ctf, FX_STREAM, 300, "g", "many", fields, COUNT(fields));
	for (i = 0; i < COUNT(lengths); i++) {
		char line[TEXT_MAX / 4];
		size_t begin = expected_len;

		for (j = 0; j < 16; j++) {
			put_elements(&fields[j], j < 8 ? fields[j].count : lengths[i]);
			expect(",");
		}
		pack_int(4000000000U, 4);
		/* The time, which is only known now, comes first. */
		strcpy(line, expected + begin);
		expected_len = begin;
		emit(300, 1);
		expect(" g:many: { cpu_id = 5 }, { tid = 1 }, {%s last = 4000000000 }\n", line);
	}
	finish_trace();
	babeltrace("--no-delta --clock-cycles", true);
	check_output();
	remove_trace();
}

/* Each kind of event header, in several packets, with silence before some. */
static void event_headers(void)
{
	static const u32 ids[] = { 0, 1, 29, 30, 31, 32, 255, 256, 65535 };
	static const struct ltt_field serial = {
		.name = "serial", .kind = LTT_FIELD_INT, .size = 4, .base = 10,
	};
	u32 i;

	if (is_missing())
		return;
	start_trace(NULL, 0);
	for (i = 0; i < COUNT(ids); i++) {
		char name[16];

		snprintf(name, sizeof(name), "id%u", ids[i]);
		ltt_ctf_put_event(&ctf, FX_STREAM, ids[i], NULL, name, &serial, 1);
	}
	for (i = 0; i < 1000; i++) {
		u32 id = ids[i % COUNT(ids)];

		if (i % 37 == 0)
			fx.now += 1 << 27;
		if (i % 100 == 0)
			fx.now += 1ULL << 36;
		pack_int(i, 4);
		emit(id, i);
		expect(" id%u: { cpu_id = 5 }, { tid = %u }, { serial = %u }\n", id, i, i);
	}
	finish_trace();
	babeltrace("--no-delta --clock-cycles", true);
	check_output();
	remove_trace();
}

/* Field names that mean something in TSDL, and an event without fields. */
static void reserved_words(void)
{
	static const char *const words[] = {
		"align", "callsite", "const", "char", "clock", "double", "enum", "env", "event",
		"floating_point", "float", "integer", "int", "long", "short", "signed", "stream",
		"string", "struct", "trace", "typealias", "typedef", "unsigned", "variant",
		"void", "id", "_underscore",
	};
	struct ltt_field fields[COUNT(words)];
	u32 i;

	if (is_missing())
		return;
	start_trace(NULL, 0);
	for (i = 0; i < COUNT(words); i++)
		fields[i] = (struct ltt_field){
			.name = words[i], .kind = LTT_FIELD_INT, .size = 1, .base = 10,
		};
	ltt_ctf_put_event(&ctf, FX_STREAM, 0, NULL, "event", fields, COUNT(words));
	ltt_ctf_put_event(&ctf, FX_STREAM, 1, "stream", "struct", NULL, 0);
	for (i = 0; i < COUNT(words); i++)
		pack_int(i, 1);
	emit(0, 1);
	expect(" event: { cpu_id = 5 }, { tid = 1 }, {");
	for (i = 0; i < COUNT(words); i++)
		expect("%s %s = %u", i ? "," : "", words[i], i);
	expect(" }\n");
	emit(1, 2);
	expect(" stream:struct: { cpu_id = 5 }, { tid = 2 }, { }\n");
	finish_trace();
	babeltrace("--no-delta --clock-cycles", true);
	check_output();
	remove_trace();
}

/* The clock's frequency and offset, in seconds since the epoch. */
static void wall_clock(void)
{
	if (is_missing())
		return;
	start_trace(NULL, 0);
	ltt_ctf_put_event(&ctf, FX_STREAM, 0, NULL, "e", NULL, 0);
	fx.now = 3000000005;
	emit(0, 1);
	expected_len = 0;
	expect("[1600000003.250000006] e: { cpu_id = 5 }, { tid = 1 }, { }\n");
	finish_trace();
	babeltrace("--no-delta --clock-seconds", true);
	check_output();
	remove_trace();
}

/* Refused records are the only thing that babeltrace2 has to say. */
static void discarded_events(void)
{
	const char *said;
	u32 i;

	if (is_missing())
		return;
	start_trace(NULL, 0);
	ltt_ctf_put_event(&ctf, FX_STREAM, 0, NULL, "e", NULL, 0);
	emit(0, 1);
	ltt_ring_flush(&fx.ring, false);
	for (i = 0; i < 7; i++)
		ltt_record_write_slow(&fx.ring, 0, 1, "", LTT_PAGE_SIZE);
	finish_trace();
	babeltrace("", false);
	said = strstr(errors, "WARNING: Tracer discarded 7 events");
	CU_ASSERT(said == errors);
	CU_ASSERT(said && !strstr(said + 1, "WARNING"));
	expected_len = 0;
	remove_trace();
}

static void check_shown(const char *name, const char *value)
{
	char line[100];

	snprintf(line, sizeof(line), "      %s: %s\n", name, value);
	if (!strstr(output, line))
		printf("# not found:%s", line);
	CU_ASSERT(strstr(output, line) != NULL);
}

/* An event has its contexts between those of the channel and the payload; another of the same
 * name has none. */
static void contexts_of_an_event(void)
{
	static const struct ltt_field context[] = {
		{ .name = "pid", .kind = LTT_FIELD_INT, .size = 4, .base = 10 },
		{ .name = "comm", .kind = LTT_FIELD_TEXT, .size = 1, .count = 4, .base = 10 },
	};
	static const struct ltt_field field = {
		.name = "a", .kind = LTT_FIELD_INT, .size = 1, .base = 10,
	};

	if (is_missing())
		return;
	start_trace(NULL, 0);
	ltt_ctf_put_event_with(&ctf, FX_STREAM, 0, "g", "n", context, 2, &field, 1);
	ltt_ctf_put_event(&ctf, FX_STREAM, 1, "g", "n", &field, 1);
	pack_int(77, 4);
	pack_int(0x00636261, 4);
	pack_int(5, 1);
	emit(0, 9);
	expect(" g:n: { cpu_id = 5 }, { tid = 9 }, { pid = 77, comm = \"abc\" }, { a = 5 }\n");
	pack_int(6, 1);
	emit(1, 9);
	expect(" g:n: { cpu_id = 5 }, { tid = 9 }, { a = 6 }\n");
	finish_trace();
	babeltrace("--no-delta --clock-cycles", true);
	check_output();
	remove_trace();
}

/* Values are what was put in, numbers as numbers where they can be. */
static void environment(void)
{
	static const char *const env[][2] = {
		{ "hostname", "box" },
		{ "domain", "kernel" },
		{ "tracer_major", "12" },
		{ "zero", "0" },
		{ "empty", "" },
		{ "quoted", "a \"b\" \\c\\" },
		{ "control", "a\tb\nc" },
		{ "number_first", "6.1.0-56-amd64" },
		{ "negative", "-1" },
	};
	u32 i;

	if (is_missing())
		return;
	start_trace(env, COUNT(env));
	ltt_ctf_put_event(&ctf, FX_STREAM, 0, NULL, "e", NULL, 0);
	emit(0, 1);
	finish_trace();
	babeltrace("-c sink.text.details", true);
	for (i = 0; i < COUNT(env); i++)
		check_shown(env[i][0], i == 6 ? "abc" : env[i][1]);
	CU_ASSERT(strstr(output, "Description: a \"test\" clock\n") != NULL);
	CU_ASSERT(strstr(output, "UUID: ff010203-0405-0607-0809-0a0b0c0d0e0f\n") != NULL);
	CU_ASSERT(strstr(output, "UUID: 10213243-5465-7687-98a9-bacbdcedfe0f\n") != NULL);
	expected_len = 0;
	remove_trace();
}

/* A host or a trace may be called so; as TSDL numbers they are octal, or none. */
static void environment_of_digits(void)
{
	static const char *const values[] = { "08", "0010", "00", "99999999999999999999999" };
	u32 i;

	for (i = 0; i < COUNT(values) && !is_missing(); i++) {
		const char *const env[][2] = { { "hostname", values[i] } };

		start_trace(env, 1);
		ltt_ctf_put_event(&ctf, FX_STREAM, 0, NULL, "e", NULL, 0);
		emit(0, 1);
		finish_trace();
		babeltrace("-c sink.text.details", true);
		check_shown("hostname", values[i]);
		expected_len = 0;
		remove_trace();
	}
}

/* ---- Without babeltrace2 ---- */

static u32 calls_left;

static int fail_after(void *priv, const char *text, size_t len)
{
	/* After an error nothing more comes. */
	CU_ASSERT(calls_left > 0);
	return --calls_left ? 0 : -12;
}

static void first_error_is_kept(void)
{
	static const struct ltt_field field = {
		.name = "f", .kind = LTT_FIELD_SEQUENCE, .size = 4, .base = 16,
	};
	u32 i;

	for (i = 1; i < 150; i++) {
		calls_left = i;
		memset(&ctf, 0, sizeof(ctf));
		ctf.write = fail_after;
		put_trace(NULL, 0);
		ltt_ctf_put_stream(&ctf, 1, "c", NULL, 0);
		ltt_ctf_put_event(&ctf, 1, 1, "g", "n", &field, 1);
		CU_ASSERT_EQUAL(ctf.err, calls_left ? 0 : -12);
		if (!ctf.err)
			break;
	}
	/* The last round had no error. */
	CU_ASSERT(i > 60 && i < 150);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(integers),
		UNIT_TEST(strings_and_texts),
		UNIT_TEST(contexts_of_an_event),
		UNIT_TEST(real_numbers_and_labels),
		UNIT_TEST(arrays_and_sequences),
		UNIT_TEST(event_headers),
		UNIT_TEST(reserved_words),
		UNIT_TEST(wall_clock),
		UNIT_TEST(discarded_events),
		UNIT_TEST(environment),
		UNIT_TEST(environment_of_digits),
		UNIT_TEST(first_error_is_kept),
		{ 0 }
	};

	return unit_main(argv[0], tests);
}
