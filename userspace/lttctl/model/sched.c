// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The states of threads by the events of switches and wake-ups: see sched.h.
 *
 * Each state begins in sched_enter() and ends in sched_leave().  An event that contradicts the state of a thread means
 * that events are missing: the state is forgotten, not reported.
 *
 * Layer: lttctl model.
 */
#include "sched-internal.h"

#include <errno.h>
#include <stdlib.h>

/* --- Switches -------------------------------------------------------------- */

/*
 * The bits of prev_state are the same in all kernels since 4.14.  A thread that was preempted has none of
 * them, or one above them, whose place depends on the kernel.
 */
static enum sched_state state_of_bits(uint64_t bits)
{
	if (bits & 0x30)		/* EXIT_DEAD, EXIT_ZOMBIE */
		return SCHED_DEAD;
	if (bits & 0xc0)		/* TASK_PARKED, TASK_REPORT_IDLE */
		return SCHED_IDLE;
	if (bits & 0x0c)		/* __TASK_STOPPED, __TASK_TRACED */
		return SCHED_STOPPED;
	if (bits & 0x02)
		return SCHED_UNINTERRUPTIBLE;
	if (bits & 0x01)
		return SCHED_INTERRUPTIBLE;
	return SCHED_PREEMPTED;
}

static void switch_out(struct sched *sched, struct sched_cpu *cpu, const struct ltttrace_record *record, struct task *prev,
		       enum sched_state state, struct task *next)
{
	struct sched_thread *thread = &sched->threads[prev->number];

	if (cpu->current != prev)
		sched_forget_current(sched, cpu);
	if (thread->state == SCHED_RUNNING && thread->cpu == record->cpu)
		sched_leave(sched, prev, thread, record->ns, true, NULL, next);
	else
		sched_forget(sched, prev, thread);
	/* Without sched_wakeup, an early sched_waking may be of this block, or of one that it prevented. */
	if (thread->woken_early && sched_is_blocked(state) && !sched->has_wakeup)
		state = SCHED_UNKNOWN;
	if (thread->woken_early && sched_is_blocked(state)) {
		struct task *waker = thread->waker;
		bool by_interrupt = thread->by_interrupt;

		sched_enter(sched, prev, thread, state, record->ns, record->cpu);
		thread->waker = waker;
		thread->by_interrupt = by_interrupt;
		return;
	}
	thread->woken_early = false;
	sched_enter(sched, prev, thread, prev->tid ? state : SCHED_IDLE, record->ns, record->cpu);
}

static void switch_in(struct sched *sched, struct sched_cpu *cpu, const struct ltttrace_record *record, struct task *next)
{
	struct sched_thread *thread = &sched->threads[next->number];
	bool wakes_recorded = sched->has_waking || sched->has_wakeup;

	/* Its queue at the end is that of this CPU, also where migrations are not recorded. */
	if (sched_is_waiting(thread->state)) {
		thread->cpu = record->cpu;
		sched_leave(sched, next, thread, record->ns, true, thread->waker, NULL);
	} else if (sched_is_blocked(thread->state) && (!wakes_recorded || !next->tid)) {
		sched_leave(sched, next, thread, record->ns, !next->tid, NULL, NULL);
	} else {
		sched_forget(sched, next, thread);
	}
	thread->woken_early = false;
	sched_enter(sched, next, thread, SCHED_RUNNING, record->ns, record->cpu);
	cpu->current = next;
}

static const char *const switch_fields[] = { "prev_pid", "prev_state", "next_pid", NULL };

static void on_switch(const struct dispatch_event *event, void *data)
{
	const struct ltttrace_record *record = event->record;
	struct sched *sched = data;
	const struct host *host = tasks_host_of(sched->tasks, record->event->part);
	struct task *prev = task_get(sched->tasks, host, dispatch_integer(event, 0), record->cpu);
	struct task *next = task_get(sched->tasks, host, dispatch_integer(event, 2), record->cpu);
	struct sched_cpu *cpu = sched_cpu(sched_machine(sched, host), record->cpu);

	if (!cpu || !sched_thread(sched, prev) || !sched_thread(sched, next))
		return;
	switch_out(sched, cpu, record, prev, state_of_bits(dispatch_integer(event, 1)), next);
	switch_in(sched, cpu, record, next);
	cpu->previous = prev;
}

/* --- Wake-ups -------------------------------------------------------------- */

/**
 * struct woken - a wake-up
 * @task: the thread
 * @thread: its state
 * @waker: see struct sched_interval
 * @by_interrupt: see struct sched_interval
 * @target: the CPU where it will run, if it is known
 */
