/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Tracks: what a row of the page shows, as items in the order of time, in bounded memory.
 *
 * Layer: lttctl html, above nothing.
 *
 * An item is exact (one interval, point or value) or a block, which stands for several that are shorter than the
 * resolution of the track.  That is 0 until there are more than ITEMS_MAX items in all tracks; then it grows, for those
 * tracks that have the most items.  So rare intervals stay exact, and memory and the size of the page do not depend on the
 * length of the recording.
 *
 * Merging by a resolution w: items shorter than w that begin in the same multiple of w become one block.  An item of
 * w or longer stays exact.  So a track has at most two items in w.
 */
#ifndef LTTCTL_HTML_TRACK_H
#define LTTCTL_HTML_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An item takes about 10 bytes of the page; see doc/html.md. */
#define ITEMS_MAX 2000000

/**
 * enum track_kind - the meaning of the items of a track
 * @TRACK_RUN: of a CPU; value: the thread that runs
 * @TRACK_IRQ: of a CPU; row 0: interrupts, row 1: softirqs; value: the name
 * @TRACK_STATE: of a thread; value: enum thread_state; extra: see there
 * @TRACK_SYSCALL: of a thread; value: the name of the call; extra: its result
 * @TRACK_SLICE: of a thread, a row for each depth; value: the name of the slice
 * @TRACK_ASYNC: of a process, a row for each of those that overlap; value: the name of the slice
 * @TRACK_POINT: of a thread or CPU; value: the class of the event; length 0
 * @TRACK_COUNTER: of a process or CPU; number: the value until the next item
 * @TRACK_LOSS: of a CPU: events may be missing; extra: the number of events, 0: not known
 * @TRACK_FLOW: of a process, a row for each of those that overlap; from an event of a flow to the next; name: of the
 *	flow; value: the thread of the first; extra: that of the second
 *
 * The page knows these numbers.
 */
enum track_kind {
	TRACK_RUN,
	TRACK_IRQ,
	TRACK_STATE,
	TRACK_SYSCALL,
	TRACK_SLICE,
	TRACK_ASYNC,
	TRACK_POINT,
	TRACK_COUNTER,
	TRACK_LOSS,
	TRACK_FLOW,
};

/**
 * enum thread_state - the value of an item of TRACK_STATE
 * @STATE_RUNNING: extra: the CPU
 * @STATE_RUNNABLE: extra: 1 + the thread that woke it up; 0: it was preempted, or that thread is not known
 * @STATE_BLOCKED: waits in the kernel and takes no signals; extra: 0
 * @STATE_SLEEPING: not an item: what is between the items of a thread.  Else half of the items would be this
 * @STATE_UNKNOWN: extra: 0
 *
 * The page knows these numbers, too.
 */
enum thread_state {
	STATE_RUNNING,
	STATE_RUNNABLE,
	STATE_BLOCKED,
	STATE_SLEEPING,
	STATE_UNKNOWN,
};

/**
 * struct item - an item of a track
 * @start: nanoseconds since the begin of the page
 * @length: nanoseconds
 * @value: see enum track_kind; of a block, the value that takes most of the time
 * @count: 1: exact; more: a block of so many
 * @extra: of an exact item
 * @number: of an exact item of a counter
 * @sums: of a block.  States: nanoseconds running, runnable and blocked.  Counters: least, greatest and last value.
 *	Points: unused, weight of @value.  Others: nanoseconds covered, weight of @value.
 */
struct item {
	uint64_t start;
	uint64_t length;
	uint32_t value;
	uint32_t count;
	union {
		int64_t extra;
		double number;
		float sums[3];
	};
};

/**
 * struct track - a track
 * @kind: of its items
 * @owner: CPU, process or thread
 * @row: of several of the same kind and owner
 * @name: of a counter
 * @items: in the order of time; they do not overlap
 * @nr: number of @items
 * @room: of @items
 * @end: of the last item
 * @resolution: nanoseconds; 0: all items are exact
 * @added: intervals, points or values that it was given
 */
struct track {
	enum track_kind kind;
	uint32_t owner;
	uint32_t row;
	uint32_t name;
	struct item *items;
	size_t nr;
	size_t room;
	uint64_t end;
	uint64_t resolution;
	uint64_t added;
};

/**
 * struct tracks - all tracks of a page
 * @tracks: each is an allocation of its own, so that pointers stay valid
 * @nr: number of @tracks
 * @room: of @tracks
 * @buckets: of the hash table of @tracks; a track number + 1, or 0
 * @nr_buckets: a power of two
 * @nr_items: of all tracks
 * @items_max: the limit of @nr_items
 */
struct tracks {
	struct track **tracks;
	size_t nr;
	size_t room;
	uint32_t *buckets;
	size_t nr_buckets;
	size_t nr_items;
	size_t items_max;
};

/**
 * track_get() - find a track, or make it
 *
 * Return: the track; NULL: there is not enough memory.
 */
struct track *track_get(struct tracks *tracks, enum track_kind kind, uint32_t owner, uint32_t row, uint32_t name);

/**
 * track_add() - append an item
 * @tracks: all tracks
 * @track: the track; NULL: nothing is done
 * @item: exact; what lies before the end of the last item is cut off
 *
 * Return: 0; -ENOMEM.
 */
int track_add(struct tracks *tracks, struct track *track, struct item item);

/**
 * items_merge() - merge items by a resolution
 * @kind: of their track
 * @from: the items
 * @nr: number of @from
 * @resolution: nanoseconds, more than 0
 * @to: receives the merged items, room for @nr; may be @from
 *
 * Return: the number of merged items.
 */
size_t items_merge(enum track_kind kind, const struct item *from, size_t nr, uint64_t resolution, struct item *to);

void tracks_free(struct tracks *tracks);

#endif /* LTTCTL_HTML_TRACK_H */
