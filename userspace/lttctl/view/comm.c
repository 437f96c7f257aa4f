// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names of threads, as the events of a recording give them.
 *
 * Layer: lttctl view.
 */
#include "comm.h"
#include "machine.h"
#include "out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS		4096
#define NAME_SIZE	16
#define COLUMN_SIZE	(4 * NAME_SIZE)	/* a control character takes four */

struct entry {
	struct entry *next;
	int64_t tid;
	unsigned int machine;
	struct comm comm;
	char name[NAME_SIZE];
	char column[COLUMN_SIZE];
};

static struct entry *buckets[BUCKETS];

static const struct {
	const char *event;
	const char *tid;	/* NULL: the thread of the event */
	const char *comm;
	bool after;
} rules_of_events[] = {
	{ "ltt:task", "tid", "comm", false },
	{ "sched_switch", "prev_pid", "prev_comm", false },
	{ "sched_switch", "next_pid", "next_comm", false },
	{ "sched_process_fork", "child_pid", "child_comm", false },
	{ "task_rename", "pid", "oldcomm", false },
	{ "task_rename", "pid", "newcomm", true },
	{ "ltt:program_started", NULL, "name", false },
	{ "state:process", NULL, "comm", false },
	{ "state:thread", NULL, "comm", false },
};

/* ---- Rules ---- */

static bool is_integer(const struct ltttrace_event *event, int field)
{
	return field >= 0 && event->fields[field].kind <= LTTTRACE_SIGNED;
}

static bool is_text(const struct ltttrace_event *event, int field)
{
	return field >= 0 && (event->fields[field].kind == LTTTRACE_STRING || event->fields[field].is_text);
}

static unsigned int add_rule(const struct ltttrace_event *event, struct comm_rule *rule, int tid, int comm, bool after)
{
	*rule = (struct comm_rule){ tid, comm, after };
	return is_integer(event, tid) && is_text(event, comm);
}

unsigned int comm_rules(const struct ltttrace_event *event, struct comm_rule rules[COMM_RULES])
{
	unsigned int nr, i;

	/* Events of programs have a name with `record --context name`. */
	nr = add_rule(event, rules, event->tid, ltttrace_context_field(event, "name"), false);
	for (i = 0; i < sizeof(rules_of_events) / sizeof(rules_of_events[0]) && nr < COMM_RULES; i++) {
		if (strcmp(event->name, rules_of_events[i].event))
			continue;
		nr += add_rule(event, &rules[nr], rules_of_events[i].tid ?
				       ltttrace_payload_field(event, rules_of_events[i].tid) : event->tid,
			       ltttrace_payload_field(event, rules_of_events[i].comm), rules_of_events[i].after);
	}
	return nr;
}

/* ---- Names ---- */

static struct entry **bucket_of(unsigned int machine, int64_t tid)
{
	return &buckets[((uint64_t)tid + machine * 97) % BUCKETS];
}

static struct entry *find(unsigned int machine, int64_t tid)
{
	struct entry *entry = *bucket_of(machine, tid);

	while (entry && (entry->tid != tid || entry->machine != machine))
		entry = entry->next;
	return entry;
}

static void set_name(struct entry *entry, const char *name, size_t len)
{
	struct out out = { .data = entry->column, .room = COLUMN_SIZE, .fd = -1 };

	memcpy(entry->name, name, len);
	entry->name[len] = '\0';
	out_plain(&out, name, len);
	while (out.len < COMM_WIDTH)
		out_char(&out, ' ');
	entry->comm = (struct comm){ entry->name, len, entry->column, out.len, true };
}

/* A name for which there is no memory stays unknown. */
static void remember(unsigned int machine, int64_t tid, const struct ltttrace_value *value, bool first)
{
	struct entry *entry = find(machine, tid), **bucket;
	size_t len = strnlen(value->text, value->size < NAME_SIZE ? value->size : NAME_SIZE - 1);

	if (entry && (first || (entry->comm.len == len && !memcmp(entry->name, value->text, len))))
		return;
	if (!entry) {
		entry = malloc(sizeof(*entry));
		if (!entry)
			return;
		bucket = bucket_of(machine, tid);
		entry->tid = tid;
		entry->machine = machine;
		entry->next = *bucket;
		*bucket = entry;
	}
	set_name(entry, value->text, len);
}

void comm_learn(const struct ltttrace_record *record, const struct comm_rule *rules, unsigned int nr, enum learn when)
{
	const unsigned int machine = machine_of(record->stream->part);
	struct ltttrace_value name;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (rules[i].after != (when == LEARN_AFTER))
			continue;
		name = ltttrace_value(record, rules[i].comm);
		remember(machine, ltttrace_integer(record, rules[i].tid), &name, when == LEARN_FIRST);
	}
}

static const struct comm *idle(unsigned int cpu)
{
	static struct entry entry;
	static unsigned int last = -1U;
	char text[NAME_SIZE + 16];

	if (cpu != last || !entry.comm.len) {
		snprintf(text, sizeof(text), "swapper/%u", cpu);
		set_name(&entry, text, strnlen(text, NAME_SIZE - 1));
		last = cpu;
	}
	return &entry.comm;
}

const struct comm *comm_of(const struct ltttrace_part *part, int64_t tid, unsigned int cpu)
{
	static const struct comm unknown = { "-", 1, "-              ", COMM_WIDTH, false };
	const struct entry *entry;

	/* Each CPU has a thread 0 of its own. */
	if (!tid)
		return idle(cpu);
	entry = find(machine_of(part), tid);
	return entry ? &entry->comm : &unknown;
}

void comm_forget(void)
{
	struct entry *entry;
	size_t i;

	for (i = 0; i < BUCKETS; i++) {
		while ((entry = buckets[i])) {
			buckets[i] = entry->next;
			free(entry);
		}
	}
}
