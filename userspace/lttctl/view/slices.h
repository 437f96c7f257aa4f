/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Pairs of events: how long a slice or a flow took, at its end.
 *
 * Layer: lttctl view.  doc/format.md has the names by which events are paired.
 *
 *   slice        "X.begin", "X.end": of a thread.  An end ends the innermost open slice of its
 *                name; slices that began within that one, and have no end, are dropped
 *   async, flow  "X.async_begin", "X.flow_begin" and so on: by the name and the field "id", in
 *                any thread and trace
 *
 * Lost events may have ended one slice and begun another.  So the duration is unknown if events
 * of the trace may have been lost between begin and end: for async slices and flows, events of
 * any trace.
 */
#ifndef LTTCTL_SLICES_H
#define LTTCTL_SLICES_H

#include "ltt/ltttrace.h"

/**
 * enum slice_end - what is known at an event
 * @SLICE_NO_END: the event is not the end of a slice, or its begin is not known
 * @SLICE_DURATION: the slice took a time that is known
 * @SLICE_UNKNOWN: events were lost in between
 */
enum slice_end { SLICE_NO_END, SLICE_DURATION, SLICE_UNKNOWN };

/** enum slice_kind - by which key the begin of an end is found */
enum slice_kind { SLICE_OF_THREAD, SLICE_ASYNC, SLICE_FLOW };

/**
 * struct slice_class - a class of events that begin or end slices
 * @name: of the slices; NULL: the events are others
 * @kind: see there
 * @begins: the events are begins
 * @id: index of the field "id"; -1: there is none
 */
struct slice_class {
	const struct slice_name *name;
	enum slice_kind kind;
	bool begins;
	int id;
};

void slices_class(struct slice_class *class, const struct ltttrace_event *event);

/**
 * slices_event() - take an event; events come in order of time
 * @class: its class, with a name
 * @record: the event
 * @tid: NULL, or its thread
 * @duration: receives the duration in nanoseconds
 *
 * Return: SLICE_DURATION if @duration is set.
 */
enum slice_end slices_event(const struct slice_class *class, const struct ltttrace_record *record, const int64_t *tid,
			    int64_t *duration);

/**
 * slices_lost() - take the record that events or packets of a stream were lost
 * @record: the record; it comes before the events that follow the loss
 */
void slices_lost(const struct ltttrace_record *record);

/** slices_report() - report on stderr what had no partner, at the end of the recording */
void slices_report(void);

/* Free what is known; classes are no longer valid. */
void slices_forget(void);

#endif /* LTTCTL_SLICES_H */
