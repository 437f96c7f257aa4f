/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The threads of a recording: their names and processes.
 *
 * These come from the state of the system ("state:process", "state:thread"), from the list with
 * which a trace begins ("ltt:task"), and from events: sched_process_fork, sched_process_exec, sched_process_exit,
 * task_rename, task_newtask, sched_switch and the contexts pid and name.
 *
 * A struct task is one life of a thread: a thread id that is used again gets another one.  Threads of
 * recordings with the same clock (the same boot of a machine) are the same threads.  Thread 0 is one thread for
 * each CPU.  Tasks stay where they are until tasks_free().
 *
 * A fork does not say whether the child is a process or another thread of its parent.  Then @pid is unknown until an exec,
 * a context pid or task_newtask.
 *
 * Layer: lttctl model.
 */
#ifndef LTTCTL_MODEL_TASKS_H
#define LTTCTL_MODEL_TASKS_H

#include "dispatch.h"

#define TASK_UNKNOWN	(-1)

/**
 * struct host - a boot of a machine
 * @name: the name of the machine; "" if it is not known
 * @clock_uuid: the clock
 * @number: from 0 on, in the order of the parts
 */
struct host {
	const char *name;
	unsigned char clock_uuid[16];
	unsigned int number;
};

/**
 * struct task - a thread
 * @tid: the thread id; 0 for idle threads
 * @cpu: of an idle thread
 * @pid: the process id; TASK_UNKNOWN if it is not known; 0 for idle threads
 * @ppid: the process id of the parent, TASK_UNKNOWN if it is not known
 * @comm: the name, by the events so far; "" if it is not known
 * @host: the machine
 * @number: of the task, from 0 on
 * @is_kernel: it is a thread of the kernel (a child of kthreadd, or kthreadd itself)
 * @exited: it has exited
 * @first_ns: when it was first seen, or forked
 */
struct task {
	int64_t tid;
	unsigned int cpu;
	int64_t pid;
	int64_t ppid;
	char comm[16];
	const struct host *host;
	unsigned int number;
	bool is_kernel;
	bool exited;
	int64_t first_ns;
	bool seen;		/* private: by an event, not only in a list of threads */
	bool newborn;		/* private: task_newtask was seen, and its fork follows */
	struct task *next;	/* private: in the bucket, the newest life first */
};

struct tasks;

/* Return: a table that adds its handlers to @dispatch; NULL if memory is out.  Both of @trace and @dispatch must stay. */
struct tasks *tasks_new(const struct ltttrace *trace, struct dispatch *dispatch);
void tasks_free(struct tasks *tasks);

/* Learn from a record of a state part or state channel, which is read before all others; see recording.h. */
void tasks_learn(struct tasks *tasks, const struct ltttrace_record *record);

size_t tasks_nr_hosts(const struct tasks *tasks);
const struct host *tasks_host(const struct tasks *tasks, unsigned int number);

/* Return: the machine of a part. */
const struct host *tasks_host_of(const struct tasks *tasks, const struct ltttrace_part *part);

/**
 * task_get() - find a thread, or add it
 * @tasks: the table
 * @host: the machine
 * @tid: the thread id
 * @cpu: for an idle thread: its CPU
 *
 * Return: its newest life; NULL only if memory is out.
 */
struct task *task_get(struct tasks *tasks, const struct host *host, int64_t tid, unsigned int cpu);

/* Return: as task_get(), without adding: NULL if it is not known. */
struct task *task_find(const struct tasks *tasks, const struct host *host, int64_t tid, unsigned int cpu);

/* Return: the thread that recorded an event, by the context tid; NULL if there is none, or memory is out. */
struct task *task_of(struct tasks *tasks, const struct ltttrace_record *record);

/* Return: the number of tasks, which are numbered from 0 on. */
size_t tasks_nr(const struct tasks *tasks);
struct task *tasks_at(const struct tasks *tasks, unsigned int number);

/* Return: the process id; that of the thread itself if it is not known. */
static inline int64_t task_process(const struct task *task)
{
	return task->pid == TASK_UNKNOWN ? task->tid : task->pid;
}

/* Return: the first thread of the process of @task, or @task itself if that is not known. */
const struct task *task_leader(const struct tasks *tasks, const struct task *task);

/* Return: the name for people: comm, "swapper/N", or "-" if it is not known. */
const char *task_name(const struct task *task, char buf[24]);

#endif /* LTTCTL_MODEL_TASKS_H */
