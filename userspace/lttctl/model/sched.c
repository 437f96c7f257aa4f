// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The states of threads: see sched.h.
 *
 * Contents: states; events; losses; interrupts; life.
 *
 * Each state begins and ends in enter() and leave().  An event that contradicts the state of a thread means that
 * events are missing: the state is forgotten, not reported.
 *
 * A record of a loss comes at the first moment of the loss, and the events that follow until its last moment may be
 * from before or after it.  So no state that begins in between is believed: see enter().
 *
 * Layer: lttctl model.
 */
#include "sched.h"

#include "interrupts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct thread - the state of a task
 * @state: the state
 * @since_ns: its begin
 * @begin_seen: the event that began it was recorded
 * @cpu: see struct sched_interval
 * @waker: of SCHED_RUNNABLE, and while @woken_early
 * @by_interrupt: see struct sched_interval
 * @woken_early: sched_waking came while it was running
 */
struct thread {
	enum sched_state state;
	int64_t since_ns;
	bool begin_seen;
	unsigned int cpu;
	struct task *waker;
	bool by_interrupt;
	bool woken_early;
};

/**
 * struct cpu - a CPU
 * @current: the thread that runs; NULL if it is not known
 * @previous: the thread before it, until an event of @current was seen: between sched_switch and the switch, the kernel
 *	may record events of @previous
 * @until_ns: events of the scheduler may be missing until then
 */
struct cpu {
	struct task *current;
	struct task *previous;
	int64_t until_ns;
};

/* A machine.  @until_ns is the latest of its CPUs. */
struct machine {
	struct cpu *cpus;
	unsigned int nr_cpus;
	int64_t until_ns;
};

/* The effect of losses of a stream. */
enum relevance { RELEVANCE_UNKNOWN, RELEVANT, IRRELEVANT };

struct sched {
	const struct ltttrace *trace;
	struct tasks *tasks;
	struct interrupts *interrupts;
	struct thread *threads;		/* by the number of the task */
	size_t nr_threads;
	struct machine *machines;	/* by the number of the host */
	size_t nr_machines;
	const struct sched_listener **listeners;
	size_t nr_listeners;
	unsigned char *relevance;	/* enum relevance, by the number of the stream */
	size_t nr_streams;
	bool has_waking;
	bool has_wakeup;
};

/* --- Places ---------------------------------------------------------------- */

static struct thread *thread_of(struct sched *sched, const struct task *task)
{
	size_t nr = sched->nr_threads;
	struct thread *more;

	if (!task)
		return NULL;
	if (task->number < nr)
		return &sched->threads[task->number];
	nr = task->number + 1 + nr;
	more = reallocarray(sched->threads, nr, sizeof(*more));
	if (!more)
		return NULL;
	memset(more + sched->nr_threads, 0, (nr - sched->nr_threads) * sizeof(*more));
	sched->threads = more;
	sched->nr_threads = nr;
	return &more[task->number];
}

static struct machine *machine_of(const struct sched *sched, const struct host *host)
{
	return &sched->machines[host->number < sched->nr_machines ? host->number : 0];
}

static struct cpu *cpu_of(struct machine *machine, unsigned int number)
{
	struct cpu *more;

	if (number < machine->nr_cpus)
		return &machine->cpus[number];
	if (number > 65535)
		return NULL;
	more = reallocarray(machine->cpus, number + 1, sizeof(*more));
	if (!more)
		return NULL;
	memset(more + machine->nr_cpus, 0, (number + 1 - machine->nr_cpus) * sizeof(*more));
	machine->cpus = more;
	machine->nr_cpus = number + 1;
	return &more[number];
}

/* --- States ---------------------------------------------------------------- */

/* End a state at an event, or without one; @waker and @next as in struct sched_interval. */
static void leave(struct sched *sched, struct task *task, struct thread *thread, int64_t ns, bool end_seen,
		  struct task *waker, struct task *next)
{
	const struct sched_interval interval = {
		.task = task, .state = thread->state, .from_ns = thread->since_ns, .to_ns = ns,
		.whole = thread->begin_seen && end_seen, .cpu = thread->cpu, .waker = waker,
		.by_interrupt = thread->by_interrupt, .next = next,
	};
	size_t i;

	/* A thread that the event at its end names first has run for no time that is known. */
	if (thread->state != SCHED_UNKNOWN && thread->state != SCHED_DEAD && (interval.whole || ns > thread->since_ns))
		for (i = 0; i < sched->nr_listeners; i++)
			if (sched->listeners[i]->interval)
				sched->listeners[i]->interval(&interval, sched->listeners[i]->data);
	thread->state = SCHED_UNKNOWN;
}

