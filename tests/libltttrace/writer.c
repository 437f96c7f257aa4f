// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Recordings for the tests of libltttrace; see writer.h.
 */
#include "writer.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "../unit/unit.h"

#define MUST(what) do { if (!(what)) { perror(#what); abort(); } } while (0)

static char folder[64];

const char *begin_folder(void)
{
	strcpy(folder, "/tmp/ltt-ltttrace-XXXXXX");
	MUST(mkdtemp(folder));
	return folder;
}

void shell(const char *format, ...)
{
	char command[2048];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	MUST(!system(command));
}

void remove_all(const char *path)
{
	shell("rm -rf '%s'", path);
}

void end_folder(void)
{
	remove_all(folder);
}

const char *at(const char *format, ...)
{
	static char paths[16][1024];
	static unsigned int next;
	char *path = paths[next++ % COUNT(paths)];
	size_t len = snprintf(path, sizeof(paths[0]), "%s/", folder);
	va_list args;

	va_start(args, format);
	vsnprintf(path + len, sizeof(paths[0]) - len, format, args);
	va_end(args);
	return path;
}

void append(const char *path, const void *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);

	MUST(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	close(fd);
}

void overwrite(const char *path, size_t offset, const void *bytes, size_t len)
{
	int fd = open(path, O_WRONLY);

	MUST(fd >= 0 && pwrite(fd, bytes, len, offset) == (ssize_t)len);
	close(fd);
}

static void *load(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY);
	struct stat stat;
	void *bytes;

	MUST(fd >= 0 && !fstat(fd, &stat));
	bytes = malloc(stat.st_size + 1);
	MUST(bytes && read(fd, bytes, stat.st_size) == stat.st_size);
	close(fd);
	*len = stat.st_size;
	return bytes;
}

void compress(const char *path)
{
	size_t len, offset, size, frame_room = ZSTD_compressBound(PACKET_ROOM), bytes;
	u8 *file = load(path, &len), *frame = malloc(frame_room);
	const char *to = at("compressed.tmp");
	struct ltt_ctf_packet header;

	for (offset = 0; offset < len; offset += size) {
		memcpy(&header, file + offset, sizeof(header));
		size = header.packet_size / 8;
		bytes = ZSTD_compress(frame, frame_room, file + offset, size, 1);
		MUST(!ZSTD_isError(bytes));
		append(to, frame, bytes);
	}
	free(file);
	free(frame);
	shell("mv '%s' '%s.zst' && rm '%s'", to, path, path);
}

/* --- Parts ------------------------------------------------------------------- */

static int write_metadata(void *priv, const char *text, size_t len)
{
	struct part_out *part = priv;
	char path[600];

	snprintf(path, sizeof(path), "%s/metadata", part->dir);
	append(path, text, len);
	return 0;
}

void part_begin_bare(struct part_out *part, const char *name, u8 uuid, u64 freq)
{
	static const char *const env[][2] = {
		{ "hostname", "box \"1\"" }, { "tracer_name", "lttng-modules" }, { "tracer_major", "2" },
	};
	static const u8 clock_uuid[16] = { 1, 2, 3 };
	const struct ltt_ctf_trace trace = {
		.uuid = part->uuid, .clock_name = "clock", .clock_description = "a clock", .clock_uuid = clock_uuid,
		.freq = freq, .offset_s = BASE_NS / 1000000000, .env = env, .nr_env = COUNT(env),
	};

	*part = (struct part_out){ .ctf = { .write = write_metadata, .priv = part } };
	memset(part->uuid, uuid, sizeof(part->uuid));
	snprintf(part->dir, sizeof(part->dir), "%s", at("%s", name));
	shell("mkdir -p '%s'", part->dir);
	ltt_ctf_put_trace(&part->ctf, &trace);
}

static const struct ltt_field tid = { .name = "tid", .kind = LTT_FIELD_INT, .size = 4, .is_signed = true, .base = 10 };

