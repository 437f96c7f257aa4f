/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The internals of the table of threads: tasks.c has the table, tasks-events.c how it learns from events.
 *
 * Layer: lttctl model.
 */
#ifndef LTTCTL_MODEL_TASKS_INTERNAL_H
#define LTTCTL_MODEL_TASKS_INTERNAL_H

#include "tasks.h"

#define TASKS_BUCKETS	65536
#define TASKS_KTHREADD	2

/* The contexts of a class that name its thread; indexes of fields, -1 without. */
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
	struct task *buckets[TASKS_BUCKETS];
	struct task **by_number;
	size_t nr;
	struct contexts *contexts;		/* by the number of the event class */
	size_t nr_contexts;
};

/* Add a life of a thread.  Return: it; NULL if memory is out. */
struct task *tasks_add_life(struct tasks *tasks, const struct host *host, int64_t tid, unsigned int cpu);

/* An empty name changes nothing, and idle threads have their own. */
void task_set_name(struct task *task, const char *comm);

/* Set the process and, unless it is TASK_UNKNOWN, its parent. */
void task_set_process(struct task *task, int64_t pid, int64_t ppid);

/* Add the handlers of events.  Return: 0; -ENOMEM. */
int tasks_add_handlers(struct tasks *tasks, struct dispatch *dispatch);

#endif /* LTTCTL_MODEL_TASKS_INTERNAL_H */