/* Begin a state that an event reports, unless events may be missing that ended it. */
static void enter(struct sched *sched, const struct task *task, struct thread *thread, enum sched_state state, int64_t ns,
		  unsigned int cpu)
{
	struct machine *machine = machine_of(sched, task->host);
	int64_t until = state == SCHED_RUNNING ? cpu_of(machine, cpu)->until_ns : machine->until_ns;

	thread->state = ns < until ? SCHED_UNKNOWN : state;
	thread->since_ns = ns;
	thread->begin_seen = true;
	thread->cpu = cpu;
	thread->waker = NULL;
	thread->by_interrupt = false;
}

/* The state of a thread turns out to be wrong. */
static void forget(struct sched *sched, struct task *task, struct thread *thread)
{
	struct cpu *cpu;

	if (thread->state == SCHED_RUNNING) {
		cpu = cpu_of(machine_of(sched, task->host), thread->cpu);
		if (cpu->current == task)
			cpu->current = NULL;
	}
	thread->state = SCHED_UNKNOWN;
	thread->woken_early = false;
}

static void forget_current(struct sched *sched, struct cpu *cpu)
{
	struct task *task = cpu->current;

	if (task)
		forget(sched, task, &sched->threads[task->number]);
	cpu->current = NULL;
}

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

static void switch_out(struct sched *sched, struct cpu *cpu, const struct ltttrace_record *record, struct task *prev,
		       enum sched_state state, struct task *next)
{
	struct thread *thread = &sched->threads[prev->number];

	if (cpu->current != prev)
		forget_current(sched, cpu);
	if (thread->state == SCHED_RUNNING && thread->cpu == record->cpu)
		leave(sched, prev, thread, record->ns, true, NULL, next);
	else
		forget(sched, prev, thread);
	/* Without sched_wakeup, an early sched_waking may be of this block, or of one that it prevented. */
	if (thread->woken_early && sched_is_blocked(state) && !sched->has_wakeup)
		state = SCHED_UNKNOWN;
	if (thread->woken_early && sched_is_blocked(state)) {
		struct task *waker = thread->waker;
		bool by_interrupt = thread->by_interrupt;

		enter(sched, prev, thread, state, record->ns, record->cpu);
		thread->waker = waker;
		thread->by_interrupt = by_interrupt;
		return;
	}
	thread->woken_early = false;
	enter(sched, prev, thread, prev->tid ? state : SCHED_IDLE, record->ns, record->cpu);
}

static void switch_in(struct sched *sched, struct cpu *cpu, const struct ltttrace_record *record, struct task *next)
{
	struct thread *thread = &sched->threads[next->number];
	bool wakes_recorded = sched->has_waking || sched->has_wakeup;

	/* Its queue at the end is that of this CPU, also where migrations are not recorded. */
	if (sched_is_waiting(thread->state)) {
		thread->cpu = record->cpu;
		leave(sched, next, thread, record->ns, true, thread->waker, NULL);
	} else if (sched_is_blocked(thread->state) && (!wakes_recorded || !next->tid)) {
		leave(sched, next, thread, record->ns, !next->tid, NULL, NULL);
	} else {
		forget(sched, next, thread);
	}
	thread->woken_early = false;
	enter(sched, next, thread, SCHED_RUNNING, record->ns, record->cpu);
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
	struct cpu *cpu = cpu_of(machine_of(sched, host), record->cpu);

	if (!cpu || !thread_of(sched, prev) || !thread_of(sched, next))
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
	struct thread *thread;
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
	if (woken->waker && !thread_of(sched, woken->waker))
		return false;
	woken->thread = thread_of(sched, woken->task);
	woken->by_interrupt = interrupts_depth(sched->interrupts, host, record->cpu) ||
			      (woken->waker && !woken->waker->tid);
	if (woken->by_interrupt)
		woken->waker = NULL;
	woken->target = event->index[1] < 0 ? record->cpu : dispatch_integer(event, 1);
	return woken->thread && cpu_of(machine_of(sched, host), woken->target);
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
	struct thread *thread = woken->thread;

	thread->by_interrupt = woken->by_interrupt;
	leave(sched, woken->task, thread, ns, true, woken->waker, NULL);
	enter(sched, woken->task, thread, SCHED_RUNNABLE, ns, woken->target);
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
	forget(data, woken.task, woken.thread);
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
	struct thread *thread = thread_of(sched, migration.task);
	size_t i;

	if (!thread || !cpu_of(machine_of(sched, host), migration.to))
		return;
	if (sched_is_waiting(thread->state))
		thread->cpu = migration.to;
	for (i = 0; i < sched->nr_listeners; i++)
		if (sched->listeners[i]->migration)
			sched->listeners[i]->migration(&migration, sched->listeners[i]->data);
}

