/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The options of record about what lttd writes, and when.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PIECE_OPTIONS_H
#define LTTCTL_PIECE_OPTIONS_H

#include "lttctl/command.h"
#include "common/piece-options.h"

/* For POPT_ARG_INCLUDE_TABLE. */
extern const struct poptOption pieces_table[];
#define OPTIONS_PIECES { NULL, 0, POPT_ARG_INCLUDE_TABLE, (void *)pieces_table, 0, NULL, NULL }

/**
 * pieces_check() - check the options' values
 * @overwrite: the recording is a flight recorder
 * @subbuf: bytes of a sub-buffer; 0: not known
 *
 * Return: 0; EXIT_USAGE after a message.
 */
int pieces_check(bool overwrite, uint64_t subbuf);

/**
 * pieces_for_sending() - choose options for a recording that is sent to a collector
 * @spool: the recording is in a spool, which needs a quota
 *
 * Context: before pieces_check().
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int pieces_for_sending(bool spool);

/** pieces_wanted() - return true if the recording is to be in pieces */
bool pieces_wanted(void);

/** pieces_add_words() - give an lttd these options */
void pieces_add_words(struct command_line *line);

/* Largest number of words that pieces_add_words() adds. */
#define PIECES_WORDS 12

/** pieces_free() - free the options' values */
void pieces_free(void);

#endif /* LTTCTL_PIECE_OPTIONS_H */
