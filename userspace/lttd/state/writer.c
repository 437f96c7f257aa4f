// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Writes records to a small CTF trace.
 *
 * Layer: lttd state.  This thread is the only writer and the only reader of the ring.
 */
#include "writer.h"
#include "lttd/programs/clock.h"
#include "trace-time.h"
#include "core/version.h"
#include "lttd/disk.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/record.h"

#define STREAM		0
#define SUBBUF_SIZE	(1u << WRITER_SB_ORDER)

/* A record has to fit into a packet, whatever its header. */
static_assert(WRITER_RECORD_MAX + 4096 < SUBBUF_SIZE, "a record fits into a packet");

/* ---- The ring ---- */

static void begin_packet(struct ltt_ring *ring, void *to, u64 time, u64 seq)
{
	const struct writer *writer = (const struct writer *)ring;
	struct ltt_ctf_packet *header = to;

	header->magic = LTT_CTF_MAGIC;
	memcpy(header->uuid, writer->uuid, sizeof(header->uuid));
	header->stream_id = STREAM;
	header->timestamp_begin = time;
	header->packet_seq_num = seq;
	header->cpu_id = 0;
}

static void end_packet(struct ltt_ring *ring, void *to, const struct ltt_packet_end *end)
{
	struct ltt_ctf_packet *header = to;

	(void)ring;
	header->timestamp_end = end->time;
	header->content_size = end->content * 8;
	header->packet_size = ((end->content + LTT_PAGE_MASK) & ~LTT_PAGE_MASK) * 8;
	header->events_discarded = end->refused;
}

/* drain() looks after each record. */
static void ignore(struct ltt_ring *ring, u64 at)
{
	(void)ring;
	(void)at;
}

static const struct ltt_ring_ops ops = { begin_packet, end_packet, ignore };

u64 ltt_plat_clock(void)
{
	return time_now();
}

static void write_packet(struct writer *writer, char *packet, size_t content)
{
	size_t size = (content + LTT_PAGE_MASK) & ~LTT_PAGE_MASK, done = 0;
	const off_t begin = writer->size;
	ssize_t part;

	/* These pages hold an older packet behind this one's end. */
	memset(packet + content, 0, size - content);
	while (!writer->err && done < size) {
		errno = EIO;	/* nothing was written */
		part = pwrite(writer->out, packet + done, size - done, writer->size);
		if (part <= 0 && errno != EINTR)
			writer->err = -errno;
		done += part > 0 ? part : 0;
		writer->size += part > 0 ? part : 0;
	}
	/* babeltrace2 rejects the whole recording for a part of a packet. */
	if (done < size && !ftruncate(writer->out, begin))
		writer->size = begin;
}

/* Write the sub-buffers that are full. */
static void drain(struct writer *writer)
{
	while (ltt_ring_get(&writer->ring)) {
		write_packet(writer, writer->page[writer->ring.read_base], writer->ring.read_content);
		ltt_ring_put(&writer->ring);
	}
}

/* ---- Records ---- */

void writer_begin(struct writer *writer, uint32_t id, int32_t tid)
{
	writer->id = id;
	writer->tid = tid;
	writer->field = 0;
	writer->len = 0;
}

static const struct ltt_field *next_field(struct writer *writer, enum ltt_field_kind kind)
{
	const struct writer_event *event = writer->trace->events[writer->id];

	assert(writer->field < event->nr && event->fields[writer->field].kind == kind);
	return &event->fields[writer->field++];
}

void writer_number(struct writer *writer, uint64_t value)
{
	const struct ltt_field *field = next_field(writer, LTT_FIELD_INT);
	const uint32_t word = value;
	const uint16_t half = value;
	const uint8_t byte = value;
	const void *const from[] = { [1] = &byte, [2] = &half, [4] = &word, [8] = &value };

	assert(writer->len + field->size <= sizeof(writer->payload));
	memcpy(writer->payload + writer->len, from[field->size], field->size);
	writer->len += field->size;
}

void writer_string(struct writer *writer, const char *text)
{
	/* The numbers of a record are few. */
	size_t room = sizeof(writer->payload) - writer->len - 256;
	size_t len = strnlen(text, room < WRITER_TEXT_MAX ? room : WRITER_TEXT_MAX);

	next_field(writer, LTT_FIELD_STRING);
	memcpy(writer->payload + writer->len, text, len);
	writer->payload[writer->len + len] = '\0';
	writer->len += len + 1;
}

void writer_end(struct writer *writer)
{
	assert(writer->field == writer->trace->events[writer->id]->nr);
	if (writer->err)
		return;
	ltt_ring_enter(&writer->ring);
	if (ltt_record_write_slow(&writer->ring, writer->id, writer->tid, writer->payload, writer->len))
		writer->err = -ENOSPC;
	ltt_ring_leave(&writer->ring);
	drain(writer);
}

