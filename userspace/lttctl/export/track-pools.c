// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Tracks by process and name; track-pools.h has the interface.
 *
 * Layer: lttctl export.
 */
#include "track-pools.h"

#include <stdlib.h>

#define BUCKETS 4096

/* The tracks of a process and name. */
struct pool {
	int64_t pid;
	unsigned int name;
	bool is_counter;
	uint64_t free;		/* the first track without a slice; 0: none */
	uint64_t own;		/* of a counter */
	struct pool *next;
};

struct track {
	struct pool *pool;
	uint64_t next_free;
};

struct track_pools {
	struct pool *buckets[BUCKETS];
	struct track *track;	/* by number - 1 */
	uint64_t nr;
	uint64_t room;
};

struct track_pools *track_pools_new(void)
{
	return calloc(1, sizeof(struct track_pools));
}

void track_pools_free(struct track_pools *tracks)
{
	struct pool *pool;
	size_t i;

	for (i = 0; tracks && i < BUCKETS; i++)
		while ((pool = tracks->buckets[i])) {
			tracks->buckets[i] = pool->next;
			free(pool);
		}
	if (tracks)
		free(tracks->track);
	free(tracks);
}

static struct pool *find_pool(struct track_pools *tracks, int64_t pid, unsigned int name, bool is_counter)
{
	struct pool **bucket = &tracks->buckets[((uint64_t)pid * 31 + name * 7 + is_counter) % BUCKETS], *pool;

	for (pool = *bucket; pool; pool = pool->next)
		if (pool->pid == pid && pool->name == name && pool->is_counter == is_counter)
			return pool;
	pool = calloc(1, sizeof(*pool));
	if (!pool)
		return NULL;
	*pool = (struct pool){ .pid = pid, .name = name, .is_counter = is_counter, .next = *bucket };
	*bucket = pool;
	return pool;
}

static uint64_t add_track(struct track_pools *tracks, struct pool *pool)
{
	struct track *more;

	if (tracks->nr == tracks->room) {
		more = reallocarray(tracks->track, tracks->room * 2 + 64, sizeof(*more));
		if (!more)
			return 0;
		tracks->track = more;
		tracks->room = tracks->room * 2 + 64;
	}
	tracks->track[tracks->nr] = (struct track){ .pool = pool };
	return ++tracks->nr;
}

uint64_t track_pools_get(struct track_pools *tracks, int64_t pid, unsigned int name, bool *is_new)
{
	struct pool *pool = find_pool(tracks, pid, name, true);

	*is_new = pool && !pool->own;
	if (*is_new)
		pool->own = add_track(tracks, pool);
	return pool ? pool->own : 0;
}

uint64_t track_pools_take(struct track_pools *tracks, int64_t pid, unsigned int name, bool *is_new)
{
	struct pool *pool = find_pool(tracks, pid, name, false);
	uint64_t track = pool ? pool->free : 0;

	*is_new = pool && !track;
	if (track)
		pool->free = tracks->track[track - 1].next_free;
	else if (pool)
		track = add_track(tracks, pool);
	return track;
}

void track_pools_release(struct track_pools *tracks, uint64_t track)
{
	struct pool *pool = tracks->track[track - 1].pool;

	tracks->track[track - 1].next_free = pool->free;
	pool->free = track;
}
