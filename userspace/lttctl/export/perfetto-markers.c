// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Markers for Perfetto: messages TrackEvent.
 *
 * Layer: lttctl export.  Slices on a track nest: when one ends, those that began within it and have no end of their own end, too.
 */
#include "perfetto.h"
#include "value.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	EVENT_COUNTER = 30,
	EVENT_DOUBLE_COUNTER = 44,
	EVENT_FLOW = 47,
	EVENT_FLOW_END = 48,

	TYPE_BEGIN = 1,
	TYPE_END = 2,
	TYPE_INSTANT = 3,
	TYPE_COUNTER = 4,

	ANNOTATION_NAME_IID = 1,
	ANNOTATION_BOOL = 2,
	ANNOTATION_UINT = 3,
	ANNOTATION_INT = 4,
	ANNOTATION_DOUBLE = 5,
	ANNOTATION_TEXT = 6,
	ANNOTATION_NAME = 10,

	INTERNED_EVENT_NAMES = 2,
	INTERNED_ANNOTATION_NAMES = 3,
	INTERNED_IID = 1,
	INTERNED_NAME = 2,
};

static void put_string(struct proto *to, uint32_t field, const char *text)
{
	proto_text(to, field, text, strlen(text));
}

/* --- Names that are written once ------------------------------------------------ */

static void intern(struct perfetto *perfetto, uint32_t list, unsigned int number, const char *name)
{
	const size_t begin = proto_begin(&perfetto->interned, list);

	proto_number(&perfetto->interned, INTERNED_IID, number);
	put_string(&perfetto->interned, INTERNED_NAME, name);
	proto_end(&perfetto->interned, begin);
}

static unsigned int field_name(struct perfetto *perfetto, const char *name)
{
	unsigned int i;
	char **more;

	for (i = 0; i < perfetto->nr_field_names; i++)
		if (!strcmp(perfetto->field_names[i], name))
			return i + 1;
	more = reallocarray(perfetto->field_names, i + 1, sizeof(*more));
	if (!more || !(more[i] = strdup(name))) {
		perfetto->failed = true;
		perfetto->field_names = more ? more : perfetto->field_names;
		return 0;
	}
	perfetto->field_names = more;
	perfetto->nr_field_names++;
	intern(perfetto, INTERNED_ANNOTATION_NAMES, i + 1, name);
	return i + 1;
}

/* Make sure that the names of a class and of its fields are known. */
static void intern_class(struct perfetto *perfetto, const struct ltttrace_event *event, const struct marker *marker,
			 struct class *class)
{
	unsigned int i;

	/* Numbers are given one after the other, and each class is seen here before the next. */
	if (marker->number > perfetto->nr_interned_names) {
		perfetto->nr_interned_names = marker->number;
		intern(perfetto, INTERNED_EVENT_NAMES, marker->number, marker->name);
	}
	if (class->fields)
		return;
	class->fields = calloc(event->nr_fields + 1, sizeof(*class->fields));
	if (!class->fields)
		perfetto->failed = true;
	for (i = event->own; class->fields && i < event->nr_fields; i++)
		if (!event->fields[i].is_length)
			class->fields[i] = field_name(perfetto, event->fields[i].name);
}

/* --- Events -------------------------------------------------------------------------- */

static void put_annotation(struct proto *to, const struct ltttrace_record *record, unsigned int index, uint32_t name)
{
	const struct ltttrace_field *field = &record->event->fields[index];
	const struct ltttrace_value value = ltttrace_value(record, index);
	const size_t begin = proto_begin(to, EVENT_ANNOTATION);
	char text[VALUE_TEXT];

	proto_number(to, ANNOTATION_NAME_IID, name);
	if (field->kind == LTTTRACE_SIGNED)
		proto_number(to, ANNOTATION_INT, value.u);
	else if (field->kind == LTTTRACE_UNSIGNED)
		proto_number(to, ANNOTATION_UINT, value.u);
	else if (field->kind == LTTTRACE_FLOAT)
		proto_double(to, ANNOTATION_DOUBLE, value.f);
	else
		proto_text(to, ANNOTATION_TEXT, text, value_text(field, &value, text));
	proto_end(to, begin);
}