void part_begin(struct part_out *part, const char *name, u8 uuid)
{
	static const struct ltt_field text = { .name = "text", .kind = LTT_FIELD_STRING, .size = 1 };

	part_begin_bare(part, name, uuid, 1000000000);
	ltt_ctf_put_stream(&part->ctf, EVENTS, "events", &tid, 1);
	ltt_ctf_put_stream(&part->ctf, STATE, "state", &tid, 1);
	ltt_ctf_put_event(&part->ctf, EVENTS, EVENT_A, NULL, "a", NULL, 0);
	ltt_ctf_put_event(&part->ctf, EVENTS, EVENT_B, "g", "b", NULL, 0);
	ltt_ctf_put_event(&part->ctf, EVENTS, EVENT_TEXT, NULL, "text", &text, 1);
	ltt_ctf_put_event(&part->ctf, EVENTS, EVENT_MEDIUM, NULL, "medium", NULL, 0);
	ltt_ctf_put_event(&part->ctf, STATE, EVENT_A, NULL, "s", NULL, 0);
}

/* --- Packets -------------------------------------------------------------------- */

void packet_begin(struct packet_out *packet, const struct part_out *part, u64 begin, u64 seq)
{
	memset(packet, 0, sizeof(*packet));
	packet->header = (struct ltt_ctf_packet){
		.magic = LTT_CTF_MAGIC, .stream_id = EVENTS, .timestamp_begin = begin, .packet_seq_num = seq,
	};
	memcpy(packet->header.uuid, part->uuid, 16);
	packet->at = sizeof(packet->header);
	packet->clock = begin;
}

void packet_bytes(struct packet_out *packet, const void *bytes, size_t len)
{
	MUST(packet->at + len <= sizeof(packet->bytes));
	if (len)
		memcpy(packet->bytes + packet->at, bytes, len);
	packet->at += len;
}

void packet_record(struct packet_out *packet, u32 id, u64 clock, const void *payload, size_t len)
{
	const bool is_compact = id < LTT_COMPACT_IDS;
	const u32 word = (is_compact ? id : LTT_ID_MEDIUM) | (u32)clock << LTT_ID_BITS, thread = 77;
	const u16 medium = id;
	const u8 escape = LTT_ID_LONG;

	if ((clock - packet->clock) >> LTT_TIME_BITS) {
		packet_bytes(packet, &escape, 1);
		packet_bytes(packet, &id, 4);
		packet_bytes(packet, &clock, 8);
	} else {
		packet_bytes(packet, &word, 4);
		if (!is_compact)
			packet_bytes(packet, &medium, 2);
	}
	packet_bytes(packet, &thread, 4);
	packet_bytes(packet, payload, len);
	packet->clock = clock;
}

size_t packet_end(struct packet_out *packet, u64 end)
{
	const size_t size = (packet->at + PAGE - 1) / PAGE * PAGE;

	packet->header.timestamp_end = end;
	if (!packet->header.content_size)
		packet->header.content_size = packet->at * 8;
	if (!packet->header.packet_size)
		packet->header.packet_size = size * 8;
	memcpy(packet->bytes, &packet->header, sizeof(packet->header));
	return size;
}

void packet_append(struct packet_out *packet, const struct part_out *part, const char *name, u64 end)
{
	char path[800];

	snprintf(path, sizeof(path), "%s/%s", part->dir, name);
	append(path, packet->bytes, packet_end(packet, end));
}

void put_packet(const struct part_out *part, const char *name, u64 begin, u64 seq)
{
	static struct packet_out packet;

	packet_begin(&packet, part, begin, seq);
	packet_record(&packet, EVENT_A, begin + 1, NULL, 0);
	packet_record(&packet, EVENT_B, begin + 2, NULL, 0);
	packet_append(&packet, part, name, begin + 9);
}

/* --- Reading ------------------------------------------------------------------------ */

