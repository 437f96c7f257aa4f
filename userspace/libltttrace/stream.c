// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The index of a stream: one pass over the headers of its packets.
 *
 * Layer: libltttrace.  Bytes that are not a packet become one entry with a reason.  The next packet is looked for at the
 * next page, as packets are whole pages.  In the index, time never goes back: a packet ends at the latest where the next one
 * begins, whatever its header says.
 */
#include "internal.h"

#include "core/ctf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define PAGE		4096U
#define PACKET_MAX	(1U << 28)	/* bytes, as core/ring.h */

static struct packet *last_packet(const struct stream *stream)
{
	return stream->packets ? &stream->packet[stream->packets - 1] : NULL;
}

/* Return: the last packet that can be read; NULL: there is none. */
static const struct packet *last_whole(const struct stream *stream)
{
	return stream->public.packets ? &stream->packet[stream->whole] : NULL;
}

static int add_packet(struct stream *stream, const struct packet *packet)
{
	size_t room = stream->room ? 2 * stream->room : 64;
	struct packet *packets;

	if (stream->packets == stream->room) {
		packets = realloc(stream->packet, room * sizeof(*packets));
		if (!packets)
			return -ENOMEM;
		stream->packet = packets;
		stream->room = room;
	}
	stream->packet[stream->packets++] = *packet;
	return 0;
}

/* Return: why this is not the header of a packet of the stream; NULL if it is. */
static const char *check_header(const struct stream *stream, const struct ltt_ctf_packet *header)
{
	const uint64_t content = header->content_size / 8, size = header->packet_size / 8;

	if (header->magic != LTT_CTF_MAGIC)
		return "it is not a packet";
	if (memcmp(header->uuid, stream->part->public.uuid, sizeof(header->uuid)))
		return "the packet has the UUID of another trace";
	if (header->stream_id >= CHANNELS_MAX || !stream->part->channel[header->stream_id])
		return "the packet is of a channel that is not in the metadata";
	if (stream->channel && header->stream_id != stream->channel_id)
		return "the packet is of another channel";
	if (header->content_size % 8 || header->packet_size % 8 || content < sizeof(*header) || content > size ||
	    size > PACKET_MAX || size % PAGE)
		return "the packet has an impossible size";
	if (header->timestamp_end < header->timestamp_begin)
		return "the packet ends before it begins";
	if (header->cpu_id >= CPUS_MAX)
		return "the packet is of an impossible CPU";
	return NULL;
}

/* Extend the last entry by bytes that cannot be read, or add one. */
static int add_damage(struct stream *stream, unsigned int file, uint64_t offset, uint64_t bytes, const char *why)
{
	struct packet *last = last_packet(stream);
	struct packet damage = { .offset = offset, .stored = bytes, .file = file, .damage = why };

	if (last && last->damage && last->file == file && last->offset + last->stored == offset) {
		last->stored += bytes;
		return 0;
	}
	if (last)
		damage.begin = damage.end = last->end;
	return add_packet(stream, &damage);
}

/* Earlier entries end at @begin at the latest.  Those before the first packet are put there. */
static void end_before(struct stream *stream, uint64_t begin)
{
	const bool is_first = !stream->public.packets;
	struct packet *packet;
	size_t i;

	for (i = stream->packets; i-- > 0; ) {
		packet = &stream->packet[i];
		if (packet->end <= begin && !is_first)
			return;
		packet->end = begin;
		if (packet->damage)
			packet->begin = begin;
	}
}

static int add_whole(struct stream *stream, unsigned int file, uint64_t offset, uint64_t stored,
		     const struct ltt_ctf_packet *header)
{
	struct packet packet = {
		.offset = offset, .stored = stored, .file = file,
		.size = header->packet_size / 8, .content = header->content_size / 8,
		.begin = header->timestamp_begin, .end = header->timestamp_end,
		.seq = header->packet_seq_num, .discarded = header->events_discarded, .cpu = header->cpu_id,
	};
	struct ltttrace_stream *public = &stream->public;

	end_before(stream, packet.begin);
	if (!stream->channel) {
		stream->channel_id = header->stream_id;
		stream->channel = stream->part->channel[header->stream_id];
		public->channel = stream->channel->name;
		public->cpu = header->cpu_id;
		public->is_state = !strcmp(stream->channel->name, "state");
		public->first_ns = part_ns(stream->part, packet.begin);
	}
	public->packets++;
	stream->whole = stream->packets;
	public->last_ns = part_ns(stream->part, packet.end);
	return add_packet(stream, &packet);
}

void stream_span(struct stream *stream)
{
	const struct packet *first = stream->packet;

	if (!stream->public.packets)
		return;
	while (first->damage)
		first++;
	stream->public.first_ns = part_ns(stream->part, first->begin);
	stream->public.last_ns = part_ns(stream->part, stream->packet[stream->whole].end);
}

