/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The thread that compresses closed pieces.
 *
 * Layer: lttd.
 */
#ifndef LTTD_COMPRESSOR_H
#define LTTD_COMPRESSOR_H

/** compressor_run() - compress closed pieces until &pieces.ending.  @arg: the struct pieces */
void *compressor_run(void *arg);

#endif /* LTTD_COMPRESSOR_H */
