// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Events of the kernel for Perfetto: messages FtraceEvent, in bundles.
 *
 * Layer: lttctl export.  Perfetto makes slices of threads on CPUs, interrupts and system calls from those that it knows, and shows
 * others in its table ftrace_event.
 */
#include "perfetto.h"
#include "value.h"

#include <stdlib.h>
#include <string.h>

#define BUNDLE_EVENTS 512

enum {
	BUNDLE_CPU = 1,
	BUNDLE_EVENT = 2,
	BUNDLE_LOST = 3,

	EVENT_TIMESTAMP = 1,
	EVENT_PID = 2,
	EVENT_GENERIC = 327,
	EVENT_SYS_ENTER = 329,
	EVENT_SYS_EXIT = 330,

	GENERIC_NAME = 1,
	GENERIC_FIELD = 2,
	GENERIC_FIELD_NAME = 1,
	GENERIC_FIELD_TEXT = 3,
	GENERIC_FIELD_INT = 4,
	GENERIC_FIELD_UINT = 5,

	CALL_ID = 1,
	CALL_ARGS = 2,
	CALL_RET = 2,
};

/* The fields have the numbers from 1 on; "" is a number that is left out. */
static const struct {
	const char *name;
	uint32_t number;
	const char *fields[8];
} natives[] = {
	{ "sched_switch", 4, { "prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid", "next_prio" } },
	{ "cpu_frequency", 11, { "state", "cpu_id" } },
	{ "cpu_idle", 13, { "state", "cpu_id" } },
	{ "sched_wakeup", 17, { "comm", "pid", "prio", "success", "target_cpu" } },
	{ "sched_waking", 20, { "comm", "pid", "prio", "success", "target_cpu" } },
	{ "softirq_entry", 24, { "vec" } },
	{ "softirq_exit", 25, { "vec" } },
	{ "softirq_raise", 26, { "vec" } },
	{ "irq_handler_entry", 36, { "irq", "name" } },
	{ "irq_handler_exit", 37, { "irq", "ret" } },
	{ "sched_wakeup_new", 114, { "comm", "pid", "prio", "success", "target_cpu" } },
	{ "task_newtask", 235, { "pid", "comm", "clone_flags", "oom_score_adj" } },
	{ "task_rename", 236, { "pid", "oldcomm", "newcomm", "oom_score_adj" } },
	{ "sched_process_exec", 237, { "filename", "pid", "old_pid" } },
	{ "sched_process_exit", 238, { "comm", "pid", "tgid", "prio" } },
	{ "sched_process_fork", 239, { "parent_comm", "parent_pid", "child_comm", "child_pid" } },
	{ "sched_process_free", 240, { "comm", "pid", "prio" } },
	{ "sys_enter", EVENT_SYS_ENTER, { "id", "args" } },
	{ "sys_exit", EVENT_SYS_EXIT, { "id", "ret" } },
};

int perfetto_native(const struct ltttrace_event *event)
{
	size_t i;

	for (i = 0; i < sizeof(natives) / sizeof(natives[0]); i++)
		if (!strcmp(natives[i].name, event->name))
			return i;
	return -1;
}

static void put_native_field(struct proto *to, uint32_t number, const struct ltttrace_field *field,
			     const struct ltttrace_value *value)
{
	size_t i;

	if (value->text)
		proto_text(to, number, value->text, value_length(value));
	else if (field->kind == LTTTRACE_ARRAY || field->kind == LTTTRACE_SEQUENCE)
		for (i = 0; i < value->length; i++)
			proto_number(to, number, ltttrace_element(field, value, i).u);
	else if (field->kind != LTTTRACE_FLOAT)
		proto_number(to, number, value->u);
}

static void put_native(struct proto *to, const struct ltttrace_record *record, int native)
{
	const size_t begin = proto_begin(to, natives[native].number);
	struct ltttrace_value value;
	uint32_t i;
	int index;

	for (i = 0; i < 8 && natives[native].fields[i]; i++) {
		index = ltttrace_payload_field(record->event, natives[native].fields[i]);
		if (index < 0)
			continue;
		value = ltttrace_value(record, index);
		put_native_field(to, i + 1, &record->event->fields[index], &value);
	}
	proto_end(to, begin);
}

