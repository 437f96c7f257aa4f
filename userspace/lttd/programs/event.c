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
#define FORMATS_MAX	(16 << 20)	/* bytes of all formats with labels */

static int compare_labels(const char *a, const char *b)
{
	size_t len_a = a ? strcspn(a, "}") : 0, len_b = b ? strcspn(b, "}") : 0;

	if (len_a != len_b)
		return len_a < len_b ? -1 : 1;
	return len_a ? memcmp(a, b, len_a) : 0;
}

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
	if (a->base != b->base)
		return a->base - b->base;
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	return compare_labels(a->labels, b->labels);
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

/* Bytes of a field whose size does not depend on the record; 0 for another. */
static size_t constant_size(const struct ltt_field *field)
{
	switch (field->kind) {
	case LTT_FIELD_STRING:
	case LTT_FIELD_SEQUENCE:
		return 0;
	case LTT_FIELD_ARRAY:
	case LTT_FIELD_TEXT:
		return (size_t)field->count * field->size;
	}
	return field->size;
}

/* Labels are text of the format: have them in a copy.  Return: false if memory is out. */
static bool keep_labels(struct event *event, const char *format)
{
	unsigned int i;

	for (i = 0; i < event->nr_fields; i++) {
		struct ltt_field *field = &event->fields.field[i];

		if (!field->labels)
			continue;
		if (!event->format && !(event->format = strdup(format)))
			return false;
		field->labels = event->format + (field->labels - format);
	}
	return true;
}

static bool parse(struct event *event, const struct marker *marker, const char **why)
{
	unsigned int i;

	*why = marker_fields(marker, &event->fields);
	if (*why)
		return false;
	strcpy(event->group, marker->group);
	strcpy(event->name, marker->name);
	event->nr_fields = event->fields.nr;
	for (i = 0; i < event->nr_fields; i++) {
		event->size += constant_size(&event->fields.field[i]);
		event->varies |= !constant_size(&event->fields.field[i]);
	}
	return true;
}

static void free_event(struct event *event)
{
	free(event->format);
	free(event->filter);
	free(event);
}

/* A program whose names have numbers in them must not take the room of the others' events. */
static bool has_room(const struct events *events, const struct event_share *share, size_t format)
{
	if (format && (format > FORMATS_MAX - events->formats || share->formats > 3 * (FORMATS_MAX - events->formats)))
		return false;
	return share->nr < 3 * (EVENTS_MAX - events->nr);
}

/* Return: 0, -1 with @why, or -ENOMEM. */
static int add(struct events *events, struct event_share *share, struct event *event, const char **why)
{
	size_t format = event->format ? strlen(event->format) + 1 : 0;
	struct event **more;
	uint32_t *sizes;

	*why = "there are too many events, of its program or of all";
	if (!has_room(events, share, format))
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
	events->formats += format;
	share->formats += format;
	share->nr++;
	event->number = events->nr;
	sizes[events->nr] = event->varies ? EVENT_VARIES : event->size;
	more[events->nr++] = event;
	return 0;
}

int events_number(struct events *events, struct event_share *share, const struct marker *marker, uint32_t *number,
		  const char **why)
{
	struct event *event = calloc(1, sizeof(*event));
	struct event *const *known;
	int err = -1;

	if (!event)
		return -ENOMEM;
	if (!parse(event, marker, why))
		goto err_free;
	if (!keep_labels(event, marker->format)) {
		err = -ENOMEM;
		goto err_free;
	}
	known = tfind(event, &events->tree, compare);
	if (known) {
		free_event(event);
		*number = (*known)->number;
		return 0;
	}
	err = add(events, share, event, why);
	if (err)
		goto err_free;
	*number = event->number;
	return 0;

err_free:
	free_event(event);
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
		free_event(events->event[i]);
	free(events->event);
	free(events->sizes);
}

/* Return: the offset after the string at offset @size; 0: it has no NUL before @room. */
static size_t after_string(const char *data, size_t size, size_t room)
{
	size_t len = size < room ? strnlen(data + size, room - size) : 0;

	return size < room && len < room - size ? size + len + 1 : 0;
}

static size_t counters_size(uint32_t context)
{
	return __builtin_popcount(context & LTT_CONTEXT_PERF) * sizeof(uint64_t);
}

uint32_t events_fixed_context(const struct events *events)
{
	if (events->context & (LTT_CONTEXT_NAME | LTT_CONTEXT_STACK))
		return EVENT_VARIES;
	return LTT_TASK_ID_SIZE * __builtin_popcount(events->context & LTT_CONTEXT_USUAL) + counters_size(events->context);
}

/* Return: the offset after the sequence at offset @size, which may be beyond @room; 0: its count
 * is not before @room, or is above @most. */
static size_t after_sequence(size_t element, const char *data, size_t size, size_t room, size_t most)
{
	uint16_t count;

	if (size + sizeof(count) > room)
		return 0;
	memcpy(&count, data + size, sizeof(count));
	return count <= most ? size + sizeof(count) + count * element : 0;
}

/* Return: false if the context does not fit into @room. */
static bool context_size(uint32_t context, const char *data, size_t room, size_t *size)
{
	*size = 0;
	if (context & LTT_CONTEXT_TID)
		*size += LTT_TASK_ID_SIZE;
	if (context & LTT_CONTEXT_PID)
		*size += LTT_TASK_ID_SIZE;
	if (context & LTT_CONTEXT_NAME && !(*size = after_string(data, *size, room)))
		return false;
	if (context & LTT_CONTEXT_STACK &&
	    !(*size = after_sequence(sizeof(uint64_t), data, *size, room, ltt_context_depth(context))))
		return false;
	*size += counters_size(context);
	return *size <= room;
}

static size_t size_that_varies(const struct event *event, const char *data, size_t size, size_t room)
{
	unsigned int i;

	for (i = 0; i < event->nr_fields; i++) {
		const struct ltt_field *field = &event->fields.field[i];

		if (field->kind == LTT_FIELD_STRING)
			size = after_string(data, size, room);
		else if (field->kind == LTT_FIELD_SEQUENCE)
			size = after_sequence(field->size, data, size, room, UINT16_MAX);
		else
			size += constant_size(field);
		if (!size)
			return 0;
	}
	return size;
}

bool event_size(const struct events *events, const struct event *event, const char *data, size_t room,
		size_t *size)
{
	if (!context_size(events->context, data, room, size))
		return false;
	if (!event->varies)
		*size += event->size;
	else if (!(*size = size_that_varies(event, data, *size, room)))
		return false;
	return *size <= room;
}
