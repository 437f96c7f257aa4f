// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Invariants of libltttrace for any metadata and data files, for libFuzzer.
 *
 * A case is a byte of flags, the metadata up to a NUL byte, and packets: the bytes of a data file as they are, or
 * what is to be in sound headers, then records.  Whatever is read lies in its record, each record in its file, and
 * time never goes back; a seek leads to the end of the same records, and a file that grows has those of one that is there
 * at once.
 */
#include "must.h"

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>
#include <zstd.h>

#include "../../core/ctf.h"
#include "../../include/ltt/ltttrace.h"

enum {
	OWN_METADATA = 1,	/* all of it is in the case, and not only its end */
	RAW = 2,		/* of packets, so are the headers */
	COMPRESSED = 4,
	GROWS = 8,		/* the data file is there by half when it is opened */
	TWO_FILES = 16,
};

#define PAGE		4096
#define RECORDS_MAX	4096

static char folder[256];
static char metadata[16384];
static size_t metadata_len;

static int append_text(void *priv, const char *text, size_t len)
{
	MUST(metadata_len + len < sizeof(metadata));
	memcpy(metadata + metadata_len, text, len);
	metadata_len += len;
	return 0;
}

static void describe(void)
{
	static const u8 uuid[16] = { 7 };
	static const struct ltt_field tid = { .name = "tid", .kind = LTT_FIELD_INT, .size = 4, .is_signed = true, .base = 10 };
	static const struct ltt_field fields[] = {
		{ .name = "n", .kind = LTT_FIELD_INT, .size = 2, .base = 16, .labels = "a=1, b=2}" },
		{ .name = "s", .kind = LTT_FIELD_STRING, .size = 1 },
		{ .name = "list", .kind = LTT_FIELD_SEQUENCE, .size = 8, .is_signed = true, .base = 10 },
		{ .name = "t", .kind = LTT_FIELD_TEXT, .size = 1, .count = 4 },
		{ .name = "words", .kind = LTT_FIELD_SEQUENCE, .size = 1, .base = LTT_BASE_TEXT },
		{ .name = "f", .kind = LTT_FIELD_FLOAT, .size = 4 },
	};
	const struct ltt_ctf_trace trace = {
		.uuid = uuid, .clock_name = "c", .clock_description = "", .clock_uuid = uuid, .freq = 1000000000,
	};
	struct ltt_ctf ctf = { .write = append_text };

	ltt_ctf_put_trace(&ctf, &trace);
	ltt_ctf_put_stream(&ctf, 0, "events", &tid, 1);
	ltt_ctf_put_event(&ctf, 0, 1, NULL, "none", NULL, 0);
	ltt_ctf_put_event(&ctf, 0, 2, "g", "all", fields, 6);
	ltt_ctf_put_event(&ctf, 0, 3, NULL, "list", fields + 2, 1);
	ltt_ctf_put_event(&ctf, 0, 40, NULL, "s", fields + 1, 1);
	make_folder(folder, sizeof(folder));
}

/* The header of a packet says that it reaches over the next one: whether it does depends on where the file ends. */
static bool nested;

/* --- The files ----------------------------------------------------------------------------- */

