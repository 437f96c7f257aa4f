// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A recording in pieces.
 *
 * Layer: lttd.  This file opens pieces, and starts and ends the threads that close and
 * compress them, and run commands.
 */
#include "pieces.h"
#include "clean.h"
#include "closer.h"
#include "commander.h"
#include "compressor.h"
#include "common/folders.h"
#include "common/pieces.h"
#include "lttd/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Longest wait of poll(), well below INT_MAX. */
#define WAIT_MS_MAX	86400000

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ULL + ts.tv_nsec / 1000000;
}

/* ---- Opening ---- */

static void free_piece(struct piece *piece)
{
	if (piece->mark >= 0)
		close(piece->mark);
	if (piece->dir >= 0)
		close(piece->dir);
	free(piece);
}

static struct piece *new_piece(void)
{
	struct piece *piece = calloc(1, sizeof(*piece));

	if (!piece) {
		fail("out of memory");
		return NULL;
	}
	piece->dir = piece->mark = -1;
	return piece;
}

/* Make the mark in the directory, and lock it. */
static int mark(struct piece *piece)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	piece->mark = openat(piece->dir, PIECE_MARK, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	return piece->mark < 0 || fcntl(piece->mark, F_SETLK, &lock) ? -1 : 0;
}

/* Give the directory @hidden the first number that is free from @number on. */
static int give_number(const struct pieces *pieces, struct piece *piece, const char *hidden, unsigned int number)
{
	char name[PIECE_NAME_SIZE];

	for (;; number++) {
		piece_name(number, name);
		/* A piece is never empty, so this replaces none. */
		if (!renameat(pieces->root, hidden, pieces->root, name)) {
			piece->number = number;
			return 0;
		}
		/* ENOTDIR: a file of this name. */
		if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
			return -1;
	}
}

static struct piece *open_piece(struct pieces *pieces, const char *root, unsigned int number)
{
	struct piece *piece = new_piece();
	char hidden[32], name[PIECE_NAME_SIZE];
	int err = 0;

	if (!piece)
		return NULL;
	snprintf(hidden, sizeof(hidden), PIECE_HIDDEN "new-%d", getpid());
	if (mkdirat(pieces->root, hidden, 0755)) {
		err = errno;
	} else {
		piece->dir = openat(pieces->root, hidden, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (piece->dir < 0 || mark(piece) || give_number(pieces, piece, hidden, number)) {
			err = errno;
			folder_remove(pieces->root, hidden);
		}
	}
	piece_name(err ? number : piece->number, name);
	if (!err && snprintf(pieces->path, sizeof(pieces->path), "%s/%s", root, name) >= (int)sizeof(pieces->path))
		err = ENAMETOOLONG;
	if (!err)
		return piece;
	fail("cannot open piece %s/%s: %s", root, name, strerror(err));
	free_piece(piece);
	return NULL;
}

static void set_current(struct pieces *pieces, struct piece *piece)
{
	pieces->current = piece;
	pieces->bytes = 0;
	pieces->until = now_ms() + pieces->options->time_ms;
}

static void wait_for_disk(struct pieces *pieces)
{
	if (!pieces->options->quota)
		return;
	pthread_mutex_lock(&pieces->lock);
	while (pieces->nr_closing)
		pthread_cond_wait(&pieces->wake, &pieces->lock);
	pthread_mutex_unlock(&pieces->lock);
}

/* A number behind that of all pieces: those between may have been sent and removed, or be those of another lttd. */
static unsigned int next_number(const struct pieces *pieces)
{
	unsigned int number = pieces->current->number, *numbers;
	ssize_t nr = pieces_list(pieces->root, &numbers);

	if (nr > 0 && numbers[nr - 1] > number)
		number = numbers[nr - 1];
	free(numbers);
	return number + 1;
}

struct piece *pieces_open_next(struct pieces *pieces)
{
	struct piece *old = pieces->current, *piece;
	char root[PATH_MAX];

	wait_for_disk(pieces);
	strcpy(root, pieces->path);
	*strrchr(root, '/') = '\0';
	piece = open_piece(pieces, root, next_number(pieces));
	if (!piece)
		return NULL;
	set_current(pieces, piece);
	return old;
}

/* ---- Pieces that an earlier lttd left open ---- */

/* Lock the mark of an open piece.  Return: the piece; NULL: another lttd writes it. */
static struct piece *take_orphan(const struct pieces *pieces, unsigned int number)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct piece *piece = new_piece();
	char name[PIECE_NAME_SIZE];

