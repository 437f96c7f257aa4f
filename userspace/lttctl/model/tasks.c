// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The threads of a recording: the table, and how it learns.  See tasks.h.
 *
 * Contents: hosts; the table; learning before the first event; events; names.
 *
 * Layer: lttctl model.
 */
#include "tasks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS		65536
#define CHUNK		1024
#define CLONE_THREAD	0x10000
#define KTHREADD	2

/* The contexts of a class that describe its thread: indexes of fields, -1 without. */
struct contexts {
	bool resolved;
	int pid;
	int name;
};

struct tasks {
	const struct ltttrace *trace;
	struct host *hosts;
	size_t nr_hosts;
	const struct host **host_of_part;	/* by the number of the part */
	size_t nr_parts;
	struct task *buckets[BUCKETS];
	struct task **by_number;
	size_t nr;
	struct contexts *contexts;		/* by the number of the event class */
	size_t nr_contexts;
};

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
	return ((uint64_t)tid * 31 + (tid ? 0 : cpu * 7) + host->number * 8191) % BUCKETS;
}

struct task *task_find(const struct tasks *tasks, const struct host *host, int64_t tid, unsigned int cpu)
{
	struct task *task = tasks->buckets[bucket_of(host, tid, cpu)];

	while (task && (task->tid != tid || task->host != host || (!tid && task->cpu != cpu)))
		task = task->next;
	return task;
}

static struct task *add_life(struct tasks *tasks, const struct host *host, int64_t tid, unsigned int cpu)
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

	return task ? task : add_life(tasks, host, tid, cpu);
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

static void set_name(struct task *task, const char *comm)
{
	if (comm[0] && task->tid)
		snprintf(task->comm, sizeof(task->comm), "%s", comm);
}

