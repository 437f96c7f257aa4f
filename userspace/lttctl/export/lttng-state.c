// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The threads that a recording began with, as LTTng's events lttng_statedump_process_state.
 *
 * Layer: lttctl export.  The data files of a trace are shared with the recording, so these events get a file of their own.
 */
#include "lttng.h"
#include "lttng-packets.h"
#include "common/state.h"

#include "core/ctf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EVENT_ID	0
#define PROCESSES	(1 << 22)	/* PID_MAX_LIMIT of 64-bit kernels */
#define KTHREADD	2

/* Of lttng-modules' lttng-statedump-impl.c: what readers get to see as numbers. */
enum {
	TYPE_USER = 0, TYPE_KERNEL = 1,
	MODE_UNKNOWN = 5, SUBMODE_UNKNOWN = 1,
	STATUS_UNNAMED = 0, STATUS_WAIT_CPU = 2, STATUS_ZOMBIE = 4, STATUS_WAIT = 5, STATUS_DEAD = 7,
};

struct thread {
	uint64_t clock;
	int32_t tid, pid, ppid;
	int32_t status;
	char name[17];
};

struct state {
	struct lttng_packets packets;
	long threads;
	int32_t *parents;	/* of processes */
};

static void put_thread(struct state *state, const struct thread *thread)
{
	const bool is_kernel = thread->ppid == KTHREADD || thread->pid == KTHREADD;
	const int32_t numbers[] = { thread->tid, thread->pid, thread->ppid };
	const int32_t states[] = { is_kernel ? TYPE_KERNEL : TYPE_USER, MODE_UNKNOWN, SUBMODE_UNKNOWN, thread->status };
	const size_t name = strlen(thread->name) + 1;
	unsigned char data[sizeof(numbers) + sizeof(thread->name) + sizeof(states)];

	memcpy(data, numbers, sizeof(numbers));
	memcpy(data + sizeof(numbers), thread->name, name);
	memcpy(data + sizeof(numbers) + name, states, sizeof(states));
	lttng_packets_record(&state->packets, thread->clock, EVENT_ID, data, sizeof(numbers) + name + sizeof(states));
	state->threads++;
}

static int put_text(void *file, const char *text, size_t len)
{
	return fwrite(text, 1, len, file) == len ? 0 : -EIO;
}

static void describe(uint32_t stream, FILE *metadata)
{
#define NUMBER(field) { .name = field, .kind = LTT_FIELD_INT, .size = 4, .is_signed = true, .base = 10 }
	static const struct ltt_field fields[] = {
		NUMBER("tid"), NUMBER("pid"), NUMBER("ppid"), { .name = "name", .kind = LTT_FIELD_STRING, .size = 1 },
		NUMBER("type"), NUMBER("mode"), NUMBER("submode"), NUMBER("status"),
	};
	struct ltt_ctf ctf = { .write = put_text, .priv = metadata };

	ltt_ctf_put_stream(&ctf, stream, "statedump", NULL, 0);
	ltt_ctf_put_event(&ctf, stream, EVENT_ID, NULL, "lttng_statedump_process_state", fields,
			  sizeof(fields) / sizeof(fields[0]));
}

/* --- Threads of the recording -------------------------------------------- */

static int64_t number_of(const struct ltttrace_record *record, const char *field)
{
	return ltttrace_integer(record, ltttrace_payload_field(record->event, field));
}

static void text_of(const struct ltttrace_record *record, const char *field, char *text, size_t size)
{
	const int index = ltttrace_payload_field(record->event, field);
	struct ltttrace_value value;

	text[0] = '\0';
	if (index < 0)
		return;
	value = ltttrace_value(record, index);
	if (value.text)
		snprintf(text, size, "%.*s", (int)strnlen(value.text, value.size), value.text);
}

static int32_t status_of(const char *letter)
{
	switch (*letter) {
	case 'R':
		return STATUS_WAIT_CPU;
	case 'S': case 'D': case 'I': case 'T': case 't': case 'P': case 'K':
		return STATUS_WAIT;
	case 'Z':
		return STATUS_ZOMBIE;
	case 'X': case 'x':
		return STATUS_DEAD;
	}
	return STATUS_UNNAMED;
}

/* Is the record about a thread that was there? */
static bool read_thread(struct state *state, const struct ltttrace_record *record, struct thread *thread)
{
	const char *name = record->event->name;
	const bool process = !strcmp(name, "state:process"), task = !strcmp(name, "ltt:task");
	char letter[8] = "";

	if (!process && !task && strcmp(name, "state:thread"))
		return false;
	thread->clock = record->clock;
	thread->pid = number_of(record, "pid");
	thread->tid = task ? number_of(record, "tid") : process ? thread->pid : ltttrace_integer(record, record->event->tid);
	text_of(record, "comm", thread->name, sizeof(thread->name));
	if (!task)
		text_of(record, "status", letter, sizeof(letter));
	thread->status = status_of(letter);
	if (process || task)
		thread->ppid = number_of(record, "ppid");
	else
		thread->ppid = thread->pid >= 0 && thread->pid < PROCESSES ? state->parents[thread->pid] : 0;
	if (process && thread->pid >= 0 && thread->pid < PROCESSES)
		state->parents[thread->pid] = thread->ppid;
	return true;
}

/* The first state of the system with the kernel's clock; else the kernel's own list. */
static const struct ltttrace_part *choose_source(const struct ltttrace *trace, const struct ltttrace_part *part)
{
	const struct ltttrace_part *other;
	size_t i;

	for (i = 0; i < ltttrace_nr_parts(trace); i++) {
		other = ltttrace_part(trace, i);
		if (state_trace_is(other->name) && other->frequency == part->frequency &&
		    !memcmp(other->clock_uuid, part->clock_uuid, sizeof(part->clock_uuid)))
			return other;
	}
	return part;
}

static bool want(const struct ltttrace_stream *stream, void *data)
{
	const struct ltttrace_part *source = data;

	return stream->part == source && (source->is_state || stream->is_state);
}

long lttng_state(const struct ltttrace *trace, const struct ltttrace_part *part, uint32_t stream, FILE *metadata,
		 FILE *data)
{
	struct state *state = calloc(1, sizeof(*state));
	const struct ltttrace_record *record;
	struct ltttrace_cursor *cursor = NULL;
	struct thread thread;
	long threads = -1;
	int more = -ENOMEM;

	if (state)
		state->parents = calloc(PROCESSES, sizeof(*state->parents));
	if (state && state->parents)
		more = ltttrace_merge(trace, want, (void *)choose_source(trace, part), &cursor);
	if (!more) {
		state->packets = (struct lttng_packets){ .part = part, .stream = stream, .data = data };
		while ((more = ltttrace_next(cursor, &record)) > 0)
			if (record->kind == LTTTRACE_EVENT && read_thread(state, record, &thread))
				put_thread(state, &thread);
		more = lttng_packets_end(&state->packets) ?: more;
		describe(stream, metadata);
		threads = state->threads;
		ltttrace_cursor_free(cursor);
	}
	if (state)
		free(state->parents);
	free(state);
	errno = -more;
	return more ? -1 : threads;
}
