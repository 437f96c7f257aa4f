// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * System calls that were recorded by number.
 *
 * Layer: lttctl export.  The name of an event goes with the id in the header of its records, which is one for all calls:
 * no metadata could give them names.  So these records get ids of their own, in a new file.  Their fields stay as they are.
 */
#include "lttng-calls.h"
#include "lttng-packets.h"
#include "lttctl/command.h"
#include "lttctl/model/call-numbers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A class of events whose field "id" is the number of a call. */
struct numbered {
	const struct ltttrace_event *event;
	const char *prefix;	/* of LTTng's names */
	int field;
	uint32_t ids;		/* that of call 0; then one after the other */
	bool *seen;		/* by number: there is such a call */
};

struct lttng_calls {
	struct ltttrace *trace;
	struct numbered *classes;
	size_t nr;
};

/* --- Which calls there are -------------------------------------------------------------- */

static const char *prefix_of(const char *name)
{
	return !strcmp(name, "sys_enter") ? "syscall_entry_" : !strcmp(name, "sys_exit") ? "syscall_exit_" : NULL;
}

/* Return: an id behind those of all classes of a channel, and behind those given to calls so far. */
static uint32_t free_ids(const struct lttng_calls *calls, unsigned int channel)
{
	const struct ltttrace_event *event;
	uint32_t ids = 0;
	size_t i;

	for (i = 0; i < ltttrace_nr_events(calls->trace); i++) {
		event = ltttrace_event(calls->trace, i);
		if (event->channel_id == channel && event->id >= ids)
			ids = event->id + 1;
	}
	return ids + calls->nr * call_numbers_nr;
}

