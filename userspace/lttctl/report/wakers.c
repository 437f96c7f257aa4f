// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * report wakers: which threads wake which others, and the chain behind a wait.
 *
 * The chain begins with the longest wait of a thread.  The next row is the wait of the thread that ended it, if that was
 * blocked meanwhile, and so on.
 *
 * Layer: lttctl report.
 */
#include "report.h"

#include "waits.h"

#include "lttctl/command.h"

#define CHAIN_MAX 32

#define INTERRUPT (REPORT_NO_TASK - 1)	/* instead of the number of a waker */

struct row {
	uint64_t count;
	struct figures latency;
};

struct data {
	struct map *rows;	/* by waker and woken thread */
	struct waits *waits;	/* of all threads; NULL without --chain */
};

static int prepare(struct report *report)
{
	struct data *data = report->data;

	data->rows = report_map(report, sizeof(struct row));
	if (report->chain < 0)
		return 0;
	data->waits = waits_new();
	return data->waits ? 0 : complain("out of memory");
}

static struct row *row_of(struct report *report, const struct task *waker, bool by_interrupt, const struct task *task)
{
	struct data *data = report->data;
	const uint64_t number = by_interrupt ? INTERRUPT : waker ? waker->number : REPORT_NO_TASK;

	return report_get(report, data->rows, MAP_KEY(number, task->number));
}

static void on_wake(const struct sched_wake *wake, void *arg)
{
	struct report *report = arg;
	struct row *row;

	if (!report_has(report, wake->ns))
		return;
	row = row_of(report, wake->waker, wake->by_interrupt, wake->task);
	if (row)
		row->count++;
}

static void on_interval(const struct sched_interval *interval, void *arg)
{
	struct report *report = arg;
	struct data *data = report->data;
	struct row *row;

	if (!report_has(report, interval->to_ns))
		return;
	if (data->waits && interval->whole && sched_is_blocked(interval->state) &&
	    waits_add(data->waits, interval, report->recording.calls))
		report->out_of_memory = true;
	if (interval->state != SCHED_RUNNABLE || !interval->whole || !report_has(report, interval->from_ns))
		return;
	row = row_of(report, interval->waker, interval->by_interrupt, interval->task);
	if (row)
		figures_add(&row->latency, interval->to_ns - interval->from_ns, interval->from_ns);
}

static void on_call(const struct call *call, void *arg)
{
	struct report *report = arg;
	struct data *data = report->data;

	if (data->waits)
		waits_name(data->waits, call);
}

/* --- Tables ------------------------------------------------------------------- */

/* By process and by name, a thread stands for its group. */
static struct map *fold(struct report *report, const struct map *from)
{
	struct map *rows = report_map(report, sizeof(struct row)), *names = report_map(report, sizeof(uint64_t));
	const struct row *value;
	struct map_key key;
	struct row *row;
	size_t i;

	for (i = 0; rows && names && i < map_nr(from); i++) {
		value = map_at(from, i, &key);
		if (key.number[0] != INTERRUPT)
			key.number[0] = report_group(report, names, key.number[0]);
		key.number[1] = report_group(report, names, key.number[1]);
		row = report_get(report, rows, key);
		if (!row)
			return NULL;
		row->count += value->count;
		figures_sum(&row->latency, &value->latency);
	}
	return rows;
}

/* Three cells: name, process id, thread id. */
static void name_task(const struct report *report, struct cell *cells, uint64_t number)
{
	const struct task *task;
	char name[24];

	if (number == INTERRUPT || number == REPORT_NO_TASK) {
		cell_text(&cells[0], number == INTERRUPT ? "(interrupt)" : "(not known)");
		return;
	}
	task = tasks_at(report->recording.tasks, number);
	cell_text(&cells[0], "%s", task_name(task, name));
	if (report->by == BY_NAME)
		return;
	if (task->pid != TASK_UNKNOWN || report->by == BY_PROCESS)
		cell_number(&cells[1], task_process(task));
	if (report->by == BY_THREAD)
		cell_number(&cells[2], task->tid);
}

