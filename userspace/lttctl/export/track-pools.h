/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Numbers of tracks for what belongs to a process and a name: counters, and async slices, of which several can be open at
 * a time, each on a track of its own.
 *
 * Layer: lttctl export.
 */
#ifndef LTTCTL_EXPORT_TRACK_POOLS_H
#define LTTCTL_EXPORT_TRACK_POOLS_H

#include <stdbool.h>
#include <stdint.h>

struct track_pools;

struct track_pools *track_pools_new(void);
void track_pools_free(struct track_pools *tracks);

/**
 * track_pools_get() - find the track of a counter
 * @tracks: the tracks
 * @pid: its process
 * @name: the number of its name
 * @is_new: receives true if this is the first call for it
 *
 * Return: its number, from 1 on; 0 if memory is out.
 */
uint64_t track_pools_get(struct track_pools *tracks, int64_t pid, unsigned int name, bool *is_new);

/* As track_pools_get(): a track that no slice is on, for a slice. */
uint64_t track_pools_take(struct track_pools *tracks, int64_t pid, unsigned int name, bool *is_new);

/* The slice on a track of track_pools_take() has ended. */
void track_pools_release(struct track_pools *tracks, uint64_t track);

#endif /* LTTCTL_EXPORT_TRACK_POOLS_H */
