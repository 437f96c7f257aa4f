// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names of threads, as the events of a recording give them.
 *
 * Layer: lttctl view.
 */
#include "view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096

struct entry {
	struct entry *next;
	int64_t tid;
	char comm[16];
};

static struct entry *buckets[BUCKETS];

static const struct {
	const char *event;
	const char *tid;	/* NULL: the thread of the event */
	const char *comm;
	bool after;	/* the name that the event sets */
} rules[] = {
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

static struct entry *find(int64_t tid)
{
	struct entry *entry = buckets[(uint64_t)tid % BUCKETS];

	while (entry && entry->tid != tid)
		entry = entry->next;
	return entry;
}

/* A name for which there is no memory stays unknown. */
static void remember(int64_t tid, const char *comm, bool first)
{
	struct entry *entry = find(tid);

	if (entry && first)
		return;
	if (!entry) {
		entry = calloc(1, sizeof(*entry));
		if (!entry)
			return;
		entry->tid = tid;
		entry->next = buckets[(uint64_t)tid % BUCKETS];
		buckets[(uint64_t)tid % BUCKETS] = entry;
	}
	snprintf(entry->comm, sizeof(entry->comm), "%s", comm);
}

/* Events of programs have a name with `record --context name`. */
static void learn_from_context(const bt_field *context, enum learn when)
{
	const char *comm = field_string(context, "name");
	int64_t tid;

	if (comm && field_integer(context, "tid", &tid))
		remember(tid, comm, when == LEARN_FIRST);
}

void comm_learn(const bt_event *event, enum learn when)
{
	const bt_field *payload = bt_event_borrow_payload_field_const(event);
	const bt_field *context = bt_event_borrow_common_context_field_const(event);
	const char *name, *comm;
	int64_t tid;
	size_t i;

	if (context)
		learn_from_context(context, when);
	name = bt_event_class_get_name(bt_event_borrow_class_const(event));
	for (i = 0; name && payload && i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (strcmp(name, rules[i].event) ||
		    rules[i].after != (when == LEARN_AFTER))
			continue;
		comm = field_string(payload, rules[i].comm);
		if (comm && (rules[i].tid ? field_integer(payload, rules[i].tid, &tid) :
			     context && field_integer(context, "tid", &tid)))
			remember(tid, comm, when == LEARN_FIRST);
	}
}

const char *comm_of(int64_t tid, uint64_t cpu)
{
	static char idle[16];
	struct entry *entry;

	/* Each CPU has a thread 0 of its own. */
	if (!tid) {
		snprintf(idle, sizeof(idle), "swapper/%u", (unsigned int)cpu);
		return idle;
	}
	entry = find(tid);
	return entry ? entry->comm : "-";
}