/* Readers search by time.  Return: as check_header(). */
static const char *check_order(const struct stream *stream, const struct ltt_ctf_packet *header)
{
	const struct packet *last = last_whole(stream);

	return last && header->timestamp_begin < last->begin ? "the packet begins before the one before it" : NULL;
}

/* A packet that an earlier file has: the recording was copied. */
static bool is_copy(const struct stream *stream, unsigned int file, const struct ltt_ctf_packet *header)
{
	const struct packet *last = last_whole(stream);

	return file && last && header->packet_seq_num <= last->seq && last->file != file;
}

/* Add what has a header, or the reason why it has none.  Return: 0, -ENOMEM. */
static int add(struct stream *stream, unsigned int file, uint64_t offset, uint64_t bytes,
	       const struct ltt_ctf_packet *header, const char *why)
{
	if (!why && is_copy(stream, file, header))
		return 0;
	why = why ?: check_order(stream, header);
	return why ? add_damage(stream, file, offset, bytes, why) : add_whole(stream, file, offset, bytes, header);
}

static bool is_hole(const struct file *file, uint64_t from, uint64_t end)
{
	const off_t data = lseek(file->fd, from, SEEK_DATA);

	return data < 0 ? errno == ENXIO : (uint64_t)data >= end;
}

/* Return: the offset behind the last byte of a file that is not 0, if it is behind @offset; else @offset. */
static uint64_t end_of_data(const struct file *file, uint64_t offset)
{
	unsigned char chunk[16 * PAGE];
	uint64_t end = file->size, step = sizeof(chunk), from;
	size_t bytes;

	while (end > offset) {
		from = end - offset > step ? end - step : offset;
		/* A hole may be a million times as large as the chunk: look twice as far back in it each time. */
		if (is_hole(file, from, end)) {
			end = from;
			step *= 2;
		} else if (step > sizeof(chunk)) {
			step /= 2;
		} else {
			bytes = file_read(file, from, chunk, end - from) > 0 ? end - from : 0;
			while (bytes && !chunk[bytes - 1])
				bytes--;
			if (bytes)
				return from + bytes;
			end = from;
		}
	}
	return end;
}

/* After a crash of the machine a file may have its size, but not its end: there are zeros. */
static bool is_unwritten(struct file *file, uint64_t offset)
{
	if (file->written_of != file->size) {
		file->written = end_of_data(file, offset);
		file->written_of = file->size;
	}
	return offset >= file->written;
}

/* Return: where a packet may begin behind @offset: not in a hole. */
static uint64_t next_place(const struct file *file, uint64_t offset)
{
	const off_t data = lseek(file->fd, offset + PAGE, SEEK_DATA);

	return data < 0 ? offset + PAGE : (uint64_t)data / PAGE * PAGE;
}

/* Find the next packet behind a header that cannot be right, as its packet goes beyond the file.  Return: its distance; 0: there is none. */
static uint64_t next_packet(const struct stream *stream, struct file *file, uint64_t offset)
{
	struct ltt_ctf_packet header;
	uint64_t at;

	for (at = next_place(file, offset); at + sizeof(header) <= file->size; at = next_place(file, at)) {
		if (file_read(file, at, &header, sizeof(header)) <= 0 || (!header.magic && is_unwritten(file, at)))
			return 0;
		if (!check_header(stream, &header))
			return at - offset;
	}
	return 0;
}

/* Take what is at an offset of a file that is not compressed.  Return: the bytes it takes; 0: the file ends in it; -errno. */
static int64_t index_plain(struct stream *stream, unsigned int index, uint64_t offset)
{
	struct file *file = stream->file[index];
	const uint64_t room = file->size - offset;
	struct ltt_ctf_packet header;
	const char *why;
	uint64_t bytes;
	int err;

	err = room < sizeof(header) ? 0 : file_read(file, offset, &header, sizeof(header));
	if (err <= 0 || (!header.magic && is_unwritten(file, offset)))
		return err < 0 ? err : 0;
	why = check_header(stream, &header);
	bytes = why ? next_place(file, offset) - offset : header.packet_size / 8;
	if (!why && bytes > room) {
		bytes = next_packet(stream, file, offset);
		why = "the packet has an impossible size";
	}
	if (!bytes || bytes > room)
		return 0;
	err = add(stream, index, offset, bytes, &header, why);
	return err ?: (int64_t)bytes;
}

