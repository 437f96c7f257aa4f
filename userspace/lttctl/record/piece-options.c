// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The options of record about what lttd writes, and when.
 *
 * Layer: lttctl.
 */
#include "piece-options.h"
#include "common/options.h"

#include <stdlib.h>

/* popt stores here. */
static struct options_pieces options;
static char *flush_text;

const struct poptOption pieces_table[] = {
	{ "piece-size", 0, POPT_ARG_STRING, &options.size_text, 0,
	  "record in pieces DIR/0001, DIR/0002, ... of SIZE at most", "SIZE" },
	{ "piece-time", 0, POPT_ARG_STRING, &options.time_text, 0,
	  "begin the next piece after TIME, such as 10m or 1h", "TIME" },
	{ "quota", 0, POPT_ARG_STRING, &options.quota_text, 0,
	  "let all pieces take SIZE at most: remove the oldest ones", "SIZE" },
	{ "compress", 0, POPT_ARG_NONE, &options.compress, 0,
	  "compress closed pieces", NULL },
	{ "after-rotate", 0, POPT_ARG_STRING, &options.after_rotate, 0,
	  "run COMMAND by sh(1) for each closed piece, $LTT_PIECE", "COMMAND" },
	{ "flush", 0, POPT_ARG_STRING, &flush_text, 0,
	  "write what is in the buffers every MS milliseconds (default 1000); 0: when a sub-buffer is full", "MS" },
	POPT_TABLEEND
};

int pieces_check(bool overwrite, uint64_t subbuf)
{
	struct options_fault fault;
	const char *why = NULL;
	uint64_t ms;

	if (flush_text && overwrite)
		return misused("--flush: cannot be combined with --overwrite, which writes at the end");
	if (flush_text)
		why = options_flush(flush_text, &ms);
	if (why)
		return misused("--flush %s: %s", flush_text, why);
	if (!piece_options_check(&options, overwrite, &fault))
		return misused("%s%s%s: %s", fault.option, *fault.text ? " " : "", fault.text, fault.why);
	why = piece_options_fit(&options, subbuf);
	return why ? misused("--quota %s: %s", options.quota_text, why) : 0;
}

bool pieces_wanted(void)
{
	return piece_options_wanted(&options);
}

int pieces_for_sending(bool spool)
{
	if (options.compress)
		return misused("--compress: cannot be combined with --to: the collector takes no compressed files");
	if (options.after_rotate && spool)
		return misused("--after-rotate: requires -o with --to, which otherwise removes the pieces that it has sent");
	return piece_options_for_sending(&options, spool) ? 0 : complain("out of memory");
}

static void add(struct command_line *line, const char *option, const char *text)
{
	if (!text)
		return;
	lttd_add(line, option);
	lttd_add(line, text);
}

void pieces_add_words(struct command_line *line)
{
	add(line, "--piece-size", options.size_text);
	add(line, "--piece-time", options.time_text);
	add(line, "--quota", options.quota_text);
	add(line, "--after-rotate", options.after_rotate);
	add(line, "--flush", flush_text);
	if (options.compress)
		lttd_add(line, "--compress");
	if (options.cached)
		lttd_add(line, "--cached");
}

void pieces_free(void)
{
	piece_options_free(&options);
	free(flush_text);
}
