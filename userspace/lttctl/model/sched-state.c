// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The states of threads, and the effect of losses: see sched-internal.h.
 *
 * A record of a loss comes at the first moment of the loss, and the events that follow until its last moment may be
 * from before or after it.  So no state that begins in between is believed: see sched_enter().
 *
 * Layer: lttctl model.
 */
#include "sched-internal.h"

#include <stdlib.h>
#include <string.h>

/* Whether losses of a stream change states. */
enum relevance { RELEVANCE_UNKNOWN, RELEVANT, IRRELEVANT };

/* --- Places ---------------------------------------------------------------- */

struct sched_thread *sched_thread(struct sched *sched, const struct task *task)
{
	size_t nr = sched->nr_threads;
	struct sched_thread *more;

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

struct sched_machine *sched_machine(const struct sched *sched, const struct host *host)
{
	return &sched->machines[host->number < sched->nr_machines ? host->number : 0];
}

struct sched_cpu *sched_cpu(struct sched_machine *machine, unsigned int number)
{
	struct sched_cpu *more;

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
void sched_leave(struct sched *sched, struct task *task, struct sched_thread *thread, int64_t ns, bool end_seen,
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
void sched_enter(struct sched *sched, const struct task *task, struct sched_thread *thread, enum sched_state state, int64_t ns,
		  unsigned int cpu)
{
	struct sched_machine *machine = sched_machine(sched, task->host);
	int64_t until = state == SCHED_RUNNING ? sched_cpu(machine, cpu)->until_ns : machine->until_ns;

	thread->state = ns < until ? SCHED_UNKNOWN : state;
	thread->since_ns = ns;
	thread->begin_seen = true;
	thread->cpu = cpu;
	thread->waker = NULL;
	thread->by_interrupt = false;
}

/* The state of a thread turns out to be wrong. */
void sched_forget(struct sched *sched, struct task *task, struct sched_thread *thread)
{
	struct sched_cpu *cpu;

	if (thread->state == SCHED_RUNNING) {
		cpu = sched_cpu(sched_machine(sched, task->host), thread->cpu);
		if (cpu->current == task)
			cpu->current = NULL;
	}
	thread->state = SCHED_UNKNOWN;
	thread->woken_early = false;
}

void sched_forget_current(struct sched *sched, struct sched_cpu *cpu)
{
	struct task *task = cpu->current;

	if (task)
		sched_forget(sched, task, &sched->threads[task->number]);
	cpu->current = NULL;
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
	struct sched_machine *machine = sched_machine(sched, host);
	struct sched_cpu *cpu = sched_cpu(machine, record->cpu);
	size_t i, nr = tasks_nr(sched->tasks);
	struct sched_thread *thread;
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
		sched_leave(sched, task, thread, record->ns, false, NULL, NULL);
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
	struct sched_cpu *cpu = sched_cpu(sched_machine(sched, host), record->cpu);
	int64_t tid = ltttrace_integer(record, record->event->tid);
	struct sched_thread *thread;
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
	thread = sched_thread(sched, task);
	if (!thread)
		return;
	if (cpu->current != task)
		sched_forget_current(sched, cpu);
	sched_forget(sched, task, thread);
	sched_enter(sched, task, thread, SCHED_RUNNING, record->ns, record->cpu);
	thread->begin_seen = false;
	cpu->current = task;
	cpu->previous = NULL;
}

void sched_on_record(const struct ltttrace_record *record, void *data)
{
	struct sched *sched = data;

	if (record->kind != LTTTRACE_EVENT) {
		if (is_relevant(sched, record->stream))
			on_loss(sched, record);
	} else if (record->event->tid >= 0 && !record->stream->is_state && is_relevant(sched, record->stream)) {
		see_current(sched, record);
	}
}

