// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Tracks: items in the order of time, merged when there are too many.
 *
 * Layer: lttctl html.
 */
#include "track.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS_MIN 1024

/* ---- Merging ---- */

/* The time, or for points the number, by which the value of a block is chosen. */
static float weight_of(enum track_kind kind, const struct item *item)
{
	if (item->count > 1)
		return item->sums[1];
	return kind == TRACK_POINT ? 1 : item->length;
}

static void to_block(enum track_kind kind, const struct item *item, float sums[3])
{
	if (item->count > 1) {
		memcpy(sums, item->sums, sizeof(item->sums));
		return;
	}
	sums[0] = sums[1] = sums[2] = 0;
	if (kind == TRACK_STATE) {
		if (item->value < STATE_SLEEPING)
			sums[item->value] = item->length;
	} else if (kind == TRACK_COUNTER) {
		sums[0] = sums[1] = sums[2] = item->number;
	} else {
		sums[0] = item->length;
		sums[1] = weight_of(kind, item);
	}
}

/* The value that most have, if any has more than half; else one of the frequent ones (Boyer and Moore). */
static void vote(struct item *block, float *weight, uint32_t value, float more)
{
	if (block->value == value) {
		*weight += more;
	} else if (more > *weight) {
		block->value = value;
		*weight = more - *weight;
	} else {
		*weight -= more;
	}
}

static void merge_into(enum track_kind kind, struct item *block, const struct item *more)
{
	float sums[3], add[3];

	to_block(kind, block, sums);
	to_block(kind, more, add);
	if (kind == TRACK_COUNTER) {
		sums[0] = add[0] < sums[0] ? add[0] : sums[0];
		sums[1] = add[1] > sums[1] ? add[1] : sums[1];
		sums[2] = add[2];
	} else if (kind == TRACK_STATE) {
		sums[0] += add[0];
		sums[1] += add[1];
		sums[2] += add[2];
	} else {
		sums[0] += add[0];
		vote(block, &sums[1], more->value, add[1]);
	}
	block->length = more->start + more->length - block->start;
	block->count = block->count + more->count < block->count ? UINT32_MAX : block->count + more->count;
	memcpy(block->sums, sums, sizeof(sums));
}

/* A value of a counter lasts until the next; its item is merged as a point would be. */
static bool is_short(enum track_kind kind, const struct item *item, uint64_t resolution)
{
	return item->count > 1 || item->length < resolution || kind == TRACK_POINT;
}

static bool belong_together(enum track_kind kind, const struct item *last, const struct item *next, uint64_t resolution)
{
	return is_short(kind, last, resolution) && is_short(kind, next, resolution) &&
	       last->start / resolution == next->start / resolution;
}

size_t items_merge(enum track_kind kind, const struct item *from, size_t nr, uint64_t resolution, struct item *to)
{
	size_t i, n = 0;

	for (i = 0; i < nr; i++) {
		if (n && belong_together(kind, &to[n - 1], &from[i], resolution))
			merge_into(kind, &to[n - 1], &from[i]);
		else
			to[n++] = from[i];
	}
	return n;
}

/*
 * The items of a track, by what it may have: the square root of the intervals that it was given, to a power of two.  So a
 * track with a hundred times as many has ten times the detail.  The tracks of CPUs are few, and show the whole.
 */
static size_t share_of(const struct track *track)
{
	unsigned int bits = track->added ? 63 - __builtin_clzll(track->added) : 0;

	return (track->nr * 1024 >> bits / 2) / (track->kind == TRACK_RUN ? 4 : 1);
}

static void merge_track(struct tracks *tracks, struct track *track)
{
	tracks->nr_items -= track->nr;
	track->resolution = track->resolution ? track->resolution * 2 : 128;
	track->nr = items_merge(track->kind, track->items, track->nr, track->resolution, track->items);
	tracks->nr_items += track->nr;
}

