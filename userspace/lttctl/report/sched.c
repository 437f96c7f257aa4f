// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * report sched: how long threads wait for a CPU and how long they keep it.
 *
 * The latency is the time from a wake-up until the thread runs.  Only times whose begin and end were recorded count.
 *
 * Layer: lttctl report.
 */
#include "report.h"

#include <stdlib.h>

#define WORST 10

struct row {
	struct figures latency;
	struct figures slice;
	struct figures preempted;
	uint64_t blocks;
	uint64_t migrations;
};

/* One of the longest latencies. */
struct worst {
	struct sched_interval interval;
};

struct data {
	struct map *rows;
	struct worst worst[WORST];
	size_t nr_worst;
};

static int prepare(struct report *report)
{
	struct data *data = report->data;

	data->rows = report_map(report, sizeof(struct row));
	return 0;
}

static int64_t length(const struct sched_interval *interval)
{
	return interval->to_ns - interval->from_ns;
}

/* Keep the longest ones, the longest first. */
static void keep_worst(struct data *data, const struct sched_interval *interval)
{
	size_t at = data->nr_worst;

	if (at == WORST && length(&data->worst[WORST - 1].interval) >= length(interval))
		return;
	if (at == WORST)
		at--;
	else
		data->nr_worst++;
	for (; at && length(&data->worst[at - 1].interval) < length(interval); at--)
		data->worst[at] = data->worst[at - 1];
	data->worst[at].interval = *interval;
}

static void on_interval(const struct sched_interval *interval, void *arg)
{
	struct report *report = arg;
	const struct task *task = interval->task;
	struct data *data = report->data;
	struct row *row;

	if (!task->tid || !interval->whole || !report_has(report, interval->to_ns))
		return;
	row = report_get(report, data->rows, report_key(report, task, task->host, interval->cpu, 0));
	if (!row)
		return;
	switch (interval->state) {
	case SCHED_RUNNABLE:
		figures_add(&row->latency, length(interval), interval->from_ns);
		keep_worst(data, interval);
		break;
	case SCHED_PREEMPTED:
		figures_add(&row->preempted, length(interval), interval->from_ns);
		break;
	case SCHED_RUNNING:
		figures_add(&row->slice, length(interval), interval->from_ns);
		break;
	default:
		row->blocks++;
		break;
	}
}

static void on_migration(const struct sched_migration *migration, void *arg)
{
	struct report *report = arg;
	struct data *data = report->data;
	struct row *row;

	if (!report_has(report, migration->ns))
		return;
	row = report_get(report, data->rows,
			 report_key(report, migration->task, migration->task->host, migration->to, 0));
	if (row)
		row->migrations++;
}

static void sum(void *to, const void *more)
{
	struct row *row = to;
	const struct row *other = more;

	figures_sum(&row->latency, &other->latency);
	figures_sum(&row->slice, &other->slice);
	figures_sum(&row->preempted, &other->preempted);
	row->blocks += other->blocks;
	row->migrations += other->migrations;
}

static int64_t average(const struct figures *figures)
{
	return figures->total_ns / (int64_t)figures->count;
}

static void finish_rows(struct report *report, const struct map *from)
{
	static const struct column columns[] = {
		GROUP_COLUMNS, FIGURES_COLUMNS("Wake-ups", "latency_"), { "Slices", "slices", COLUMN_NUMBER },
		{ "Average slice", "slice_average_ns", COLUMN_US }, { "Preempted", "preemptions", COLUMN_NUMBER },
		{ "Preempted for", "preempted_ns", COLUMN_MS }, { "Migrations", "migrations", COLUMN_NUMBER }, { 0 }
	};
	struct map *rows = report_fold(report, from, sizeof(struct row), sum);
	struct table *table = report_table(report, "tasks", "Latency of wake-ups, and time slices", columns);
	const struct row *value;
	struct map_key key;
	struct cell *row;
	size_t i;

	for (i = 0; rows && table && i < map_nr(rows); i++) {
		value = map_at(rows, i, &key);
		row = table_add(table);
		if (!row)
			return;
		report_name_row(report, row, &key);
		row += NR_GROUP_COLUMNS;
		figures_cells(row, &value->latency);
		row += NR_FIGURES_COLUMNS;
		cell_number(&row[0], value->slice.count);
		if (value->slice.count)
			cell_number(&row[1], average(&value->slice));
		cell_number(&row[2], value->preempted.count);
		cell_number(&row[3], value->preempted.total_ns);
		cell_number(&row[4], value->migrations);
	}
	if (table)
		table_sort(table, NR_GROUP_COLUMNS + 3);
}

static void finish_worst(struct report *report, const struct data *data)
{
	static const struct column columns[] = {
		{ "From", "from_ns", COLUMN_MOMENT }, { "Latency", "latency_ns", COLUMN_US },
		{ "On CPU", "cpu", COLUMN_NUMBER }, { "TID", "tid", COLUMN_NUMBER }, { "Name", "name", COLUMN_TEXT },
		{ "Woken by", "waker", COLUMN_TEXT }, { "TID", "waker_tid", COLUMN_NUMBER }, { 0 }
	};
	struct table *table = report_table(report, "worst", "Longest latencies", columns);
	const struct sched_interval *interval;
	struct cell *row;
	char name[24];
	size_t i;

	for (i = 0; table && i < data->nr_worst; i++) {
		interval = &data->worst[i].interval;
		row = table_add(table);
		if (!row)
			return;
		cell_number(&row[0], interval->from_ns);
		cell_number(&row[1], length(interval));
		cell_number(&row[2], interval->cpu);
		cell_number(&row[3], interval->task->tid);
		cell_text(&row[4], "%s", task_name(interval->task, name));
		if (interval->by_interrupt)
			cell_text(&row[5], "(interrupt)");
		if (!interval->waker || interval->by_interrupt)
			continue;
		cell_text(&row[5], "%s", task_name(interval->waker, name));
		cell_number(&row[6], interval->waker->tid);
	}
}

static void finish(struct report *report)
{
	const struct data *data = report->data;

	finish_rows(report, data->rows);
	finish_worst(report, data);
}

static const char *const switch_fields[] = { "prev_pid", "prev_state", "next_pid", NULL };
static const char *const wake_fields[] = { "pid", NULL };

static const struct report_event events[] = {
	{ "sched_switch", switch_fields, "sched:sched_switch", NULL },
	{ "sched_waking", wake_fields, "sched:sched_waking", NULL },
	{ "sched_wakeup", wake_fields, "sched:sched_wakeup", NULL }, { 0 }
};

const struct report_kind report_sched = {
	.name = "sched", .summary = "how long threads wait for a CPU, and how long they keep it",
	.by = 1 << BY_PROCESS | 1 << BY_THREAD | 1 << BY_NAME | 1 << BY_CPU, .default_by = BY_PROCESS,
	.events = events, .size = sizeof(struct data), .prepare = prepare,
	.interval = on_interval, .migration = on_migration, .finish = finish,
};
