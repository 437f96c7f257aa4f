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
 *       Another process that reads the file meanwhile is better served by the page cache:
 *       with @cached, lttd leaves all of it there.
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
static void set_direct(struct buffer_file *file, bool on)
{
	on &= !file->cached;
	file->direct = !fcntl(file->out, F_SETFL, on ? O_DIRECT : 0) && on;
}

struct buffer_file *buffer_file_open(const char *name, int in, int dir, bool cached)
{
	struct ltt_ctf_packet last;
	struct buffer_file *file;
	off_t end;

	file = calloc(1, sizeof(*file));
	if (!file) {
		close(in);
		fail("out of memory");
		return NULL;
	}
	strncpy(file->name, name, sizeof(file->name) - 1);
	file->in = in;
	file->dir = dir;
	file->cached = cached;
	file->out = openat(dir, name, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (file->out < 0) {
		fail("cannot open %s for writing: %s", name, strerror(errno));
		goto err_free;
	}
	file->size = packets_walk(file->out, &last);
	end = lseek(file->out, 0, SEEK_END);
	if (file->size < 0 || end < 0) {
		fail("cannot read %s: %s", name, strerror(errno));
		goto err_free;
	}
	if (file->size) {
		file->has_last = true;
		file->last = last.packet_seq_num;
	}
	file->unsynced = file->size;
	if (end > file->size)
		notice("%s: cut %lld bytes of a torn packet", name,
		       (long long)(end - file->size));
	if (ftruncate(file->out, file->size) ||
	    lseek(file->out, file->size, SEEK_SET) < 0) {
		fail("cannot cut the torn packet off %s: %s", name,
		     strerror(errno));
		goto err_free;
	}
	set_direct(file, true);
	return file;

err_free:
	buffer_file_free(file);
	return NULL;
}

void buffer_file_move(struct buffer_file *file, int dir)
{
	if (file->out >= 0)
		close(file->out);
	file->out = -1;
	file->dir = dir;
	file->size = file->unsynced = 0;
}

static int open_next(struct buffer_file *file)
{
	if (file->out >= 0)
		return 0;
	file->out = openat(file->dir, file->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (file->out < 0)
		return fail("cannot create %s: %s", file->name, strerror(errno));
	set_direct(file, !file->by_read);
	return 0;
}

void buffer_file_free(struct buffer_file *file)
{
	if (file->in >= 0)
		close(file->in);
	if (file->out >= 0)
		close(file->out);
	free(file);
}

int buffer_file_peek(struct buffer_file *file)
{
	struct ltt_ctf_packet *header = &file->header;
	off_t at = lseek(file->in, 0, SEEK_CUR);
	ssize_t got;

	file->ready = false;
	for (;;) {
		got = pread(file->in, header, sizeof(*header), at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			return 0;
		if (got < 0)
			return fail("cannot read buffer %s: %s", file->name,
				    strerror(errno));
		if (!got) {
			close(file->in);
			file->in = -1;
			return 0;
		}
		if (got < (ssize_t)sizeof(*header) || !packet_valid(header))
			return fail("buffer %s has no packet header at %lld: the tracer and lttd have different versions",
				    file->name, (long long)at);
		if (!file->has_last || header->packet_seq_num > file->last) {
			file->ready = true;
			return 0;
		}
		at = lseek(file->in, packet_bytes(header), SEEK_CUR);
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
static int copy_from_pipe(struct buffer_file *file, int pipe, size_t len)
{
	ssize_t got;

	while (len) {
		got = splice(pipe, NULL, file->out, NULL, len, SPLICE_F_MOVE);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EINVAL && file->direct) {
			set_direct(file, false);
			continue;
		}
		if (got < 0 && errno == EINVAL) {
			file->by_read = true;
			return copy_by_read(pipe, file->out, len);
		}
		if (got <= 0)
			return -1;
		len -= got;
	}
	return 0;
}

/* Splice as much as the pipe holds into it.  Return: bytes, or -1. */
static ssize_t fill_pipe(struct buffer_file *file, int pipe, size_t len)
{
	size_t filled = 0;
	ssize_t got;

	while (filled < len) {
		got = splice(file->in, NULL, pipe, NULL, len - filled,
			     SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EINVAL)
			file->by_read = true;
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

static int copy_packet(struct buffer_file *file, const int pipe[2])
{
	size_t left = packet_bytes(&file->header);
	ssize_t got;

	while (left && !file->by_read) {
		got = fill_pipe(file, pipe[1], left);
		if (got < 0 || copy_from_pipe(file, pipe[0], got))
			return -1;
		if (!got)
			break;
		left -= got;
	}
	if (!left)
		return 0;
	/* copy_by_read() does not align its writes: use the page cache from here on. */
	set_direct(file, false);
	return copy_by_read(file->in, file->out, left);
}

/* Cut the file back to @size after the error @err, and report it. */
static int give_up(struct buffer_file *file, off_t size, int err)
{
	if (ftruncate(file->out, size))
		notice("cannot cut %s back to %lld bytes: %s", file->name,
		       (long long)size, strerror(errno));
	return fail("cannot write %s: %s; it ends after its last whole packet, at %lld bytes",
		    file->name, strerror(err), (long long)size);
}

/* D4.  Report errors of the write-back, which follows the copy. */
static int write_back(struct buffer_file *file, off_t start)
{
	off_t before = file->unsynced;

	if (file->direct || file->cached) {
		file->unsynced = file->size;
		return 0;
	}
	sync_file_range(file->out, start, file->size - start,
			SYNC_FILE_RANGE_WRITE);
	if (start > before) {
		if (sync_file_range(file->out, before, start - before,
				    SYNC_FILE_RANGE_WAIT_BEFORE |
				    SYNC_FILE_RANGE_WRITE |
				    SYNC_FILE_RANGE_WAIT_AFTER) &&
		    (errno == EIO || errno == ENOSPC || errno == EDQUOT))
			return give_up(file, before, errno);
		posix_fadvise(file->out, before, start - before,
			      POSIX_FADV_DONTNEED);
	}
	file->unsynced = start;
	return 0;
}

int buffer_file_copy(struct buffer_file *file, const int pipe[2],
		struct metadata *metadata)
{
	uint64_t len = packet_bytes(&file->header);
	off_t start = file->size;

	if (metadata_drain(metadata) || open_next(file))
		return -1;
	if (copy_packet(file, pipe))
		return give_up(file, start, errno);
	file->size += len;
	file->has_last = true;
	file->last = file->header.packet_seq_num;
	file->packets++;
	file->bytes += len;
	if (write_back(file, start))
		return -1;
	return buffer_file_peek(file);
}

int buffer_file_sync(struct buffer_file *file)
{
	int err = file->out < 0 ? 0 : disk_sync(file->out);

	return err ? fail("cannot write %s: %s; the content on the disk is unknown",
			  file->name, strerror(err)) : 0;
}

double buffer_file_backlog(const struct buffer_file *file, uint64_t now)
{
	const struct ltt_ctf_packet *header = &file->header;
	double filled = header->timestamp_end - header->timestamp_begin + 1.0;

	if (now < header->timestamp_end)
		return 1;
	return (now - header->timestamp_begin) / filled;
}
