// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A trace made by core/ alone, metadata and packets, is what babeltrace2 reads:
 * every kind of field, every kind of event header, without a message.
 *
 * The records are written to a ring as anywhere else, the packets read from it
 * and put in a file as they are, up to the end of the page.
 */
#include "ring-fixture.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "write-record.h"

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))
#define TEXT_MAX	(256 * 1024)

static const u8 trace_uuid[16] = {
	0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76, 0x87,
	0x98, 0xa9, 0xba, 0xcb, 0xdc, 0xed, 0xfe, 0x0f,
};
static const u8 clock_uuid[16] = { 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };


/* ---- The trace on disk ---- */

static char dir[64], metadata_path[96], stream_path[96], errors_path[96];
static struct ring_fixture fx;
static struct ltt_ctf ctf;

static int write_file(void *priv, const char *text, size_t len)
{
	return fwrite(text, 1, len, priv) == len ? 0 : -1;
}

static void put_trace(const char *const (*env)[2], u32 nr_env)
{
	const struct ltt_ctf_trace trace = {
		.uuid = trace_uuid,
		.clock_name = "ltt_clock",
		.clock_description = "a \"test\" clock",
		.clock_uuid = clock_uuid,
		.freq = 1000000000,
		.offset_s = 1600000000,
		.offset = 250000000,
		.env = env,
		.nr_env = nr_env,
	};

	ltt_ctf_put_trace(&ctf, &trace);
}

/* A new trace: metadata, to which events can be added, and an empty ring. */
static void start_trace(const char *const (*env)[2], u32 nr_env)
{
	strcpy(dir, "/tmp/ltt-test-ctf-XXXXXX");
	if (!mkdtemp(dir))
		abort();
	snprintf(metadata_path, sizeof(metadata_path), "%s/metadata", dir);
	snprintf(stream_path, sizeof(stream_path), "%s/events_%u", dir, FX_CPU);
	/* Beside it: babeltrace2 would take it for a stream. */
	snprintf(errors_path, sizeof(errors_path), "%s.errors", dir);

	memset(&ctf, 0, sizeof(ctf));
	ctf.write = write_file;
	ctf.priv = fopen(metadata_path, "w");
	put_trace(env, nr_env);
	/* One without events or data; then ours. */
	ltt_ctf_put_stream(&ctf, 0, "state");
	ltt_ctf_put_stream(&ctf, FX_STREAM, "events");
	fx_init(&fx, &(struct fx_config){ .sb_order = 12, .nr_order = 4 });
	fx.step = 0;
}

/* Packets go to disk as they lie in memory, up to the end of the page. */
static void finish_trace(void)
{
	FILE *file = fopen(stream_path, "w");
	u32 i;

	CU_ASSERT_EQUAL(ctf.err, 0);
	fclose(ctf.priv);
	do {
		for (; ltt_ring_get(&fx.ring); ltt_ring_put(&fx.ring))
			for (i = 0; i < fx.ring.read_content; i += LTT_PAGE_SIZE)
				fwrite(fx.ring.page[fx.ring.read_base + i / LTT_PAGE_SIZE], 1,
				       LTT_PAGE_SIZE, file);
	} while (ltt_ring_flush(&fx.ring, true));
	fclose(file);
	fx_free(&fx);
}

static void remove_trace(void)
{
	unlink(metadata_path);
	unlink(stream_path);
	unlink(errors_path);
	rmdir(dir);
}

/* ---- babeltrace2 ---- */

static char output[TEXT_MAX], errors[TEXT_MAX], expected[TEXT_MAX];
static size_t expected_len;

static void read_text(FILE *file, char *text)
{
	text[file ? fread(text, 1, TEXT_MAX - 1, file) : 0] = 0;
}

/* Read the trace into @output and @errors; print the latter if there should be none. */
static void babeltrace(const char *options, bool quiet)
{
	char command[256];
	FILE *file;

	snprintf(command, sizeof(command), "babeltrace2 %s %s 2>%s", options, dir, errors_path);
	file = popen(command, "r");
	read_text(file, output);
	CU_ASSERT_EQUAL(pclose(file), 0);
	file = fopen(errors_path, "r");
	read_text(file, errors);
	fclose(file);
	CU_ASSERT(!quiet || !*errors);
	if (quiet && *errors)
		printf("# babeltrace2: %.400s\n", errors);
}

__attribute__((format(printf, 1, 2)))
static void expect(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	expected_len += vsnprintf(expected + expected_len, TEXT_MAX - expected_len, format, args);
	va_end(args);
}

/* The output is what was expected since the last time; say where it is not. */
static void check_output(void)
{
	size_t i = 0, line = 0;

	for (; output[i] && output[i] == expected[i]; i++)
		if (output[i] == '\n')
			line = i + 1;
	if (output[i] != expected[i])
		printf("# got  %.*s\n# want %.*s\n", (int)strcspn(output + line, "\n"),
		       output + line, (int)strcspn(expected + line, "\n"), expected + line);
	CU_ASSERT(output[i] == expected[i]);
	expected_len = 0;
	expected[0] = 0;
}

