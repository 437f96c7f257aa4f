// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Copy one buffer (a channel on one CPU) to its file.
 *
 * Layer: lttd.  Guarantees:
 *   D1: a file consists of whole packets, followed by at most one torn packet.  The next
 *       lttd that opens the file cuts the torn packet off.
 *   D2: lttd frees a packet in the tracer only when all of it is in the file, by peeking
 *       at the next packet.
 *   D3: no packet is in the file twice.  lttd recognises by the sequence number the packets
 *       that a killed lttd wrote but did not free.
 *   D4: a packet goes from the tracer's pages to the disk without the page cache.  Where the
 *       file system cannot do that, the page cache holds two packets of each file: while
 *       lttd copies one, the kernel writes the previous one to the disk and drops it.
 *   D5: lttd waits for the disk at the end, so that it reports late write errors.
 */
#include "buffer-file.h"
#include "lttd/disk.h"
#include "lttd/log.h"
#include "metadata.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Direct output needs a file system that supports it, and data of whole pages. */
static void set_direct(struct stream *stream, bool on)
{
	stream->direct = !fcntl(stream->out, F_SETFL, on ? O_DIRECT : 0) && on;
}

struct stream *stream_open(const char *name, int in, int dir)
{
	struct ltt_ctf_packet last;
	struct stream *stream;
	off_t end;