static size_t begin_event(struct perfetto *perfetto, int64_t ns, unsigned int type, uint64_t track)
{
	size_t begin;

	perfetto_begin(perfetto, ns);
	begin = proto_begin(&perfetto->packet, PACKET_TRACK_EVENT);
	proto_number(&perfetto->packet, EVENT_TYPE, type);
	proto_number(&perfetto->packet, EVENT_TRACK, track);
	return begin;
}

static void end_event(struct perfetto *perfetto, size_t begin)
{
	proto_end(&perfetto->packet, begin);
	perfetto_write(perfetto);
}

/* The name and the fields; then the caller ends the event. */
static size_t begin_full_event(struct perfetto *perfetto, const struct ltttrace_record *record, const struct marker *marker,
			       const struct class *class, unsigned int type, uint64_t track)
{
	const size_t begin = begin_event(perfetto, record->ns, type, track);
	const char *colon = strchr(marker->name, ':');
	unsigned int i;

	if (type != TYPE_END) {
		proto_number(&perfetto->packet, EVENT_NAME_IID, marker->number);
		proto_text(&perfetto->packet, EVENT_CATEGORY, marker->name, colon ? colon - marker->name : (ptrdiff_t)strlen(marker->name));
	}
	for (i = record->event->own; class->fields && i < record->event->nr_fields; i++)
		if (class->fields[i])
			put_annotation(&perfetto->packet, record, i, class->fields[i]);
	return begin;
}

/* Events may have been lost between the begin and this end. */
static void put_unsure(struct proto *to)
{
	const size_t begin = proto_begin(to, EVENT_ANNOTATION);

	put_string(to, ANNOTATION_NAME, "events_lost");
	proto_number(to, ANNOTATION_BOOL, 1);
	proto_end(to, begin);
}

static void put_end(struct perfetto *perfetto, const struct ltttrace_record *record, const struct marker *marker,
		    const struct class *class, uint64_t track, size_t slices, bool is_sure)
{
	size_t begin;

	for (; slices > 1; slices--)
		end_event(perfetto, begin_event(perfetto, record->ns, TYPE_END, track));
	/* Without a begin it is an instant. */
	begin = begin_full_event(perfetto, record, marker, class, slices ? TYPE_END : TYPE_INSTANT, track);
	if (slices && !is_sure)
		put_unsure(&perfetto->packet);
	end_event(perfetto, begin);
}

static void put_counter(struct perfetto *perfetto, const struct ltttrace_record *record, const struct marker *marker,
			uint64_t track)
{
	const struct ltttrace_value value = ltttrace_value(record, marker->field);
	const size_t begin = begin_event(perfetto, record->ns, TYPE_COUNTER, track);

	if (record->event->fields[marker->field].kind == LTTTRACE_FLOAT)
		proto_double(&perfetto->packet, EVENT_DOUBLE_COUNTER, value.f);
	else
		proto_number(&perfetto->packet, EVENT_COUNTER, value.u);
	end_event(perfetto, begin);
}

static void put_flow(struct perfetto *perfetto, const struct ltttrace_record *record, const struct marker *marker,
		     const struct class *class, uint64_t track)
{
	const size_t begin = begin_full_event(perfetto, record, marker, class, TYPE_INSTANT, track);
	const uint64_t id = ltttrace_value(record, marker->field).u;

	/* Of different flows with one number, the names tell which. */
	proto_fixed64(&perfetto->packet, marker->kind == MARKER_FLOW_END ? EVENT_FLOW_END : EVENT_FLOW,
		      (id ^ (uint64_t)marker->number << 48) * 0x9e3779b97f4a7c15u);
	end_event(perfetto, begin);
}

