// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The options of a recording in pieces.
 *
 * Layer: common.
 */
#include "piece-options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_fault(struct options_fault *fault, const char *option, const char *text, const char *why)
{
	if (why)
		*fault = (struct options_fault){ option, text, why };
	return why;
}

static const char *check_size(struct options_pieces *options)
{
	return options_bytes(options->size_text, PIECE_SIZE_MIN, &options->size) ? NULL :
	       "must be a size of at least 64k, with k, M or G (for example 64M)";
}

static const char *check_quota(struct options_pieces *options)
{
	return options_bytes(options->quota_text, PIECE_QUOTA_MIN, &options->quota) ? NULL :
	       "must be a size of at least 1M, with k, M or G (for example 10G)";
}

/* Return: NULL; what is wrong with the size of a piece, which --quota limits, too. */
static const char *check_part(const struct options_pieces *options)
{
	if (options->after_rotate && options->size > options->quota / PIECE_QUOTA_PART_COMMAND)
		return "must be at most an eighth of --quota with --after-rotate, which keeps pieces";
	return options->size > options->quota / PIECE_QUOTA_PART_MIN ? "must be at most a quarter of --quota" : NULL;
}

bool piece_options_check(struct options_pieces *options, bool overwrite, struct options_fault *fault)
{
	if (options->size_text && is_fault(fault, "--piece-size", options->size_text, check_size(options)))
		return false;
	if (options->time_text && is_fault(fault, "--piece-time", options->time_text,
					   options_duration(options->time_text, &options->time_ms)))
		return false;
	if (options->quota_text && is_fault(fault, "--quota", options->quota_text, check_quota(options)))
		return false;
	if (options->quota && is_fault(fault, "--piece-size", options->size_text, check_part(options)))
		return false;
	if (options->quota && !options->size)
		options->size = options->quota / PIECE_QUOTA_PART;
	if (options->compress && !piece_options_wanted(options))
		return !is_fault(fault, "--compress", "",
				 "compresses closed pieces: add --piece-size, --piece-time or --quota");
	if (options->after_rotate && !*options->after_rotate)
		return !is_fault(fault, "--after-rotate", "", "must be a command for sh(1)");
	if (options->after_rotate && !piece_options_wanted(options))
		return !is_fault(fault, "--after-rotate", "",
				 "runs a command for each closed piece: add --piece-size, --piece-time or --quota");
	if (overwrite && options->time_ms)
		return !is_fault(fault, "--piece-time", "", "cannot be combined with --overwrite, which writes at the end only");
	return true;
}

const char *piece_options_fit(const struct options_pieces *options, uint64_t subbuf)
{
	if (!options->quota)
		return NULL;
	if (options->after_rotate && subbuf > options->quota / PIECE_QUOTA_PART_SUBBUF_COMMAND)
		return "must be at least sixteen sub-buffers with --after-rotate, which keeps pieces: raise it, or lower --size";
	return subbuf > options->quota / PIECE_QUOTA_PART_SUBBUF ?
		"must be at least eight sub-buffers: raise it, or lower --size" : NULL;
}

bool piece_options_for_sending(struct options_pieces *options, bool spool)
{
	uint64_t quota = 0;

	options->cached = 1;
	if (spool && !options->quota_text)
		options->quota_text = strdup(PIECE_SPOOL_QUOTA);
	if (spool && !options->quota_text)
		return false;
	if (options->size_text)
		return true;
	/* piece_options_check() reports a quota that is malformed. */
	if (options->quota_text && options_bytes(options->quota_text, PIECE_QUOTA_MIN, &quota))
		quota /= PIECE_QUOTA_PART;
	if (!quota || quota > PIECE_SENT_SIZE)
		quota = PIECE_SENT_SIZE;
	if (asprintf(&options->size_text, "%llu", (unsigned long long)quota) >= 0)
		return true;
	options->size_text = NULL;
	return false;
}

void piece_options_free(struct options_pieces *options)
{
	free(options->size_text);
	free(options->time_text);
	free(options->quota_text);
	free(options->after_rotate);
}