	if (!piece)
		return NULL;
	piece_name(number, name);
	piece->number = number;
	piece->orphan = true;
	piece->dir = openat(pieces->root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (piece->dir >= 0)
		piece->mark = openat(piece->dir, PIECE_MARK, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (piece->mark >= 0 && !fcntl(piece->mark, F_SETLK, &lock))
		return piece;
	free_piece(piece);
	return NULL;
}

/* Return: the number of the newest piece, 0 if there is none; -1 with the failure logged. */
static long take_orphans(struct pieces *pieces, const char *root)
{
	ssize_t nr, i;
	unsigned int *numbers;
	struct piece *orphan;
	long newest;

	nr = pieces_list(pieces->root, &numbers);
	if (nr < 0)
		return fail("cannot read directory %s: %s", root, strerror(errno));
	for (i = 0; i < nr; i++) {
		if (!piece_is_open(pieces->root, numbers[i]) || !piece_is_ours(pieces->root, numbers[i]))
			continue;
		orphan = take_orphan(pieces, numbers[i]);
		if (!orphan)
			continue;
		notice("piece %s/%04u was left open: it is closed now", root, numbers[i]);
		orphan->next = pieces->orphans;
		pieces->orphans = orphan;
	}
	newest = nr ? numbers[nr - 1] : 0;
	free(numbers);
	return newest;
}

void pieces_close_orphans(struct pieces *pieces)
{
	struct piece *orphan;

	while ((orphan = pieces->orphans)) {
		pieces->orphans = orphan->next;
		pieces_close(pieces, orphan);
	}
}

/* ---- Begin and end ---- */

static int start_threads(struct pieces *pieces)
{
	int err = pthread_create(&pieces->closer, NULL, closer_run, pieces);

	pieces->has_closer = !err;
	if (!err && pieces->options->compress) {
		err = pthread_create(&pieces->compressor, NULL, compressor_run, pieces);
		pieces->has_compressor = !err;
	}
	if (!err && pieces->options->after_rotate) {
		err = pthread_create(&pieces->commander, NULL, commander_run, pieces);
		pieces->has_commander = !err;
	}
	return err ? fail("cannot create a thread: %s", strerror(err)) : 0;
}

int pieces_begin(struct pieces *pieces, const struct options_pieces *options, const char *root, uint64_t subbuf)
{
	const char *why = piece_options_fit(options, subbuf);
	struct piece *piece;
	long newest;

	*pieces = (struct pieces){
		.options = options, .subbuf = subbuf, .root = -1,
		.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER,
	};
	if (why)
		return fail("--quota %s: %s; one has %llu bytes", options->quota_text, why, (unsigned long long)subbuf);
	if (!piece_options_wanted(options)) {
		if (snprintf(pieces->path, sizeof(pieces->path), "%s", root) >= (int)sizeof(pieces->path))
			return fail("%s: the name is too long", root);
		return 0;
	}
	if (snprintf(pieces->recording, sizeof(pieces->recording), "%s", root) >= (int)sizeof(pieces->recording))
		return fail("%s: the name is too long", root);
	pieces->root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (pieces->root < 0)
		return fail("cannot open %s: %s", root, strerror(errno));
	folders_clean(pieces->root);
	newest = take_orphans(pieces, root);
	piece = newest < 0 ? NULL : open_piece(pieces, root, newest + 1);
	if (!piece)
		return -1;
	pieces->first = piece->number;
	set_current(pieces, piece);
	fsync(pieces->root);
	return start_threads(pieces);
}

/* Without a beacon, readers only wait longer. */
void pieces_beacon(const struct pieces *pieces, uint64_t time)
{
	char text[PIECE_BEACON_SIZE + 1];

	snprintf(text, sizeof(text), PIECE_BEACON_FORMAT, (unsigned long long)time, (unsigned long long)time);
	if (pwrite(pieces->current->mark, text, PIECE_BEACON_SIZE, 0) < 0)
		return;
}

void pieces_sync(struct pieces *pieces)
{
	if (!pieces_are_used(pieces))
		return;
	pthread_mutex_lock(&pieces->lock);
	pieces->sync = pieces->current->number;
	pthread_cond_broadcast(&pieces->wake);
	pthread_mutex_unlock(&pieces->lock);
}

void pieces_close(struct pieces *pieces, struct piece *piece)
{
	struct piece **last;

	piece->next = NULL;
	pthread_mutex_lock(&pieces->lock);
	for (last = &pieces->closing; *last; last = &(*last)->next)
		;
	*last = piece;
	pieces->nr_closing++;
	pthread_cond_broadcast(&pieces->wake);
	pthread_mutex_unlock(&pieces->lock);
}

int pieces_end(struct pieces *pieces)
{
	struct piece *piece;

	if (!pieces_are_used(pieces))
		return 0;
	if (pieces->has_closer) {
		pieces_close_orphans(pieces);
		if (pieces->current)
			pieces_close(pieces, pieces->current);
	} else if (pieces->current) {
		free_piece(pieces->current);
	}
	pthread_mutex_lock(&pieces->lock);
	__atomic_store_n(&pieces->ending, true, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&pieces->wake);
	pthread_mutex_unlock(&pieces->lock);
	if (pieces->has_closer)
		pthread_join(pieces->closer, NULL);
	if (pieces->has_compressor) {
		pthread_join(pieces->compressor, NULL);
		compressor_finish(pieces);
	}
	pthread_mutex_lock(&pieces->lock);
	pieces->compressed = pieces->changed;
	pieces->closed = true;
	pthread_cond_broadcast(&pieces->wake);
	pthread_mutex_unlock(&pieces->lock);
	while ((piece = pieces->orphans)) {
		pieces->orphans = piece->next;
		free_piece(piece);
	}
	return pieces->failed ? -1 : 0;
}

void pieces_end_commands(struct pieces *pieces)
{
	if (!pieces_are_used(pieces))
		return;
	if (pieces->has_commander)
		pthread_join(pieces->commander, NULL);
	close(pieces->root);
}

/* ---- When to open the next one ---- */

bool pieces_are_full(const struct pieces *pieces, uint64_t bytes)
{
	return pieces_are_used(pieces) && pieces->options->size && pieces->bytes &&
	       pieces->bytes + bytes > pieces->options->size;
}

bool pieces_are_due(struct pieces *pieces)
{
	if (!pieces_are_used(pieces) || !pieces->options->time_ms || now_ms() < pieces->until)
		return false;
	if (pieces->bytes)
		return true;
	pieces->until = now_ms() + pieces->options->time_ms;
	return false;
}

int pieces_wait_ms(const struct pieces *pieces)
{
	uint64_t now = now_ms(), left;

	if (!pieces_are_used(pieces) || !pieces->options->time_ms)
		return -1;
	left = pieces->until > now ? pieces->until - now : 0;
	return left < WAIT_MS_MAX ? left : WAIT_MS_MAX;
}
