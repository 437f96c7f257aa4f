// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The records of traces, and those that `lttctl view -f` would select: the reader's half of
 * expression-recorded.
 *
 * The filter of lttctl has one expression at a time, and reads the recording for it.  Here many are
 * evaluated on each event that is read, so its source is part of this file.
 */
#include "recorded.h"

#include "../../userspace/lttctl/view/filter.c"

#include <stdio.h>

/* ---- Digests ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	do {
		hash = mix(hash, (unsigned char)*text);
	} while (*text++);
	return hash;
}

static uint64_t mix_field(uint64_t hash, const bt_field *field)
{
	const bt_field_class_type type = bt_field_get_class_type(field);
	uint64_t count, i;

	if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) {
		count = bt_field_class_structure_get_member_count(bt_field_borrow_class_const(field));
		for (i = 0; i < count; i++)
			hash = mix_field(hash, bt_field_structure_borrow_member_field_by_index_const(field, i));
		return hash;
	}
	if (!bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		const struct expression_value value = value_of(field);

		return value.text ? mix_text(hash, value.text) : mix(hash, value.number);
	}
	count = bt_field_array_get_length(field);
	for (i = 0; i < count; i++)
		hash = mix_field(hash, bt_field_array_borrow_element_field_by_index_const(field, i));
	return mix(hash, count);
}

static void add(struct digest *digest, const bt_event *event)
{
	const bt_field *own = structure_at(event, FILTER_OWN), *payload = structure_at(event, FILTER_PAYLOAD);
	uint64_t hash = 1;

	if (own)
		hash = mix_field(hash, own);
	if (payload)
		hash = mix_field(hash, payload);
	digest->records++;
	digest->sum += hash;
}

/* ---- Records ---- */

/**
 * struct reading - a trace that is read
 * @batch: the batch
 * @trace: the number of a trace with filters; -1: the one without
 * @expressions: for that one, the parsed expression of each filter
 * @bound: each bound to the class of its event, once there is a record
 */
struct reading {
	struct batch *batch;
	int trace;
	struct expression *expressions[TRACES_MAX][EVENTS_MAX];
	struct bound_class *bound[TRACES_MAX][EVENTS_MAX];
};

/* Kernel events have no group in a trace. */
static bool is_named(const char *event, const char *name)
{
	return !strcmp(event, name) || !strcmp(strchr(event, ':') + 1, name);
}

static void give_up(const char *what)
{
	printf("not ok %s\n", what);
	exit(1);
}

static size_t find_event(const struct batch *batch, const char *name)
{
	size_t i;

	for (i = 0; i < batch->nr_events; i++)
		if (is_named(batch->event[i], name))
			return i;
	printf("# event %s\n", name);
	give_up("the trace has only events that it was to record");
	return 0;
}

/* As find_class() does it, for one expression. */
static void bind(struct reading *reading, size_t trace, size_t nr, const bt_event_class *class)
{
	struct bound_class *entry = calloc(1, sizeof(*entry));

	if (!entry)
		give_up("there is memory");
	entry->class = class;
	expression = reading->expressions[trace][nr];
	bind_class(entry);
	if (!entry->bound) {
		printf("# %s: %.900s: %s\n", reading->batch->event[nr], reading->batch->filter[trace][nr].text, mistyped.text);
		give_up("the reader can bind the expression");
	}
	reading->bound[trace][nr] = entry;
}

static void select_event(struct reading *reading, size_t nr, const bt_event *event)
{
	struct source source = { .event = event, .comm = "not known" };
	size_t trace;

	reading->batch->read[nr]++;
	for (trace = 0; trace < reading->batch->nr_traces; trace++) {
		struct filter *filter = &reading->batch->filter[trace][nr];

		if (!filter->is_recorded)
			continue;
		if (!reading->bound[trace][nr])
			bind(reading, trace, nr, bt_event_borrow_class_const(event));
		source.class = reading->bound[trace][nr];
		if (expression_holds(source.class->bound, get, &source))
			add(&filter->selected, event);
	}
}

static void use(const bt_message *message, void *data)
{
	struct reading *reading = data;
	const bt_event *event;
	size_t nr;

	if (bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT)
		return;
	event = bt_message_event_borrow_event_const(message);
	nr = find_event(reading->batch, bt_event_class_get_name(bt_event_borrow_class_const(event)));
	if (reading->trace < 0)
		select_event(reading, nr, event);
	else
		add(&reading->batch->filter[reading->trace][nr].recorded, event);
}

static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator *iterator, void *data)
{
	return consume_messages(iterator, use, data);
}

static void read_trace(struct reading *reading, const char *dir)
{
	const char *const dirs[] = { dir, NULL };

	if (graph_run(dirs, false, consume, reading))
		give_up("the trace can be read");
}

/* ---- The two uses ---- */

void select_records(struct batch *batch, const char *dir)
{
	static struct reading reading;
	struct expression_error error;
	size_t i, j;

	reading = (struct reading){ .batch = batch, .trace = -1 };
	for (i = 0; i < batch->nr_traces; i++)
		for (j = 0; j < batch->nr_events; j++)
			if (expression_parse(batch->filter[i][j].text, &reading.expressions[i][j], &error))
				give_up(error.text);
	read_trace(&reading, dir);
	for (i = 0; i < batch->nr_traces; i++)
		for (j = 0; j < batch->nr_events; j++) {
			if (reading.bound[i][j]) {
				expression_bound_free(reading.bound[i][j]->bound);
				filter_scope_free(&reading.bound[i][j]->scope);
				free(reading.bound[i][j]);
			}
			expression_free(reading.expressions[i][j]);
		}
	expression = NULL;
}

void add_records(struct batch *batch, size_t nr, const char *dir)
{
	static struct reading reading;

	reading = (struct reading){ .batch = batch, .trace = nr };
	read_trace(&reading, dir);
}
