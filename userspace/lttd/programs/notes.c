// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttd's own events in the trace of a user's programs: channel "state".
 *
 * Layer: lttd.  They do not go through the buffers, which programs could fill or overwrite.
 */
#include "notes.h"
#include "lttd/disk.h"
#include "lttd/log.h"
#include "common/packet.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "common/counter.h"
#include "common/shm.h"

#define PAGE		4096
#define NOTED_MAX	(256 << 20)	/* bytes of records in a file */
#define SIZE_MAX_BYTES	(4LL << 30)	/* and of the file */

enum note {
	NOTE_STARTED,
	NOTE_ENDED,
	NOTE_LOADED,
	NOTE_UNLOADED,
	NOTE_MAPPED,
	NOTE_UNMAPPED,
};

/* The long header of core/record.h and the context; the payload follows. */
struct note_record {
	uint8_t form;
	uint32_t id;
	uint64_t time;
	uint32_t tid;
	uint32_t pid;
} __attribute__((packed));

void notes_describe(struct ltt_ctf *ctf)
{
	static const struct ltt_field context[] = {
		{ .name = "tid", .kind = LTT_FIELD_INT, .size = 4, .is_signed = true, .base = 10 },
		{ .name = "pid", .kind = LTT_FIELD_INT, .size = 4, .is_signed = true, .base = 10 },
	};
	static const struct ltt_field name = { .name = "name", .kind = LTT_FIELD_STRING, .size = 1 };
	static const struct ltt_field how = { .name = "how", .kind = LTT_FIELD_STRING, .size = 1 };
	static const struct ltt_field mapped[] = {
		{ .name = "base", .kind = LTT_FIELD_INT, .size = 8, .base = 16 },
		{ .name = "start", .kind = LTT_FIELD_INT, .size = 8, .base = 16 },
		{ .name = "end", .kind = LTT_FIELD_INT, .size = 8, .base = 16 },
		{ .name = "path", .kind = LTT_FIELD_STRING, .size = 1 },
		{ .name = "build_id", .kind = LTT_FIELD_STRING, .size = 1 },
	};

	ltt_ctf_put_stream(ctf, NOTES_STREAM, "state", context, 2);
	ltt_ctf_put_event(ctf, NOTES_STREAM, NOTE_STARTED, "ltt", "program_started", &name, 1);
	ltt_ctf_put_event(ctf, NOTES_STREAM, NOTE_ENDED, "ltt", "program_ended", &how, 1);
	ltt_ctf_put_event(ctf, NOTES_STREAM, NOTE_LOADED, "ltt", "library_loaded", &name, 1);
	ltt_ctf_put_event(ctf, NOTES_STREAM, NOTE_UNLOADED, "ltt", "library_unloaded", &name, 1);
	ltt_ctf_put_event(ctf, NOTES_STREAM, NOTE_MAPPED, "ltt", "object_mapped", mapped, 5);
	ltt_ctf_put_event(ctf, NOTES_STREAM, NOTE_UNMAPPED, "ltt", "object_unmapped", mapped, 3);
}

int notes_flush(struct notes *notes)
{
	struct ltt_ctf_packet header = {
		.magic = LTT_CTF_MAGIC,
		.stream_id = NOTES_STREAM,
		.timestamp_begin = notes->begin,
		.timestamp_end = notes->last,
		.content_size = (sizeof(header) + notes->len) * 8,
		.packet_size = PAGE * 8,
		.packet_seq_num = notes->sequence,
	};
	char packet[PAGE] = { 0 };
	ssize_t done;

	if (!notes->len)
		return 0;
	if (notes->out < 0)
		notes->out = openat(notes->dir, NOTES_FILE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (notes->out < 0)
		return fail("cannot create " NOTES_FILE ": %s", strerror(errno));
	memcpy(header.uuid, notes->uuid, sizeof(header.uuid));
	memcpy(packet, &header, sizeof(header));
	memcpy(packet + sizeof(header), notes->data, notes->len);
	done = pwrite(notes->out, packet, PAGE, notes->size);
	if (done != PAGE) {
		fail("cannot write " NOTES_FILE ": %s", done < 0 ? strerror(errno) : "no room");
		if (ftruncate(notes->out, notes->size))
			notice("cannot cut " NOTES_FILE " back: %s", strerror(errno));
		return -1;
	}
	notes->size += PAGE;
	notes->sequence++;
	notes->len = 0;
	return 0;
}

static int note(struct notes *notes, enum note id, pid_t pid, const void *payload, size_t len)
{
	struct note_record record = { .form = LTT_ID_LONG, .id = id, .tid = pid, .pid = pid };
	uint64_t now = ltt_counter();

	/* Programs that start and end all the time must not fill the disk.  The padding of packets
	 * counts less: with a record in each flush it is nearly all of the file. */
	if (notes->noted + sizeof(record) + len > NOTED_MAX || notes->size >= SIZE_MAX_BYTES) {
		if (!notes->full)
			notice(NOTES_FILE " is full: further starts and ends of programs, and places of libraries, are not recorded");
		notes->full = notes->lacking = true;
		return 0;
	}
	if (notes->len + sizeof(record) + len > sizeof(notes->data) && notes_flush(notes))
		return -1;
	/* This thread may have moved to a CPU whose counter is slightly behind. */
	record.time = now > notes->last ? now : notes->last;
	notes->last = record.time;
	if (!notes->len)
		notes->begin = record.time;
	memcpy(notes->data + notes->len, &record, sizeof(record));
	memcpy(notes->data + notes->len + sizeof(record), payload, len);
	notes->len += sizeof(record) + len;
	notes->noted += sizeof(record) + len;
	return 0;
}

static int note_text(struct notes *notes, enum note id, pid_t pid, const char *text)
{
	return note(notes, id, pid, text, strlen(text) + 1);
}

int notes_started(struct notes *notes, pid_t pid, const char *name)
{
	return note_text(notes, NOTE_STARTED, pid, name);
}

int notes_ended(struct notes *notes, pid_t pid, const char *how)
{
	return note_text(notes, NOTE_ENDED, pid, how);
}

int notes_object(struct notes *notes, pid_t pid, const char *name, bool loaded)
{
	return note_text(notes, loaded ? NOTE_LOADED : NOTE_UNLOADED, pid, name);
}

int notes_mapped(struct notes *notes, pid_t pid, const struct note_mapped *mapped, bool is_there)
{
	const uint64_t places[] = { mapped->base, mapped->start, mapped->end };
	char payload[sizeof(places) + NOTE_PATH_SIZE + NOTE_BUILD_ID_SIZE];
	char *end = mempcpy(payload, places, sizeof(places));

	static_assert(sizeof(struct note_record) + sizeof(payload) <= sizeof(notes->data), "a packet has one");
	if (!is_there)
		return note(notes, NOTE_UNMAPPED, pid, payload, end - payload);
	end = stpcpy(end, mapped->path) + 1;
	end = stpcpy(end, mapped->build_id) + 1;
	return note(notes, NOTE_MAPPED, pid, payload, end - payload);
}

void notes_move(struct notes *notes)
{
	if (notes->out >= 0)
		close(notes->out);
	notes->out = -1;
	notes->size = notes->noted = 0;
	notes->full = false;
}

int notes_end(struct notes *notes)
{
	int ret = notes_flush(notes), err;

	if (notes->out < 0)
		return ret;
	err = disk_sync(notes->out);
	close(notes->out);
	notes->out = -1;
	return err ? fail("cannot write " NOTES_FILE ": %s", strerror(err)) : ret;
}