struct ltttrace_error open_error;

struct ltttrace *open_trace(unsigned int flags, const char *path, ...)
{
	struct ltttrace *trace = NULL;
	const char *paths[32];
	size_t nr = 0;
	va_list args;
	int err;

	va_start(args, path);
	for (; path; path = va_arg(args, const char *))
		paths[nr++] = path;
	va_end(args);
	err = ltttrace_open(paths, nr, flags, &trace, &open_error);
	if (err)
		printf("# %d: %s\n", err, open_error.text);
	CU_ASSERT_FATAL(!err);
	return trace;
}

int try_open(const char *path)
{
	struct ltttrace *trace;
	int err;

	open_error.text[0] = '\0';
	err = ltttrace_open(&path, 1, 0, &trace, &open_error);
	if (!err)
		ltttrace_close(trace);
	CU_ASSERT(!err == !open_error.text[0]);
	return err;
}

/* Read each byte of each field. */
static void touch_values(const struct ltttrace_record *record)
{
	const struct ltttrace_field *field = record->event->fields;
	static volatile uint64_t sum;
	struct ltttrace_value value;
	unsigned int i;
	size_t j;

	for (i = 0; i < record->event->nr_fields; i++, field++) {
		value = ltttrace_value(record, i);
		for (j = 0; j < value.size; j++)
			sum += value.text[j];
		for (j = 0; j < value.length; j++)
			sum += ltttrace_element(field, &value, j).u;
		sum += ltttrace_integer(record, i);
	}
	for (j = 0; j < record->size; j++)
		sum += record->data[j];
}

const char *take_text(struct ltttrace_cursor *cursor)
{
	static const char *const words[] = { "", "lost", "packets", "damage", "cut" };
	const struct ltttrace_record *record;
	static char text[1 << 20];
	int64_t last = INT64_MIN, from, until;
	size_t len = 0;
	int status;

	text[0] = '\0';
	while ((status = ltttrace_next(cursor, &record)) > 0) {
		from = record->ns - BASE_NS;
		until = record->until_ns - BASE_NS;
		CU_ASSERT(record->ns >= last && until >= from);
		CU_ASSERT((record->kind == LTTTRACE_DAMAGE) == !!record->why);
		CU_ASSERT((record->kind == LTTTRACE_EVENT) == !!record->event);
		last = record->ns;
		if (record->event)
			touch_values(record);
		if (sizeof(text) - len < 100)
			continue;
		if (record->kind == LTTTRACE_EVENT)
			len += sprintf(text + len, " %.60s@%" PRId64, record->event->name, from);
		else
			len += sprintf(text + len, " %s-%" PRIu64 "@%" PRId64, words[record->kind], record->count, from);
		if (record->kind != LTTTRACE_EVENT && record->kind != LTTTRACE_CUT)
			len += sprintf(text + len, "-%" PRId64, until);
	}
	CU_ASSERT_EQUAL(status, 0);
	return text;
}

const char *merged_text(struct ltttrace *trace, int64_t from)
{
	struct ltttrace_cursor *cursor;
	const char *text;

	CU_ASSERT_FATAL(!ltttrace_merge(trace, NULL, NULL, &cursor));
	if (from != ALL)
		CU_ASSERT_EQUAL(ltttrace_seek(cursor, BASE_NS + from), 0);
	text = take_text(cursor);
	ltttrace_cursor_free(cursor);
	return text;
}

const char *text_of(const char *path)
{
	struct ltttrace *trace = open_trace(0, path, NULL);
	const char *text = merged_text(trace, ALL);

	ltttrace_close(trace);
	return text;
}

void same_text(const char *file, unsigned int line, const char *want, const char *got)
{
	const bool same = !strcmp(want, got);

	if (!same)
		printf("# want%.300s\n# got %.300s\n", want, got);
	CU_assertImplementation(same, line, want, file, "", CU_FALSE);
}
