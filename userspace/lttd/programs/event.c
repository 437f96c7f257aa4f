// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Events of programs: their numbers, and the layout of their records.
 *
 * Layer: lttd.
 */
#include "event.h"
#include "common/shm.h"

#include <assert.h>
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX	16384

static_assert(EVENTS_MAX <= UINT16_MAX + 1, "the medium header has an id of 16 bits");

static int compare_fields(const struct ltt_field *a, const struct ltt_field *b)
{
	int differs = strcmp(a->name, b->name);

	if (differs)
		return differs;
	if (a->kind != b->kind)
		return a->kind - b->kind;
	if (a->size != b->size)
		return a->size - b->size;
	if (a->is_signed != b->is_signed)
		return a->is_signed - b->is_signed;
	return a->base - b->base;
}

static int compare(const void *one, const void *other)
{
	const struct event *a = one, *b = other;
	int differs = strcmp(a->group, b->group);
	unsigned int i;

	if (!differs)
		differs = strcmp(a->name, b->name);
	if (!differs)
		differs = (int)a->nr_fields - (int)b->nr_fields;
	for (i = 0; !differs && i < a->nr_fields; i++)
		differs = compare_fields(&a->fields.field[i], &b->fields.field[i]);
	return differs;
}

static bool parse(struct event *event, const struct marker *marker, const char **why)
{
	unsigned int i;

	*why = marker_fields(marker, &event->fields);
	if (*why)
		return false;
	strcpy(event->group, marker->group);
	strcpy(event->name, marker->name);
	event->nr_fields = marker->nr_args;
	for (i = 0; i < event->nr_fields; i++) {
		if (event->fields.field[i].kind == LTT_FIELD_STRING)
			event->strings = true;
		else
			event->size += event->fields.field[i].size;
	}
	return true;
}

/* Return: 0, -1 with @why, or -ENOMEM. */
static int add(struct events *events, struct event *event, const char **why)
{
	struct event **more;
	uint32_t *sizes;

	*why = "there are too many events";
	if (events->nr == EVENTS_MAX)
		return -1;
	more = reallocarray(events->event, events->nr + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	events->event = more;
	sizes = reallocarray(events->sizes, events->nr + 1, sizeof(*sizes));
	if (!sizes)
		return -ENOMEM;
	events->sizes = sizes;
	if (!tsearch(event, &events->tree, compare))
		return -ENOMEM;
	event->number = events->nr;
	sizes[events->nr] = event->strings ? EVENT_VARIES : event->size;
	more[events->nr++] = event;
	return 0;
}

int events_number(struct events *events, const struct marker *marker, uint32_t *number,
		  const char **why)
{
	struct event *event = calloc(1, sizeof(*event));
	struct event *const *known;
	int err = -1;

	if (!event)
		return -ENOMEM;
	if (!parse(event, marker, why))
		goto err_free;
	known = tfind(event, &events->tree, compare);
	if (known) {
		free(event);
		*number = (*known)->number;
		return 0;
	}
	err = add(events, event, why);
	if (err)
		goto err_free;
	*number = event->number;
	return 0;

err_free:
	free(event);
	return err;
}

static void keep(void *event)
{
	(void)event;
}

void events_free(struct events *events)
{
	uint32_t i;

	tdestroy(events->tree, keep);
	for (i = 0; i < events->nr; i++)
		free(events->event[i]);
	free(events->event);
	free(events->sizes);
}

/* Return: the offset after the string at offset @size; 0: it has no NUL before @room. */
static size_t after_string(const char *data, size_t size, size_t room)
{
	size_t len = size < room ? strnlen(data + size, room - size) : 0;

	return size < room && len < room - size ? size + len + 1 : 0;
}

uint32_t events_fixed_context(const struct events *events)
{
	if (events->context & LTT_CONTEXT_NAME)
		return EVENT_VARIES;
	return sizeof(uint32_t) * __builtin_popcount(events->context & LTT_CONTEXT_USUAL);
}

static size_t context_size(uint32_t context, const char *data, size_t room)
{
	size_t size = 0;

	if (context & LTT_CONTEXT_TID)
		size += sizeof(uint32_t);
	if (context & LTT_CONTEXT_PID)
		size += sizeof(uint32_t);
	return context & LTT_CONTEXT_NAME ? after_string(data, size, room) : size;
}

static size_t size_with_strings(const struct event *event, const char *data, size_t size, size_t room)
{
	unsigned int i;

	for (i = 0; i < event->nr_fields; i++) {
		if (event->fields.field[i].kind != LTT_FIELD_STRING)
			size += event->fields.field[i].size;
		else if (!(size = after_string(data, size, room)))
			return 0;
	}
	return size;
}

bool event_size(const struct events *events, const struct event *event, const char *data, size_t room,
		size_t *size)
{
	*size = context_size(events->context, data, room);
	if (!*size && events->context & LTT_CONTEXT_NAME)
		return false;
	if (!event->strings)
		*size += event->size;
	else if (!(*size = size_with_strings(event, data, *size, room)))
		return false;
	return *size <= room;
}
