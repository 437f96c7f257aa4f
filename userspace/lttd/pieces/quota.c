// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The disk space that a recording in pieces may take.
 *
 * Layer: lttd.
 */
#include "quota.h"
#include "common/folders.h"
#include "common/pieces.h"
#include "common/state.h"
#include "lttd/log.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static int add_file(int dir, const char *name, const struct stat *st, void *sum)
{
	(void)dir;
	(void)name;
	*(uint64_t *)sum += st->st_size;
	return 0;
}

/* Count hidden files, too: files that are being compressed. */
static int add_folder(int parent, const char *name, void *sum)
{
	int dir = folder_open(parent, name);
	struct stat st;

	if (dir < 0)
		return 0;
	if (!fstat(dir, &st))
		*(uint64_t *)sum += st.st_size;
	folder_walk(dir, true, add_file, sum);
	folders_walk(dir, add_folder, sum);
	close(dir);
	return 0;
}

static int add_state(int root, const char *name, void *sum)
{
	return state_trace_is(name) ? add_folder(root, name, sum) : 0;
}

static uint64_t size_of(int root, unsigned int number)
{
	char name[PIECE_NAME_SIZE];
	uint64_t sum = 0;

	piece_name(number, name);
	add_folder(root, name, &sum);
	return sum;
}

void piece_remove(int root, unsigned int number)
{
	if (piece_unlink(root, number))
		notice("cannot remove piece %04u: %s; the recording may exceed its quota", number, strerror(errno));
}

/* ---- States of the system ---- */

#define STATES_MAX	64

/**
 * struct states - the states of the system of a recording
 * @nr: how many there are; of more than STATES_MAX, the others are looked at later
 * @state: their names, and when they were written
 */
struct states {
	unsigned int nr;
	struct {
		struct timespec time;
		char name[32];
	} state[STATES_MAX];
};

static int list_state(int root, const char *name, void *arg)
{
	struct states *states = arg;
	char metadata[NAME_MAX + sizeof("/metadata")];
	struct stat st;

	/* The user may have a directory of this name. */
	snprintf(metadata, sizeof(metadata), "%s/metadata", name);
	if (!state_trace_is(name) || faccessat(root, metadata, F_OK, 0) || states->nr == STATES_MAX || strlen(name) >= sizeof(states->state[0].name) ||
	    fstatat(root, name, &st, 0))
		return 0;
	strcpy(states->state[states->nr].name, name);
	states->state[states->nr++].time = st.st_mtim;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct timespec *first = a, *second = b;

	if (first->tv_sec != second->tv_sec)
		return first->tv_sec < second->tv_sec ? -1 : 1;
	return (first->tv_nsec > second->tv_nsec) - (first->tv_nsec < second->tv_nsec);
}

/* Each recording to the directory has a state.  It is needed as long as there is a piece of that
 * recording: one that was closed before the next state was written. */
static void remove_states(int root, unsigned int oldest)
{
	struct states states = { 0 };
	char name[PIECE_NAME_SIZE];
	struct stat st;
	unsigned int i;

	piece_name(oldest, name);
	if (fstatat(root, name, &st, 0))
		return;
	folders_walk(root, list_state, &states);
	qsort(states.state, states.nr, sizeof(states.state[0]), compare);
	for (i = 0; i + 1 < states.nr && compare(&st.st_mtim, &states.state[i + 1].time) > 0; i++)
		folder_remove(root, states.state[i].name);
}

/* Directories of the user may have a number as their name.  Return: how many pieces there are at the begin of the list. */
static ssize_t drop_others(int root, unsigned int *numbers, ssize_t nr)
{
	ssize_t i, kept = 0;

	for (i = 0; i < nr; i++)
		if (piece_is_ours(root, numbers[i]))
			numbers[kept++] = numbers[i];
	return kept;
}

/*
 * Lock a piece, which is to be removed, against the command of --after-rotate.  A compressor's lock does not matter: the command
 * waits for it, too.  Without a command no lock matters: other users that can read the recording could fill the disk.
 *
 * Return: false: the command of an lttd reads it.
 */
static bool lock_piece(const struct pieces *pieces, unsigned int number, int *dir)
{
	char name[PIECE_NAME_SIZE];

	*dir = -1;
	if (!pieces->options->after_rotate)
		return true;
	piece_name(number, name);
	*dir = folder_open(pieces->root, name);
	if (*dir < 0 || !flock(*dir, LOCK_EX | LOCK_NB) || flock(*dir, LOCK_SH | LOCK_NB))
		return true;
	close(*dir);
	return false;
}

/* Return: bytes that the next piece may take: one packet at least, and metadata, which those of this recording show. */
static uint64_t size_of_next(const struct pieces *pieces, const unsigned int *numbers, const uint64_t *sizes, ssize_t nr)
{
	uint64_t next = pieces->options->size;
	ssize_t i;

	if (next < pieces->subbuf)
		next = pieces->subbuf;
	for (i = 0; i < nr; i++)
		if (numbers[i] >= pieces->first && next < sizes[i])
			next = sizes[i];
	return next;
}

void quota_keep(struct pieces *pieces)
{
	const uint64_t quota = pieces->options->quota;
	unsigned int *numbers;
	uint64_t sum, full, *sizes;
	struct stat st;
	ssize_t nr, i, oldest = -1;
	int dir;

	if (!quota)
		return;
	nr = pieces_list(pieces->root, &numbers);
	if (nr < 0)
		return;
	nr = drop_others(pieces->root, numbers, nr);
	sizes = calloc(nr + 1, sizeof(*sizes));
	for (i = 0; sizes && i < nr; i++)
		sizes[i] = size_of(pieces->root, numbers[i]);
	full = sizes ? size_of_next(pieces, numbers, sizes, nr) : 0;
	/* The next piece is written while this looks, and one more before it looks again. */
	sum = 2 * full;
	for (i = 0; sizes && i < nr; i++) {
		if (piece_is_open(pieces->root, numbers[i])) {
			sum += sizes[i] > full ? sizes[i] : full;
			sizes[i] = 0;
		}
		sum += sizes[i];
	}
	folders_walk(pieces->root, add_state, &sum);
	if (!fstat(pieces->root, &st))
		sum += st.st_size;
	/* The newest stays: its number is not given again. */
	for (i = 0; sizes && i + 1 < nr && sum > quota; i++) {
		if (!sizes[i])
			continue;
		if (!lock_piece(pieces, numbers[i], &dir)) {
			oldest = oldest < 0 ? i : oldest;
			continue;
		}
		piece_remove(pieces->root, numbers[i]);
		if (dir >= 0)
			close(dir);
		sum -= sizes[i];
	}
	oldest = oldest < 0 ? i : oldest;
	if (sizes && oldest < nr)
		remove_states(pieces->root, numbers[oldest]);
	free(sizes);
	free(numbers);
}
