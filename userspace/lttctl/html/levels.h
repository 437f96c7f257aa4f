/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Levels of detail: each track at several resolutions, in chunks that the page decodes when it shows them.
 *
 * Layer: lttctl html, above tracks.
 *
 * Level 0 is the coarsest, with a resolution of about a thousandth of the span.  That of each next level is a quarter.  The
 * last level has all items of a track, and the resolution of that track.  A level of a track is left out if the next finer one has few items
 * more: then the page shows that one.
 */
#ifndef LTTCTL_HTML_LEVELS_H
#define LTTCTL_HTML_LEVELS_H

#include "encode.h"
#include "track.h"

#define LEVELS_MAX 20
#define CHUNK_ITEMS 2048
#define BLOB_BYTES (2U << 20)

/**
 * struct levels - the levels of a page
 * @nr: number of levels
 * @resolution: of each, in nanoseconds; of the last, 0
 * @unit: of the times in its chunks, in nanoseconds
 */
struct levels {
	unsigned int nr;
	uint64_t resolution[LEVELS_MAX];
	uint64_t unit[LEVELS_MAX];
};

/**
 * struct blobs - chunks on their way to the file
 * @file: the file
 * @blob: of the chunks that are not in the file yet
 * @nr: number of blobs in the file
 */
struct blobs {
	FILE *file;
	struct bytes blob;
	unsigned int nr;
};

/* Append a chunk.  Return: 0; -errno of writing. */
int blobs_add(struct blobs *blobs, const struct bytes *chunk);
/* Write what is left.  Return: as blobs_add(). */
int blobs_end(struct blobs *blobs);

void levels_choose(struct levels *levels, uint64_t span);

/**
 * levels_write() - write all levels of all tracks
 * @levels: the levels
 * @tracks: the tracks
 * @blobs: receives the chunks, those of the coarsest level first
 * @directories: receives for each track the list of its levels as JSON: [[level, items, [start, blob, offset, items, ...]], ...]
 *
 * Return: 0; -ENOMEM; -errno of writing.
 */
int levels_write(const struct levels *levels, const struct tracks *tracks, struct blobs *blobs, struct bytes *directories);

#endif /* LTTCTL_HTML_LEVELS_H */
