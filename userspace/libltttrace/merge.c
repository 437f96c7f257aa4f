// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The records of several streams in the order of time.
 *
 * Layer: libltttrace.  A heap has the streams that have a record; the first is that of the earliest.  Streams that have
 * none wait for a refresh.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>

/**
 * struct ltttrace_cursor - a place in some streams
 * @trace: the trace
 * @only: the only stream; NULL: those that @want returns true for
 * @all: a cursor for each stream that is read
 * @nr: number of @all
 * @heap: those of them that have a record, as a heap
 * @ready: number of @heap
 * @seen: streams of the trace that were looked at
 * @generation: of the trace at that time
 * @from: time of the last seek
 * @limit: later records are held back, nanoseconds since the Unix epoch
 * @taken: the first of @heap was returned, and is to be moved on
 */
struct ltttrace_cursor {
	const struct ltttrace *trace;
	const struct stream *only;
	bool (*want)(const struct ltttrace_stream *stream, void *data);
	void *data;
	struct cursor **all;
	size_t nr;
	struct cursor **heap;
	size_t ready;
	size_t seen;
	unsigned long generation;
	int64_t from;
	int64_t limit;
	bool taken;
};

static bool is_earlier(const struct cursor *a, const struct cursor *b)
{
	if (a->record.ns != b->record.ns)
		return a->record.ns < b->record.ns;
	return a->stream->public.number < b->stream->public.number;
}

static void sift_down(struct ltttrace_cursor *cursor, size_t at)
{
	struct cursor **heap = cursor->heap, *moved = heap[at];
	size_t child;

	while ((child = 2 * at + 1) < cursor->ready) {
		if (child + 1 < cursor->ready && is_earlier(heap[child + 1], heap[child]))
			child++;
		if (!is_earlier(heap[child], moved))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

static void push(struct ltttrace_cursor *cursor, struct cursor *pushed)
{
	struct cursor **heap = cursor->heap;
	size_t at = cursor->ready++, parent;

	for (; at && is_earlier(pushed, heap[parent = (at - 1) / 2]); at = parent)
		heap[at] = heap[parent];
	heap[at] = pushed;
}

/* @status: of cursor_next(). */
static int put(struct ltttrace_cursor *cursor, struct cursor *moved, int status)
{
	if (status > 0)
		push(cursor, moved);
	return status < 0 ? status : 0;
}

static bool is_wanted(const struct ltttrace_cursor *cursor, const struct stream *stream)
{
	if (cursor->only)
		return cursor->only == stream;
	return !cursor->want || cursor->want(&stream->public, cursor->data);
}

static int add_stream(struct ltttrace_cursor *cursor, struct stream *stream)
{
	struct cursor *added = malloc(sizeof(*added)), **heap;

	if (!added)
		return -ENOMEM;
	heap = realloc(cursor->heap, (cursor->nr + 1) * sizeof(*heap));
	if (heap)
		cursor->heap = heap;
	if (!heap || list_add(&cursor->all, &cursor->nr, added)) {
		free(added);
		return -ENOMEM;
	}
	cursor_init(added, stream);
	return 0;
}

static bool is_ready(const struct ltttrace_cursor *cursor, const struct cursor *one)
{
	size_t i;

	for (i = 0; i < cursor->ready; i++)
		if (cursor->heap[i] == one)
			return true;
	return false;
}

/* After a refresh: new streams, and those that had no record. */
static int catch_up(struct ltttrace_cursor *cursor)
{
	const struct ltttrace *trace = cursor->trace;
	size_t old = cursor->nr, i;
	int err = 0;

	for (i = 0; i < old && !err; i++)
		if (!is_ready(cursor, cursor->all[i]))
			err = put(cursor, cursor->all[i], cursor_next(cursor->all[i]));
	for (; cursor->seen < trace->streams && !err; cursor->seen++) {
		if (!is_wanted(cursor, trace->stream[cursor->seen]))
			continue;
		err = add_stream(cursor, trace->stream[cursor->seen]);
		if (err)
			return err;
		err = put(cursor, cursor->all[cursor->nr - 1],
			  cursor->from == INT64_MIN ? cursor_next(cursor->all[cursor->nr - 1]) :
						      cursor_seek(cursor->all[cursor->nr - 1], cursor->from));
	}
	if (!err)
		cursor->generation = trace->generation;
	return err;
}

/* Move on the stream whose record was returned last. */
static int move_first(struct ltttrace_cursor *cursor)
{
	struct cursor *first = cursor->heap[0];
	int status = cursor_next(first);

	if (status > 0) {
		sift_down(cursor, 0);
		return 0;
	}
	cursor->heap[0] = cursor->heap[--cursor->ready];
	if (cursor->ready)
		sift_down(cursor, 0);
	return status;
}

int ltttrace_next(struct ltttrace_cursor *cursor, const struct ltttrace_record **record)
{
	int err = 0;

	if (cursor->taken)
		err = move_first(cursor);
	cursor->taken = false;
	if (!err && cursor->generation != cursor->trace->generation)
		err = catch_up(cursor);
	if (err || !cursor->ready || cursor->heap[0]->record.ns > cursor->limit)
		return err;
	cursor->taken = true;
	*record = &cursor->heap[0]->record;
	return 1;
}

int ltttrace_seek(struct ltttrace_cursor *cursor, int64_t ns)
{
	size_t i;
	int err = 0;

	cursor->taken = false;
	cursor->ready = 0;
	cursor->from = ns;
	for (i = 0; i < cursor->nr && !err; i++)
		err = put(cursor, cursor->all[i], cursor_seek(cursor->all[i], ns));
	return err ?: catch_up(cursor);
}

static int make_cursor(const struct ltttrace *trace, const struct stream *only,
		       bool (*want)(const struct ltttrace_stream *stream, void *data), void *data,
		       struct ltttrace_cursor **made)
{
	struct ltttrace_cursor *cursor = calloc(1, sizeof(*cursor));
	int err;

	if (!cursor)
		return -ENOMEM;
	*cursor = (struct ltttrace_cursor){
		.trace = trace, .only = only, .want = want, .data = data, .from = INT64_MIN,
		.limit = INT64_MAX,
	};
	err = catch_up(cursor);
	if (err)
		ltttrace_cursor_free(cursor);
	else
		*made = cursor;
	return err;
}

int ltttrace_read(const struct ltttrace *trace, const struct ltttrace_stream *stream, struct ltttrace_cursor **cursor)
{
	return make_cursor(trace, (const struct stream *)stream, NULL, NULL, cursor);
}

int ltttrace_merge(const struct ltttrace *trace, bool (*want)(const struct ltttrace_stream *stream, void *data), void *data,
		   struct ltttrace_cursor **cursor)
{
	return make_cursor(trace, NULL, want, data, cursor);
}

void ltttrace_limit(struct ltttrace_cursor *cursor, int64_t ns)
{
	cursor->limit = ns;
}

void ltttrace_cursor_free(struct ltttrace_cursor *cursor)
{
	size_t i;

	if (!cursor)
		return;
	for (i = 0; i < cursor->nr; i++) {
		cursor_release(cursor->all[i]);
		free(cursor->all[i]);
	}
	free(cursor->all);
	free(cursor->heap);
	free(cursor);
}
