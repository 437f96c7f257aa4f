/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The thread that runs the command of --after-rotate for each closed piece.
 *
 * Layer: lttd.
 */
#ifndef LTTD_COMMANDER_H
#define LTTD_COMMANDER_H

#include "pieces.h"

/** commander_piece() - make an entry for a piece.  Return: it; NULL without --after-rotate, or with the failure logged */
struct rotated *commander_piece(const struct pieces *pieces, unsigned int number);

/** commander_add() - run the command for a piece, which has been closed: &pieces.changed has just counted it.  Context: &pieces.lock */
void commander_add(struct pieces *pieces, struct rotated *rotated);

/** commander_run() - run commands until the last piece is closed.  @arg: the struct pieces */
void *commander_run(void *arg);

#endif /* LTTD_COMMANDER_H */
