/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Compress the data files of closed pieces.
 *
 * Layer: lttd.
 */
#ifndef LTTD_COMPRESS_H
#define LTTD_COMPRESS_H

#include <stdbool.h>

/* Behind the name of a file of compressed packets: each is one frame of zstd. */
#define COMPRESSED	".zst"

/**
 * compress_trace() - compress the data files of a trace that are not compressed yet
 * @dir: descriptor of its directory
 * @stop: give up, within a packet, when another thread sets this; NULL: never
 *
 * Each file NAME becomes NAME.zst.  At any moment, one of them is whole; where both are there,
 * they have the same packets.
 *
 * Return: 0, also when the trace has been removed; -1 with the failure logged.
 */
int compress_trace(int dir, const bool *stop);

#endif /* LTTD_COMPRESS_H */
