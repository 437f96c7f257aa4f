/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Markers as slices, instants, flows and counters, by the names of events: doc/format.md, "Pairs of events".
 *
 * Layer: lttctl export, above lttctl model.
 */
#ifndef LTTCTL_EXPORT_MARKERS_H
#define LTTCTL_EXPORT_MARKERS_H

#include "lttctl/model/recording.h"

enum marker_kind {
	MARKER_POINT,
	MARKER_BEGIN,
	MARKER_END,
	MARKER_ASYNC_BEGIN,
	MARKER_ASYNC_END,
	MARKER_FLOW_BEGIN,
	MARKER_FLOW_STEP,
	MARKER_FLOW_END,
	MARKER_COUNTER,
};

/**
 * struct marker - a class of events
 * @kind: its kind
 * @name: of both ends, "G:N"; of a point, the name of the event
 * @number: of the name, from 1 on; the same for both ends
 * @field: index of the field "id" of an async slice or flow, or "value" of a counter
 */
struct marker {
	enum marker_kind kind;
	const char *name;
	unsigned int number;
	int field;
};

/**
 * struct slice - a slice that is open
 * @marker: its begin
 * @part: the part that the begin is of
 * @losses: number of the losses of that part, or of all for an async slice, before the begin
 * @id: of an async slice
 * @place: where the exporter shows it
 */
struct slice {
	const struct marker *marker;
	const struct ltttrace_part *part;
	uint64_t losses;
	int64_t id;
	uint64_t place;
	struct slice *next;	/* private: in a bucket */
};

struct markers;

/* Return: a table for the classes of events of @trace, to be freed; NULL if memory is out. */
struct markers *markers_new(const struct ltttrace *trace);
void markers_free(struct markers *markers);

/* Return: the marker of an event class; NULL only if memory is out. */
const struct marker *markers_of(struct markers *markers, const struct ltttrace_event *event);

/* Return: how many names of markers there are; the numbers are not greater. */
unsigned int markers_nr_names(const struct markers *markers);

/* Events of the part may have been lost. */
void markers_lose(struct markers *markers, const struct ltttrace_part *part);

/**
 * markers_begin() - open a slice of a thread
 * @markers: the table
 * @thread: the number of the thread, or of what stands for it
 * @record: the begin
 *
 * Return: false if memory is out.
 */
bool markers_begin(struct markers *markers, size_t thread, const struct ltttrace_record *record);

/**
 * markers_end() - end a slice of a thread
 * @markers: the table
 * @thread: as for markers_begin()
 * @record: the end
 * @is_sure: receives false if events may have been lost since the begin
 *
 * Return: how many slices end, of which the last one is that of @record; the others have no end of their own.  0: it
 *	has no begin.
 */
size_t markers_end(struct markers *markers, size_t thread, const struct ltttrace_record *record, bool *is_sure);

/* As markers_begin(), of an async slice.  Return: the slice, which stays until its end; NULL if memory is out. */
struct slice *markers_async_begin(struct markers *markers, const struct ltttrace_record *record);

/* As markers_end().  Return: the slice that ends, to be freed; NULL if it has no begin. */
struct slice *markers_async_end(struct markers *markers, const struct ltttrace_record *record, bool *is_sure);

#endif /* LTTCTL_EXPORT_MARKERS_H */
