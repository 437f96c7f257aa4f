// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The data streams of a slot.
 *
 * Layer: lttd.
 */
#include "stream.h"
#include "lttd/disk.h"
#include "lttd/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/counter.h"

#define PAGE		4096
#define CHANNEL		"events"
#define STREAM_ID	0
#define BEFORE		1000	/* counts: about a microsecond */
#define OPEN_MAX	64	/* open files of a user's streams */

void stream_name(const struct stream *stream, char *name)
{
	if (stream->slot)
		snprintf(name, 32, CHANNEL "_%u_%u", stream->slot, stream->cpu);
	else
		snprintf(name, 32, CHANNEL "_%u", stream->cpu);
}

/* ---- Open files ---- */

static void forget(struct stream *stream, struct ring_trace *trace)
{
	struct stream **link = &trace->oldest, *before = NULL;

	for (; *link != stream; link = &(*link)->next)
		before = *link;
	*link = stream->next;
	if (trace->newest == stream)
		trace->newest = before;
	trace->nr_open--;
	stream->out = -1;
}

static void remember(struct stream *stream, struct ring_trace *trace)
{
	stream->next = NULL;
	if (trace->newest)
		trace->newest->next = stream;
	else
		trace->oldest = stream;
	trace->newest = stream;
	trace->nr_open++;
}

static int open_file(struct stream *stream, struct ring_trace *trace)
{
	int how = O_WRONLY | O_CLOEXEC | (stream->size ? 0 : O_CREAT | O_EXCL);
	char name[32];

	if (stream->out >= 0)
		return 0;
	if (trace->nr_open == OPEN_MAX) {
		close(trace->oldest->out);
		forget(trace->oldest, trace);
	}
	stream_name(stream, name);
	stream->out = openat(trace->dir, name, how, 0644);
	if (stream->out < 0)
		return fail("cannot %s %s: %s", stream->size ? "open" : "make", name, strerror(errno));
	remember(stream, trace);
	return 0;
}

/* ---- Packets ---- */

/* Append the packet to the file; on failure cut the file back.  That is logged once: later packets are tried, too, and
 * fail for the same reason. */
static int write_packet(struct stream *stream, const char *packet, size_t size)
{
	size_t done = 0;
	ssize_t part;
	char name[32];
	int err;

	while (done < size) {
		part = pwrite(stream->out, packet + done, size - done, stream->size + done);
		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0)
			break;
		done += part;
	}
	if (done == size) {
		stream->size += size;
		stream->failed = false;
		return 0;
	}
	err = errno;
	stream_name(stream, name);
	if (ftruncate(stream->out, stream->size) && !stream->failed)
		notice("cannot cut %s back to %lld bytes: %s", name, (long long)stream->size,
		       strerror(errno));
	if (stream->failed)
		return -1;
	stream->failed = true;
	return fail("cannot write %s: %s; it ends after its last whole packet, at %lld bytes", name,
		    strerror(err), (long long)stream->size);
}

int stream_put(struct stream *stream, struct ring_trace *trace, uint64_t begin, uint64_t end, size_t size,
	       uint64_t lost)
{
	size_t padded = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
	struct ltt_ctf_packet header = {
		.magic = LTT_CTF_MAGIC,
		.stream_id = STREAM_ID,
		.timestamp_begin = begin,
		.timestamp_end = end,
		.content_size = size * 8,
		.packet_size = padded * 8,
		.packet_seq_num = stream->sequence,
		.events_discarded = lost,
		.cpu_id = stream->cpu,
	};

	if (trace->before_packet && trace->before_packet(trace->before_packet_arg, padded))
		return -1;
	memcpy(header.uuid, trace->uuid, sizeof(header.uuid));
	memcpy(trace->packet, &header, sizeof(header));
	memset(trace->packet + size, 0, padded - size);
	if (open_file(stream, trace) || write_packet(stream, trace->packet, padded))
		return -1;
	stream->sequence++;
	stream->reported = lost;
	stream->begin = begin;
	stream->time = end;
	return 0;
}

static int put_empty(struct stream *stream, struct ring_trace *trace, uint64_t time, uint64_t lost)
{
	return stream_put(stream, trace, time, time, sizeof(struct ltt_ctf_packet), lost);
}

int stream_put_first(struct stream *stream, struct ring_trace *trace, uint64_t lost, uint64_t time)
{
	/* Before the first packet, also by the nanosecond. */
	if (time - stream->time > BEFORE)
		time -= BEFORE;
	return stream->sequence || !lost ? 0 : put_empty(stream, trace, time, 0);
}

int stream_report_losses(struct stream *stream, struct ring_trace *trace)
{
	uint64_t now = ltt_counter();

	if (stream->lost == stream->reported)
		return 0;
	if (now < stream->time)
		now = stream->time;
	if (stream_put_first(stream, trace, stream->lost, now))
		return -1;
	return put_empty(stream, trace, now, stream->lost);
}

void stream_move(struct stream *stream, struct ring_trace *trace)
{
	if (stream->out >= 0) {
		close(stream->out);
		forget(stream, trace);
	}
	stream->before += stream->size;
	stream->size = 0;
}

int stream_end(struct stream *stream, struct ring_trace *trace)
{
	char name[32];
	int err;

	/* A file that was closed meanwhile has to be on the disk, too. */
	if (!stream->size && stream->out < 0)
		return 0;
	if (open_file(stream, trace))
		return -1;
	err = trace->together ? disk_write(stream->out) : disk_sync(stream->out);
	close(stream->out);
	forget(stream, trace);
	stream_name(stream, name);
	return err ? fail("cannot write %s: %s; the content on the disk is unknown", name,
			  strerror(err)) : 0;
}

int streams_end(const struct ring_trace *trace)
{
	int err = trace->together ? disk_sync_all(trace->dir) : 0;

	return err ? fail("cannot write the data streams: %s; their content on the disk is unknown", strerror(err)) : 0;
}
