/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A recording in pieces: its directories DIR/0001, DIR/0002, ... that lttd writes and lttctl
 * finds.
 *
 * Layer: common.  A piece that has a file PIECE_MARK is open.  The lttd that writes the piece
 * holds a record lock on the file, which the kernel drops when lttd ends, however that happens.
 */
#ifndef LTT_COMMON_PIECES_H
#define LTT_COMMON_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The file of an open piece. */
#define PIECE_MARK	"open"

/* The text in it, with a time in counts of the trace's clock: no later packet begins before it.  Without the text, that
 * is not known.  A reader that finds two times has met the writer. */
#define PIECE_BEACON_FORMAT	"%020llu %020llu\n"
#define PIECE_BEACON_DIGITS	20
#define PIECE_BEACON_SIZE	(2 * (PIECE_BEACON_DIGITS + 1))

/* Directories of this name are pieces that are being made, or removed: no piece yet, or no more. */
#define PIECE_HIDDEN	".piece-"

#define PIECE_NAME_SIZE	16

/** piece_number() - return the number of the piece @name, from 1 on; 0: not the name of a piece */
unsigned int piece_number(const char *name);

/** piece_name() - write the name of piece @number to @name, PIECE_NAME_SIZE bytes */
void piece_name(unsigned int number, char *name);

/** piece_has() - return true if @name is that of a trace in a piece, which is a directory: kernel, user-UID */
bool piece_has(const char *name);

/**
 * piece_is_ours() - check that a directory is a piece, and no other one whose name is a number
 * @root: descriptor of the directory of the recording
 * @number: the number
 *
 * Return: true if it has traces or PIECE_MARK, and nothing else.
 */
bool piece_is_ours(int root, unsigned int number);

/**
 * pieces_list() - list the pieces of a recording by number, the lowest first
 * @root: descriptor of its directory
 * @numbers: receives the numbers, to be freed
 *
 * Return: how many there are; -1 with errno set.
 */
ssize_t pieces_list(int root, unsigned int **numbers);

/** piece_is_open() - return true if piece @number in the directory @root is open */
bool piece_is_open(int root, unsigned int number);

/**
 * piece_writer() - find the lttd that writes a piece
 * @root: descriptor of the directory of the recording
 * @number: the piece
 *
 * Context: not in an lttd that writes pieces of this recording: it would lose its lock.
 *
 * Return: its process id; -1: it has none here, being on another host or in another container;
 * 0: the piece is closed, or its lttd has ended before.
 */
pid_t piece_writer(int root, unsigned int number);

/** piece_beacon() - return the time in the mark of piece @number in the directory @root; 0: none */
uint64_t piece_beacon(int root, unsigned int number);

/**
 * piece_unlink() - remove a closed piece: it is hidden first, so that it vanishes as a whole
 * @root: descriptor of the directory of the recording
 * @number: the piece; another process may remove it meanwhile
 *
 * Return: 0; -1 with errno set.
 */
int piece_unlink(int root, unsigned int number);

#endif /* LTT_COMMON_PIECES_H */
