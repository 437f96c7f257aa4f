/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The states of threads and the current thread of each CPU over time, by the events of the scheduler.
 *
 *	running        from the sched_switch that starts it to the one that stops it
 *	preempted      from a sched_switch with prev_state R or R+, until it runs again
 *	runnable       since the wake-up: sched_waking, sched_wakeup or sched_wakeup_new, what comes first
 *	blocked        from a sched_switch with another prev_state, until the wake-up
 *
 * Everything else is SCHED_UNKNOWN: before the first event about a thread, and where the events contradict each other,
 * as in a recording that is limited to some tasks.  Lost events of a channel that has events of the scheduler end what is
 * known: the thread of that CPU may have been switched out, and any blocked or waiting thread may have been
 * woken there, or run there.  States that begin between the first and the last moment of a loss are unknown
 * too.  Only threads that run on other CPUs stay as they are.
 *
 * A thread can be woken after it decided to block and before its sched_switch: then it is blocked for no time,
 * and runnable from its sched_wakeup on.
 *
 * Layer: lttctl model, above tasks.h.
 */
#ifndef LTTCTL_MODEL_SCHED_H
#define LTTCTL_MODEL_SCHED_H

#include "tasks.h"

enum sched_state {
	SCHED_UNKNOWN,
	SCHED_RUNNING,
	SCHED_RUNNABLE,		/* woken, waits for a CPU */
	SCHED_PREEMPTED,	/* has run, waits for a CPU */
	SCHED_INTERRUPTIBLE,	/* blocked; S of ps(1) */
	SCHED_UNINTERRUPTIBLE,	/* blocked; D */
	SCHED_STOPPED,		/* by a signal or a debugger; T, t */
	SCHED_IDLE,		/* a thread of the kernel without work; I, P */
	SCHED_DEAD,
	SCHED_STATES,
};

/* Return: the name of a state for people: "running", "blocked (D)", ... */
const char *sched_state_name(enum sched_state state);

static inline bool sched_is_blocked(enum sched_state state)
{
	return state >= SCHED_INTERRUPTIBLE && state <= SCHED_IDLE;
}

static inline bool sched_is_waiting(enum sched_state state)
{
	return state == SCHED_RUNNABLE || state == SCHED_PREEMPTED;
}

/**
 * struct sched_interval - a time in which a thread had one state
 * @task: the thread
 * @state: its state, not SCHED_UNKNOWN
 * @from_ns: begin
 * @to_ns: end
 * @whole: the events at both ends were recorded, so the duration is that of the state; false at the ends of the
 *	recording and of losses, where the state began before @from_ns or went on after @to_ns
 * @cpu: SCHED_RUNNING: the CPU; a waiting state: the CPU whose queue it was in at the end; blocked: where it had run
 * @waker: SCHED_RUNNABLE: the thread that woke it; blocked: the thread that ended it; NULL: not known, or it
 *	was an interrupt
 * @by_interrupt: an interrupt handler or softirq woke it; known only if events of irq are recorded
 * @next: SCHED_RUNNING: the thread that follows on the CPU; a waiting state: NULL
 */
struct sched_interval {
	struct task *task;
	enum sched_state state;
	int64_t from_ns;
	int64_t to_ns;
	bool whole;
	unsigned int cpu;
	struct task *waker;
	bool by_interrupt;
	struct task *next;
};

/**
 * struct sched_wake - a wake-up
 * @ns: its time
 * @task: the thread that was woken
 * @waker: the thread that was running on the CPU of the event; NULL: not known
 * @by_interrupt: an interrupt handler or softirq woke it
 * @cpu: the CPU of the event
 */
struct sched_wake {
	int64_t ns;
	struct task *task;
	struct task *waker;
	bool by_interrupt;
	unsigned int cpu;
};

/**
 * struct sched_migration - a thread was moved to the queue of another CPU
 * @ns: its time
 * @task: the thread
 * @from: the CPU it came from
 * @to: the CPU it went to
 */
struct sched_migration {
	int64_t ns;
	struct task *task;
	unsigned int from;
	unsigned int to;
};

/**
 * struct sched_listener - functions to call; each may be NULL
 * @interval: a state has ended; intervals of one thread come in the order of time, those of several by their ends
 * @wake: a thread that was not running was woken; once for each wake-up
 * @migration: a thread was moved
 * @data: for the functions
 */
struct sched_listener {
	void (*interval)(const struct sched_interval *interval, void *data);
	void (*wake)(const struct sched_wake *wake, void *data);
	void (*migration)(const struct sched_migration *migration, void *data);
	void *data;
};

struct sched;

/* Return: a model that adds its handlers to @dispatch; NULL if memory is out.  All arguments must stay. */
struct sched *sched_new(const struct ltttrace *trace, struct dispatch *dispatch, struct tasks *tasks);
void sched_free(struct sched *sched);

/* Add a listener, which must stay.  Return: 0; -ENOMEM. */
int sched_listen(struct sched *sched, const struct sched_listener *listener);

/* End all states that are known, at the end of the recording: not whole. */
void sched_finish(struct sched *sched, int64_t ns);

/* Return: the state of a thread now; *@since_ns, if not NULL, receives its begin. */
enum sched_state sched_state_of(const struct sched *sched, const struct task *task, int64_t *since_ns);

/* Return: the thread that runs on a CPU now; NULL if it is not known. */
struct task *sched_current(const struct sched *sched, const struct host *host, unsigned int cpu);

/* Return: true while the CPU is known to be in an interrupt handler or a softirq. */
bool sched_in_interrupt(const struct sched *sched, const struct host *host, unsigned int cpu);

#endif /* LTTCTL_MODEL_SCHED_H */
