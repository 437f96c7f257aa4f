// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Traces made by core/ alone, for babeltrace2; see ctf-trace.h.
 */
#include "ctf-trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ring-reader.h"
#include "write-record.h"

/* ---- The trace on disk ---- */

static const u8 clock_uuid[16] = { 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

static char dir[256], metadata_path[300], stream_path[300], errors_path[300];
struct ring_fixture fx;
struct ltt_ctf ctf;

static int write_file(void *priv, const char *text, size_t len)
{
	return fwrite(text, 1, len, priv) == len ? 0 : -1;
}

void put_trace(const char *const (*env)[2], u32 nr_env)
{
	const struct ltt_ctf_trace trace = {
		.uuid = fx_uuid,
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
void start_trace(const char *const (*env)[2], u32 nr_env)
{
	static const struct ltt_field tid = {
		.name = "tid", .kind = LTT_FIELD_INT, .size = 4, .is_signed = true, .base = 10,
	};
	const char *keep = getenv("LTT_KEEP_TRACES");

	snprintf(dir, sizeof(dir), "%s/ltt-test-ctf-XXXXXX", keep ? keep : "/tmp");
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
	ltt_ctf_put_stream(&ctf, 0, "state", &tid, 1);
	ltt_ctf_put_stream(&ctf, FX_STREAM, "events", &tid, 1);
	fx_init(&fx, &(struct fx_config){ .sb_order = 12, .nr_order = 4 });
	fx.step = 0;
}

/* Packets go to disk as they lie in memory, up to the end of the page. */
void finish_trace(void)
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

void remove_trace(void)
{
	unlink(errors_path);
	if (getenv("LTT_KEEP_TRACES"))
		return;
	unlink(metadata_path);
	unlink(stream_path);
	rmdir(dir);
}

/* ---- babeltrace2 ---- */

char output[TEXT_MAX], errors[TEXT_MAX], expected[TEXT_MAX];
size_t expected_len;

static void read_text(FILE *file, char *text)
{
	text[file ? fread(text, 1, TEXT_MAX - 1, file) : 0] = 0;
}

/* Read the trace into @output and @errors; print the latter if there should be none. */
void babeltrace(const char *options, bool quiet)
{
	char command[700];
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
		printf("# babeltrace2: %.*s\n", (int)strcspn(errors, "\n"), errors);
}

void expect(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	expected_len += vsnprintf(expected + expected_len, TEXT_MAX - expected_len, format, args);
	va_end(args);
}

/* The output is what was expected since the last time; say where it is not. */
void check_output(void)
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

bool is_missing(void)
{
	if (!system("command -v babeltrace2 >/dev/null"))
		return false;
	printf("# skipped: babeltrace2 is not installed\n");
	return true;
}

/* ---- Payloads ---- */

static u8 payload[4096];
static u32 payload_len;

void pack(const void *bytes, size_t len)
{
	memcpy(payload + payload_len, bytes, len);
	payload_len += len;
}

/* The low bytes of a number of this machine's byte order. */
void pack_int(u64 value, u32 size)
{
	const u8 *bytes = (const u8 *)&value;

	pack(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? bytes : bytes + 8 - size, size);
}

void emit(u32 id, u32 tid)
{
	fx.now++;
	CU_ASSERT_EQUAL(write_record(&fx.ring, id, tid, payload, payload_len), 0);
	payload_len = 0;
	expect("[%020llu]", (unsigned long long)fx.now);
}

/* The pretty-printed form of the low @size bytes of @value. */
void expect_int(u64 value, u32 size, bool is_signed, u32 base)
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
