// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The events of an interval: a snapshot, read with the model of the system.
 *
 * Layer: lttctl top.
 */
#include "top.h"
#include "lttctl/command.h"
#include "lttctl/model/recording.h"

#include <stdlib.h>
#include <string.h>

/**
 * struct reading - a snapshot that is being read
 * @sample: receives what is found
 * @recording: the snapshot
 * @counts: records of each class of events
 * @nr_counts: number of @counts
 * @no_memory: something was left out
 */
struct reading {
	struct sample *sample;
	struct recording recording;
	uint64_t *counts;
	size_t nr_counts;
	bool no_memory;
};

const char *const top_orders[TOP_ORDERS] = {
	[TOP_CPU] = "cpu", [TOP_LATENCY] = "latency", [TOP_CALLS] = "calls", [TOP_SWITCHES] = "switches",
};

/* --- Rows ------------------------------------------------------------------ */

/* Return: a new row at the end of a table, zeroed; NULL without memory.  Room is doubled at powers of two. */
static void *add_row(void *table, size_t *nr, size_t size, struct reading *reading)
{
	char *rows = *(char **)table;

	if (!(*nr & (*nr - 1))) {
		rows = realloc(rows, (*nr ? 2 * *nr : 1) * size);
		if (!rows) {
			reading->no_memory = true;
			return NULL;
		}
		*(char **)table = rows;
	}
	return memset(rows + (*nr)++ * size, 0, size);
}

/* A system has few hundred processes that do something in an interval. */
static struct top_process *find_process(struct reading *reading, const struct task *task)
{
	struct sample *sample = reading->sample;
	const int64_t pid = task_process(task);
	struct top_process *process;
	size_t i;

	for (i = 0; i < sample->nr_processes; i++)
		if (sample->process[i].pid == pid)
			return &sample->process[i];
	process = add_row(&sample->process, &sample->nr_processes, sizeof(*process), reading);
	if (process)
		process->pid = pid;
	return process;
}

static struct top_call *find_call(struct reading *reading, const char *name)
{
	struct sample *sample = reading->sample;
	struct top_call *call;
	size_t i;

	for (i = 0; i < sample->nr_calls; i++)
		if (!strcmp(sample->call[i].name, name))
			return &sample->call[i];
	call = add_row(&sample->call, &sample->nr_calls, sizeof(*call), reading);
	if (!call)
		return NULL;
	call->name = strdup(name);
	if (!call->name) {
		sample->nr_calls--;
		reading->no_memory = true;
		return NULL;
	}
	return call;
}

/* --- The model ------------------------------------------------------------- */

static void take_interval(const struct sched_interval *interval, void *data)
{
	struct reading *reading = data;
	int64_t from = interval->from_ns, to = interval->to_ns, waited = to - from;
	struct top_process *process;

	if (!recording_clip(&reading->recording, &from, &to))
		return;
	if (!interval->task->tid) {
		if (interval->state == SCHED_RUNNING)
			reading->sample->idle_ns += to - from;
		return;
	}
	if (interval->state != SCHED_RUNNING && interval->state != SCHED_RUNNABLE)
		return;
	process = find_process(reading, interval->task);
	if (!process)
		return;
	if (interval->state == SCHED_RUNNING) {
		process->cpu_ns += to - from;
		process->switches++;
	} else if (interval->whole && interval->to_ns <= reading->recording.to_ns) {
		process->wakes++;
		process->wake_ns += waited;
		if (waited > process->wake_max_ns)
			process->wake_max_ns = waited;
	}
}

static void take_call(const struct call *ended, void *data)
{
	struct reading *reading = data;
	struct top_call *call;
	struct top_process *process;

	if (ended->to_ns < reading->recording.from_ns)
		return;
	call = find_call(reading, ended->name);
	process = ended->task ? find_process(reading, ended->task) : NULL;
	if (process)
		process->calls++;
	if (!call)
		return;
	call->count++;
	call->errors += ended->ret < 0 && ended->ret >= -4095;
	if (ended->has_duration)
		call->total_ns += ended->to_ns - ended->from_ns;
}

static void take_record(const struct ltttrace_record *record, void *data)
{
	struct reading *reading = data;

	if (record->kind == LTTTRACE_EVENT && !record->stream->is_state && record->event->number < reading->nr_counts)
		reading->counts[record->event->number]++;
}

/* --- The interval ---------------------------------------------------------------- */

/* The buffers of a busy CPU may have been overwritten since the last sample. */
static void set_window(struct reading *reading, int64_t from_ns)
{
	struct recording *recording = &reading->recording;
	const struct ltttrace_stream *stream;
	struct sample *sample = reading->sample;
	size_t i;

	sample->from_ns = from_ns > recording->first_ns ? from_ns : recording->first_ns;
	sample->to_ns = recording->last_ns;
	sample->covered_ns = sample->to_ns - sample->from_ns;
	recording->from_ns = sample->from_ns;
	recording->to_ns = sample->to_ns;
	for (i = 0; i < ltttrace_nr_streams(recording->trace); i++) {
		stream = ltttrace_stream(recording->trace, i);
		if (stream->is_state || !stream->packets)
			continue;
		sample->cpus++;
		if (from_ns != INT64_MIN && sample->to_ns - stream->first_ns < sample->covered_ns)
			sample->covered_ns = sample->to_ns - stream->first_ns;
	}
}