static bool is_missing(void)
{
	if (!system("command -v babeltrace2 >/dev/null"))
		return false;
	printf("# skipped: babeltrace2 is not installed\n");
	return true;
}

/* ---- Payloads ---- */

static u8 payload[4096];
static u32 payload_len;

static void pack(const void *bytes, size_t len)
{
	memcpy(payload + payload_len, bytes, len);
	payload_len += len;
}

/* The low bytes of a number of this machine's byte order. */
static void pack_int(u64 value, u32 size)
{
	const u8 *bytes = (const u8 *)&value;

	pack(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? bytes : bytes + 8 - size, size);
}

static void emit(u32 id, u32 tid)
{
	fx.now++;
	CU_ASSERT_EQUAL(write_record(&fx.ring, id, tid, payload, payload_len), 0);
	payload_len = 0;
	expect("[%020llu]", (unsigned long long)fx.now);
}

/* What pretty-printing makes of the low @size bytes of @value. */
static void expect_int(u64 value, u32 size, bool is_signed, u32 base)
{
	u64 low = size == 8 ? value : value & ((1ULL << (size * 8)) - 1);
	u32 shift = 64 - size * 8;
	s64 extended = (s64)(low << shift) >> shift;

	if (base == 16)
		expect("0x%llX", (unsigned long long)low);
	else if (base == 8 && is_signed && size < 8)
		/* Of negative ones it shows whole digits. */
		expect("0%llo", extended & ((1ULL << (size * 8 / 3 * 3 + 3)) - 1));
	else if (base == 8)
		expect("0%llo", (unsigned long long)low);
	else if (is_signed)
		expect("%lld", (long long)extended);
	else
		expect("%llu", (unsigned long long)low);
}

/* ---- Tests ---- */

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
		expect(" bare: { cpu_id = 5 }, { tid = -1 }, { s = \"%s\", t = \"%s\", u = \"%s\", end = \"%s\" }\n",
		       rows[i].s, t, u, rows[i].end);
	}
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
	/* What comes after a sequence is where it ends. */
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
		"void", "id", "_underscore", "x_length",
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
	/* Its length goes by the name that another field nearly has. */
	fields[COUNT(words) - 2].name = "x";
	fields[COUNT(words) - 2].kind = LTT_FIELD_SEQUENCE;
	ltt_ctf_put_event(&ctf, FX_STREAM, 0, NULL, "event", fields, COUNT(words));
	ltt_ctf_put_event(&ctf, FX_STREAM, 1, "stream", "struct", NULL, 0);
	for (i = 0; i < COUNT(words); i++)
		pack_int(i == COUNT(words) - 2 ? 0 : i, i == COUNT(words) - 2 ? 2 : 1);
	emit(0, 1);
	expect(" event: { cpu_id = 5 }, { tid = 1 }, {");
	for (i = 0; i < COUNT(words); i++)
		if (i == COUNT(words) - 2)
			expect(", _x_length = 0, x = [ ]");
		else
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
		ltt_record_write_slow(&fx.ring, 0, 1, payload, LTT_PAGE_SIZE);
	finish_trace();
	babeltrace("", false);
	said = strstr(errors, "WARNING: Tracer discarded 7 events");
	CU_ASSERT(said == errors);
	CU_ASSERT(said && !strstr(said + 1, "WARNING"));
	expected_len = 0;
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
		/* No TSDL numbers: octal, too large. */
		{ "leading_zero", "08" },
		{ "zeros", "0010" },
		{ "large", "99999999999999999999999" },
	};
	static const char *const shown[COUNT(env)] = {
		[5] = "a \"b\" \\c\\", [6] = "abc",
	};
	char line[100];
	u32 i;

	if (is_missing())
		return;
	start_trace(env, COUNT(env));
	ltt_ctf_put_event(&ctf, FX_STREAM, 0, NULL, "e", NULL, 0);
	emit(0, 1);
	finish_trace();
	babeltrace("-c sink.text.details", true);
	for (i = 0; i < COUNT(env); i++) {
		snprintf(line, sizeof(line), "      %s: %s\n", env[i][0],
			 shown[i] ? shown[i] : env[i][1]);
		if (!strstr(output, line))
			printf("# row %u: not found:%s", i, line);
		CU_ASSERT(strstr(output, line) != NULL);
	}
	CU_ASSERT(strstr(output, "Description: a \"test\" clock\n") != NULL);
	CU_ASSERT(strstr(output, "UUID: ff010203-0405-0607-0809-0a0b0c0d0e0f\n") != NULL);
	CU_ASSERT(strstr(output, "UUID: 10213243-5465-7687-98a9-bacbdcedfe0f\n") != NULL);
	expected_len = 0;
	remove_trace();
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
		ltt_ctf_put_stream(&ctf, 1, "c");
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
		UNIT_TEST(arrays_and_sequences),
		UNIT_TEST(event_headers),
		UNIT_TEST(reserved_words),
		UNIT_TEST(wall_clock),
		UNIT_TEST(discarded_events),
		UNIT_TEST(environment),
		UNIT_TEST(first_error_is_kept),
		{ 0 }
	};

	return unit_main(argv[0], tests);
}