/* --- Losses, and the context of events ------------------------------------- */

static const char *const sched_events[] = {
	"sched_switch", "sched_waking", "sched_wakeup", "sched_wakeup_new", "sched_migrate_task",
};

/* Return: true if the channel of a stream has events of the scheduler. */
static bool find_relevance(const struct sched *sched, const struct ltttrace_stream *stream)
{
	const struct ltttrace_event *event;
	size_t i, j;

	for (i = 0; i < ltttrace_nr_events(sched->trace); i++) {
		event = ltttrace_event(sched->trace, i);
		if (event->part != stream->part || strcmp(event->channel, stream->channel))
			continue;
		for (j = 0; j < sizeof(sched_events) / sizeof(sched_events[0]); j++)
			if (!strcmp(event->name, sched_events[j]))
				return true;
	}
	return false;
}

static bool is_relevant(struct sched *sched, const struct ltttrace_stream *stream)
{
	size_t nr = ltttrace_nr_streams(sched->trace);
	unsigned char *more, *relevance;

	if (stream->number >= sched->nr_streams) {
		more = realloc(sched->relevance, nr);
		if (!more)
			return true;
		memset(more + sched->nr_streams, RELEVANCE_UNKNOWN, nr - sched->nr_streams);
		sched->relevance = more;
		sched->nr_streams = nr;
	}
	relevance = &sched->relevance[stream->number];
	if (*relevance == RELEVANCE_UNKNOWN)
		*relevance = find_relevance(sched, stream) ? RELEVANT : IRRELEVANT;
	return *relevance == RELEVANT;
}

static void on_loss(struct sched *sched, const struct ltttrace_record *record)
{
	const struct host *host = tasks_host_of(sched->tasks, record->stream->part);
	struct machine *machine = machine_of(sched, host);
	struct cpu *cpu = cpu_of(machine, record->cpu);
	size_t i, nr = tasks_nr(sched->tasks);
	struct thread *thread;
	struct task *task;

	if (!cpu)
		return;
	for (i = 0; i < nr && i < sched->nr_threads; i++) {
		thread = &sched->threads[i];
		task = tasks_at(sched->tasks, i);
		if (task->host != host || (thread->state == SCHED_RUNNING && thread->cpu != record->cpu))
			continue;
		/* Another CPU runs its idle thread whenever it runs nothing else. */
		if (!task->tid && task->cpu != record->cpu)
			continue;
		leave(sched, task, thread, record->ns, false, NULL, NULL);
		thread->woken_early = false;
	}
	cpu->current = cpu->previous = NULL;
	if (record->until_ns > cpu->until_ns)
		cpu->until_ns = record->until_ns;
	if (record->until_ns > machine->until_ns)
		machine->until_ns = record->until_ns;
}

/* Each event names the thread that runs: so a thread is known that runs without a switch. */
static void see_current(struct sched *sched, const struct ltttrace_record *record)
{
	const struct host *host = tasks_host_of(sched->tasks, record->event->part);
	struct cpu *cpu = cpu_of(machine_of(sched, host), record->cpu);
	int64_t tid = ltttrace_integer(record, record->event->tid);
	struct thread *thread;
	struct task *task;

	if (!cpu)
		return;
	if (cpu->current && cpu->current->tid == tid) {
		cpu->previous = NULL;
		if (sched->threads[cpu->current->number].state != SCHED_UNKNOWN)
			return;
	} else if (cpu->previous && cpu->previous->tid == tid) {
		return;
	}
	if (record->ns < cpu->until_ns)
		return;
	task = task_get(sched->tasks, host, tid, record->cpu);
	thread = thread_of(sched, task);
	if (!thread)
		return;
	if (cpu->current != task)
		forget_current(sched, cpu);
	forget(sched, task, thread);
	enter(sched, task, thread, SCHED_RUNNING, record->ns, record->cpu);
	thread->begin_seen = false;
	cpu->current = task;
	cpu->previous = NULL;
}

static void on_record(const struct ltttrace_record *record, void *data)
{
	struct sched *sched = data;

	if (record->kind != LTTTRACE_EVENT) {
		if (is_relevant(sched, record->stream))
			on_loss(sched, record);
	} else if (record->event->tid >= 0 && !record->stream->is_state && is_relevant(sched, record->stream)) {
		see_current(sched, record);
	}
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
	const struct machine *machine = machine_of(sched, host);

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
		leave(sched, tasks_at(sched->tasks, i), &sched->threads[i], ns, false, sched->threads[i].waker, NULL);
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
		err = dispatch_on_all(dispatch, DISPATCH_STATES, on_record, sched);
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
