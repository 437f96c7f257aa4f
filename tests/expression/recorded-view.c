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
#include <stdlib.h>

static void give_up(const char *what)
{
	printf("not ok %s\n", what);
	exit(1);
}

/* ---- Digests ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* The bytes of the contexts that the channel gives to each of its events. */
static size_t common_bytes(const struct ltttrace_event *event)
{
	size_t bytes = 0;
	unsigned int i;

	for (i = 0; i < event->own; i++)
		bytes += event->fields[i].bits / 8;
	return bytes;
}

/* All but the thread, which differs from trace to trace only if the test is wrong. */
static void add(struct digest *digest, const struct ltttrace_record *record)
{
	uint64_t hash = 1;
	size_t i;

	for (i = common_bytes(record->event); i < record->size; i++)
		hash = mix(hash, record->data[i]);
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
 * @open: the trace
 */
struct reading {
	struct batch *batch;
	int trace;
	struct expression *expressions[TRACES_MAX][EVENTS_MAX];
	struct filter_class *bound[TRACES_MAX][EVENTS_MAX];
	struct ltttrace *open;
};

/* Kernel events have no group in a trace. */
static bool is_named(const char *event, const char *name)
{
	return !strcmp(event, name) || !strcmp(strchr(event, ':') + 1, name);
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

static void bind(struct reading *reading, size_t trace, size_t nr, const struct ltttrace_event *event)
{
	struct filter_class *class = calloc(1, sizeof(*class));

	if (!class)
		give_up("there is memory");
	expression = reading->expressions[trace][nr];
	if (!filter_bind(class, event))
		give_up("there is memory");
	if (!class->bound) {
		printf("# %s: %.900s: %s\n", reading->batch->event[nr], reading->batch->filter[trace][nr].text, mistyped.text);
		give_up("the reader can bind the expression");
	}
	reading->bound[trace][nr] = class;
}

static void select_record(struct reading *reading, size_t nr, const struct ltttrace_record *record)
{
	size_t trace;

	reading->batch->read[nr]++;
	for (trace = 0; trace < reading->batch->nr_traces; trace++) {
		struct filter *filter = &reading->batch->filter[trace][nr];

		if (!filter->is_recorded)
			continue;
		if (!reading->bound[trace][nr])
			bind(reading, trace, nr, record->event);
		if (filter_holds(reading->bound[trace][nr], record, "not known"))
			add(&filter->selected, record);
	}
}

static void use(struct reading *reading, const struct ltttrace_record *record)
{
	size_t nr;

	if (record->kind != LTTTRACE_EVENT || record->stream->is_state)
		return;
	nr = find_event(reading->batch, record->event->name);
	if (reading->trace < 0)
		select_record(reading, nr, record);
	else
		add(&reading->batch->filter[reading->trace][nr].recorded, record);
}

static void read_trace(struct reading *reading, const char *dir)
{
	const struct ltttrace_record *record;
	struct ltttrace_cursor *cursor;
	struct ltttrace_error error;
	struct ltttrace *trace;
	int status;

	if (ltttrace_open(&dir, 1, 0, &trace, &error))
		give_up(error.text);
	if (ltttrace_merge(trace, NULL, NULL, &cursor))
		give_up("there is memory");
	while ((status = ltttrace_next(cursor, &record)) > 0)
		use(reading, record);
	if (status)
		give_up("the trace can be read");
	/* Bound classes point into the trace. */
	reading->open = trace;
	ltttrace_cursor_free(cursor);
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
				filter_unbind(reading.bound[i][j]);
				free(reading.bound[i][j]);
			}
			expression_free(reading.expressions[i][j]);
		}
	expression = NULL;
	ltttrace_close(reading.open);
}

void add_records(struct batch *batch, size_t nr, const char *dir)
{
	static struct reading reading;

	reading = (struct reading){ .batch = batch, .trace = nr };
	read_trace(&reading, dir);
	ltttrace_close(reading.open);
}
