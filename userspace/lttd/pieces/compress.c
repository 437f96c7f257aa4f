// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Compress the data files of closed pieces.
 *
 * Layer: lttd.  The compressed file is written under a hidden name, which readers ignore, and
 * gets its name when it is whole on the disk; only then the other one is removed.
 */
#include "compress.h"
#include "common/folders.h"
#include "common/packet.h"
#include "lttd/disk.h"
#include "lttd/log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

/* zstd's own default: faster than most disks write. */
#define LEVEL	3

/**
 * struct squeezer - a file that is being compressed
 * @from: the file
 * @to: the compressed one
 * @context: zstd's
 * @packet: a packet, of @packet_room bytes
 * @packet_room: see @packet
 * @frame: its frame, of @frame_room bytes
 * @frame_room: see @frame
 * @stop: see compress_trace()
 */
struct squeezer {
	int from;
	int to;
	ZSTD_CCtx *context;
	char *packet;
	size_t packet_room;
	char *frame;
	size_t frame_room;
	const bool *stop;
};

static int read_whole(int fd, char *to, size_t size, off_t at)
{
	size_t done = 0;
	ssize_t part;

	while (done < size) {
		part = pread(fd, to + done, size - done, at + done);
		if (part < 0 && errno == EINTR)
			continue;
		if (!part)
			errno = EIO;
		if (part <= 0)
			return -1;
		done += part;
	}
	return 0;
}

static int write_whole(int fd, const char *from, size_t size)
{
	size_t done = 0;
	ssize_t part;

	while (done < size) {
		part = write(fd, from + done, size - done);
		if (part < 0 && errno != EINTR)
			return -1;
		done += part < 0 ? 0 : part;
	}
	return 0;
}

static int make_room(char **buffer, size_t *room, size_t size)
{
	char *more;

	if (size <= *room)
		return 0;
	more = realloc(*buffer, size);
	if (!more)
		return -1;
	*buffer = more;
	*room = size;
	return 0;
}

/*
 * The header of the packet is a block of its own, so that readers that make an index decompress it alone.
 * Return: the bytes of the frame; 0 without memory.
 */
static size_t make_frame(const struct squeezer *squeezer, size_t size)
{
	ZSTD_outBuffer out = { .dst = squeezer->frame, .size = squeezer->frame_room };
	ZSTD_inBuffer header = { .src = squeezer->packet, .size = sizeof(struct ltt_ctf_packet) };
	ZSTD_inBuffer all = { .src = squeezer->packet, .size = size, .pos = header.size };

	ZSTD_CCtx_reset(squeezer->context, ZSTD_reset_session_only);
	ZSTD_CCtx_setPledgedSrcSize(squeezer->context, size);
	if (ZSTD_compressStream2(squeezer->context, &out, &header, ZSTD_e_flush) ||
	    ZSTD_compressStream2(squeezer->context, &out, &all, ZSTD_e_end))
		return 0;
	return out.pos;
}

static int squeeze_packet(struct squeezer *squeezer, off_t at, size_t size)
{
	size_t bound = ZSTD_compressBound(sizeof(struct ltt_ctf_packet)) + ZSTD_compressBound(size), len;

	if (make_room(&squeezer->packet, &squeezer->packet_room, size) ||
	    make_room(&squeezer->frame, &squeezer->frame_room, bound) ||
	    read_whole(squeezer->from, squeezer->packet, size, at))
		return -1;
	len = make_frame(squeezer, size);
	if (!len) {
		errno = ENOMEM;
		return -1;
	}
	return write_whole(squeezer->to, squeezer->frame, len);
}

/* Return: 0; -1 with errno set, EBADMSG if not all of the file is whole packets, ECANCELED after @stop. */
static int squeeze_packets(struct squeezer *squeezer, off_t size)
{
	struct ltt_ctf_packet header;
	off_t at = 0;

	while (at < size) {
		if (squeezer->stop && __atomic_load_n(squeezer->stop, __ATOMIC_RELAXED)) {
			errno = ECANCELED;
			return -1;
		}
		if (size - at < (off_t)sizeof(header))
			goto bad;
		if (read_whole(squeezer->from, (char *)&header, sizeof(header), at))
			return -1;
		if (!packet_valid(&header) || packet_bytes(&header) > (uint64_t)(size - at))
			goto bad;
		if (squeeze_packet(squeezer, at, packet_bytes(&header)))
			return -1;
		at += packet_bytes(&header);
	}
	return 0;
bad:
	errno = EBADMSG;
	return -1;
}

static int squeeze(int dir, const char *name, const char *hidden, off_t size, const bool *stop)
{
	struct squeezer squeezer = {
		.from = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC),
		.to = openat(dir, hidden, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644),
		.context = ZSTD_createCCtx(),
		.stop = stop,
	};
	int ret = -1, err;

	if (!squeezer.context)
		errno = ENOMEM;
	else if (squeezer.from >= 0 && squeezer.to >= 0) {
		ZSTD_CCtx_setParameter(squeezer.context, ZSTD_c_compressionLevel, LEVEL);
		ZSTD_CCtx_setParameter(squeezer.context, ZSTD_c_checksumFlag, 1);
		ret = squeeze_packets(&squeezer, size);
	}
	if (!ret) {
		err = disk_sync(squeezer.to);
		if (err) {
			errno = err;
			ret = -1;
		}
	}
	err = errno;
	if (squeezer.from >= 0) {
		/* Leave the page cache to other programs. */
		posix_fadvise(squeezer.from, 0, 0, POSIX_FADV_DONTNEED);
		close(squeezer.from);
	}
	if (squeezer.to >= 0)
		close(squeezer.to);
	ZSTD_freeCCtx(squeezer.context);
	free(squeezer.packet);
	free(squeezer.frame);
	errno = err;
	return ret;
}

static bool is_compressed(const char *name)
{
	size_t len = strlen(name), end = strlen(COMPRESSED);

	return len > end && !strcmp(name + len - end, COMPRESSED);
}

/* Replace the file.  Return: 0; -1 with errno set. */
static int replace(int dir, const char *name, const char *hidden, const char *compressed)
{
	/* The new name is on the disk before the old one is removed. */
	if (renameat(dir, hidden, dir, compressed) || (fsync(dir) && errno != EINVAL))
		return -1;
	return unlinkat(dir, name, 0);
}

static int compress_file(int dir, const char *name, const struct stat *st, void *arg)
{
	char hidden[NAME_MAX + 1], compressed[NAME_MAX + 1];
	bool stopped;

	if (!strcmp(name, "metadata") || is_compressed(name) || !st->st_size ||
	    snprintf(hidden, sizeof(hidden), ".%s" COMPRESSED, name) >= (int)sizeof(hidden))
		return 0;
	snprintf(compressed, sizeof(compressed), "%s" COMPRESSED, name);
	/* lttd was killed just before it removed this file. */
	if (!faccessat(dir, compressed, F_OK, 0))
		return unlinkat(dir, name, 0) && errno != ENOENT ? -1 : 0;
	if (!squeeze(dir, name, hidden, st->st_size, arg) && !replace(dir, name, hidden, compressed))
		return 0;
	if (errno == ENOENT)
		return 0;
	stopped = errno == ECANCELED;
	if (!stopped)
		notice("cannot compress %s: %s; it stays as it is", name,
		       errno == EBADMSG ? "not all of it is packets" : strerror(errno));
	unlinkat(dir, hidden, 0);
	return stopped ? -1 : 0;
}

int compress_trace(int dir, const bool *stop)
{
	return folder_walk(dir, false, compress_file, (void *)stop);
}
