/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The system calls of threads: begin, end, result.
 *
 * They come from three kinds of events (doc/syscalls.md):
 *
 *	sys_enter, sys_exit                     raw_syscalls; calls are numbers
 *	syscall:NAME, syscall:NAME_exit         by name
 *	syscall_time:NAME                       by name, one event at the end, with the duration
 *
 * If a recording has several of them for one call, the call is reported once: by sys_enter and sys_exit if these are
 * recorded, else by syscall_time, else by syscall.
 *
 * A call whose begin was not recorded, or lost, has no duration.  After a loss on any CPU, open calls have none.
 *
 * Layer: lttctl model, above tasks.h.
 */
#ifndef LTTCTL_MODEL_CALLS_H
#define LTTCTL_MODEL_CALLS_H

#include "tasks.h"

/**
 * struct call - a system call that has ended
 * @task: its thread
 * @name: its name without "syscall:" and "_exit"; of a number without a name, the number
 * @from_ns: begin; unspecified if @has_duration is false
 * @to_ns: end
 * @has_duration: both ends are known
 * @ret: the value returned; -4095 to -1 are errors
 */
struct call {
	struct task *task;
	const char *name;
	int64_t from_ns;
	int64_t to_ns;
	bool has_duration;
	int64_t ret;
};

typedef void call_fn(const struct call *call, void *data);

struct calls;

/* Return: a model that adds its handlers to @dispatch; NULL if memory is out.  All arguments must stay. */
struct calls *calls_new(const struct ltttrace *trace, struct dispatch *dispatch, struct tasks *tasks);
void calls_free(struct calls *calls);

/* Return: true if the recording has system calls. */
bool calls_recorded(const struct calls *calls);

/* Call @fn at the end of each call.  Return: 0; -ENOMEM. */
int calls_listen(struct calls *calls, call_fn *fn, void *data);

/* Return: the name of the call that a thread is in; NULL: none, not known, or only its end is recorded. */
const char *calls_current(const struct calls *calls, const struct task *task, int64_t *since_ns);

#endif /* LTTCTL_MODEL_CALLS_H */