/* Give zstd no more than it asks for: it decompresses the block with the header, and not the one after it.  Return: 0, -EBADMSG, -ENOMEM. */
static int peek(struct ltttrace *trace, const unsigned char *frame, size_t bytes, struct ltt_ctf_packet *header)
{
	ZSTD_inBuffer in = { .src = frame };
	ZSTD_outBuffer out = { .dst = header, .size = sizeof(*header) };
	size_t left;

	if (!trace->headers)
		trace->headers = ZSTD_createDStream();
	if (!trace->headers)
		return -ENOMEM;
	left = ZSTD_initDStream(trace->headers);
	while (out.pos < out.size && in.pos < bytes && left && !ZSTD_isError(left)) {
		in.size = left < bytes - in.pos ? in.pos + left : bytes;
		left = ZSTD_decompressStream(trace->headers, &out, &in);
	}
	return out.pos == out.size && !ZSTD_isError(left) ? 0 : -EBADMSG;
}

/* Return: the sequence number of the first packet; UINT64_MAX if it cannot be read. */
static uint64_t first_seq(const struct stream *stream, const struct file *file)
{
	struct ltt_ctf_packet header;

	if (file->compressed ? peek(stream->part->trace, file->map, file->size, &header) != 0 :
			       file_read(file, 0, &header, sizeof(header)) <= 0)
		return UINT64_MAX;
	return check_header(stream, &header) ? UINT64_MAX : header.packet_seq_num;
}

/* Pieces may be named in any order. */
int stream_add_file(struct stream *stream, struct file *file)
{
	const uint64_t seq = first_seq(stream, file);
	size_t files = stream->files;
	unsigned int at;

	if (list_add(&stream->file, &files, file))
		return -ENOMEM;
	for (at = stream->files; at && !stream->file[at - 1]->scanned && seq < first_seq(stream, stream->file[at - 1]); at--)
		stream->file[at] = stream->file[at - 1];
	stream->file[at] = file;
	stream->files = files;
	return 0;
}

/* As index_plain(), of a compressed file. */
static int64_t index_frame(struct stream *stream, unsigned int index, uint64_t offset)
{
	const struct file *file = stream->file[index];
	const uint64_t room = file->size - offset;
	const bool is_whole = file_has(file, file->size);
	size_t bytes = is_whole ? ZSTD_findFrameCompressedSize(file->map + offset, room) : 0;
	struct ltt_ctf_packet header;
	const char *why = NULL;
	int err;

	/* Where the next frame begins is not known: the rest cannot be read. */
	if (!is_whole || ZSTD_isError(bytes)) {
		bytes = room;
		why = is_whole ? "it is not a frame of zstd" : "the file has become shorter";
	}
	err = why ? 0 : peek(stream->part->trace, file->map + offset, bytes, &header);
	if (err == -ENOMEM)
		return err;
	if (err)
		why = "the frame of zstd is damaged";
	err = add(stream, index, offset, bytes, &header, why ?: check_header(stream, &header));
	return err ?: (int64_t)bytes;
}

static int index_file(struct stream *stream, unsigned int index)
{
	struct file *file = stream->file[index];
	int64_t bytes = 1;

	while (file->scanned < file->size && bytes) {
		bytes = file->compressed ? index_frame(stream, index, file->scanned) :
					   index_plain(stream, index, file->scanned);
		if (bytes < 0)
			return bytes;
		file->scanned += bytes;
	}
	return 0;
}

int stream_index(struct stream *stream)
{
	uint64_t bytes = 0, cut = 0;
	struct file *file;
	unsigned int i;
	int err = 0;

	for (i = 0; i < stream->files && !err; i++) {
		file = stream->file[i];
		err = index_file(stream, i);
		bytes += file->size;
		cut = file->size - file->scanned;
		if (err || !cut || i == stream->files - 1)
			continue;
		/* The next piece has been begun, so this one does not grow. */
		err = add_damage(stream, i, file->scanned, cut, "the file ends within a packet");
		file->scanned = file->size;
	}
	stream->public.bytes = bytes;
	stream->cut = cut;
	return err;
}

/* Return: the first packet that a cursor is in, or comes to; the number of packets if all are at the end. */
static size_t first_needed(const struct stream *stream)
{
	const struct cursor *cursor;
	size_t first = stream->packets, at;

	for (cursor = stream->cursors; cursor; cursor = cursor->others) {
		at = cursor->data ? (size_t)cursor->last : cursor->next;
		if (at < first)
			first = at;
	}
	return first;
}

void stream_forget(struct stream *stream)
{
	const size_t first = first_needed(stream);
	unsigned int end, i;

	if (!stream->cursors || !stream->files)
		return;
	/* The last file is the one that grows. */
	end = first < stream->packets ? stream->packet[first].file : stream->files - 1;
	for (i = 0; i < end; i++)
		if (stream->file[i]->is_deleted)
			file_forget(stream->file[i]);
}
