/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The limit of the memory of a user's buffers.
 *
 * Layer: lttd, below slots.c.  Each buffer set reserves what its programs may use at most (S6), and all
 * reservations together are within the limit.  So it also holds while lttd is busy or stopped.
 * While there is plenty of room, a buffer set gets all its sub-buffers.  When half of the limit is
 * reserved, a new one gets two small ones for each CPU, and one whose programs fill none gives up all
 * but two; programs that fill sub-buffers get more of them, as long as a quarter is left.
 *
 * A buffer set that has all its memory from the beginning neither grows nor shrinks: it takes a sixteenth of what is left
 * at most (half, if all processes share it), by smaller and then by fewer sub-buffers.
 *
 * Not reserved before lttd sees them: the rings of threads without restartable sequences.
 */
#ifndef LTTD_MEMORY_H
#define LTTD_MEMORY_H

#include "slots.h"

/** memory_choose() - choose log2 of the size of a new buffer set's sub-buffers, and their number for each ring */
void memory_choose(const struct slots *slots, uint32_t *order, uint32_t *nr_sb);

/** memory_begin() - reserve memory for a new buffer set.  Return: false: there is none left. */
bool memory_begin(struct slots *slots, struct buffer_set *set);

/** memory_grow() - let the programs of a buffer set, which have filled a sub-buffer, use more */
void memory_grow(struct slots *slots, struct buffer_set *set);

/** memory_look_after() - look whether a buffer set grows or shrinks; a few times in a second */
void memory_look_after(struct slots *slots, struct buffer_set *set);

/** memory_keep() - reserve for a buffer set that has ended only what it has; its memory is open */
void memory_keep(struct slots *slots, struct buffer_set *set);

/** memory_end() - give up the reservation of @set */
void memory_end(struct slots *slots, struct buffer_set *set);

#endif /* LTTD_MEMORY_H */