static int add_events(struct reading *reading)
{
	const struct ltttrace *trace = reading->recording.trace;
	struct sample *sample = reading->sample;
	struct top_event *event;
	size_t i;

	for (i = 0; i < reading->nr_counts; i++) {
		if (!reading->counts[i])
			continue;
		event = add_row(&sample->event, &sample->nr_events, sizeof(*event), reading);
		if (!event)
			return -1;
		event->count = reading->counts[i];
		event->name = strdup(ltttrace_event(trace, i)->name);
		if (!event->name) {
			sample->nr_events--;
			return -1;
		}
	}
	return 0;
}

/* Names are those at the end. */
static void name_processes(struct reading *reading)
{
	struct sample *sample = reading->sample;
	const struct tasks *tasks = reading->recording.tasks;
	const struct host *host = tasks_nr_hosts(tasks) ? tasks_host(tasks, 0) : NULL;
	const struct task *task;
	char buf[24];
	size_t i;

	for (i = 0; i < sample->nr_processes; i++) {
		task = host ? task_find(tasks, host, sample->process[i].pid, 0) : NULL;
		snprintf(sample->process[i].name, sizeof(sample->process[i].name), "%s",
			 task ? task_name(task, buf) : "-");
	}
}

static int read_all(struct reading *reading, int64_t from_ns)
{
	struct recording *recording = &reading->recording;
	static struct sched_listener listener;
	struct sched *sched = recording_sched(recording);
	struct calls *calls = recording_calls(recording);

	if (!sched || !calls)
		return EXIT_FAILED;
	listener = (struct sched_listener){ .interval = take_interval, .data = reading };
	reading->nr_counts = ltttrace_nr_events(recording->trace);
	reading->counts = calloc(reading->nr_counts + 1, sizeof(*reading->counts));
	if (!reading->counts || sched_listen(sched, &listener) || calls_listen(calls, take_call, reading) ||
	    dispatch_on_all(recording->dispatch, DISPATCH_REPORT, take_record, reading))
		return complain("out of memory");
	set_window(reading, from_ns);
	return recording_read(recording);
}

int sample_read(struct sample *sample, const char *path, int64_t from_ns)
{
	struct reading reading = { .sample = sample };
	int status;

	*sample = (struct sample){ 0 };
	status = recording_open(&reading.recording, (const char *const []){ path, NULL }, NULL, NULL);
	if (status)
		return status;
	status = read_all(&reading, from_ns);
	if (!status && (add_events(&reading) || reading.no_memory))
		status = complain("out of memory");
	if (!status)
		name_processes(&reading);
	sample->nr_lost = reading.recording.nr_lost_events;
	free(reading.counts);
	recording_close(&reading.recording);
	return status;
}

void sample_free(struct sample *sample)
{
	size_t i;

	for (i = 0; i < sample->nr_events; i++)
		free(sample->event[i].name);
	for (i = 0; i < sample->nr_calls; i++)
		free(sample->call[i].name);
	free(sample->event);
	free(sample->call);
	free(sample->process);
	*sample = (struct sample){ 0 };
}

/* --- Sorting ------------------------------------------------------------------------ */

static int descending(int64_t a, int64_t b)
{
	return (a < b) - (a > b);
}

static int compare_events(const void *one, const void *other)
{
	const struct top_event *a = one, *b = other;

	return descending(a->count, b->count) ?: strcmp(a->name, b->name);
}

static int compare_calls(const void *one, const void *other)
{
	const struct top_call *a = one, *b = other;

	return descending(a->total_ns, b->total_ns) ?: descending(a->count, b->count) ?: strcmp(a->name, b->name);
}

static int64_t weight(const struct top_process *process, enum top_order order)
{
	switch (order) {
	case TOP_LATENCY:
		return process->wake_max_ns;
	case TOP_CALLS:
		return process->calls;
	case TOP_SWITCHES:
		return process->switches;
	default:
		return process->cpu_ns;
	}
}

static int compare_processes(const void *one, const void *other, void *data)
{
	const struct top_process *a = one, *b = other;
	const enum top_order order = *(enum top_order *)data;

	return descending(weight(a, order), weight(b, order)) ?: descending(a->cpu_ns, b->cpu_ns) ?:
	       descending(b->pid, a->pid);
}

void sample_sort(struct sample *sample, enum top_order order)
{
	/* qsort() must not be given NULL. */
	if (sample->nr_events)
		qsort(sample->event, sample->nr_events, sizeof(*sample->event), compare_events);
	if (sample->nr_calls)
		qsort(sample->call, sample->nr_calls, sizeof(*sample->call), compare_calls);
	if (sample->nr_processes)
		qsort_r(sample->process, sample->nr_processes, sizeof(*sample->process), compare_processes, &order);
}