static void put_async(struct perfetto *perfetto, const struct ltttrace_record *record, const struct task *task,
		      const struct marker *marker, const struct class *class, uint64_t own_track)
{
	struct slice *slice;
	bool is_sure;

	if (marker->kind == MARKER_ASYNC_BEGIN) {
		slice = markers_async_begin(perfetto->markers, record);
		if (!slice) {
			perfetto->failed = true;
			return;
		}
		slice->place = perfetto_other_track(perfetto, record, task, marker);
		end_event(perfetto, begin_full_event(perfetto, record, marker, class, TYPE_BEGIN, OTHER_TRACKS + slice->place));
		return;
	}
	slice = markers_async_end(perfetto->markers, record, &is_sure);
	put_end(perfetto, record, marker, class, slice ? OTHER_TRACKS + slice->place : own_track, slice ? 1 : 0, slice && is_sure);
	if (slice && slice->place)
		track_pools_release(perfetto->tracks, slice->place);
	free(slice);
}

void perfetto_marker(struct perfetto *perfetto, const struct ltttrace_record *record, struct class *class)
{
	const struct marker *marker = markers_of(perfetto->markers, record->event);
	const struct task *task = task_of(perfetto->recording.tasks, record);
	/* Streams have numbers of their own among the threads. */
	const size_t thread = task ? 2 * (size_t)task->number : 2 * (size_t)record->stream->number + 1;
	uint64_t track;
	bool is_sure = true;
	size_t slices;

	if (!marker) {
		perfetto->failed = true;
		return;
	}
	intern_class(perfetto, record->event, marker, class);
	track = task ? perfetto_thread_track(perfetto, record->ns, task) : perfetto_stream_track(perfetto, record);
	switch (marker->kind) {
	case MARKER_BEGIN:
		perfetto->failed |= !markers_begin(perfetto->markers, thread, record);
		end_event(perfetto, begin_full_event(perfetto, record, marker, class, TYPE_BEGIN, track));
		break;
	case MARKER_END:
		slices = markers_end(perfetto->markers, thread, record, &is_sure);
		put_end(perfetto, record, marker, class, track, slices, is_sure);
		break;
	case MARKER_ASYNC_BEGIN:
	case MARKER_ASYNC_END:
		put_async(perfetto, record, task, marker, class, track);
		break;
	case MARKER_FLOW_BEGIN:
	case MARKER_FLOW_STEP:
	case MARKER_FLOW_END:
		put_flow(perfetto, record, marker, class, track);
		break;
	case MARKER_COUNTER:
		put_counter(perfetto, record, marker, OTHER_TRACKS + perfetto_other_track(perfetto, record, task, marker));
		break;
	case MARKER_POINT:
		end_event(perfetto, begin_full_event(perfetto, record, marker, class, TYPE_INSTANT, track));
		break;
	}
}

/* --- System calls without a number ------------------------------------------------------- */

void perfetto_call(struct perfetto *perfetto, const struct ltttrace_record *record)
{
	static const char timed[] = "syscall_time:", exit[] = "_exit";
	const struct task *task = task_of(perfetto->recording.tasks, record);
	struct thread *thread = task ? perfetto_thread(perfetto, task) : NULL;
	const char *name = strchr(record->event->name, ':') + 1;
	const bool is_timed = !strncmp(record->event->name, timed, strlen(timed));
	const bool is_end = !is_timed && strlen(name) > strlen(exit) && !strcmp(name + strlen(name) - strlen(exit), exit);
	int64_t duration = is_timed ? ltttrace_integer(record, ltttrace_payload_field(record->event, "duration")) : 0;
	uint64_t track;
	size_t begin;

	if (!thread)
		return;
	track = CALL_TRACKS + task->number;
	if (!thread->has_calls) {
		thread->has_calls = true;
		perfetto_end_track(perfetto, perfetto_begin_track(perfetto, record->ns, track, perfetto_thread_track(perfetto, record->ns, task), "system calls"));
	}
	if (!is_end) {
		begin = begin_event(perfetto, record->ns - duration, is_timed && !duration ? TYPE_INSTANT : TYPE_BEGIN, track);
		put_string(&perfetto->packet, EVENT_NAME, name);
		put_string(&perfetto->packet, EVENT_CATEGORY, "syscall");
		end_event(perfetto, begin);
	}
	if (is_end || duration)
		end_event(perfetto, begin_event(perfetto, record->ns, TYPE_END, track));
}
