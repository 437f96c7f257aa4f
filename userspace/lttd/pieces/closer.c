// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Close pieces.
 *
 * Layer: lttd.  P1 (pieces.h): files first, then the directories that name them, then the mark.
 */
#include "closer.h"
#include "commander.h"
#include "pieces.h"
#include "quota.h"
#include "common/folders.h"
#include "common/packet.h"
#include "common/pieces.h"
#include "common/state.h"
#include "lttd/disk.h"
#include "lttd/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* From so many files on, the disk gets them all at once: see disk_sync_all(). */
#define FILES_TOGETHER	32

/**
 * struct closing - a trace of a piece that is being closed
 * @orphan: packets may be torn
 * @has_trace: there are files beside samples of the clock
 * @nr: number of files so far
 */
struct closing {
	bool orphan;
	bool has_trace;
	unsigned int nr;
};

/* The end of the last whole block of the metadata; all of it without one. */
static off_t whole_blocks(int fd, off_t size)
{
	static const char end[] = "\n};\n";
	char *text = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	off_t at;

	if (text == MAP_FAILED)
		return -1;
	for (at = size - (off_t)strlen(end); at >= 0 && memcmp(text + at, end, strlen(end)); at--)
		;
	if (at >= 0)
		for (at += strlen(end); at < size && text[at] == '\n'; at++)
			;
	munmap(text, size);
	return at < 0 ? size : at;
}

/* P2.  Return: 0; -1 with errno set. */
static int cut(int fd, const char *name, off_t size)
{
	struct ltt_ctf_packet last;
	off_t whole = strcmp(name, "metadata") ? packets_walk(fd, &last) : size ? whole_blocks(fd, size) : 0;

	if (whole < 0 || whole == size)
		return whole < 0 ? -1 : 0;
	notice("%s: cut %lld bytes of an unfinished write", name, (long long)(size - whole));
	return ftruncate(fd, whole);
}

static int finish_file(int dir, const char *name, const struct stat *st, void *arg)
{
	struct closing *closing = arg;
	int fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC), ret, err;

	if (fd < 0)
		return -1;
	ret = closing->orphan ? cut(fd, name, st->st_size) : 0;
	if (!ret) {
		err = ++closing->nr > FILES_TOGETHER ? disk_write(fd) : disk_sync(fd);
		if (err) {
			errno = err;
			ret = -1;
		}
	}
	close(fd);
	return ret;
}

/* Some file systems cannot sync a directory. */
static int sync_folder(int dir)
{
	return fsync(dir) && errno != EINVAL ? -1 : 0;
}

/* After a power cut, samples of the clock may have no metadata.  Readers would reject the piece for that. */
static bool is_useless(int dir, const char *name)
{
	struct stat st;

	return clock_trace_is(name) && (fstatat(dir, "metadata", &st, AT_SYMLINK_NOFOLLOW) || !st.st_size);
}

static int finish_trace(int piece, const char *name, void *arg)
{
	struct closing *closing = arg;
	const unsigned int before = closing->nr;
	int dir, ret;

	if (!piece_has(name) && !clock_trace_is(name))
		return 0;
	dir = folder_open(piece, name);
	if (dir < 0)
		return -1;
	if (closing->orphan && is_useless(dir, name)) {
		close(dir);
		return folder_remove(piece, name);
	}
	ret = folder_walk(dir, false, finish_file, closing);
	if (!ret)
		ret = sync_folder(dir);
	close(dir);
	closing->has_trace |= piece_has(name) && closing->nr > before;
	return ret;
}

/* Return: 0; 1: the piece was empty, and is removed; -1 with errno set. */
static int finish(const struct pieces *pieces, const struct piece *piece)
{
	struct closing closing = { .orphan = piece->orphan };
	int err;

	if (folders_walk(piece->dir, finish_trace, &closing))
		return -1;
	if (!closing.has_trace) {
		piece_remove(pieces->root, piece->number);
		return 1;
	}
	err = closing.nr > FILES_TOGETHER ? disk_sync_all(piece->dir) : 0;
	if (err) {
		errno = err;
		return -1;
	}
	if (sync_folder(piece->dir) || sync_folder(pieces->root))
		return -1;
	return unlinkat(piece->dir, PIECE_MARK, 0) || sync_folder(piece->dir) ? -1 : 0;
}

static void close_piece(struct pieces *pieces, struct piece *piece)
{
	struct rotated *rotated = commander_piece(pieces, piece->number);
	int ret = finish(pieces, piece);

	if (ret < 0)
		fail("cannot close piece %04u: %s; it stays open", piece->number, strerror(errno));
	close(piece->mark);
	close(piece->dir);
	free(piece);
	quota_keep(pieces);
	pthread_mutex_lock(&pieces->lock);
	pieces->failed |= ret < 0;
	pieces->changed++;
	if (rotated && !ret)
		commander_add(pieces, rotated);
	else
		free(rotated);
	pieces->nr_closing--;
	pthread_cond_broadcast(&pieces->wake);
	pthread_mutex_unlock(&pieces->lock);
}

static int sync_metadata(int piece, const char *name, void *arg)
{
	int dir = folder_open(piece, name), fd;

	(void)arg;
	if (dir < 0)
		return 0;
	fd = openat(dir, "metadata", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0) {
		disk_sync(fd);
		close(fd);
	}
	sync_folder(dir);
	close(dir);
	return 0;
}

/* An error is reported when the piece is closed. */
static void sync_piece(const struct pieces *pieces, unsigned int number)
{
	char name[PIECE_NAME_SIZE];
	int dir;

	piece_name(number, name);
	dir = folder_open(pieces->root, name);
	if (dir < 0)
		return;
	folders_walk(dir, sync_metadata, NULL);
	sync_folder(dir);
	sync_folder(pieces->root);
	close(dir);
}

/* Return: true: there is a piece to close, or the metadata of piece @sync to write; false at the end. */
static bool next(struct pieces *pieces, struct piece **piece, unsigned int *sync)
{
	bool more;

	pthread_mutex_lock(&pieces->lock);
	while (!pieces->closing && !pieces->sync && !pieces->ending)
		pthread_cond_wait(&pieces->wake, &pieces->lock);
	*sync = pieces->sync;
	pieces->sync = 0;
	*piece = *sync ? NULL : pieces->closing;
	if (*piece)
		pieces->closing = (*piece)->next;
	more = *sync || *piece;
	pthread_mutex_unlock(&pieces->lock);
	return more;
}

void *closer_run(void *arg)
{
	struct pieces *pieces = arg;
	struct piece *piece;
	unsigned int sync;

	/* Pieces of earlier recordings may be over the quota. */
	quota_keep(pieces);
	while (next(pieces, &piece, &sync)) {
		if (sync)
			sync_piece(pieces, sync);
		else
			close_piece(pieces, piece);
	}
	return NULL;
}
