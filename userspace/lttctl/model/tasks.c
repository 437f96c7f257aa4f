// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The threads of a recording: the table.  See tasks.h.
 *
 * Layer: lttctl model.
 */
#include "tasks-internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK		1024

/* --- Hosts ---------------------------------------------------------------- */

static struct host *host_of_new_part(struct tasks *tasks, const struct ltttrace_part *part)
{
	static const unsigned char none[16];
	struct host *host;
	size_t i;

	for (i = 0; i < tasks->nr_hosts; i++) {
		host = &tasks->hosts[i];
		if (memcmp(host->clock_uuid, part->clock_uuid, sizeof(host->clock_uuid)) ||
		    (!memcmp(part->clock_uuid, none, sizeof(none)) && strcmp(host->name, part->host)))
			continue;
		if (!host->name[0])
			host->name = part->host;
		return host;
	}
	host = &tasks->hosts[tasks->nr_hosts];
	host->name = part->host;
	host->number = tasks->nr_hosts++;
	memcpy(host->clock_uuid, part->clock_uuid, sizeof(host->clock_uuid));
	return host;
}

/* There are no more hosts than parts, so that the array need not move. */
static bool find_hosts(struct tasks *tasks)
{
	size_t i, nr = ltttrace_nr_parts(tasks->trace);

	tasks->hosts = calloc(nr + 1, sizeof(*tasks->hosts));
	tasks->host_of_part = calloc(nr + 1, sizeof(*tasks->host_of_part));
	if (!tasks->hosts || !tasks->host_of_part)
		return false;
	for (i = 0; i < nr; i++)
		tasks->host_of_part[i] = host_of_new_part(tasks, ltttrace_part(tasks->trace, i));
	tasks->nr_parts = nr;
	return true;
}

size_t tasks_nr_hosts(const struct tasks *tasks)
{
	return tasks->nr_hosts;
}

const struct host *tasks_host(const struct tasks *tasks, unsigned int number)
{
	return &tasks->hosts[number];
}

/* A part that came later is of a host that is known: a recording of programs has that of the kernel. */
const struct host *tasks_host_of(const struct tasks *tasks, const struct ltttrace_part *part)
{
	size_t i;

	if (part->number < tasks->nr_parts)
		return tasks->host_of_part[part->number];
	for (i = 0; i < tasks->nr_hosts; i++)
		if (!memcmp(tasks->hosts[i].clock_uuid, part->clock_uuid, sizeof(part->clock_uuid)))
			return &tasks->hosts[i];
	return &tasks->hosts[0];
}

/* --- The table ------------------------------------------------------------- */

static size_t bucket_of(const struct host *host, int64_t tid, unsigned int cpu)
{
	return ((uint64_t)tid * 31 + (tid ? 0 : cpu * 7) + host->number * 8191) % TASKS_BUCKETS;
}

struct task *task_find(const struct tasks *tasks, const struct host *host, int64_t tid, unsigned int cpu)
{
	struct task *task = tasks->buckets[bucket_of(host, tid, cpu)];

	while (task && (task->tid != tid || task->host != host || (!tid && task->cpu != cpu)))
		task = task->next;
	return task;
}

struct task *tasks_add_life(struct tasks *tasks, const struct host *host, int64_t tid, unsigned int cpu)
{
	struct task **bucket = &tasks->buckets[bucket_of(host, tid, cpu)], *task, **more;

	if (tasks->nr % CHUNK == 0) {
		more = reallocarray(tasks->by_number, tasks->nr + CHUNK, sizeof(*more));
		if (!more)
			return NULL;
		tasks->by_number = more;
	}
	task = calloc(1, sizeof(*task));
	if (!task)
		return NULL;
	task->tid = tid;
	task->cpu = tid ? 0 : cpu;
	task->pid = task->ppid = tid ? TASK_UNKNOWN : 0;
	task->is_kernel = !tid;
	task->host = host;
	task->number = tasks->nr;
	task->next = *bucket;
	*bucket = task;
	tasks->by_number[tasks->nr++] = task;
	return task;
}

struct task *task_get(struct tasks *tasks, const struct host *host, int64_t tid, unsigned int cpu)
{
	struct task *task = task_find(tasks, host, tid, cpu);