static void set_process(struct task *task, int64_t pid, int64_t ppid)
{
	task->pid = pid;
	if (ppid == TASK_UNKNOWN)
		return;
	task->ppid = ppid;
	task->is_kernel = pid == KTHREADD || ppid == KTHREADD;
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
		set_process(task, pid, payload_integer(record, "ppid"));
	if (!task->comm[0] && record_text(record, ltttrace_payload_field(record->event, "comm"), comm, sizeof(comm)))
		set_name(task, comm);
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

/* --- Events ---------------------------------------------------------------- */

static struct task *get(struct tasks *tasks, const struct dispatch_event *event, int64_t tid)
{
	struct task *task = task_get(tasks, tasks_host_of(tasks, event->record->event->part), tid, event->record->cpu);

	if (task && !task->seen) {
		task->seen = true;
		task->first_ns = event->record->ns;
	}
	return task;
}

/* A thread id that was seen in use begins another life. */
static struct task *begin_life(struct tasks *tasks, const struct dispatch_event *event, int64_t tid)
{
	const struct host *host = tasks_host_of(tasks, event->record->event->part);
	struct task *task = task_find(tasks, host, tid, 0);

	if (task && task->seen && !add_life(tasks, host, tid, 0))
		return NULL;
	return get(tasks, event, tid);
}

static const char *const newtask_fields[] = { "pid", "comm", "clone_flags", NULL };

/* It comes before the fork, and says whether the child is a process. */
static void on_newtask(const struct dispatch_event *event, void *data)
{
	struct task *parent = task_of(data, event->record), *task = begin_life(data, event, dispatch_integer(event, 0));
	char comm[16];

	if (!task)
		return;
	if (dispatch_text(event, 1, comm, sizeof(comm)))
		set_name(task, comm);
	if (!(dispatch_integer(event, 2) & CLONE_THREAD))
		set_process(task, task->tid, parent ? parent->pid : TASK_UNKNOWN);
	else if (parent && parent->pid != TASK_UNKNOWN)
		set_process(task, parent->pid, parent->ppid);
	task->newborn = true;
}

static const char *const fork_fields[] = { "parent_pid", "child_pid", "child_comm", NULL };

static void on_fork(const struct dispatch_event *event, void *data)
{
	struct task *parent = get(data, event, dispatch_integer(event, 0)), *task;
	const struct host *host = tasks_host_of(data, event->record->event->part);
	char comm[16];

	task = task_find(data, host, dispatch_integer(event, 1), 0);
	if (!task || !task->newborn)
		task = begin_life(data, event, dispatch_integer(event, 1));
	if (!task)
		return;
	task->newborn = false;
	if (dispatch_text(event, 2, comm, sizeof(comm)))
		set_name(task, comm);
	if (task->pid != TASK_UNKNOWN || !parent)
		return;
	/* Threads of the kernel are processes of their own. */
	if (parent->tid == KTHREADD)
		set_process(task, task->tid, KTHREADD);
	else
		task->ppid = parent->pid;
}

static const char *const exec_fields[] = { "pid", NULL };

static void on_exec(const struct dispatch_event *event, void *data)
{
	struct task *task = get(data, event, dispatch_integer(event, 0));

	if (task)
		task->pid = task->tid;
}

static const char *const exit_fields[] = { "pid", NULL };

static void on_exit_of(const struct dispatch_event *event, void *data)
{
	struct task *task = get(data, event, dispatch_integer(event, 0));

	if (task)
		task->exited = true;
}

/* Kernels from 6.15 on do not name the thread: it is the one that records the event. */
static const char *const rename_fields[] = { "newcomm", "?pid", "tid", NULL };

static void on_rename(const struct dispatch_event *event, void *data)
{
	struct task *task = get(data, event, dispatch_integer(event, event->index[1] < 0 ? 2 : 1));
	char comm[16];

	if (task && dispatch_text(event, 0, comm, sizeof(comm)))
		set_name(task, comm);
}

static const char *const switch_fields[] = { "prev_pid", "prev_comm", "next_pid", "next_comm", NULL };

static void on_switch(const struct dispatch_event *event, void *data)
{
	struct ltttrace_value comm;
	struct task *task;
	unsigned int side;
	size_t length;

	for (side = 0; side < 4; side += 2) {
		task = get(data, event, dispatch_integer(event, side));
		comm = ltttrace_value(event->record, event->index[side + 1]);
		if (!task || !task->tid || !comm.text)
			continue;
		length = strnlen(comm.text, comm.size < sizeof(task->comm) ? comm.size : sizeof(task->comm) - 1);
		if (!length || (!memcmp(comm.text, task->comm, length) && !task->comm[length]))
			continue;
		memcpy(task->comm, comm.text, length);
		task->comm[length] = '\0';
	}
}

static const char *const program_fields[] = { "name", "tid", NULL };

static void on_program(const struct dispatch_event *event, void *data)
{
	struct task *task = get(data, event, dispatch_integer(event, 1));
	char comm[16];

	if (task && dispatch_text(event, 0, comm, sizeof(comm)))
		set_name(task, comm);
}

static const struct contexts *contexts_of(struct tasks *tasks, const struct ltttrace_event *event)
{
	struct contexts *contexts, *more;
	size_t nr = ltttrace_nr_events(tasks->trace);

	if (event->number >= tasks->nr_contexts) {
		more = reallocarray(tasks->contexts, nr, sizeof(*more));
		if (!more)
			return NULL;
		memset(more + tasks->nr_contexts, 0, (nr - tasks->nr_contexts) * sizeof(*more));
		tasks->contexts = more;
		tasks->nr_contexts = nr;
	}
	contexts = &tasks->contexts[event->number];
	if (!contexts->resolved) {
		contexts->resolved = true;
		contexts->pid = ltttrace_context_field(event, "pid");
		contexts->name = ltttrace_context_field(event, "name");
	}
	return contexts;
}

/* Contexts say who recorded the event. */
static void on_record(const struct ltttrace_record *record, void *data)
{
	const struct contexts *contexts;
	struct task *task;
	char comm[16];

	if (record->kind != LTTTRACE_EVENT || record->event->tid < 0)
		return;
	contexts = contexts_of(data, record->event);
	if (!contexts || (contexts->pid < 0 && contexts->name < 0))
		return;
	task = task_of(data, record);
	if (!task || !task->tid)
		return;
	if (contexts->pid >= 0 && ltttrace_integer(record, contexts->pid) > 0)
		task->pid = ltttrace_integer(record, contexts->pid);
	if (record_text(record, contexts->name, comm, sizeof(comm)))
		set_name(task, comm);
}

/* A list that is read with the events, as by `lttctl top`. */
static void on_list(const struct dispatch_event *event, void *data)
{
	tasks_learn(data, event->record);
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
	static const struct {
		const char *event;
		const char *const *fields;
		dispatch_fn *fn;
	} handlers[] = {
		{ "task_newtask", newtask_fields, on_newtask },
		{ "sched_process_fork", fork_fields, on_fork },
		{ "sched_process_exec", exec_fields, on_exec },
		{ "sched_process_exit", exit_fields, on_exit_of },
		{ "task_rename", rename_fields, on_rename },
		{ "sched_switch", switch_fields, on_switch },
		{ "ltt:program_started", program_fields, on_program },
		{ "ltt:task", NULL, on_list },
	};
	struct tasks *tasks = calloc(1, sizeof(*tasks));
	size_t i;
	int err = 0;

	if (!tasks)
		return NULL;
	tasks->trace = trace;
	if (!find_hosts(tasks))
		err = -ENOMEM;
	if (!err)
		err = dispatch_on_all(dispatch, DISPATCH_TASKS, on_record, tasks);
	for (i = 0; i < sizeof(handlers) / sizeof(handlers[0]) && !err; i++)
		err = dispatch_on(dispatch, DISPATCH_TASKS, handlers[i].event, handlers[i].fields, handlers[i].fn, tasks);
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
