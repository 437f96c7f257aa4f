// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * report faults: page faults of programs and of the kernel.
 *
 * Layer: lttctl report.
 */
#include "report.h"

#define FAULT_WRITE	2	/* of error_code, on x86 */

struct row {
	uint64_t faults;
	uint64_t user;
	uint64_t kernel;
	uint64_t writes;
};

struct data {
	struct map *rows;	/* see report_key() */
};

static const char *const fault_fields[] = { "?error_code", NULL };

static int prepare(struct report *report)
{
	struct data *data = report->data;

	data->rows = report_map(report, sizeof(struct row));
	if (dispatch_has(report->recording.dispatch, "page_fault_kernel", NULL))
		return 0;
	return recording_need(&report->recording, "page_fault_user", fault_fields, "exceptions:page_fault_*");
}

static struct row *count(struct report *report, const struct dispatch_event *event)
{
	struct data *data = report->data;
	const struct task *task = task_of(report->recording.tasks, event->record);
	const struct host *host = tasks_host_of(report->recording.tasks, event->record->event->part);
	struct row *row = report_get(report, data->rows, report_key(report, task, host, event->record->cpu, 0));

	if (!row)
		return NULL;
	row->faults++;
	row->writes += !!(dispatch_integer(event, 0) & FAULT_WRITE);
	return row;
}

static void on_user(const struct dispatch_event *event, void *arg)
{
	struct row *row = count(arg, event);

	if (row)
		row->user++;
}

static void on_kernel(const struct dispatch_event *event, void *arg)
{
	struct row *row = count(arg, event);

	if (row)
		row->kernel++;
}

static void sum(void *to, const void *more)
{
	struct row *row = to;
	const struct row *other = more;

	row->faults += other->faults;
	row->user += other->user;
	row->kernel += other->kernel;
	row->writes += other->writes;
}

static void finish(struct report *report)
{
	static const struct column columns[] = {
		GROUP_COLUMNS, { "Faults", "faults", COLUMN_NUMBER }, { "Of programs", "user", COLUMN_NUMBER },
		{ "Of the kernel", "kernel", COLUMN_NUMBER }, { "Writes", "writes", COLUMN_NUMBER },
		{ "Faults", "rate", COLUMN_RATE }, { 0 }
	};
	struct data *data = report->data;
	const double seconds = (report->recording.to_ns - report->recording.from_ns) / 1e9;
	struct map *rows = report_fold(report, data->rows, sizeof(struct row), sum);
	struct table *table = report_table(report, "faults", "Page faults", columns);
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
		cell_number(&row[0], value->faults);
		cell_number(&row[1], value->user);
		cell_number(&row[2], value->kernel);
		cell_number(&row[3], value->writes);
		if (seconds > 0)
			cell_real(&row[4], value->faults / seconds);
	}
	if (table)
		table_sort(table, NR_GROUP_COLUMNS);
}

static const struct report_event events[] = {
	{ "page_fault_user", fault_fields, NULL, on_user },
	{ "page_fault_kernel", fault_fields, NULL, on_kernel }, { 0 }
};

const struct report_kind report_faults = {
	.name = "faults", .summary = "page faults of programs and of the kernel",
	.by = 1 << BY_PROCESS | 1 << BY_THREAD | 1 << BY_NAME | 1 << BY_CPU, .default_by = BY_PROCESS,
	.events = events, .size = sizeof(struct data), .prepare = prepare, .finish = finish,
};