static const char *path_of(const char *name)
{
	static char path[300];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void add(const char *name, const void *bytes, size_t len)
{
	int fd = open(path_of(name), O_WRONLY | O_CREAT | O_APPEND, 0600);

	MUST(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	close(fd);
}

static void add_packet(const char *name, const uint8_t *packet, size_t size, bool compressed)
{
	static uint8_t frame[8 * PAGE];
	size_t bytes;

	if (!compressed) {
		add(name, packet, size);
		return;
	}
	bytes = ZSTD_compress(frame, sizeof(frame), packet, size, 1);
	MUST(!ZSTD_isError(bytes));
	add(name, frame, bytes);
}

/* Packets of a page with sound headers, but for what the case has for them. */
static void put_packets(struct rest *rest, const char *name, uint8_t flags)
{
	static uint8_t packet[2 * PAGE];
	struct ltt_ctf_packet header;
	uint64_t clock = 1000, seq = 0;
	size_t len;

	for (; rest->left > 5; clock = header.timestamp_end, seq = header.packet_seq_num + 1) {
		header = (struct ltt_ctf_packet){
			.magic = LTT_CTF_MAGIC, .uuid = { 7 }, .packet_size = PAGE * 8,
			.timestamp_begin = clock + (int8_t)take_byte(rest), .events_discarded = take_byte(rest),
			.packet_seq_num = seq + (take_byte(rest) & 3),
		};
		header.timestamp_end = header.timestamp_begin + take_byte(rest) * 8;
		len = take_byte(rest);
		if (len > rest->left)
			len = rest->left;
		header.content_size = (sizeof(header) + len) * 8;
		if (take_byte(rest) == 0xff) {
			header.packet_size += 8 * (take_byte(rest) << 9);
			nested = true;
		}
		memset(packet, 0x55, sizeof(packet));
		memcpy(packet, &header, sizeof(header));
		if (len > rest->left)
			len = rest->left;
		memcpy(packet + sizeof(header), rest->at, len);
		rest->at += len;
		rest->left -= len;
		add_packet(name, packet, PAGE, flags & COMPRESSED);
	}
}

static void put_files(struct rest *rest, uint8_t flags)
{
	const char *names[] = { flags & COMPRESSED ? "events_0.zst" : "events_0", "events_1" };
	const size_t text = strnlen((const char *)rest->at, rest->left);
	struct rest first = *rest;

	if (!(flags & OWN_METADATA))
		add("metadata", metadata, metadata_len);
	add("metadata", rest->at, text);
	first.at += text + (text < rest->left);
	first.left -= text + (text < rest->left);
	*rest = first;
	if (flags & TWO_FILES)
		first.left /= 2;
	rest->at += first.left;
	rest->left -= first.left;
	if (flags & RAW)
		add(names[0], first.at, first.left);
	else
		put_packets(&first, names[0], flags);
	if (flags & TWO_FILES)
		put_packets(rest, names[1], 0);
}

/* --- Reading --------------------------------------------------------------------------------- */

static struct ltttrace_record records[RECORDS_MAX];
static bool in_place;

/* Of all values, so that they are read. */
volatile uint64_t sum;

/* A value lies in its record, and the fields fill it. */
static size_t check_field(const struct ltttrace_record *record, unsigned int index)
{
	const struct ltttrace_field *field = &record->event->fields[index];
	const struct ltttrace_value value = ltttrace_value(record, index);
	const unsigned char *end = record->data + record->size, *from;
	size_t bytes = field->bits / 8;
	size_t i;

	sum += ltttrace_integer(record, index);
	if (field->kind == LTTTRACE_UNSIGNED || field->kind == LTTTRACE_SIGNED) {
		const char *label = ltttrace_label(field, value.u);

		sum += label ? strlen(label) : 0;
		return bytes;
	}
	if (field->kind == LTTTRACE_FLOAT)
		return bytes;
	from = value.text ? (const unsigned char *)value.text : value.elements;
	bytes = field->kind == LTTTRACE_STRING ? value.size + 1 : value.length * bytes;
	MUST(from >= record->data && from <= end && bytes <= (size_t)(end - from));
	MUST(value.size <= bytes);
	for (i = 0; i < value.length; i++)
		sum += ltttrace_element(field, &value, i).u;
	return bytes;
}

/* A record ends within the content of its packet; mappings and packets are whole pages. */
static void check_place(const struct ltttrace_record *record)
{
	const uintptr_t page = (uintptr_t)record->data & -(uintptr_t)PAGE;
	struct ltt_ctf_packet header;

	memcpy(&header, (const void *)page, sizeof(header));
	if (header.magic == LTT_CTF_MAGIC && header.packet_size == PAGE * 8)
		MUST((uintptr_t)record->data + record->size <= page + header.content_size / 8);
}

static void check_record(const struct ltttrace_record *record)
{
	size_t size = 0;
	unsigned int i;

	MUST(record->until_ns >= record->ns && (!in_place || record->offset <= record->stream->bytes));
	MUST((record->kind == LTTTRACE_EVENT) == !!record->event);
	MUST((record->kind == LTTTRACE_DAMAGE) == !!record->why);
	if (!record->event) {
		MUST(record->count);
		return;
	}
	MUST(record->stream->packets && record->ns >= record->stream->first_ns);
	for (i = 0; i < record->event->nr_fields; i++)
		size += check_field(record, i);
	MUST(size == record->size && size <= PAGE - sizeof(struct ltt_ctf_packet));
	if (in_place && record->size)
		check_place(record);
}

/* Return: the number of records. */
static size_t walk(struct ltttrace_cursor *cursor, struct ltttrace_record *to)
{
	const struct ltttrace_record *record;
	int64_t last = INT64_MIN;
	size_t nr = 0;
	int status;

	while ((status = ltttrace_next(cursor, &record)) > 0) {
		MUST(record->ns >= last);
		last = record->ns;
		check_record(record);
		if (nr < RECORDS_MAX && to)
			to[nr] = *record;
		nr++;
	}
	MUST(status == 0);
	return nr;
}

/* Records have the same place, class and time. */
static void check_seek(struct ltttrace_cursor *cursor, size_t nr, size_t to)
{
	const struct ltttrace_record *record;
	const int64_t ns = records[to].ns;
	size_t i = 0;

	MUST(!ltttrace_seek(cursor, ns));
	while (ltttrace_next(cursor, &record) > 0) {
		MUST(record->until_ns >= ns);
		if (!record->event)
			continue;
		while (i < nr && (!records[i].event || records[i].ns < ns))
			i++;
		MUST(i < nr && record->event == records[i].event && record->ns == records[i].ns &&
		     record->offset == records[i].offset);
		i++;
	}
	for (; i < nr; i++)
		MUST(!records[i].event || records[i].ns < ns);
}

static size_t read_all(struct ltttrace *trace)
{
	struct ltttrace_cursor *cursor;
	size_t nr, i;

	MUST(!ltttrace_merge(trace, NULL, NULL, &cursor));
	nr = walk(cursor, records);
	if (nr < RECORDS_MAX)
		for (i = 0; i < nr; i += 1 + nr / 8)
			check_seek(cursor, nr, i);
	ltttrace_cursor_free(cursor);
	return nr;
}

/* Cut the file, open, and let it grow. */
static void check_growth(const char *path, size_t whole)
{
	static uint8_t bytes[1 << 20];
	struct ltttrace_error error;
	struct ltttrace_cursor *cursor;
	struct ltttrace *trace;
	ssize_t len;
	int fd;

	fd = open(path_of("events_0"), O_RDWR);
	if (fd < 0)
		return;
	len = read(fd, bytes, sizeof(bytes));
	MUST(len >= 0 && len < (ssize_t)sizeof(bytes) && !ftruncate(fd, len / 2));
	MUST(!ltttrace_open(&path, 1, 0, &trace, &error));
	MUST(!ltttrace_merge(trace, NULL, NULL, &cursor));
	walk(cursor, NULL);
	MUST(pwrite(fd, bytes + len / 2, len - len / 2, len / 2) == len - len / 2);
	close(fd);
	MUST(ltttrace_refresh(trace, &error) >= 0);
	while (ltttrace_next(cursor, &(const struct ltttrace_record *){ NULL }) > 0)
		;
	ltttrace_cursor_free(cursor);
	if (whole < RECORDS_MAX && !nested)
		MUST(read_all(trace) == whole);
	ltttrace_close(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rest rest = { data, size };
	struct ltttrace_error error = { "" };
	const char *path = folder;
	struct ltttrace *trace;
	uint8_t flags;
	size_t nr;
	int err;

	if (!metadata_len)
		describe();
	flags = take_byte(&rest);
	in_place = !(flags & COMPRESSED);
	nested = flags & RAW;
	put_files(&rest, flags);
	err = ltttrace_open(&path, 1, 0, &trace, &error);
	MUST(!err || (err < 0 && *error.text && strlen(error.text) < sizeof(error.text)));
	if (!err) {
		nr = read_all(trace);
		MUST(ltttrace_refresh(trace, &error) == 0);
		ltttrace_close(trace);
		if (flags & GROWS)
			check_growth(path, nr);
	}
	unlink(path_of("metadata"));
	unlink(path_of("events_0"));
	unlink(path_of("events_0.zst"));
	unlink(path_of("events_1"));
	return 0;
}
