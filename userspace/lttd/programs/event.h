/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Events of programs: their numbers, and the layout of their records.
 *
 * Layer: lttd.
 */
#ifndef LTTD_EVENT_H
#define LTTD_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/site.h"
#include "filters.h"

/**
 * struct event - all markers of any program with the same name and fields
 * @group: its group
 * @name: its name
 * @fields: fields of the payload
 * @nr_fields: number of @fields
 * @number: its id in the channel
 * @size: bytes of the payload without strings and sequences
 * @varies: the payload has strings or sequences, so that its size depends on the record
 * @format: a copy of the marker's format, which has the labels of fields; NULL if there are
 *	none
 * @filter: the code of its filter; NULL if it never had one
 */
struct event {
	char group[LTT_MARK_NAME_SIZE];
	char name[LTT_MARK_NAME_SIZE];
	struct ltt_mark_fields fields;
	unsigned int nr_fields;
	uint32_t number;
	size_t size;
	bool varies;
	char *format;
	struct event_filter *filter;
};

/* &events.sizes of an event whose payload has strings or sequences. */
#define EVENT_VARIES	UINT32_MAX

/**
 * struct events - the events of a channel
 * @context: context fields of all events: see &ltt_shm.context
 * @event: the events by number
 * @sizes: of each event: bytes of the payload, or EVENT_VARIES
 * @nr: number of events
 * @tree: the events by name and fields, a tree of tsearch()
 * @formats: bytes of all &event.format
 */
struct events {
	uint32_t context;
	struct event **event;
	uint32_t *sizes;
	uint32_t nr;
	void *tree;
	size_t formats;
};

/**
 * struct event_share - what one program has added to the events of a channel
 * @nr: number of events
 * @formats: bytes of their &event.format
 */
struct event_share {
	uint32_t nr;
	size_t formats;
};

/**
 * events_number() - find or add the event of a marker
 * @events: events of the channel
 * @share: what the marker's program has added; a program never takes more than three quarters of what
 *	others have left
 * @marker: the marker, as an untrusted program describes it
 * @number: receives the event's number; a new one is the old &events->nr
 * @why: receives the reason, a constant text, when the marker is rejected
 *
 * Return: 0; -1: the marker is rejected; -ENOMEM.
 */
int events_number(struct events *events, struct event_share *share, const struct marker *marker, uint32_t *number,
		  const char **why);

/** events_free() - free all events */
void events_free(struct events *events);

/**
 * events_fixed_context() - find the size of the context of all records
 * @events: events of the channel
 *
 * Return: bytes; EVENT_VARIES if it depends on the record.
 */
uint32_t events_fixed_context(const struct events *events);

/**
 * event_size() - compute the size of a record's context and payload
 * @events: events of the channel
 * @event: the record's event
 * @data: the context, untrusted
 * @room: bytes from @data to the end of the packet
 * @size: receives the size in bytes, which may be 0
 *
 * Return: true; false if the record does not fit into @room.
 */
bool event_size(const struct events *events, const struct event *event, const char *data, size_t room,
		size_t *size);

#endif /* LTTD_EVENT_H */
