// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Which events are shown: the expression is bound to each class of events, and evaluated for each
 * event.
 *
 * Layer: lttctl view.
 */
#include "filter.h"

#include "lttctl/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 1024

/**
 * struct bound_class - the expression for a class of events
 * @next: in the same bucket
 * @class: the class, as long as the graph that it comes from
 * @scope: its names
 * @bound: the expression; NULL: it does not apply to the class
 */
struct bound_class {
	struct bound_class *next;
	const bt_event_class *class;
	struct filter_scope scope;
	struct expression_bound *bound;
};

static struct expression *expression;
static struct bound_class *buckets[BUCKETS];

/* Number of classes so far; whether the expression suits any; if it is mistyped for one, the first such error. */
static unsigned int nr_classes;
static bool suits, is_mistyped;
static struct expression_error mistyped;

/* ---- Classes ---- */

static struct bound_class **bucket_of(const bt_event_class *class)
{
	return &buckets[(uintptr_t)class / 64 % BUCKETS];
}

static void forget_classes(void)
{
	struct bound_class *entry;
	size_t i;

	for (i = 0; i < BUCKETS; i++) {
		while ((entry = buckets[i])) {
			buckets[i] = entry->next;
			expression_bound_free(entry->bound);
			filter_scope_free(&entry->scope);
			free(entry);
		}
	}
}

static void bind_class(struct bound_class *entry)
{
	struct expression_error error;
	int status;

	if (!filter_scope_make(&entry->scope, entry->class))
		return;
	status = expression_bind(expression, &entry->scope.expression, &entry->bound, &error);
	suits |= !status;
	if (status == -EINVAL && !is_mistyped) {
		mistyped = error;
		is_mistyped = true;
	}
}

/* Return: the class with its names; NULL without memory, so that its events are not shown. */
static const struct bound_class *find_class(const bt_event_class *class)
{
	struct bound_class **bucket = bucket_of(class), *entry;

	for (entry = *bucket; entry; entry = entry->next)
		if (entry->class == class)
			return entry;
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return NULL;
	entry->class = class;
	entry->next = *bucket;
	*bucket = entry;
	nr_classes++;
	bind_class(entry);
	return entry;
}

/* ---- Values ---- */

struct source {
	const struct bound_class *class;
	const bt_event *event;
	const char *comm;
};

static struct expression_value value_of(const bt_field *field)
{
	const bt_field_class_type type = bt_field_get_class_type(field);
	const char *text;

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		return (struct expression_value){ .number = bt_field_integer_unsigned_get_value(field) };
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		return (struct expression_value){ .number = bt_field_integer_signed_get_value(field) };
	text = string_of(field);
	return (struct expression_value){ .text = text, .size = strlen(text) };
}

static const bt_field *structure_at(const bt_event *event, enum filter_place place)
{
	switch (place) {
	case FILTER_OWN:
		return bt_event_borrow_specific_context_field_const(event);
	case FILTER_COMMON:
		return bt_event_borrow_common_context_field_const(event);
	case FILTER_PACKET:
		return bt_packet_borrow_context_field_const(bt_event_borrow_packet_const(event));
	default:
		return bt_event_borrow_payload_field_const(event);
	}
}

static struct expression_value get(const struct ltt_field *field, void *data)
{
	const struct source *source = data;
	const struct filter_scope *scope = &source->class->scope;
	const bool is_payload = field >= scope->fields && field < scope->fields + scope->expression.nr_fields;
	const size_t nr = is_payload ? field - scope->fields : field - scope->contexts;
	const enum filter_place place = is_payload ? FILTER_PAYLOAD : scope->places[nr];

	if (place == FILTER_COMM)
		return (struct expression_value){ .text = source->comm, .size = strlen(source->comm) };
	return value_of(bt_field_structure_borrow_member_field_by_index_const(structure_at(source->event, place),
									      is_payload ? nr : scope->members[nr]));
}

bool filter_holds(const bt_event *event, const char *comm)
{
	struct source source = { .event = event, .comm = comm };

	if (!expression)
		return true;
	source.class = find_class(bt_event_borrow_class_const(event));
	return source.class && source.class->bound && expression_holds(source.class->bound, get, &source);
}

/* ---- The expression ---- */

static void bind_classes_of(const bt_stream_class *stream)
{
	uint64_t count = bt_stream_class_get_event_class_count(stream), i;

	for (i = 0; i < count; i++)
		find_class(bt_stream_class_borrow_event_class_by_index_const(stream, i));
}

/* All streams begin before the first event of any. */
static bt_graph_simple_sink_component_consume_func_status look_at(bt_message_iterator *iterator, void *unused)
{
	bt_message_iterator_next_status status;
	bt_message_array_const messages;
	bool is_event = false;
	uint64_t count, i;

	(void)unused;
	status = bt_message_iterator_next(iterator, &messages, &count);
	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return (bt_graph_simple_sink_component_consume_func_status)status;
	for (i = 0; i < count; i++) {
		is_event |= bt_message_get_type(messages[i]) == BT_MESSAGE_TYPE_EVENT;
		if (bt_message_get_type(messages[i]) == BT_MESSAGE_TYPE_STREAM_BEGINNING)
			bind_classes_of(bt_stream_borrow_class_const(
				bt_message_stream_beginning_borrow_stream_const(messages[i])));
		bt_message_put_ref(messages[i]);
	}
	return is_event ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END :
			  BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

int filter_set(const char *text, const char *const *dirs)
{
	struct expression_error error;
	int status;

	if (expression_parse(text, &expression, &error))
		return misused("--filter: column %u: %s", error.column, error.text);
	status = graph_run(dirs, false, look_at, NULL);
	forget_classes();
	if (status)
		return status;
	if (nr_classes && expression_unknown(expression, &error))
		return complain("--filter: column %u: %s", error.column, error.text);
	if (!suits && is_mistyped)
		return complain("--filter: column %u: %s", mistyped.column, mistyped.text);
	return 0;
}

void filter_forget(void)
{
	forget_classes();
	expression_free(expression);
	expression = NULL;
}
