/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Unfinished directories of pieces.
 *
 * Layer: lttd.
 */
#ifndef LTTD_PIECES_CLEAN_H
#define LTTD_PIECES_CLEAN_H

/** folders_clean() - remove the unfinished directories of killed lttds in @root */
void folders_clean(int root);

#endif /* LTTD_PIECES_CLEAN_H */
