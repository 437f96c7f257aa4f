/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The internals of the model of the scheduler: sched.c has the events of switches and wake-ups, sched-state.c the
 * states and what losses mean.
 *
 * Layer: lttctl model.
 */
#ifndef LTTCTL_MODEL_SCHED_INTERNAL_H
#define LTTCTL_MODEL_SCHED_INTERNAL_H

#include "interrupts.h"
#include "sched.h"

/**
 * struct sched_thread - the state of a task
 * @state: the state
 * @since_ns: its begin
 * @begin_seen: the event that began it was recorded
 * @cpu: see struct sched_interval
 * @waker: of SCHED_RUNNABLE, and while @woken_early
 * @by_interrupt: see struct sched_interval
 * @woken_early: sched_waking came while it was running
 */
struct sched_thread {
	enum sched_state state;
	int64_t since_ns;
	bool begin_seen;
	unsigned int cpu;
	struct task *waker;
	bool by_interrupt;
	bool woken_early;
};

/**
 * struct sched_cpu - a CPU
 * @current: the thread that runs; NULL if it is not known
 * @previous: the thread before it, until an event of @current was seen: between sched_switch and the switch, the kernel
 *	may record events of @previous
 * @until_ns: events of the scheduler may be missing until then
 */
struct sched_cpu {
	struct task *current;
	struct task *previous;
	int64_t until_ns;
};

/* A machine.  @until_ns is the latest of its CPUs. */
struct sched_machine {
	struct sched_cpu *cpus;
	unsigned int nr_cpus;
	int64_t until_ns;
};

struct sched {
	const struct ltttrace *trace;
	struct tasks *tasks;
	struct interrupts *interrupts;
	struct sched_thread *threads;		/* by the number of the task */
	size_t nr_threads;
	struct sched_machine *machines;	/* by the number of the host */
	size_t nr_machines;
	const struct sched_listener **listeners;
	size_t nr_listeners;
	unsigned char *relevance;	/* enum relevance, by the number of the stream */
	size_t nr_streams;
	bool has_waking;
	bool has_wakeup;
};

/* Return: the state of a task, which the next call may move; NULL if @task is NULL or memory is out. */
struct sched_thread *sched_thread(struct sched *sched, const struct task *task);

/* Return: the machine of a host. */
struct sched_machine *sched_machine(const struct sched *sched, const struct host *host);

/* Return: a CPU, which the next call may move; NULL if memory is out. */
struct sched_cpu *sched_cpu(struct sched_machine *machine, unsigned int number);

/**
 * sched_leave() - end the state of a thread
 * @sched: the model
 * @task: the thread
 * @thread: its state
 * @ns: the end
 * @end_seen: an event ends it
 * @waker: see struct sched_interval
 * @next: see struct sched_interval
 */
void sched_leave(struct sched *sched, struct task *task, struct sched_thread *thread, int64_t ns, bool end_seen,
		 struct task *waker, struct task *next);

/**
 * sched_enter() - begin a state that an event reports, unless events may be missing that ended it
 * @sched: the model
 * @task: the thread
 * @thread: its state, which was left or forgotten
 * @state: the new state
 * @ns: its begin
 * @cpu: see struct sched_interval
 */
void sched_enter(struct sched *sched, const struct task *task, struct sched_thread *thread, enum sched_state state, int64_t ns,
		 unsigned int cpu);

/* The state of a thread turns out to be wrong: it is not reported. */
void sched_forget(struct sched *sched, struct task *task, struct sched_thread *thread);

/* The same of the thread that runs on a CPU. */
void sched_forget_current(struct sched *sched, struct sched_cpu *cpu);

/* Take any record, before the functions of its event. */
void sched_on_record(const struct ltttrace_record *record, void *data);

#endif /* LTTCTL_MODEL_SCHED_INTERNAL_H */