/* Double the resolutions of the largest tracks, until a quarter of the room is free. */
static void coarsen(struct tracks *tracks)
{
	size_t i, most;

	while (tracks->nr_items > tracks->items_max - tracks->items_max / 4) {
		for (i = 0, most = 0; i < tracks->nr; i++)
			if (share_of(tracks->tracks[i]) > most)
				most = share_of(tracks->tracks[i]);
		for (i = 0; i < tracks->nr; i++)
			if (share_of(tracks->tracks[i]) > most / 4 * 3 && tracks->tracks[i]->resolution < UINT64_MAX / 4)
				merge_track(tracks, tracks->tracks[i]);
	}
}

/* ---- Tracks ---- */

static size_t hash(const struct tracks *tracks, enum track_kind kind, uint32_t owner, uint32_t row, uint32_t name)
{
	uint64_t key = ((uint64_t)owner << 32 | name) * 0x9e3779b97f4a7c15ULL;

	key = (key ^ ((uint64_t)row << 8 | kind)) * 0x9e3779b97f4a7c15ULL;
	return (key >> 20) & (tracks->nr_buckets - 1);
}

static bool rehash(struct tracks *tracks)
{
	size_t i, at, nr_buckets = tracks->nr_buckets ? tracks->nr_buckets * 2 : BUCKETS_MIN;
	uint32_t *buckets = calloc(nr_buckets, sizeof(*buckets));

	if (!buckets)
		return false;
	free(tracks->buckets);
	tracks->buckets = buckets;
	tracks->nr_buckets = nr_buckets;
	for (i = 0; i < tracks->nr; i++) {
		const struct track *track = tracks->tracks[i];

		at = hash(tracks, track->kind, track->owner, track->row, track->name);
		while (buckets[at])
			at = (at + 1) & (nr_buckets - 1);
		buckets[at] = i + 1;
	}
	return true;
}

static struct track *track_new(struct tracks *tracks)
{
	struct track **more;

	if (tracks->nr == tracks->room) {
		size_t room = tracks->room ? tracks->room * 2 : 64;

		more = realloc(tracks->tracks, room * sizeof(*more));
		if (!more)
			return NULL;
		tracks->tracks = more;
		tracks->room = room;
	}
	return calloc(1, sizeof(struct track));
}

struct track *track_get(struct tracks *tracks, enum track_kind kind, uint32_t owner, uint32_t row, uint32_t name)
{
	struct track *track;
	size_t at;

	if (tracks->nr * 2 >= tracks->nr_buckets && !rehash(tracks))
		return NULL;
	at = hash(tracks, kind, owner, row, name);
	for (; tracks->buckets[at]; at = (at + 1) & (tracks->nr_buckets - 1)) {
		track = tracks->tracks[tracks->buckets[at] - 1];
		if (track->kind == kind && track->owner == owner && track->row == row && track->name == name)
			return track;
	}
	track = track_new(tracks);
	if (!track)
		return NULL;
	track->kind = kind;
	track->owner = owner;
	track->row = row;
	track->name = name;
	tracks->tracks[tracks->nr++] = track;
	tracks->buckets[at] = tracks->nr;
	return track;
}

int track_add(struct tracks *tracks, struct track *track, struct item item)
{
	struct item *last, *more;

	if (!track)
		return 0;
	if (item.start < track->end) {
		uint64_t cut = track->end - item.start;

		item.start = track->end;
		item.length = item.length > cut ? item.length - cut : 0;
	}
	item.count = 1;
	track->added++;
	track->end = item.start + item.length;
	last = track->nr ? &track->items[track->nr - 1] : NULL;
	if (last && track->resolution && belong_together(track->kind, last, &item, track->resolution)) {
		merge_into(track->kind, last, &item);
		return 0;
	}
	if (track->nr == track->room) {
		size_t room = track->room ? track->room * 2 : 8;

		more = realloc(track->items, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		track->items = more;
		track->room = room;
	}
	track->items[track->nr++] = item;
	if (++tracks->nr_items > tracks->items_max)
		coarsen(tracks);
	return 0;
}

void tracks_free(struct tracks *tracks)
{
	size_t i;

	for (i = 0; i < tracks->nr; i++) {
		free(tracks->tracks[i]->items);
		free(tracks->tracks[i]);
	}
	free(tracks->tracks);
	free(tracks->buckets);
	*tracks = (struct tracks){ 0 };
}