	stream = calloc(1, sizeof(*stream));
	if (!stream) {
		close(in);
		fail("out of memory");
		return NULL;
	}
	strncpy(stream->name, name, sizeof(stream->name) - 1);
	stream->in = in;
	stream->out = openat(dir, name, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (stream->out < 0) {
		fail("cannot open %s for writing: %s", name, strerror(errno));
		goto err_free;
	}
	stream->size = packets_walk(stream->out, &last);
	end = lseek(stream->out, 0, SEEK_END);
	if (stream->size < 0 || end < 0) {
		fail("cannot read %s: %s", name, strerror(errno));
		goto err_free;
	}
	if (stream->size) {
		stream->has_last = true;
		stream->last = last.packet_seq_num;
	}
	stream->unsynced = stream->size;
	if (end > stream->size)
		notice("%s: cut %lld bytes of a torn packet", name,
		       (long long)(end - stream->size));
	if (ftruncate(stream->out, stream->size) ||
	    lseek(stream->out, stream->size, SEEK_SET) < 0) {
		fail("cannot cut the torn packet off %s: %s", name,
		     strerror(errno));
		goto err_free;
	}
	set_direct(stream, true);
	return stream;

err_free:
	stream_free(stream);
	return NULL;
}

void stream_free(struct stream *stream)
{
	if (stream->in >= 0)
		close(stream->in);
	if (stream->out >= 0)
		close(stream->out);
	free(stream);
}

int stream_peek(struct stream *stream)
{
	struct ltt_ctf_packet *header = &stream->header;
	off_t at = lseek(stream->in, 0, SEEK_CUR);
	ssize_t got;

	stream->ready = false;
	for (;;) {
		got = pread(stream->in, header, sizeof(*header), at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			return 0;
		if (got < 0)
			return fail("cannot read buffer %s: %s", stream->name,
				    strerror(errno));
		if (!got) {
			close(stream->in);
			stream->in = -1;
			return 0;
		}
		if (got < (ssize_t)sizeof(*header) || !packet_valid(header))
			return fail("buffer %s has no packet header at %lld: the tracer and lttd have different versions",
				    stream->name, (long long)at);
		if (!stream->has_last || header->packet_seq_num > stream->last) {
			stream->ready = true;
			return 0;
		}
		at = lseek(stream->in, packet_bytes(header), SEEK_CUR);
	}
}

/* Copy @len bytes from @from (a buffer or a pipe) by read() and write(). */
static int copy_by_read(int from, int to, size_t len)
{
	char chunk[64 * 1024];
	ssize_t got, done, part;

	while (len) {
		got = read(from, chunk, len < sizeof(chunk) ? len : sizeof(chunk));
		if (got < 0 && errno == EINTR)
			continue;
		if (!got)
			errno = ENODATA;
		if (got <= 0)
			return -1;
		for (done = 0; done < got; done += part) {
			part = write(to, chunk + done, got - done);
			if (part < 0 && errno == EINTR)
				part = 0;
			if (part < 0)
				return -1;
		}
		len -= got;
	}
	return 0;
}

/* Empty the pipe into the file. */
static int copy_from_pipe(struct stream *stream, int pipe, size_t len)
{
	ssize_t got;

	while (len) {
		got = splice(pipe, NULL, stream->out, NULL, len, SPLICE_F_MOVE);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EINVAL && stream->direct) {
			set_direct(stream, false);
			continue;
		}
		if (got < 0 && errno == EINVAL) {
			stream->by_read = true;
			return copy_by_read(pipe, stream->out, len);
		}
		if (got <= 0)
			return -1;
		len -= got;
	}
	return 0;
}

/* Splice as much as the pipe holds into it.  Return: bytes, or -1. */
static ssize_t fill_pipe(struct stream *stream, int pipe, size_t len)
{
	size_t filled = 0;
	ssize_t got;

	while (filled < len) {
		got = splice(stream->in, NULL, pipe, NULL, len - filled,
			     SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EINVAL)
			stream->by_read = true;
		/* The pipe is full, or another thread holds the buffer's lock and
		 * SPLICE_F_NONBLOCK does not wait for it. */
		if (got < 0 && (errno == EINVAL || errno == EAGAIN))
			break;
		if (!got)
			errno = ENODATA;
		if (got <= 0)
			return -1;
		filled += got;
	}
	return filled;
}

static int copy_packet(struct stream *stream, const int pipe[2])
{
	size_t left = packet_bytes(&stream->header);
	ssize_t got;

	while (left && !stream->by_read) {
		got = fill_pipe(stream, pipe[1], left);
		if (got < 0 || copy_from_pipe(stream, pipe[0], got))
			return -1;
		if (!got)
			break;
		left -= got;
	}
	if (!left)
		return 0;
	/* copy_by_read() does not align its writes: use the page cache from here on. */
	set_direct(stream, false);
	return copy_by_read(stream->in, stream->out, left);
}

/* Cut the file back to @size after the error @err, and report it. */
static int give_up(struct stream *stream, off_t size, int err)
{
	if (ftruncate(stream->out, size))
		notice("cannot cut %s back to %lld bytes: %s", stream->name,
		       (long long)size, strerror(errno));
	return fail("cannot write %s: %s; it ends after its last whole packet, at %lld bytes",
		    stream->name, strerror(err), (long long)size);
}

/* D4.  Report errors of the write-back, which follows the copy. */
static int write_back(struct stream *stream, off_t start)
{
	off_t before = stream->unsynced;

	if (stream->direct) {
		stream->unsynced = stream->size;
		return 0;
	}
	sync_file_range(stream->out, start, stream->size - start,
			SYNC_FILE_RANGE_WRITE);
	if (start > before) {
		if (sync_file_range(stream->out, before, start - before,
				    SYNC_FILE_RANGE_WAIT_BEFORE |
				    SYNC_FILE_RANGE_WRITE |
				    SYNC_FILE_RANGE_WAIT_AFTER) &&
		    (errno == EIO || errno == ENOSPC || errno == EDQUOT))
			return give_up(stream, before, errno);
		posix_fadvise(stream->out, before, start - before,
			      POSIX_FADV_DONTNEED);
	}
	stream->unsynced = start;
	return 0;
}

int stream_copy(struct stream *stream, const int pipe[2],
		struct metadata *metadata)
{
	uint64_t len = packet_bytes(&stream->header);
	off_t start = stream->size;

	if (metadata_drain(metadata))
		return -1;
	if (copy_packet(stream, pipe))
		return give_up(stream, start, errno);
	stream->size += len;
	stream->has_last = true;
	stream->last = stream->header.packet_seq_num;
	stream->packets++;
	stream->bytes += len;
	if (write_back(stream, start))
		return -1;
	return stream_peek(stream);
}

int stream_sync(struct stream *stream)
{
	int err = disk_sync(stream->out);

	return err ? fail("cannot write %s: %s; the content on the disk is unknown",
			  stream->name, strerror(err)) : 0;
}

double stream_backlog(const struct stream *stream, uint64_t now)
{
	const struct ltt_ctf_packet *header = &stream->header;
	double filled = header->timestamp_end - header->timestamp_begin + 1.0;

	if (now < header->timestamp_end)
		return 1;
	return (now - header->timestamp_begin) / filled;
}
