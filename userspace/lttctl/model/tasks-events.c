// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The threads of a recording: what events say about them.  See tasks.h.
 *
 * Layer: lttctl model.
 */
#include "tasks-internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CLONE_THREAD	0x10000

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

	if (task && task->seen && !tasks_add_life(tasks, host, tid, 0))
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
		task_set_name(task, comm);
	if (!(dispatch_integer(event, 2) & CLONE_THREAD))
		task_set_process(task, task->tid, parent ? parent->pid : TASK_UNKNOWN);
	else if (parent && parent->pid != TASK_UNKNOWN)
		task_set_process(task, parent->pid, parent->ppid);
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
		task_set_name(task, comm);
	if (task->pid != TASK_UNKNOWN || !parent)
		return;
	/* Threads of the kernel are processes of their own. */
	if (parent->tid == TASKS_KTHREADD)
		task_set_process(task, task->tid, TASKS_KTHREADD);
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
		task_set_name(task, comm);
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
		task_set_name(task, comm);
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
		task_set_name(task, comm);
}

/* A list that is read with the events, as by `lttctl top`. */
static void on_list(const struct dispatch_event *event, void *data)
{
	tasks_learn(data, event->record);
}

int tasks_add_handlers(struct tasks *tasks, struct dispatch *dispatch)
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
	int err = dispatch_on_all(dispatch, DISPATCH_TASKS, on_record, tasks);
	size_t i;

	for (i = 0; i < sizeof(handlers) / sizeof(handlers[0]) && !err; i++)
		err = dispatch_on(dispatch, DISPATCH_TASKS, handlers[i].event, handlers[i].fields, handlers[i].fn, tasks);
	return err;
}
