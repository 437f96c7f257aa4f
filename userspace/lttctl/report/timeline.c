// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * report timeline: what a process, or one thread, did: on a CPU, waiting for one, or blocked, and where.
 *
 * Layer: lttctl report.
 */
#include "report.h"

#include "waits.h"

#include "lttctl/command.h"

#include <inttypes.h>
#include <stdlib.h>

struct data {
	struct waits *waits;	/* all intervals of the process */
};

static int prepare(struct report *report)
{
	struct data *data = report->data;

	data->waits = waits_new();
	return data->waits ? 0 : complain("out of memory");
}

static void on_interval(const struct sched_interval *interval, void *arg)
{
	struct report *report = arg;
	struct data *data = report->data;
	struct sched_interval part = *interval;

	if ((interval->task->tid != report->tid && interval->task->pid != report->tid) || !interval->task->tid)
		return;
	if (!recording_clip(&report->recording, &part.from_ns, &part.to_ns))
		return;
	if (part.from_ns != interval->from_ns || part.to_ns != interval->to_ns)
		part.whole = false;
	if (waits_add(data->waits, &part, report->recording.calls))
		report->out_of_memory = true;
}

static void on_call(const struct call *call, void *arg)
{
	struct report *report = arg;
	const struct data *data = report->data;

	waits_name(data->waits, call);
}

/* The other thread of an interval, in a few words. */
static void add_other(struct cell *cell, const struct sched_interval *interval)
{
	char name[24];

	if (interval->state == SCHED_RUNNING) {
		if (interval->next)
			cell_text(cell, "then %s/%" PRId64, task_name(interval->next, name), interval->next->tid);
	} else if (interval->by_interrupt) {
		cell_text(cell, "woken by an interrupt");
	} else if (interval->waker) {
		cell_text(cell, "woken by %s/%" PRId64, task_name(interval->waker, name), interval->waker->tid);
	}
}

static int compare(const void *one, const void *other, void *arg)
{
	const struct waits *waits = arg;
	const struct sched_interval *a = &waits_at(waits, *(const size_t *)one)->interval;
	const struct sched_interval *b = &waits_at(waits, *(const size_t *)other)->interval;

	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	return a->to_ns < b->to_ns ? -1 : a->to_ns > b->to_ns;
}

/* Return: the numbers of the intervals in the order of their begins; NULL if memory is out. */
static size_t *in_order(struct waits *waits)
{
	size_t i, nr = waits_nr(waits), *order = calloc(nr + 1, sizeof(*order));

	for (i = 0; order && i < nr; i++)
		order[i] = i;
	if (order)
		qsort_r(order, nr, sizeof(*order), compare, waits);
	return order;
}

static void finish_intervals(struct report *report, struct waits *waits)
{
	static const struct column columns[] = {
		{ "From", "from_ns", COLUMN_MOMENT }, { "Time", "time_ns", COLUMN_US }, { "TID", "tid", COLUMN_NUMBER },
		{ "Name", "name", COLUMN_TEXT }, { "State", "state", COLUMN_TEXT }, { "CPU", "cpu", COLUMN_NUMBER },
		{ "Call", "call", COLUMN_TEXT }, { "", "other", COLUMN_TEXT }, { 0 }
	};
	struct table *table = report_table(report, "intervals", "In the order of time", columns);
	size_t i, *order = in_order(waits);
	const struct wait *wait;
	struct cell *row;
	char name[24];

	for (i = 0; table && order && i < waits_nr(waits); i++) {
		wait = waits_at(waits, order[i]);
		row = table_add(table);
		if (!row)
			break;
		cell_number(&row[0], wait->interval.from_ns);
		cell_number(&row[1], wait->interval.to_ns - wait->interval.from_ns);
		cell_number(&row[2], wait->interval.task->tid);
		cell_text(&row[3], "%s", task_name(wait->interval.task, name));
		cell_text(&row[4], "%s", sched_state_name(wait->interval.state));
		cell_number(&row[5], wait->interval.cpu);
		if (wait->call)
			cell_text(&row[6], "%s", wait->call);
		add_other(&row[7], &wait->interval);
	}
	free(order);
}

static void finish_sums(struct report *report, const struct waits *waits)
{
	static const struct column columns[] = {
		{ "State", "state", COLUMN_TEXT }, { "Call", "call", COLUMN_TEXT }, FIGURES_COLUMNS("Count", ""), { 0 }
	};
	struct table *table = report_table(report, "states", "Where the time went", columns);
	struct map *sums = report_map(report, sizeof(struct figures));
	const struct wait *wait;
	struct figures *figures;
	struct map_key key;
	struct cell *row;
	size_t i;

	for (i = 0; sums && i < waits_nr(waits); i++) {
		wait = waits_at(waits, i);
		figures = report_get(report, sums, MAP_KEY(wait->interval.state, sched_is_blocked(wait->interval.state) ?
							   (uintptr_t)wait->call : 0));
		if (figures)
			figures_add(figures, wait->interval.to_ns - wait->interval.from_ns, wait->interval.from_ns);
	}
	for (i = 0; table && sums && i < map_nr(sums); i++) {
		figures = map_at(sums, i, &key);
		row = table_add(table);
		if (!row)
			return;
		cell_text(&row[0], "%s", sched_state_name(key.number[0]));
		if (key.number[1])
			cell_text(&row[1], "%s", (const char *)(uintptr_t)key.number[1]);
		figures_cells(&row[2], figures);
	}
	if (table)
		table_sort(table, 3);
}

static void finish(struct report *report)
{
	struct data *data = report->data;

	finish_sums(report, data->waits);
	finish_intervals(report, data->waits);
	waits_free(data->waits);
}

static const char *const switch_fields[] = { "prev_pid", "prev_state", "next_pid", NULL };

static const struct report_event events[] = {
	{ "sched_switch", switch_fields, "sched:sched_switch", NULL }, { 0 }
};

const struct report_kind report_timeline = {
	.name = "timeline", .summary = "what a process or thread did, in the order of time",
	.takes_thread = true, .events = events, .size = sizeof(struct data), .prepare = prepare,
	.interval = on_interval, .call = on_call, .finish = finish,
};