static void finish_pairs(struct report *report, const struct map *from)
{
	static const struct column columns[] = {
		{ "Waker", "waker", COLUMN_TEXT }, { "PID", "waker_pid", COLUMN_NUMBER },
		{ "TID", "waker_tid", COLUMN_NUMBER }, { "Wakes", "name", COLUMN_TEXT },
		{ "PID", "pid", COLUMN_NUMBER }, { "TID", "tid", COLUMN_NUMBER }, { "Wake-ups", "count", COLUMN_NUMBER },
		FIGURES_COLUMNS("Timed", "latency_"), { 0 }
	};
	struct map *rows = fold(report, from);
	struct table *table = report_table(report, "wakers", "Which threads wake which, and how long these wait for a CPU",
					   columns);
	const struct row *value;
	struct map_key key;
	struct cell *row;
	size_t i;

	for (i = 0; rows && table && i < map_nr(rows); i++) {
		value = map_at(rows, i, &key);
		row = table_add(table);
		if (!row)
			return;
		name_task(report, row, key.number[0]);
		name_task(report, row + 3, key.number[1]);
		cell_number(&row[6], value->count);
		figures_cells(&row[7], &value->latency);
	}
	if (table)
		table_sort(table, 6);
}

static const struct wait *longest_of(const struct waits *waits, int64_t tid)
{
	const struct wait *longest = NULL, *wait;
	size_t i;

	for (i = 0; i < waits_nr(waits); i++) {
		wait = waits_at(waits, i);
		if (wait->interval.task->tid == tid &&
		    (!longest || wait->interval.to_ns - wait->interval.from_ns >
				 longest->interval.to_ns - longest->interval.from_ns))
			longest = wait;
	}
	return longest;
}

static bool add_link(struct table *table, const struct wait *wait)
{
	const struct sched_interval *interval = &wait->interval;
	struct cell *row = table_add(table);
	char name[24];

	if (!row)
		return false;
	cell_number(&row[0], interval->from_ns);
	cell_number(&row[1], interval->to_ns - interval->from_ns);
	cell_number(&row[2], interval->task->tid);
	cell_text(&row[3], "%s", task_name(interval->task, name));
	cell_text(&row[4], "%s", sched_state_name(interval->state));
	if (wait->call)
		cell_text(&row[5], "%s", wait->call);
	if (interval->by_interrupt || !interval->waker) {
		cell_text(&row[6], interval->by_interrupt ? "(interrupt)" : "(not known)");
		return true;
	}
	cell_text(&row[6], "%s", task_name(interval->waker, name));
	cell_number(&row[7], interval->waker->tid);
	return true;
}

static void finish_chain(struct report *report, const struct waits *waits)
{
	static const struct column columns[] = {
		{ "From", "from_ns", COLUMN_MOMENT }, { "Wait", "wait_ns", COLUMN_US }, { "TID", "tid", COLUMN_NUMBER },
		{ "Name", "name", COLUMN_TEXT }, { "State", "state", COLUMN_TEXT }, { "Call", "call", COLUMN_TEXT },
		{ "Woken by", "waker", COLUMN_TEXT }, { "TID", "waker_tid", COLUMN_NUMBER }, { 0 }
	};
	struct table *table = report_table(report, "chain", "The chain behind the longest wait", columns);
	const struct wait *wait = longest_of(waits, report->chain), *next;
	unsigned int links;

	for (links = 0; table && wait && links < CHAIN_MAX; links++) {
		if (!add_link(table, wait) || wait->interval.by_interrupt || !wait->interval.waker)
			break;
		next = waits_last_blocked(waits, wait->interval.waker, wait->interval.from_ns, wait->interval.to_ns);
		/* A thread that wakes itself, or two that are seen at one moment, make no circle. */
		wait = next && next->interval.to_ns < wait->interval.to_ns ? next : NULL;
	}
}

static void finish(struct report *report)
{
	struct data *data = report->data;

	if (data->waits)
		finish_chain(report, data->waits);
	else
		finish_pairs(report, data->rows);
	waits_free(data->waits);
}

static const char *const switch_fields[] = { "prev_pid", "prev_state", "next_pid", NULL };
static const char *const wake_fields[] = { "pid", NULL };

static const struct report_event events[] = {
	{ "sched_waking", wake_fields, "sched:sched_waking", NULL },
	{ "sched_wakeup", wake_fields, "sched:sched_wakeup", NULL },
	{ "sched_switch", switch_fields, "sched:sched_switch", NULL }, { 0 }
};

const struct report_kind report_wakers = {
	.name = "wakers", .summary = "which threads wake which others; --chain: what a thread waited for",
	.by = 1 << BY_PROCESS | 1 << BY_THREAD | 1 << BY_NAME, .default_by = BY_PROCESS,
	.events = events, .size = sizeof(struct data), .prepare = prepare,
	.interval = on_interval, .wake = on_wake, .call = on_call, .finish = finish,
};