struct woken {
	struct task *task;
	struct sched_thread *thread;
	struct task *waker;
	bool by_interrupt;
	unsigned int target;
};

static const char *const wake_fields[] = { "pid", "?target_cpu", NULL };

/* Return: false if memory is out. */
static bool woken_by(struct sched *sched, const struct dispatch_event *event, struct woken *woken)
{
	const struct ltttrace_record *record = event->record;
	const struct host *host = tasks_host_of(sched->tasks, record->event->part);

	woken->task = task_get(sched->tasks, host, dispatch_integer(event, 0), record->cpu);
	woken->waker = task_of(sched->tasks, record);
	/* The later call may move the states. */
	if (woken->waker && !sched_thread(sched, woken->waker))
		return false;
	woken->thread = sched_thread(sched, woken->task);
	woken->by_interrupt = interrupts_depth(sched->interrupts, host, record->cpu) ||
			      (woken->waker && !woken->waker->tid);
	if (woken->by_interrupt)
		woken->waker = NULL;
	woken->target = event->index[1] < 0 ? record->cpu : dispatch_integer(event, 1);
	return woken->thread && sched_cpu(sched_machine(sched, host), woken->target);
}

static void report_wake(const struct sched *sched, const struct woken *woken, const struct ltttrace_record *record)
{
	const struct sched_wake wake = {
		.ns = record->ns, .task = woken->task, .waker = woken->waker, .by_interrupt = woken->by_interrupt,
		.cpu = record->cpu,
	};
	size_t i;

	for (i = 0; i < sched->nr_listeners; i++)
		if (sched->listeners[i]->wake)
			sched->listeners[i]->wake(&wake, sched->listeners[i]->data);
}

static void make_runnable(struct sched *sched, const struct woken *woken, int64_t ns)
{
	struct sched_thread *thread = woken->thread;

	thread->by_interrupt = woken->by_interrupt;
	sched_leave(sched, woken->task, thread, ns, true, woken->waker, NULL);
	sched_enter(sched, woken->task, thread, SCHED_RUNNABLE, ns, woken->target);
	thread->waker = woken->waker;
	thread->by_interrupt = woken->by_interrupt;
	thread->woken_early = false;
}

static void on_waking(const struct dispatch_event *event, void *data)
{
	struct woken woken;

	if (!woken_by(data, event, &woken))
		return;
	report_wake(data, &woken, event->record);
	if (sched_is_blocked(woken.thread->state)) {
		make_runnable(data, &woken, event->record->ns);
	} else if (woken.thread->state == SCHED_RUNNING) {
		woken.thread->woken_early = true;
		woken.thread->waker = woken.waker;
		woken.thread->by_interrupt = woken.by_interrupt;
	}
}

static void on_wakeup(const struct dispatch_event *event, void *data)
{
	struct sched *sched = data;
	struct woken woken;

	if (!woken_by(sched, event, &woken))
		return;
	/* On the CPU where the thread will run, this may be an interrupt from the CPU of the waker. */
	if (woken.target == event->record->cpu)
		woken.waker = NULL;
	if (!sched->has_waking)
		report_wake(sched, &woken, event->record);
	if (woken.thread->woken_early && sched_is_blocked(woken.thread->state)) {
		woken.waker = woken.thread->waker;
		woken.by_interrupt = woken.thread->by_interrupt;
	}
	woken.thread->woken_early = false;
	if (sched_is_blocked(woken.thread->state))
		make_runnable(sched, &woken, event->record->ns);
	else if (sched_is_waiting(woken.thread->state))
		woken.thread->cpu = woken.target;
}

static void on_wakeup_new(const struct dispatch_event *event, void *data)
{
	struct woken woken;

	if (!woken_by(data, event, &woken))
		return;
	report_wake(data, &woken, event->record);
	sched_forget(data, woken.task, woken.thread);
	make_runnable(data, &woken, event->record->ns);
}

static const char *const migrate_fields[] = { "pid", "orig_cpu", "dest_cpu", NULL };

static void on_migrate(const struct dispatch_event *event, void *data)
{
	const struct ltttrace_record *record = event->record;
	struct sched *sched = data;
	const struct host *host = tasks_host_of(sched->tasks, record->event->part);
	struct sched_migration migration = {
		.ns = record->ns, .task = task_get(sched->tasks, host, dispatch_integer(event, 0), record->cpu),
		.from = dispatch_integer(event, 1), .to = dispatch_integer(event, 2),
	};
	struct sched_thread *thread = sched_thread(sched, migration.task);
	size_t i;

	if (!thread || !sched_cpu(sched_machine(sched, host), migration.to))
		return;
	if (sched_is_waiting(thread->state))
		thread->cpu = migration.to;
	for (i = 0; i < sched->nr_listeners; i++)
		if (sched->listeners[i]->migration)
			sched->listeners[i]->migration(&migration, sched->listeners[i]->data);
}

