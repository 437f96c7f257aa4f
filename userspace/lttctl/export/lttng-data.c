// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Share a data file of a recording.
 *
 * Layer: lttctl export.
 */
#include "lttng-data.h"
#include "lttctl/command.h"

#include "core/ctf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

static int cannot(const char *what, const char *path)
{
	return complain("cannot %s %s: %s", what, path, strerror(errno));
}

static int copy(struct lttng_data *sums, int from, const char *path, const char *to)
{
	int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	ssize_t len = -1;

	if (fd < 0)
		return cannot("create", to);
	while ((len = sendfile(fd, from, NULL, 1 << 30)) > 0)
		sums->copied += len;
	if (close(fd) || len < 0)
		return cannot("copy", path);
	return 0;
}

static int take_plain(struct lttng_data *sums, int from, const char *path, const char *to)
{
	if (!link(path, to))
		return 0;
	/* The owner of a file, or a user who may write to it, can link to it. */
	if (errno != EXDEV && errno != EPERM && errno != EMLINK && errno != EACCES && errno != EOPNOTSUPP)
		return cannot("link", path);
	sums->why = strerror(errno);
	return copy(sums, from, path, to);
}

/* --- Compressed files ------------------------------------------------------------- */

/**
 * struct unpacking - a file that is decompressed
 * @stream: zstd's
 * @from: the file
 * @to: the new one
 * @in: a part of @from
 * @out: what zstd makes of it
 */
struct unpacking {
	ZSTD_DStream *stream;
	FILE *from;
	FILE *to;
	unsigned char in[128 << 10];
	unsigned char out[128 << 10];
};

/* Return: 0; -errno; -EBADMSG: it is damaged. */
static int unpack(struct unpacking *unpacking, uint64_t *bytes)
{
	ZSTD_inBuffer in = { .src = unpacking->in };
	ZSTD_outBuffer out = { .dst = unpacking->out, .size = sizeof(unpacking->out) };
	size_t left = 0;

	for (;;) {
		/* zstd may have more than there was room for: read only when it has put out all. */
		if (in.pos == in.size && out.pos < out.size) {
			in.size = fread(unpacking->in, 1, sizeof(unpacking->in), unpacking->from);
			in.pos = 0;
			if (!in.size)
				return ferror(unpacking->from) ? -errno : left ? -EBADMSG : 0;
		}
		out.pos = 0;
		left = ZSTD_decompressStream(unpacking->stream, &out, &in);
		if (ZSTD_isError(left))
			return -EBADMSG;
		if (fwrite(unpacking->out, 1, out.pos, unpacking->to) != out.pos)
			return -errno;
		*bytes += out.pos;
	}
}

static int take_compressed(struct lttng_data *sums, const char *path, const char *to)
{
	struct unpacking *unpacking = malloc(sizeof(*unpacking));
	int err = -ENOMEM;

	if (unpacking) {
		unpacking->stream = ZSTD_createDStream();
		unpacking->from = fopen(path, "re");
		unpacking->to = fopen(to, "wxe");
		err = !unpacking->from || !unpacking->to ? -errno : unpacking->stream ? unpack(unpacking, &sums->decompressed) : -ENOMEM;
		if (unpacking->from)
			fclose(unpacking->from);
		if (unpacking->to && fclose(unpacking->to) && !err)
			err = -errno;
		ZSTD_freeDStream(unpacking->stream);
	}
	free(unpacking);
	return err ? complain("cannot decompress %s: %s", path, err == -EBADMSG ? "it is damaged" : strerror(-err)) : 0;
}

/* --- Both ------------------------------------------------------------------------------ */

int lttng_data_take(struct lttng_data *sums, const char *path, const char *to)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), status = 0;
	uint32_t begin = 0;
	struct stat info;

	if (fd < 0)
		return cannot("open", path);
	if (!fstat(fd, &info) && S_ISREG(info.st_mode) && pread(fd, &begin, sizeof(begin), 0) == sizeof(begin)) {
		if (begin == LTT_CTF_MAGIC)
			status = take_plain(sums, fd, path, to);
		else if (begin == ZSTD_MAGICNUMBER)
			status = take_compressed(sums, path, to);
	}
	close(fd);
	return status;
}