static int add_class(struct lttng_calls *calls, const struct ltttrace_event *event, const char *prefix, int field)
{
	struct numbered *more = reallocarray(calls->classes, calls->nr + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	calls->classes = more;
	more += calls->nr;
	*more = (struct numbered){
		.event = event, .prefix = prefix, .field = field, .ids = free_ids(calls, event->channel_id),
		.seen = calloc(call_numbers_nr, sizeof(bool)),
	};
	if (!more->seen)
		return -ENOMEM;
	calls->nr++;
	return 0;
}

static int find_classes(struct lttng_calls *calls)
{
	const struct ltttrace_event *event;
	const char *prefix;
	int field, err = 0;
	size_t i;

	for (i = 0; i < ltttrace_nr_events(calls->trace) && !err; i++) {
		event = ltttrace_event(calls->trace, i);
		prefix = prefix_of(event->name);
		field = prefix ? ltttrace_payload_field(event, "id") : -1;
		if (field >= 0 && event->fields[field].kind <= LTTTRACE_SIGNED)
			err = add_class(calls, event, prefix, field);
	}
	return err;
}

int lttng_calls_new(const char *dir, struct lttng_calls **calls)
{
	struct ltttrace_error error;

	*calls = calloc(1, sizeof(**calls));
	if (!*calls)
		return complain("out of memory");
	if (ltttrace_open(&dir, 1, LTTTRACE_WITH_STATES, &(*calls)->trace, &error))
		return complain("%s", error.text);
	if (find_classes(*calls))
		return complain("out of memory");
	if (!(*calls)->nr) {
		lttng_calls_free(*calls);
		*calls = NULL;
	}
	return 0;
}

void lttng_calls_free(struct lttng_calls *calls)
{
	if (!calls)
		return;
	while (calls->nr)
		free(calls->classes[--calls->nr].seen);
	free(calls->classes);
	ltttrace_close(calls->trace);
	free(calls);
}

/* --- Records ------------------------------------------------------------------------------ */

static struct numbered *find_class(const struct lttng_calls *calls, const struct ltttrace_event *event)
{
	size_t i;

	for (i = 0; i < calls->nr; i++)
		if (calls->classes[i].event == event)
			return &calls->classes[i];
	return NULL;
}

/* Return: a class in the channel of a stream; NULL: there is none. */
static const struct numbered *class_in(const struct lttng_calls *calls, const struct ltttrace_stream *stream)
{
	size_t i;

	for (i = 0; i < calls->nr; i++)
		if (!strcmp(calls->classes[i].event->channel, stream->channel))
			return &calls->classes[i];
	return NULL;
}

const struct ltttrace_stream *lttng_calls_stream(const struct lttng_calls *calls, const char *name)
{
	const struct ltttrace_stream *stream;
	size_t i;

	for (i = 0; calls && i < ltttrace_nr_streams(calls->trace); i++) {
		stream = ltttrace_stream(calls->trace, i);
		if (!strcmp(stream->name, name))
			return class_in(calls, stream) ? stream : NULL;
	}
	return NULL;
}

bool lttng_calls_recorded(const struct ltttrace *trace, const char *name)
{
	const struct ltttrace_record *record;
	struct ltttrace_cursor *cursor;
	bool found = false;
	size_t i;

	for (i = 0; i < ltttrace_nr_streams(trace) && !found; i++) {
		if (strcmp(ltttrace_stream(trace, i)->name, name) || ltttrace_read(trace, ltttrace_stream(trace, i), &cursor))
			continue;
		while (!found && ltttrace_next(cursor, &record) > 0)
			found = record->kind == LTTTRACE_EVENT && prefix_of(record->event->name);
		ltttrace_cursor_free(cursor);
	}
	return found;
}

static uint32_t id_of(const struct lttng_calls *calls, const struct ltttrace_record *record)
{
	struct numbered *class = find_class(calls, record->event);
	int64_t number = class ? ltttrace_integer(record, class->field) : -1;

	if (number < 0 || (uint64_t)number >= call_numbers_nr || !call_numbers[number])
		return record->event->id;
	class->seen[number] = true;
	return class->ids + number;
}

/* The counts in the next packet report events and packets that are missing. */
static void take_record(const struct lttng_calls *calls, const struct ltttrace_record *record, struct lttng_packets *packets)
{
	switch (record->kind) {
	case LTTTRACE_EVENT:
		if (packets->cpu != record->cpu)
			lttng_packets_cut(packets);
		packets->cpu = record->cpu;
		lttng_packets_record(packets, record->clock, id_of(calls, record), record->data, record->size);
		break;
	case LTTTRACE_LOST_EVENTS:
		lttng_packets_cut(packets);
		packets->discarded += record->count;
		break;
	case LTTTRACE_LOST_PACKETS:
		lttng_packets_cut(packets);
		packets->number += record->count;
		break;
	case LTTTRACE_DAMAGE:
	case LTTTRACE_CUT:
		complain("%s/%s: %llu bytes are damaged, and left out", record->stream->part->path, record->stream->name,
			 (unsigned long long)record->count);
		break;
	}
}

int lttng_calls_write(struct lttng_calls *calls, const struct ltttrace_stream *stream, FILE *to, uint64_t *number,
		      uint64_t *bytes)
{
	struct lttng_packets packets = {
		.part = stream->part, .stream = class_in(calls, stream)->event->channel_id, .cpu = stream->cpu, .number = *number,
		.data = to,
	};
	const struct ltttrace_record *record;
	struct ltttrace_cursor *cursor;
	uint64_t clock = 0;
	int more, err = ltttrace_read(calls->trace, stream, &cursor);

	if (err)
		return err;
	while ((more = ltttrace_next(cursor, &record)) > 0) {
		take_record(calls, record, &packets);
		clock = record->clock;
	}
	/* Events that are missing at the end are reported by a packet without records. */
	if (packets.discarded && !packets.len)
		lttng_packets_cut_at(&packets, clock);
	err = lttng_packets_end(&packets);
	*number = packets.number;
	*bytes += packets.bytes;
	ltttrace_cursor_free(cursor);
	return more < 0 ? more : err;
}

/* --- Descriptions --------------------------------------------------------------------------- */

/* The description of an event of the recording, with another name and id. */
static void describe(const char *block, size_t len, const struct numbered *class, size_t number, FILE *to)
{
	const char *rest = strstr(block, "\n\tstream_id = ");

	fprintf(to, "event {\n\tname = \"%s%s\";\n\tid = %u;%.*s\n\n", class->prefix, call_numbers[number],
		class->ids + (uint32_t)number, (int)(block + len - rest), rest);
}

static void describe_class(const struct numbered *class, const char *text, FILE *to)
{
	char begin[256];
	const char *block, *end;
	size_t i;

	snprintf(begin, sizeof(begin), "event {\n\tname = \"%s\";\n\tid = %u;\n\tstream_id = %u;\n", class->event->name,
		 class->event->id, class->event->channel_id);
	block = strstr(text, begin);
	end = block ? strstr(block, "\n};\n") : NULL;
	for (i = 0; end && i < call_numbers_nr; i++)
		if (class->seen[i])
			describe(block, end + strlen("\n};") - block, class, i, to);
}

void lttng_calls_describe(const struct lttng_calls *calls, const char *text, FILE *to)
{
	size_t i;

	for (i = 0; calls && i < calls->nr; i++)
		describe_class(&calls->classes[i], text, to);
}