/* ---- The trace ---- */

static int put_text(void *file, const char *text, size_t len)
{
	return fwrite(text, 1, len, file) == len ? 0 : -EIO;
}

static int put_metadata(const struct writer *writer, FILE *file)
{
	const struct clock *clock = writer->clock;
	static const struct ltt_field context = WRITER_SIGNED("tid", LTT_CONTEXT_SIZE);
	struct ltt_ctf ctf = { .write = put_text, .priv = file };
	struct utsname uts;
	const char *const env[][2] = {
		{ "domain", writer->trace->name },
		{ "sysname", uts.sysname },
		{ "kernel_release", uts.release },
		{ "hostname", uts.nodename },
		LTT_VERSION_ENV,
	};
	struct ltt_ctf_trace trace = {
		.uuid = writer->uuid,
		.clock_name = clock->name,
		.clock_description = clock->description,
		.clock_uuid = clock->uuid,
		.freq = clock->freq,
		.offset_s = clock->offset_s,
		.offset = clock->offset,
		.env = env,
		.nr_env = sizeof(env) / sizeof(env[0]),
	};
	unsigned int i;

	if (uname(&uts))
		return -errno;
	ltt_ctf_put_trace(&ctf, &trace);
	ltt_ctf_put_stream(&ctf, STREAM, writer->trace->name, &context, 1);
	for (i = 0; i < writer->trace->nr; i++)
		ltt_ctf_put_event(&ctf, STREAM, i, writer->trace->name, writer->trace->events[i]->name,
				  writer->trace->events[i]->fields, writer->trace->events[i]->nr);
	return ctf.err;
}

static int write_metadata(struct writer *writer)
{
	int fd = openat(writer->dir, "metadata", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644), err;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	writer->has_metadata = fd >= 0;
	if (!file) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	err = put_metadata(writer, file);
	if (!err && (fflush(file) || (!writer->trace->is_live && (errno = disk_sync(fd)))))
		err = -errno;
	if (fclose(file) && !err)
		err = -errno;
	return err;
}

static void file_name(const struct writer *writer, char name[32])
{
	snprintf(name, 32, "%s_%u", writer->trace->name, STREAM);
}

int writer_open(struct writer *writer, int dir, const struct clock *clock, const struct writer_trace *trace)
{
	char name[32];
	int err;
	size_t i;

	memset(writer, 0, sizeof(*writer));
	writer->dir = dir;
	writer->clock = clock;
	writer->trace = trace;
	if (getrandom(writer->uuid, sizeof(writer->uuid), 0) != sizeof(writer->uuid))
		return -errno;
	writer->memory = aligned_alloc(LTT_PAGE_SIZE, 2 * SUBBUF_SIZE);
	if (!writer->memory)
		return -ENOMEM;
	file_name(writer, name);
	writer->out = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (writer->out < 0) {
		err = -errno;
		free(writer->memory);
		return err;
	}
	memset(writer->memory, 0, 2 * SUBBUF_SIZE);
	for (i = 0; i < WRITER_PAGES; i++)
		writer->page[i] = writer->memory + i * LTT_PAGE_SIZE;
	writer->ring.slot = writer->slot;
	writer->ring.page = writer->page;
	writer->ring.content = writer->content;
	writer->ring.ops = &ops;
	ltt_ring_init(&writer->ring, WRITER_SB_ORDER, 1, sizeof(struct ltt_ctf_packet), false);
	err = trace->is_live ? write_metadata(writer) : 0;
	if (err) {
		close(writer->out);
		free(writer->memory);
		writer_remove(writer);
	}
	return err;
}

void writer_flush(struct writer *writer)
{
	ltt_ring_flush(&writer->ring, true);
	drain(writer);
}

/* Return: 0; -errno of the first failure. */
static int finish(struct writer *writer)
{
	if (writer->err)
		return writer->err;
	return -disk_sync(writer->out) ?: write_metadata(writer);
}

int writer_close(struct writer *writer)
{
	const bool is_live = writer->trace->is_live;

	writer_flush(writer);
	if (!is_live)
		writer->err = finish(writer);
	close(writer->out);
	free(writer->memory);
	if (writer->err && !is_live)
		writer_remove(writer);
	return writer->err;
}

void writer_remove(const struct writer *writer)
{
	char name[32];

	file_name(writer, name);
	unlinkat(writer->dir, name, 0);
	if (writer->has_metadata)
		unlinkat(writer->dir, "metadata", 0);
}
