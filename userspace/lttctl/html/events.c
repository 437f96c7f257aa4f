// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The fields of events, which the page shows at a click, in bounded memory.
 *
 * Layer: lttctl html.
 */
#include "events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fields ---- */

/* The page has the thread, and the number of elements, in another place. */
static bool is_shown(const struct ltttrace_event *event, unsigned int field)
{
	return (int)field != event->tid && !event->fields[field].is_length;
}

static bool is_list(const struct ltttrace_field *field)
{
	return (field->kind == LTTTRACE_ARRAY || field->kind == LTTTRACE_SEQUENCE) && !field->is_text;
}

static void put_scalar(struct bytes *bytes, enum ltttrace_kind kind, const struct ltttrace_value *value)
{
	if (kind == LTTTRACE_UNSIGNED)
		bytes_number(bytes, value->u);
	else if (kind == LTTTRACE_SIGNED)
		bytes_signed(bytes, value->s);
	else
		bytes_put(bytes, &value->f, sizeof(value->f));
}

static void put_text(struct bytes *bytes, const struct ltttrace_value *value)
{
	size_t size = value->size < KEPT_TEXT_MAX ? value->size : KEPT_TEXT_MAX;

	if (value->text)
		size = strnlen(value->text, size);
	else
		size = 0;
	bytes_number(bytes, size);
	bytes_put(bytes, value->text, size);
}

/* The page reads the number of all elements, and then those that are kept. */
static void put_list(struct bytes *bytes, const struct ltttrace_field *field, const struct ltttrace_value *value)
{
	size_t i, nr = value->length < KEPT_ELEMENTS_MAX ? value->length : KEPT_ELEMENTS_MAX;

	bytes_number(bytes, value->length);
	bytes_number(bytes, nr);
	for (i = 0; i < nr; i++) {
		struct ltttrace_value element = ltttrace_element(field, value, i);

		put_scalar(bytes, field->element, &element);
	}
}

static void put_fields(struct bytes *bytes, const struct ltttrace_record *record)
{
	const struct ltttrace_event *event = record->event;
	unsigned int i;

	for (i = 0; i < event->nr_fields; i++) {
		const struct ltttrace_field *field = &event->fields[i];
		struct ltttrace_value value;

		if (!is_shown(event, i))
			continue;
		value = ltttrace_value(record, i);
		if (is_list(field))
			put_list(bytes, field, &value);
		else if (field->kind == LTTTRACE_STRING || field->is_text)
			put_text(bytes, &value);
		else
			put_scalar(bytes, field->kind, &value);
	}
}

/* The type is a letter, which the page knows: u, s, f, t for a text; a list begins with "l". */
static void describe_field(struct bytes *json, const struct ltttrace_field *field)
{
	static const char letters[] = { [LTTTRACE_UNSIGNED] = 'u', [LTTTRACE_SIGNED] = 's', [LTTTRACE_FLOAT] = 'f' };
	bool list = is_list(field);
	enum ltttrace_kind kind = list ? field->element : field->kind;
	size_t i;

	bytes_text(json, "[");
	bytes_json(json, field->name, strlen(field->name));
	if (!list && (field->kind == LTTTRACE_STRING || field->is_text))
		bytes_text(json, ",\"t\"");
	else
		bytes_printf(json, ",\"%s%c\"", list ? "l" : "", letters[kind]);
	bytes_printf(json, ",%u,[", field->base);
	for (i = 0; i < field->nr_labels; i++) {
		bytes_printf(json, "%s[\"%lld\",\"%lld\",", i ? "," : "", (long long)field->labels[i].first,
			     (long long)field->labels[i].last);
		bytes_json(json, field->labels[i].name, strlen(field->labels[i].name));
		bytes_text(json, "]");
	}
	bytes_text(json, "]]");
}

void events_describe(struct bytes *json, const struct ltttrace_event *event)
{
	const char *comma = "";
	unsigned int i;

	bytes_text(json, "[");
	for (i = 0; i < event->nr_fields; i++) {
		if (!is_shown(event, i))
			continue;
		bytes_text(json, comma);
		describe_field(json, &event->fields[i]);
		comma = ",";
	}
	bytes_text(json, "]");
}

/* ---- Which are kept ---- */

static struct event_class *largest(struct events *events)
{
	struct event_class *class = &events->classes[0];
	size_t i;

	for (i = 1; i < events->nr_classes; i++)
		if (events->classes[i].bytes > class->bytes)
			class = &events->classes[i];
	return class;
}

/* Drop the events that the strides no longer keep, and their fields. */
static void compact(struct events *events)
{
	size_t i, n = 0, size = 0;

	for (i = 0; i < events->nr_kept; i++) {
		struct kept *kept = &events->kept[i];
		struct event_class *class = &events->classes[kept->class];

		if (kept->number % class->stride) {
			class->bytes -= kept->size + sizeof(*kept) / 4;
			continue;
		}
		memmove(events->fields.data + size, events->fields.data + kept->offset, kept->size);
		kept->offset = size;
		size += kept->size;
		events->kept[n++] = *kept;
	}
	events->nr_kept = n;
	events->fields.size = size;
}

/* The size of the kept events in the page, roughly: time, class, CPU and thread besides the fields. */
static size_t bytes_of(const struct events *events)
{
	return events->fields.size + events->nr_kept * sizeof(struct kept) / 4;
}

static void thin_out(struct events *events)
{
	while (bytes_of(events) > KEPT_BYTES_MAX / 4 * 3) {
		largest(events)->stride *= 2;
		compact(events);
	}
}

static struct event_class *class_of(struct events *events, const struct ltttrace_event *event)
{
	struct event_class *more;
	size_t nr = event->number + 1;

	if (nr > events->nr_classes) {
		more = realloc(events->classes, nr * sizeof(*more));
		if (!more)
			return NULL;
		memset(more + events->nr_classes, 0, (nr - events->nr_classes) * sizeof(*more));
		events->classes = more;
		events->nr_classes = nr;
	}
	if (!events->classes[event->number].event) {
		events->classes[event->number].event = event;
		events->classes[event->number].stride = 1;
	}
	return &events->classes[event->number];
}

static struct kept *add_kept(struct events *events)
{
	struct kept *more;

	if (events->nr_kept == events->room) {
		size_t room = events->room ? events->room * 2 : 1024;

		more = realloc(events->kept, room * sizeof(*more));
		if (!more)
			return NULL;
		events->kept = more;
		events->room = room;
	}
	return &events->kept[events->nr_kept++];
}

int events_add(struct events *events, const struct ltttrace_record *record, uint64_t start, uint32_t thread)
{
	struct event_class *class = class_of(events, record->event);
	struct kept *kept;
	size_t offset = events->fields.size;
	uint64_t number;

	if (!class)
		return -ENOMEM;
	number = class->count++;
	if (events->nr_kept && start < events->kept[events->nr_kept - 1].start)	/* the page needs their order */
		start = events->kept[events->nr_kept - 1].start;
	if (number % class->stride)
		return 0;
	put_fields(&events->fields, record);
	kept = add_kept(events);
	if (events->fields.failed || !kept)
		return -ENOMEM;
	*kept = (struct kept){
		.start = start, .number = number, .class = record->event->number, .cpu = record->cpu, .thread = thread,
		.size = events->fields.size - offset, .offset = offset,
	};
	class->bytes += kept->size + sizeof(*kept) / 4;
	if (bytes_of(events) > KEPT_BYTES_MAX)
		thin_out(events);
	return 0;
}

void events_free(struct events *events)
{
	free(events->classes);
	free(events->kept);
	bytes_free(&events->fields);
	*events = (struct events){ 0 };
}