/* A call by its name: the numbers among its arguments are those of sys_enter. */
static void put_call(struct proto *to, const struct ltttrace_record *record, const struct class *class)
{
	const struct ltttrace_event *event = record->event;
	const size_t begin = proto_begin(to, class->is_call_end ? EVENT_SYS_EXIT : EVENT_SYS_ENTER);
	unsigned int i, nr = 0;

	proto_number(to, CALL_ID, class->call);
	if (class->is_call_end)
		proto_number(to, CALL_RET, ltttrace_integer(record, ltttrace_payload_field(event, "ret")));
	else
		for (i = event->payload; i < event->nr_fields && nr < 6; i++)
			if (event->fields[i].kind <= LTTTRACE_SIGNED && !event->fields[i].is_length) {
				proto_number(to, CALL_ARGS, ltttrace_value(record, i).u);
				nr++;
			}
	proto_end(to, begin);
}

static void put_generic_field(struct proto *to, const struct ltttrace_record *record, unsigned int index)
{
	const struct ltttrace_field *field = &record->event->fields[index];
	const struct ltttrace_value value = ltttrace_value(record, index);
	const size_t begin = proto_begin(to, GENERIC_FIELD);
	char text[VALUE_TEXT];

	proto_text(to, GENERIC_FIELD_NAME, field->name, strlen(field->name));
	if (field->kind == LTTTRACE_SIGNED)
		proto_number(to, GENERIC_FIELD_INT, value.u);
	else if (field->kind == LTTTRACE_UNSIGNED)
		proto_number(to, GENERIC_FIELD_UINT, value.u);
	else
		proto_text(to, GENERIC_FIELD_TEXT, text, value_text(field, &value, text));
	proto_end(to, begin);
}

static void put_generic(struct proto *to, const struct ltttrace_record *record)
{
	const struct ltttrace_event *event = record->event;
	const size_t begin = proto_begin(to, EVENT_GENERIC);
	unsigned int i;

	proto_text(to, GENERIC_NAME, event->name, strlen(event->name));
	for (i = event->payload; i < event->nr_fields; i++)
		if (!event->fields[i].is_length)
			put_generic_field(to, record, i);
	for (i = event->own; i < event->payload; i++)
		if (!event->fields[i].is_length)
			put_generic_field(to, record, i);
	proto_end(to, begin);
}

struct bundle *perfetto_bundle(struct perfetto *perfetto, unsigned int cpu)
{
	struct bundle *more;

	if (cpu >= perfetto->nr_bundles) {
		more = reallocarray(perfetto->bundles, cpu + 1, sizeof(*more));
		if (!more) {
			perfetto->failed = true;
			return NULL;
		}
		memset(more + perfetto->nr_bundles, 0, (cpu + 1 - perfetto->nr_bundles) * sizeof(*more));
		perfetto->bundles = more;
		perfetto->nr_bundles = cpu + 1;
	}
	return &perfetto->bundles[cpu];
}

void perfetto_flush(struct perfetto *perfetto, unsigned int cpu)
{
	struct bundle *bundle = &perfetto->bundles[cpu];
	struct proto *packet = &perfetto->packet;
	size_t begin;

	if (!bundle->nr)
		return;
	begin = proto_begin(packet, PACKET_FTRACE_EVENTS);
	proto_number(packet, BUNDLE_CPU, cpu);
	if (bundle->lost)
		proto_number(packet, BUNDLE_LOST, 1);
	proto_append(packet, &bundle->events);
	proto_end(packet, begin);
	perfetto_write(perfetto);
	bundle->nr = 0;
	bundle->lost = false;
	bundle->events.len = 0;
}

void perfetto_ftrace(struct perfetto *perfetto, const struct ltttrace_record *record, const struct class *class)
{
	struct bundle *bundle = perfetto_bundle(perfetto, record->cpu);
	struct proto *to;
	size_t begin;

	if (!bundle)
		return;
	to = &bundle->events;
	begin = proto_begin(to, BUNDLE_EVENT);
	proto_number(to, EVENT_TIMESTAMP, record->ns);
	proto_number(to, EVENT_PID, (uint32_t)ltttrace_integer(record, record->event->tid));
	if (class->call >= 0)
		put_call(to, record, class);
	else if (class->native >= 0)
		put_native(to, record, class->native);
	else
		put_generic(to, record);
	proto_end(to, begin);
	if (++bundle->nr >= BUNDLE_EVENTS)
		perfetto_flush(perfetto, record->cpu);
}
