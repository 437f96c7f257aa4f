// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Levels of detail: each track at several resolutions, in chunks.
 *
 * Layer: lttctl html.
 */
#include "levels.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FEW_ITEMS 256	/* which are drawn at once: no coarser level is needed */

/* ---- Blobs ---- */

static int blobs_flush(struct blobs *blobs)
{
	fprintf(blobs->file, "<script type=\"text/plain\" id=\"blob-%u\">", blobs->nr++);
	base64_write(blobs->file, blobs->blob.data, blobs->blob.size);
	fputs("</script>\n", blobs->file);
	blobs->blob.size = 0;
	return ferror(blobs->file) ? -errno : 0;
}

int blobs_add(struct blobs *blobs, const struct bytes *chunk)
{
	if (chunk->failed || blobs->blob.failed)
		return -ENOMEM;
	bytes_put(&blobs->blob, chunk->data, chunk->size);
	return blobs->blob.size >= BLOB_BYTES ? blobs_flush(blobs) : 0;
}

int blobs_end(struct blobs *blobs)
{
	int err = blobs->blob.failed ? -ENOMEM : blobs->blob.size ? blobs_flush(blobs) : 0;

	bytes_free(&blobs->blob);
	return err;
}

/* ---- Levels ---- */

void levels_choose(struct levels *levels, uint64_t span)
{
	uint64_t resolution = 1;
	unsigned int i;

	while (resolution < span / 1024)
		resolution *= 2;
	levels->nr = 0;
	for (; resolution >= 64 && levels->nr < LEVELS_MAX - 1; resolution /= 4)
		levels->resolution[levels->nr++] = resolution;
	levels->resolution[levels->nr++] = 0;
	for (i = 0; i < levels->nr; i++)
		levels->unit[i] = levels->resolution[i] >= 32 ? levels->resolution[i] / 16 : 1;
}

/* ---- Items ---- */

static void put_block(struct bytes *bytes, enum track_kind kind, const struct item *item, uint64_t unit)
{
	unsigned int i;

	bytes_number(bytes, item->count);
	if (kind == TRACK_COUNTER) {
		bytes_put(bytes, item->sums, sizeof(item->sums));
	} else if (kind == TRACK_STATE) {
		for (i = 0; i < 3; i++)
			bytes_number(bytes, item->sums[i] / unit);
	} else {
		bytes_number(bytes, item->value);
		if (kind != TRACK_POINT)
			bytes_number(bytes, item->sums[0] / unit);
	}
}

static void put_exact(struct bytes *bytes, enum track_kind kind, const struct item *item)
{
	if (kind == TRACK_COUNTER) {
		bytes_put(bytes, &item->number, sizeof(item->number));
		return;
	}
	bytes_number(bytes, item->value);
	if (kind == TRACK_STATE || kind == TRACK_SYSCALL || kind == TRACK_LOSS || kind == TRACK_FLOW)
		bytes_signed(bytes, item->extra);
}

/* Times are in units since @origin; of an item, the distance from the end of the last. */
static void put_item(struct bytes *bytes, enum track_kind kind, const struct item *item, uint64_t unit, uint64_t *last)
{
	uint64_t start = item->start / unit, end = (item->start + item->length) / unit;

	bytes_number(bytes, start - *last);
	bytes_number(bytes, (end - start) << 1 | (item->count > 1));
	if (item->count > 1)
		put_block(bytes, kind, item, unit);
	else
		put_exact(bytes, kind, item);
	*last = end;
}

static int write_chunks(const struct levels *levels, unsigned int level, const struct track *track,
			const struct item *items, size_t nr, struct blobs *blobs, struct bytes *directory)
{
	struct bytes chunk = { 0 };
	size_t i, j;
	int err = 0;

	bytes_printf(directory, "%s[%u,%zu,[", directory->size ? "," : "", level, nr);
	for (i = 0; i < nr && !err; i = j) {
		uint64_t last = items[i].start / levels->unit[level];

		bytes_printf(directory, "%s%" PRIu64 ",%u,%zu,", i ? "," : "", last * levels->unit[level], blobs->nr,
			     blobs->blob.size);
		chunk.size = 0;
		for (j = i; j < nr && j < i + CHUNK_ITEMS; j++)
			put_item(&chunk, track->kind, &items[j], levels->unit[level], &last);
		bytes_printf(directory, "%zu", j - i);
		err = blobs_add(blobs, &chunk);
	}
	bytes_text(directory, "]]");
	bytes_free(&chunk);
	return directory->failed ? -ENOMEM : err;
}

/* Return: the bits of the levels that are worth their bytes; the last always is. */
static uint32_t choose_of(const struct levels *levels, const struct track *track, struct item *scratch)
{
	uint32_t chosen = 1U << (levels->nr - 1);
	size_t nr, finer = track->nr;
	int level;

	for (level = levels->nr - 2; level >= 0 && finer > FEW_ITEMS; level--) {
		nr = items_merge(track->kind, track->items, track->nr, levels->resolution[level], scratch);
		if (nr * 3 > finer)
			continue;
		chosen |= 1U << level;
		finer = nr;
	}
	return chosen;
}

static struct item *scratch_for(const struct tracks *tracks)
{
	size_t i, most = 1;

	for (i = 0; i < tracks->nr; i++)
		if (tracks->tracks[i]->nr > most)
			most = tracks->tracks[i]->nr;
	return malloc(most * sizeof(struct item));
}

static int write_level(const struct levels *levels, unsigned int level, const struct track *track,
		       struct item *scratch, struct blobs *blobs, struct bytes *directory)
{
	size_t nr;

	if (level == levels->nr - 1)
		return write_chunks(levels, level, track, track->items, track->nr, blobs, directory);
	nr = items_merge(track->kind, track->items, track->nr, levels->resolution[level], scratch);
	return write_chunks(levels, level, track, scratch, nr, blobs, directory);
}

int levels_write(const struct levels *levels, const struct tracks *tracks, struct blobs *blobs, struct bytes *directories)
{
	struct item *scratch = scratch_for(tracks);
	uint32_t *chosen = calloc(tracks->nr + 1, sizeof(*chosen));
	unsigned int level;
	int err = scratch && chosen ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; i < tracks->nr && !err; i++)
		chosen[i] = choose_of(levels, tracks->tracks[i], scratch);
	for (level = 0; level < levels->nr; level++)
		for (i = 0; i < tracks->nr && !err; i++)
			if (chosen[i] & 1U << level)
				err = write_level(levels, level, tracks->tracks[i], scratch, blobs, &directories[i]);
	free(scratch);
	free(chosen);
	return err;
}
