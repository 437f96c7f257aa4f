/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A recording that is being sent: its directory, in which pieces appear, and vanish by the quota.
 *
 * Layer: relay.
 */
#ifndef LTT_RELAY_SPOOL_H
#define LTT_RELAY_SPOOL_H

#include "piece.h"

/* So many pieces are sent at a time at least: a piece that waits for its acknowledgment delays no other. */
#define SPOOL_AT_ONCE	4

/**
 * struct relay_spool - a recording that is being sent
 * @dir: its directory
 * @root: descriptor of @dir
 * @pieces: what has not been acknowledged yet, the oldest first
 * @last: the highest number of a piece that is acknowledged or in @pieces
 * @states: states that are acknowledged or in @pieces
 * @is_listed: further pieces are written now
 */
struct relay_spool {
	const char *dir;
	int root;
	struct relay_piece *pieces;
	unsigned int last;
	unsigned int states;
	bool is_listed;
};

/** spool_open() - open the recording @dir, to send the pieces from number @first on.  Return: 0; -1 with errno set */
int spool_open(struct relay_spool *spool, const char *dir, unsigned int first);

/**
 * spool_list() - look for pieces that are new, or gone
 * @spool: the recording
 *
 * Return: 0; -1 with errno set.
 */
int spool_list(struct relay_spool *spool);

/** spool_is_open() - return true if an lttd writes pieces of the recording */
bool spool_is_open(const struct relay_spool *spool);

/** spool_rewind() - another connection begins */
void spool_rewind(struct relay_spool *spool);

/** spool_drop() - forget @piece, which is acknowledged or gone; remove it from the disk if @remove */
int spool_drop(struct relay_spool *spool, struct relay_piece *piece, bool remove);

/** spool_remove() - remove the directory, in which no pieces are any more, and its other traces.  Return: 0; -1 with errno set */
int spool_remove(struct relay_spool *spool);

/** spool_close() - close all files */
void spool_close(struct relay_spool *spool);

#endif /* LTT_RELAY_SPOOL_H */
