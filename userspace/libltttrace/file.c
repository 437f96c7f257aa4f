// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A data file, mapped.
 *
 * Layer: libltttrace.  A mapping is longer than the file, so that most files grow within it, and one that is replaced stays until
 * the file is closed: records point into it.  A file that is compressed is a series of frames of zstd, one for each
 * packet: a reader decompresses the packets that it reads, and no others.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#define ZST		".zst"
#define GROWTH		(1UL << 26)	/* bytes that a mapping is longer than its file */

static bool ends_with(const char *name, const char *end)
{
	const size_t len = strlen(name), end_len = strlen(end);

	return len > end_len && !strcmp(name + len - end_len, end);
}

/* Map the file with room to grow.  Return: 0, -errno; -EFBIG: it has more bytes than a program of 32 bits has addresses. */
static int map(struct file *file)
{
	const uint64_t bytes = file->compressed ? file->size : file->size + GROWTH;
	struct mapping *old = NULL;
	void *address;

	if (bytes > SIZE_MAX)
		return -EFBIG;
	if (file->map) {
		old = malloc(sizeof(*old));
		if (!old)
			return -ENOMEM;
		*old = (struct mapping){ .next = file->old, .address = (void *)file->map, .bytes = file->mapped };
	}
	address = mmap(NULL, bytes, PROT_READ, MAP_SHARED, file->fd, 0);
	if (address == MAP_FAILED) {
		free(old);
		return -errno;
	}
	if (old)
		file->old = old;
	file->map = address;
	file->mapped = bytes;
	return 0;
}

int file_grow(struct file *file)
{
	struct stat stat;
	uint64_t before = file->size;
	int err = 0;

	if (file->fd < 0)
		return 0;
	if (fstat(file->fd, &stat))
		return -errno;
	file->is_deleted = !stat.st_nlink;
	if ((uint64_t)stat.st_size <= file->size)
		return 0;
	file->size = stat.st_size;
	if (file->size > file->mapped)
		err = map(file);
	if (err)
		file->size = before;
	return err;
}

int file_open(struct file **opened, const struct folder *folder, const char *name)
{
	struct file *file = calloc(1, sizeof(*file));
	struct stat stat;
	int err = -ENOMEM;

	if (!file)
		return err;
	file->fd = -1;
	file->folder = folder;
	file->compressed = ends_with(name, ZST);
	file->name = strdup(name);
	if (!file->name || asprintf(&file->path, "%s/%s", folder->path, name) < 0)
		goto fail;
	if (file->compressed)
		file->name[strlen(name) - strlen(ZST)] = '\0';
	/* A FIFO would wait for a writer. */
	file->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->fd < 0 || fstat(file->fd, &stat)) {
		err = -errno;
		goto fail;
	}
	file->device = stat.st_dev;
	file->inode = stat.st_ino;
	err = S_ISREG(stat.st_mode) ? file_grow(file) : -EINVAL;
	if (err)
		goto fail;
	*opened = file;
	return 0;
fail:
	file_close(file);
	return err;
}

void file_forget(struct file *file)
{
	struct mapping *old;

	while ((old = file->old)) {
		file->old = old->next;
		munmap(old->address, old->bytes);
		free(old);
	}
	if (file->map)
		munmap((void *)file->map, file->mapped);
	if (file->fd >= 0)
		close(file->fd);
	file->map = NULL;
	file->fd = -1;
	/* Another file may get the number. */
	file->inode = 0;
}

void file_close(struct file *file)
{
	file_forget(file);
	free(file->path);
	free(file->name);
	free(file);
}

/* Not by the mapping: the kernel would map, and perhaps read, some pages around each header. */
int file_read(const struct file *file, uint64_t offset, void *to, size_t bytes)
{
	const ssize_t got = pread(file->fd, to, bytes, offset);

	return got < 0 ? -errno : got == (ssize_t)bytes;
}

bool file_has(const struct file *file, uint64_t end)
{
	struct stat stat;

	return !fstat(file->fd, &stat) && (uint64_t)stat.st_size >= end;
}

static int decompress(const struct file *file, const struct packet *packet, struct unpacked *unpacked)
{
	unsigned char *larger;
	size_t size;

	if (!unpacked->context)
		unpacked->context = ZSTD_createDCtx();
	if (!unpacked->context)
		return -ENOMEM;
	if (unpacked->room < packet->size) {
		larger = realloc(unpacked->bytes, packet->size);
		if (!larger)
			return -ENOMEM;
		unpacked->bytes = larger;
		unpacked->room = packet->size;
	}
	size = ZSTD_decompressDCtx(unpacked->context, unpacked->bytes, unpacked->room, file->map + packet->offset,
				   packet->stored);
	return ZSTD_isError(size) || size != packet->size ? -EBADMSG : 0;
}

int file_packet(const struct file *file, const struct packet *packet, struct unpacked *unpacked,
		const unsigned char **data)
{
	int err = 0;

	if (file->fd < 0)
		return -ENOENT;
	if (!file_has(file, packet->offset + packet->stored))
		return -ESTALE;
	if (file->compressed) {
		err = decompress(file, packet, unpacked);
		*data = unpacked->bytes;
	} else {
		*data = file->map + packet->offset;
	}
	return err;
}
