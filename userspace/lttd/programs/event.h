/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Events of programs: their numbers, and what their records look like.
 *
 * Layer: lttd.
 */
#ifndef LTTD_EVENT_H
#define LTTD_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/site.h"

/**
 * struct event - a marker, wherever it is: in any program, with these fields
 * @group: with @name, how it is called
 * @name: see @group
 * @fields: of the payload
 * @nr_fields: how many
 * @number: in its channel
 * @size: of the payload, in bytes, where strings count nothing
 * @strings: there are some, so that the size is to be found out
 */
struct event {
	char group[LTT_MARK_NAME_SIZE];
	char name[LTT_MARK_NAME_SIZE];
	struct ltt_mark_fields fields;
	unsigned int nr_fields;
	uint32_t number;
	size_t size;
	bool strings;
};

/**
 * struct events - those of a channel
 * @context: what all have before their fields: see &ltt_shm.context
 * @event: by their numbers
 * @nr: how many
 * @tree: the same by name and fields, of tsearch()
 */
struct events {
	uint32_t context;
	struct event **event;
	uint32_t nr;
	void *tree;
};

/**
 * events_number() - the number of a marker's event
 * @events: of the channel
 * @marker: as a program says it is
 * @number: told it; &events->nr before, if it is new
 * @why: told what is wrong with the marker, where it is refused
 *
 * Return: 0; -1: it is refused; -ENOMEM.
 */
int events_number(struct events *events, const struct marker *marker, uint32_t *number,
		  const char **why);

void events_free(struct events *events);

/**
 * event_size() - of a record's context and payload
 * @events: of the channel
 * @event: whose it should be
 * @data: where it begins
 * @room: the bytes there are
 * @size: told its size, which may be 0
 * Return: is it what it should be?
 */
bool event_size(const struct events *events, const struct event *event, const char *data, size_t room,
		size_t *size);

#endif /* LTTD_EVENT_H */
