// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * From a recording to the content of a page: states, system calls and interrupts, by the model.
 *
 * Layer: lttctl html.
 */
#include "collect.h"
#include "pairs.h"

#include "lttctl/command.h"
#include "lttctl/model/interrupts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Helpers ---- */

void collector_check(struct collector *collector, int err)
{
	if (err && !collector->err)
		collector->err = err;
}

uint64_t since_begin(const struct collector *collector, int64_t ns)
{
	return ns > collector->page->begin ? ns - collector->page->begin : 0;
}

void collect_item(struct collector *collector, struct track *track, int64_t from_ns, int64_t to_ns, uint32_t value, int64_t extra)
{
	struct item item = { .value = value, .extra = extra };

	if (!recording_clip(collector->recording, &from_ns, &to_ns))
		return;
	item.start = since_begin(collector, from_ns);
	item.length = since_begin(collector, to_ns) - item.start;
	collector_check(collector, track_add(&collector->page->tracks, track, item));
}

struct track *collect_track(struct collector *collector, enum track_kind kind, uint32_t owner, uint32_t row, uint32_t name)
{
	struct track *track = track_get(&collector->page->tracks, kind, owner, row, name);

	if (!track)
		collector_check(collector, -ENOMEM);
	return track;
}

uint32_t collect_name(struct collector *collector, const char *text)
{
	uint32_t number = name_number(&collector->page->names, text);

	if (number != NO_NAME)
		return number;
	collector_check(collector, -ENOMEM);
	return 0;
}

/* ---- States ---- */

static struct thread *thread_of(struct collector *collector, const struct task *task)
{
	size_t nr = task->number + 1;
	struct thread *more;

	if (nr > collector->nr_threads) {
		nr = nr * 2;
		more = reallocarray(collector->threads, nr, sizeof(*more));
		if (!more) {
			collector_check(collector, -ENOMEM);
			return NULL;
		}
		memset(more + collector->nr_threads, 0, (nr - collector->nr_threads) * sizeof(*more));
		collector->threads = more;
		collector->nr_threads = nr;
	}
	return &collector->threads[task->number];
}

/* Where nothing is known between two states; else what is between two items would be taken for sleep. */
static void mark_gap(struct collector *collector, const struct sched_interval *interval, struct track *track)
{
	struct thread *thread = thread_of(collector, interval->task);
	uint64_t from = since_begin(collector, interval->from_ns);

	if (!thread)
		return;
	if (thread->end && from > thread->end - 1)
		collect_item(collector, track, collector->page->begin + thread->end - 1, interval->from_ns, STATE_UNKNOWN, 0);
	thread->end = since_begin(collector, interval->to_ns) + 1;
	if (interval->state == SCHED_RUNNING)
		thread->run += thread->end - 1 - from;
}

/* Sleep at an end of what is known has an item of no length there: else nothing would be shown. */
static void mark_sleep(struct collector *collector, struct track *track, int64_t from_ns, int64_t to_ns)
{
	collect_item(collector, track, from_ns, from_ns, STATE_SLEEPING, 0);
	collect_item(collector, track, to_ns, to_ns, STATE_SLEEPING, 0);
}

static void on_running(struct collector *collector, const struct sched_interval *interval, struct track *states)
{
	uint32_t cpu = page_cpu_number(collector, interval->task->host, interval->cpu);

	collect_item(collector, collect_track(collector, TRACK_RUN, cpu, 0, 0), interval->from_ns, interval->to_ns,
		     interval->task->number, 0);
	collect_item(collector, states, interval->from_ns, interval->to_ns, STATE_RUNNING, cpu);
}

/* Idle threads are not shown: what is between the items of a CPU is idle. */
static void on_interval(const struct sched_interval *interval, void *data)
{
	struct collector *collector = data;
	int64_t from_ns = interval->from_ns, to_ns = interval->to_ns;
	struct track *states;

	if (!recording_clip(collector->recording, &from_ns, &to_ns))
		return;
	if (interval->task->tid == 0) {
		page_cpu_number(collector, interval->task->host, interval->cpu);
		return;
	}
	if (interval->state == SCHED_DEAD)
		return;
	states = collect_track(collector, TRACK_STATE, interval->task->number, 0, 0);
	mark_gap(collector, interval, states);
	if (interval->state == SCHED_RUNNING)
		on_running(collector, interval, states);
	else if (sched_is_waiting(interval->state))
		collect_item(collector, states, from_ns, to_ns, STATE_RUNNABLE,
			     interval->state == SCHED_RUNNABLE && interval->waker && interval->waker->tid ? interval->waker->number + 1 : 0);
	else if (interval->state == SCHED_UNINTERRUPTIBLE)
		collect_item(collector, states, from_ns, to_ns, STATE_BLOCKED, 0);
	else if (!interval->whole)
		mark_sleep(collector, states, from_ns, to_ns);
}

/* ---- System calls and interrupts ---- */

