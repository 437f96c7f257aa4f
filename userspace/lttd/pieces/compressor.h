/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The thread that compresses closed pieces.
 *
 * Layer: lttd.
 */
#ifndef LTTD_COMPRESSOR_H
#define LTTD_COMPRESSOR_H

struct pieces;

/** compressor_run() - compress closed pieces until &pieces.ending.  @arg: the struct pieces */
void *compressor_run(void *arg);

/** compressor_finish() - compress the pieces of this lttd that compressor_run(), which has ended, has left */
void compressor_finish(struct pieces *pieces);

#endif /* LTTD_COMPRESSOR_H */
