// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A recording that is being sent.
 *
 * Layer: relay.
 */
#include "spool.h"
#include "common/folders.h"
#include "common/pieces.h"
#include "common/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Finding pieces ---- */

static struct relay_piece *append(struct relay_spool *spool, unsigned int number, const char *name)
{
	struct relay_piece **last, *piece = piece_new(spool->root, number, name);

	if (piece)
		piece->is_live = spool->is_listed;
	else
		errno = ENOMEM;
	for (last = &spool->pieces; *last; last = &(*last)->next)
		;
	*last = piece;
	return piece;
}

static int list_numbers(struct relay_spool *spool, const unsigned int *numbers, ssize_t nr)
{
	ssize_t i;

	for (i = 0; i < nr; i++) {
		if (numbers[i] <= spool->last || !piece_is_ours(spool->root, numbers[i]))
			continue;
		if (!append(spool, numbers[i], NULL))
			return -1;
		spool->last = numbers[i];
	}
	return 0;
}

static bool contains(const unsigned int *numbers, ssize_t nr, unsigned int number)
{
	while (nr--)
		if (numbers[nr] == number)
			return true;
	return false;
}

static int list_pieces(struct relay_spool *spool)
{
	struct relay_piece *piece;
	unsigned int *numbers;
	ssize_t nr = pieces_list(spool->root, &numbers);
	int ret;

	if (nr < 0)
		return -1;
	ret = list_numbers(spool, numbers, nr);
	for (piece = spool->pieces; piece; piece = piece->next)
		if (piece->number && !contains(numbers, nr, piece->number))
			piece->gone = true;
		else
			piece_measure(piece);
	free(numbers);
	return ret;
}

/* lttd writes states one after the other, and names them when they are whole. */
static int list_states(struct relay_spool *spool)
{
	char name[sizeof(STATE_TRACE) + 16];

	for (;; spool->states++) {
		snprintf(name, sizeof(name), spool->states ? STATE_TRACE "-%u" : STATE_TRACE, spool->states + 1);
		if (faccessat(spool->root, name, F_OK, AT_SYMLINK_NOFOLLOW))
			return 0;
		if (!append(spool, 0, name))
			return -1;
	}
}

int spool_list(struct relay_spool *spool)
{
	if (list_states(spool) || list_pieces(spool))
		return -1;
	spool->is_listed = true;
	return 0;
}

/* The traces of a recording that is not in pieces. */
static int find_trace(int parent, const char *name, void *arg)
{
	(void)parent;
	*(bool *)arg |= piece_has(name);
	return 0;
}

int spool_open(struct relay_spool *spool, const char *dir, unsigned int first)
{
	bool has_traces = false;

	*spool = (struct relay_spool){ .dir = dir, .root = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), .last = first - 1 };
	if (spool->root < 0 || folders_walk(spool->root, find_trace, &has_traces))
		return -1;
	return has_traces && !append(spool, 0, ".") ? -1 : 0;
}

bool spool_is_open(const struct relay_spool *spool)
{
	const struct relay_piece *piece;

	for (piece = spool->pieces; piece; piece = piece->next)
		if (!piece->closed && !piece->gone)
			return true;
	return false;
}

void spool_rewind(struct relay_spool *spool)
{
	struct relay_piece *piece;

	for (piece = spool->pieces; piece; piece = piece->next)
		piece_rewind(piece);
}

/* ---- Removing them ---- */

int spool_drop(struct relay_spool *spool, struct relay_piece *piece, bool remove)
{
	struct relay_piece **at;
	int ret = 0;

	for (at = &spool->pieces; *at != piece; at = &(*at)->next)
		;
	*at = piece->next;
	piece_close(piece);
	if (remove && piece->number)
		ret = piece_unlink(spool->root, piece->number);
	free(piece);
	return ret;
}

static int remove_trace(int parent, const char *name, void *arg)
{
	(void)arg;
	return piece_has(name) || state_trace_is(name) || clock_trace_is(name) ? folder_remove(parent, name) : 0;
}

int spool_remove(struct relay_spool *spool)
{
	if (folders_walk(spool->root, remove_trace, NULL))
		return -1;
	/* Files of the user stay, and so does their directory. */
	return rmdir(spool->dir) && errno != ENOTEMPTY && errno != EEXIST ? -1 : 0;
}

void spool_close(struct relay_spool *spool)
{
	while (spool->pieces)
		spool_drop(spool, spool->pieces, false);
	if (spool->root >= 0)
		close(spool->root);
}