/* --- Questions -------------------------------------------------------------- */

const char *sched_state_name(enum sched_state state)
{
	static const char *const names[SCHED_STATES] = {
		[SCHED_UNKNOWN] = "unknown", [SCHED_RUNNING] = "running", [SCHED_RUNNABLE] = "runnable",
		[SCHED_PREEMPTED] = "preempted", [SCHED_INTERRUPTIBLE] = "blocked (S)",
		[SCHED_UNINTERRUPTIBLE] = "blocked (D)", [SCHED_STOPPED] = "stopped (T)", [SCHED_IDLE] = "idle (I)",
		[SCHED_DEAD] = "dead",
	};

	return names[state];
}

enum sched_state sched_state_of(const struct sched *sched, const struct task *task, int64_t *since_ns)
{
	if (task->number >= sched->nr_threads)
		return SCHED_UNKNOWN;
	if (since_ns)
		*since_ns = sched->threads[task->number].since_ns;
	return sched->threads[task->number].state;
}

struct task *sched_current(const struct sched *sched, const struct host *host, unsigned int cpu)
{
	const struct sched_machine *machine = sched_machine(sched, host);

	return cpu < machine->nr_cpus ? machine->cpus[cpu].current : NULL;
}

bool sched_in_interrupt(const struct sched *sched, const struct host *host, unsigned int cpu)
{
	return interrupts_depth(sched->interrupts, host, cpu);
}

/* --- Life ------------------------------------------------------------------- */

int sched_listen(struct sched *sched, const struct sched_listener *listener)
{
	const struct sched_listener **more = reallocarray(sched->listeners, sched->nr_listeners + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	more[sched->nr_listeners++] = listener;
	sched->listeners = more;
	return 0;
}

void sched_finish(struct sched *sched, int64_t ns)
{
	size_t i, nr = tasks_nr(sched->tasks);

	for (i = 0; i < nr && i < sched->nr_threads; i++)
		sched_leave(sched, tasks_at(sched->tasks, i), &sched->threads[i], ns, false, sched->threads[i].waker, NULL);
}

struct sched *sched_new(const struct ltttrace *trace, struct dispatch *dispatch, struct tasks *tasks)
{
	static const struct {
		const char *event;
		const char *const *fields;
		dispatch_fn *fn;
	} handlers[] = {
		{ "sched_switch", switch_fields, on_switch },
		{ "sched_waking", wake_fields, on_waking },
		{ "sched_wakeup", wake_fields, on_wakeup },
		{ "sched_wakeup_new", wake_fields, on_wakeup_new },
		{ "sched_migrate_task", migrate_fields, on_migrate },
	};
	struct sched *sched = calloc(1, sizeof(*sched));
	size_t i;
	int err;

	if (!sched)
		return NULL;
	sched->trace = trace;
	sched->tasks = tasks;
	sched->nr_machines = tasks_nr_hosts(tasks);
	sched->machines = calloc(sched->nr_machines + 1, sizeof(*sched->machines));
	sched->interrupts = interrupts_new(dispatch, tasks);
	sched->has_waking = dispatch_has(dispatch, "sched_waking", wake_fields);
	sched->has_wakeup = dispatch_has(dispatch, "sched_wakeup", wake_fields);
	err = sched->machines && sched->interrupts ? 0 : -ENOMEM;
	if (!err)
		err = dispatch_on_all(dispatch, DISPATCH_STATES, sched_on_record, sched);
	for (i = 0; i < sizeof(handlers) / sizeof(handlers[0]) && !err; i++)
		err = dispatch_on(dispatch, DISPATCH_STATES, handlers[i].event, handlers[i].fields, handlers[i].fn, sched);
	if (!err)
		return sched;
	sched_free(sched);
	return NULL;
}

void sched_free(struct sched *sched)
{
	size_t i;

	if (!sched)
		return;
	for (i = 0; i < sched->nr_machines && sched->machines; i++)
		free(sched->machines[i].cpus);
	interrupts_free(sched->interrupts);
	free(sched->machines);
	free(sched->threads);
	free(sched->listeners);
	free(sched->relevance);
	free(sched);
}
