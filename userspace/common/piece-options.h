/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The options of a recording in pieces, which lttctl and lttd share.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_PIECE_OPTIONS_H
#define LTT_COMMON_PIECE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/options.h"

#define PIECE_SIZE_MIN		(64ULL << 10)
#define PIECE_QUOTA_MIN		(1ULL << 20)

/* Without --piece-size, a piece is this part of --quota; and at most the other part, with it. */
#define PIECE_QUOTA_PART	16
#define PIECE_QUOTA_PART_MIN	4
/* The same if a command keeps a piece of each lttd. */
#define PIECE_QUOTA_PART_COMMAND	8
/* A sub-buffer, which can be a piece alone, is at most such a part: some closed pieces are to stay. */
#define PIECE_QUOTA_PART_SUBBUF		8
#define PIECE_QUOTA_PART_SUBBUF_COMMAND	16

/* Of a recording that is sent to a collector, a piece is not larger, so that little is sent again
 * after a lost connection. */
#define PIECE_SENT_SIZE		(64ULL << 20)

/* The pieces that wait to be sent, without --quota. */
#define PIECE_SPOOL_QUOTA	"1G"

/**
 * struct options_pieces - the options about the pieces of a recording
 * @size_text: the argument of --piece-size; this and the following texts are NULL without the
 *	option, and freed by piece_options_free()
 * @time_text: the argument of --piece-time
 * @quota_text: the argument of --quota
 * @after_rotate: the argument of --after-rotate
 * @compress: not 0 with --compress
 * @cached: not 0 with --cached
 * @size: largest size of a piece in bytes; 0: no limit
 * @time_ms: how long a piece is written to, in milliseconds; 0: no limit
 * @quota: bytes that all pieces may take; 0: no limit
 */
struct options_pieces {
	char *size_text;
	char *time_text;
	char *quota_text;
	char *after_rotate;
	int compress;
	int cached;
	uint64_t size;
	uint64_t time_ms;
	uint64_t quota;
};

/**
 * piece_options_check() - parse the texts of options, and check that the options go together
 * @options: the texts; receives the values
 * @overwrite: the recording is a flight recorder
 * @fault: receives the first fault; its texts belong to @options
 *
 * Return: true if @options are right.
 */
bool piece_options_check(struct options_pieces *options, bool overwrite, struct options_fault *fault);

/**
 * piece_options_fit() - check that the quota has room for sub-buffers, of which each is a packet in one piece
 * @options: of piece_options_check()
 * @subbuf: bytes of the largest sub-buffer
 *
 * Return: NULL if there is no quota, or it has; what is wrong with the quota.
 */
const char *piece_options_fit(const struct options_pieces *options, uint64_t subbuf);

/**
 * piece_options_for_sending() - choose options for a recording that is sent to a collector
 * @options: the texts, before piece_options_check(): those of the size and of the quota may be added
 * @spool: pieces are removed when they are sent, and need a quota
 *
 * Return: false if memory is short.
 */
bool piece_options_for_sending(struct options_pieces *options, bool spool);

/** piece_options_wanted() - return true if the recording is to be in pieces */
static inline bool piece_options_wanted(const struct options_pieces *options)
{
	return options->size || options->time_ms;
}

/** piece_options_free() - free the texts of @options */
void piece_options_free(struct options_pieces *options);

#endif /* LTT_COMMON_PIECE_OPTIONS_H */
