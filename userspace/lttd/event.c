// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Events of programs: their numbers, and what their records look like.
 *
 * Layer: lttd.
 */
#include "event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Each is looked for among all. */
#define EVENTS_MAX	16384

/* As the kernel's. */
static bool is_name(const char *name)
{
	return *name && *name != '.' && strlen(name) < LTT_MARK_NAME_SIZE &&
	       !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")];
}

static bool same_fields(const struct event *a, const struct event *b)
{
	unsigned int i;

	if (a->nr_fields != b->nr_fields)
		return false;
	for (i = 0; i < a->nr_fields; i++) {
		const struct ltt_field *one = &a->fields.field[i], *other = &b->fields.field[i];

		if (strcmp(one->name, other->name) || one->kind != other->kind ||
		    one->size != other->size || one->is_signed != other->is_signed ||
		    one->base != other->base)
			return false;
	}
	return true;
}

static bool parse(struct event *event, const struct marker *marker, const char **why)
{
	const char *where;
	unsigned int i;

	*why = "group and name are 1 to 63 characters of A-Z a-z 0-9 _ . -, the first not a dot";
	if (!is_name(marker->group) || !is_name(marker->name))
		return false;
	*why = ltt_mark_parse(marker->format, marker->args, marker->nr_args, &event->fields, &where);
	if (*why)
		return false;
	strcpy(event->group, marker->group);
	strcpy(event->name, marker->name);
	event->nr_fields = marker->nr_args;
	event->size = EVENT_CONTEXT_SIZE;
	for (i = 0; i < event->nr_fields; i++) {
		if (event->fields.field[i].kind == LTT_FIELD_STRING)
			event->strings = true;
		else
			event->size += event->fields.field[i].size;
	}
	return true;
}

int events_number(struct events *events, const struct marker *marker, uint32_t *number,
		  const char **why)
{
	struct event *event = calloc(1, sizeof(*event)), **more;
	int err = -1;
	uint32_t i;

	if (!event)
		return -ENOMEM;
	if (!parse(event, marker, why))
		goto err_free;
	for (i = 0; i < events->nr; i++) {
		struct event *known = events->event[i];

		if (!strcmp(known->group, event->group) && !strcmp(known->name, event->name) &&
		    same_fields(known, event)) {
			free(event);
			*number = i;
			return 0;
		}
	}
	*why = "there are too many events";
	if (events->nr == EVENTS_MAX)
		goto err_free;
	err = -ENOMEM;
	more = reallocarray(events->event, events->nr + 1, sizeof(*more));
	if (!more)
		goto err_free;
	events->event = more;
	*number = events->nr;
	more[events->nr++] = event;
	return 0;

err_free:
	free(event);
	return err;
}

void events_free(struct events *events)
{
	uint32_t i;

	for (i = 0; i < events->nr; i++)
		free(events->event[i]);
	free(events->event);
}

static size_t size_with_strings(const struct event *event, const char *data, size_t room)
{
	size_t size = EVENT_CONTEXT_SIZE, len;
	unsigned int i;

	for (i = 0; i < event->nr_fields; i++) {
		if (size > room)
			return 0;
		if (event->fields.field[i].kind != LTT_FIELD_STRING) {
			size += event->fields.field[i].size;
			continue;
		}
		len = strnlen(data + size, room - size);
		if (len == room - size)
			return 0;
		size += len + 1;
	}
	return size <= room ? size : 0;
}

size_t event_size(const struct event *event, const char *data, size_t room)
{
	if (event->strings)
		return size_with_strings(event, data, room);
	return event->size <= room ? event->size : 0;
}
