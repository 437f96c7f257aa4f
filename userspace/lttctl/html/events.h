/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The fields of events, which the page shows at a click, in bounded memory.
 *
 * Layer: lttctl html, above libltttrace.
 *
 * All events are kept until their bytes exceed KEPT_BYTES_MAX.  Then every second event of the class that takes most
 * of the bytes is dropped, again and again: the stride of the class doubles.  So rare events stay complete.
 */
#ifndef LTTCTL_HTML_EVENTS_H
#define LTTCTL_HTML_EVENTS_H

#include "encode.h"

#include <ltt/ltttrace.h>

#define KEPT_BYTES_MAX (4U << 20)
#define KEPT_TEXT_MAX 256	/* bytes of a text */
#define KEPT_ELEMENTS_MAX 32	/* of an array */

/**
 * struct event_class - what is kept of a class of events
 * @event: the class; NULL: no event was seen
 * @count: its events
 * @stride: each event whose number divides by this is kept
 * @bytes: of those that are kept
 */
struct event_class {
	const struct ltttrace_event *event;
	uint64_t count;
	uint64_t stride;
	size_t bytes;
};

/**
 * struct kept - an event that is kept
 * @start: nanoseconds since the begin of the page
 * @number: of the event in its class
 * @class: number of the class
 * @cpu: its CPU
 * @thread: 1 + its thread; 0: not known
 * @size: of its fields
 * @offset: of its fields in struct events
 */
struct kept {
	uint64_t start;
	uint64_t number;
	uint32_t class;
	uint32_t cpu;
	uint32_t thread;
	uint32_t size;
	size_t offset;
};

/**
 * struct events - the events that are kept
 * @classes: by the number of the class in the trace
 * @nr_classes: number of @classes
 * @kept: the events, in the order of time
 * @nr_kept: number of @kept
 * @room: of @kept
 * @fields: their fields
 */
struct events {
	struct event_class *classes;
	size_t nr_classes;
	struct kept *kept;
	size_t nr_kept;
	size_t room;
	struct bytes fields;
};

/**
 * events_add() - count an event, and keep it perhaps
 * @events: the events
 * @record: the event
 * @start: nanoseconds since the begin of the page
 * @thread: 1 + its thread; 0: not known
 *
 * Return: 0; -ENOMEM.
 */
int events_add(struct events *events, const struct ltttrace_record *record, uint64_t start, uint32_t thread);

/* Append the fields of a class as JSON: [[name, type, base, [[first, last, label], ...]], ...]. */
void events_describe(struct bytes *json, const struct ltttrace_event *event);

void events_free(struct events *events);

#endif /* LTTCTL_HTML_EVENTS_H */