static void on_call(const struct call *call, void *data)
{
	struct collector *collector = data;

	collect_item(collector, collect_track(collector, TRACK_SYSCALL, call->task->number, 0, 0),
		     call->has_duration ? call->from_ns : call->to_ns, call->to_ns, collect_name(collector, call->name), call->ret);
}

/* Those that have not ended last until the end of the page. */
static void add_open_calls(struct collector *collector)
{
	const struct recording *recording = collector->recording;
	size_t i, nr = tasks_nr(recording->tasks);
	const char *name;
	int64_t since_ns;
	char text[96];

	for (i = 0; i < nr; i++) {
		const struct task *task = tasks_at(recording->tasks, i);

		name = task->tid && !task->exited ? calls_current(recording->calls, task, &since_ns) : NULL;
		if (!name)
			continue;
		snprintf(text, sizeof(text), "%s (has not ended)", name);
		collect_item(collector, collect_track(collector, TRACK_SYSCALL, task->number, 0, 0), since_ns,
			     recording->to_ns, collect_name(collector, text), 0);
	}
}

static const char *const irq_fields[] = { "irq", "?name", NULL };

/* The names of interrupts are in the events at their begin. */
static void on_irq(const struct dispatch_event *event, void *data)
{
	struct collector *collector = data;
	int64_t irq = dispatch_integer(event, 0);
	char name[64], text[96];

	if (irq < 0 || irq >= IRQ_NAMES || !dispatch_text(event, 1, name, sizeof(name)))
		return;
	snprintf(text, sizeof(text), "irq %d %s", (int)irq, name);
	collector->irq_names[irq] = collect_name(collector, text) + 1;
}

static uint32_t interrupt_name(struct collector *collector, const struct interrupt *interrupt)
{
	static const char *const softirqs[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU" };
	size_t length = strlen(interrupt->class);
	char text[96];

	if (!strcmp(interrupt->class, "softirq_entry")) {
		if (interrupt->number >= 0 && interrupt->number < (int64_t)(sizeof(softirqs) / sizeof(softirqs[0])))
			snprintf(text, sizeof(text), "softirq %s", softirqs[interrupt->number]);
		else
			snprintf(text, sizeof(text), "softirq %d", (int)interrupt->number);
	} else if (!strcmp(interrupt->class, "irq_handler_entry")) {
		if (interrupt->number >= 0 && interrupt->number < IRQ_NAMES && collector->irq_names[interrupt->number])
			return collector->irq_names[interrupt->number] - 1;
		snprintf(text, sizeof(text), "irq %d", (int)interrupt->number);
	} else {
		length -= length > strlen("_entry") ? strlen("_entry") : 0;
		snprintf(text, sizeof(text), "irq %.*s", (int)length, interrupt->class);
	}
	return collect_name(collector, text);
}

static void on_interrupt(const struct interrupt *interrupt, void *data)
{
	struct collector *collector = data;
	uint32_t cpu = page_cpu_number(collector, interrupt->host, interrupt->cpu);
	bool soft = !strcmp(interrupt->class, "softirq_entry");

	collect_item(collector, collect_track(collector, TRACK_IRQ, cpu, soft, 0), interrupt->from_ns, interrupt->to_ns,
		     interrupt_name(collector, interrupt), 0);
}

/* ---- The recording ---- */

static int read_all(struct collector *collector)
{
	const struct sched_listener listener = { .interval = on_interval, .data = collector };
	struct recording *recording = collector->recording;
	struct sched *sched = recording_sched(recording);
	struct calls *calls = sched ? recording_calls(recording) : NULL;
	int status;

	if (!calls)
		return EXIT_FAILED;
	collector->interrupts = interrupts_new(recording->dispatch, recording->tasks);
	collector->slices = pairs_new();
	if (!collector->interrupts || !collector->slices || sched_listen(sched, &listener) || calls_listen(calls, on_call, collector) ||
	    dispatch_on(recording->dispatch, DISPATCH_STATES, "irq_handler_entry", irq_fields, on_irq, collector) ||
	    dispatch_on_all(recording->dispatch, DISPATCH_REPORT, collect_record, collector))
		return complain("out of memory");
	interrupts_listen(collector->interrupts, on_interrupt, collector);
	status = recording_read(recording);
	if (status)
		return status;
	add_open_calls(collector);
	pairs_finish(collector);
	records_finish(collector);
	owners_finish(collector);
	return collector->err ? complain("out of memory") : 0;
}

int page_collect(struct page *page, struct recording *recording)
{
	struct collector collector = { .page = page, .recording = recording };
	int status;

	page->begin = recording->from_ns;
	page->span = recording->to_ns > recording->from_ns ? recording->to_ns - recording->from_ns : 1;
	page->tracks.items_max = ITEMS_MAX;
	status = read_all(&collector);
	records_free(&collector);
	owners_free(&collector);
	pairs_free(collector.slices);
	interrupts_free(collector.interrupts);
	free(collector.threads);
	return status;
}