	return task ? task : tasks_add_life(tasks, host, tid, cpu);
}

struct task *task_of(struct tasks *tasks, const struct ltttrace_record *record)
{
	if (record->kind != LTTTRACE_EVENT || record->event->tid < 0)
		return NULL;
	return task_get(tasks, tasks_host_of(tasks, record->event->part), ltttrace_integer(record, record->event->tid),
			record->cpu);
}

size_t tasks_nr(const struct tasks *tasks)
{
	return tasks->nr;
}

struct task *tasks_at(const struct tasks *tasks, unsigned int number)
{
	return tasks->by_number[number];
}

void task_set_name(struct task *task, const char *comm)
{
	if (comm[0] && task->tid)
		snprintf(task->comm, sizeof(task->comm), "%s", comm);
}

void task_set_process(struct task *task, int64_t pid, int64_t ppid)
{
	task->pid = pid;
	if (ppid == TASK_UNKNOWN)
		return;
	task->ppid = ppid;
	task->is_kernel = pid == TASKS_KTHREADD || ppid == TASKS_KTHREADD;
}

/* --- Before the first event ------------------------------------------------ */

/* The payload's integer of this name; TASK_UNKNOWN if there is none. */
static int64_t payload_integer(const struct ltttrace_record *record, const char *name)
{
	int field = ltttrace_payload_field(record->event, name);

	return field < 0 ? TASK_UNKNOWN : ltttrace_integer(record, field);
}

/* Lists have the thread as it was when they were written: newer facts stay. */
static void learn(struct task *task, const struct ltttrace_record *record, int64_t pid)
{
	char comm[sizeof(task->comm)];

	if (!task || task->seen)
		return;
	if (pid != TASK_UNKNOWN && task->pid == TASK_UNKNOWN)
		task_set_process(task, pid, payload_integer(record, "ppid"));
	if (!task->comm[0] && record_text(record, ltttrace_payload_field(record->event, "comm"), comm, sizeof(comm)))
		task_set_name(task, comm);
}

void tasks_learn(struct tasks *tasks, const struct ltttrace_record *record)
{
	const struct host *host;
	const char *name;
	int64_t tid;

	if (record->kind != LTTTRACE_EVENT)
		return;
	host = tasks_host_of(tasks, record->event->part);
	name = record->event->name;
	if (!strcmp(name, "ltt:task")) {
		tid = payload_integer(record, "tid");
		if (tid > 0)
			learn(task_get(tasks, host, tid, 0), record, payload_integer(record, "pid"));
	} else if (!strcmp(name, "state:process") || !strcmp(name, "state:thread")) {
		learn(task_of(tasks, record), record, payload_integer(record, "pid"));
	}
}

/* --- Names ----------------------------------------------------------------- */

const struct task *task_leader(const struct tasks *tasks, const struct task *task)
{
	const struct task *leader;

	if (task->pid == TASK_UNKNOWN || task->pid == task->tid)
		return task;
	leader = task_find(tasks, task->host, task->pid, task->cpu);
	return leader ? leader : task;
}

const char *task_name(const struct task *task, char buf[24])
{
	if (!task->tid)
		snprintf(buf, 24, "swapper/%u", task->cpu);
	else
		snprintf(buf, 24, "%s", task->comm[0] ? task->comm : "-");
	return buf;
}

/* --- Life ------------------------------------------------------------------ */

struct tasks *tasks_new(const struct ltttrace *trace, struct dispatch *dispatch)
{
	struct tasks *tasks = calloc(1, sizeof(*tasks));
	int err = 0;

	if (!tasks)
		return NULL;
	tasks->trace = trace;
	if (!find_hosts(tasks))
		err = -ENOMEM;
	if (!err)
		err = tasks_add_handlers(tasks, dispatch);
	if (!err)
		return tasks;
	tasks_free(tasks);
	return NULL;
}

void tasks_free(struct tasks *tasks)
{
	size_t i;

	if (!tasks)
		return;
	for (i = 0; i < tasks->nr; i++)
		free(tasks->by_number[i]);
	free(tasks->by_number);
	free(tasks->contexts);
	free(tasks->host_of_part);
	free(tasks->hosts);
	free(tasks);
}
