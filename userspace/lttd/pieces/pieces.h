/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A recording in pieces: DIR/0001, DIR/0002, ..., each of which is a recording.
 *
 * Layer: lttd.  Guarantees, also when lttd is killed or the power fails at any moment:
 *   P1: a piece without the file `open` is closed: all of it is on the disk, and no packet is torn.
 *   P2: the open piece is readable up to its last whole packet.  The next lttd that records to DIR
 *       cuts the rest, and closes it.  The metadata is on the disk soon after it has grown, as
 *       no packet can be read without it.
 *   P3: a packet is in one piece.  Sequence numbers and counts of losses go on from piece to piece.
 *   P4: a piece comes into being, and vanishes, as a whole: by rename().
 * Several lttds may write pieces of one recording at a time, each its own.
 *
 * Locking: the thread that records opens pieces.  Another one closes them, so that the disk does
 * not delay the recording, and keeps to the quota.  A third one, of low priority, compresses until the end, and a fourth one runs
 * the command of --after-rotate.
 * &pieces.lock protects the members that they share.
 */
#ifndef LTTD_PIECES_H
#define LTTD_PIECES_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/piece-options.h"

/**
 * struct piece - a piece that is open
 * @next: another one
 * @number: its number
 * @dir: descriptor of its directory
 * @mark: descriptor of its file `open`, with the lock
 * @orphan: an lttd that has ended left it open: packets may be torn
 */
struct piece {
	struct piece *next;
	unsigned int number;
	int dir;
	int mark;
	bool orphan;
};

/**
 * struct rotated - a closed piece whose command has not run
 * @next: the one that was closed after it
 * @number: its number
 * @changed: &pieces.changed when it was closed
 */
struct rotated {
	struct rotated *next;
	unsigned int number;
	unsigned int changed;
};

/**
 * struct pieces - the pieces of a recording that this lttd writes
 * @options: the options
 * @subbuf: bytes of the largest sub-buffer, for the quota
 * @root: descriptor of the directory of the recording; -1: the recording is not in pieces
 * @recording: the name of @root
 * @path: the directory to record to now: that of the open piece, or of the recording
 * @current: the open piece
 * @first: number of the first piece of this lttd
 * @bytes: bytes in the open piece
 * @until: when its time is over, in milliseconds of the monotonic clock
 * @orphans: pieces that an earlier lttd left open, the newest first
 * @lock: protects the following members
 * @wake: one of them has changed
 * @closing: pieces to close, in their order
 * @sync: number of the piece whose metadata is to be written to the disk; 0: none
 * @nr_closing: how many there are, and the one that is being closed
 * @changed: how often a piece was closed
 * @rotated: pieces for the command of --after-rotate, in the order in which they were closed
 * @compressed: pieces that were closed before @changed had this value are compressed
 * @ending: no further piece will be opened; also read without the lock
 * @closed: all pieces are closed and, with --compress, compressed
 * @failed: a piece could not be closed, which is logged
 * @closer: the thread that closes pieces; valid if @has_closer
 * @compressor: the thread that compresses them; valid if @has_compressor
 * @commander: the thread that runs the command of --after-rotate; valid if @has_commander
 * @has_closer: see @closer
 * @has_compressor: see @compressor
 * @has_commander: see @commander
 */
struct pieces {
	const struct options_pieces *options;
	uint64_t subbuf;
	int root;
	char recording[PATH_MAX];
	char path[PATH_MAX];
	struct piece *current;
	unsigned int first;
	uint64_t bytes;
	uint64_t until;
	struct piece *orphans;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct piece *closing;
	unsigned int sync;
	unsigned int nr_closing;
	unsigned int changed;
	struct rotated *rotated;
	unsigned int compressed;
	bool ending;
	bool closed;
	bool failed;
	pthread_t closer;
	pthread_t compressor;
	pthread_t commander;
	bool has_closer;
	bool has_compressor;
	bool has_commander;
};

/**
 * pieces_begin() - open the first piece, if the recording is to be in pieces
 * @pieces: initialised, also on failure; to be ended with pieces_end()
 * @options: the options
 * @root: the directory of the recording, which exists
 * @subbuf: bytes of the largest sub-buffer, for the quota
 *
 * Takes over the pieces that an earlier lttd left open.
 *
 * Context: no fork() afterwards: the locks of the pieces do not pass to a child.
 *
 * Return: 0; -1 with the failure logged.
 */
int pieces_begin(struct pieces *pieces, const struct options_pieces *options, const char *root, uint64_t subbuf);

/** pieces_close_orphans() - close the pieces that an earlier lttd left open: they are not read any more */
void pieces_close_orphans(struct pieces *pieces);

/** pieces_are_used() - return true if the recording is in pieces */
static inline bool pieces_are_used(const struct pieces *pieces)
{
	return pieces->root >= 0;
}

/** pieces_are_full() - return true if @bytes more belong into the next piece */
bool pieces_are_full(const struct pieces *pieces, uint64_t bytes);

/** pieces_are_due() - return true if the time of the open piece is over, and it holds something */
bool pieces_are_due(struct pieces *pieces);

/** pieces_wait_ms() - return the milliseconds until pieces_are_due(), or -1 */
int pieces_wait_ms(const struct pieces *pieces);

/** pieces_add() - count @bytes that were written to the open piece */
static inline void pieces_add(struct pieces *pieces, uint64_t bytes)
{
	pieces->bytes += bytes;
}

/**
 * pieces_open_next() - open the next piece
 * @pieces: the pieces; &pieces.path is that of the new one afterwards
 *
 * The old piece stays open until pieces_close().  With a quota, this waits until the one before it
 * is closed: pieces that wait for a slow disk could not be removed.
 *
 * Return: the old piece; NULL with the failure logged.
 */
struct piece *pieces_open_next(struct pieces *pieces);

/** pieces_beacon() - write into the mark of the open piece that no later packet of it begins before @time */
void pieces_beacon(const struct pieces *pieces, uint64_t time);

/** pieces_sync() - write the metadata of the open piece to the disk, soon: it has grown */
void pieces_sync(struct pieces *pieces);

/** pieces_close() - close @piece, from pieces_open_next(), soon: all its packets have been written */
void pieces_close(struct pieces *pieces, struct piece *piece);

/**
 * pieces_end() - close the open piece, and wait until all pieces are closed and compressed
 * @pieces: the pieces
 *
 * Return: 0; -1: a piece is not whole on the disk, with the failure logged.
 */
int pieces_end(struct pieces *pieces);

/** pieces_end_commands() - wait until the command of --after-rotate has run for all pieces, after pieces_end() */
void pieces_end_commands(struct pieces *pieces);

#endif /* LTTD_PIECES_H */
