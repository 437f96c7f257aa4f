// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * report syscalls: which system calls were made, how often, how long they took and how many failed.
 *
 * Layer: lttctl report.
 */
#include "report.h"

#include "lttctl/command.h"

#include <string.h>

#define MAX_ERRNO 4095

struct row {
	uint64_t calls;
	uint64_t errors;
	struct figures time;
};

struct data {
	struct map *rows;	/* by thread, and the address of the name */
};

static int prepare(struct report *report)
{
	struct data *data = report->data;

	data->rows = report_map(report, sizeof(struct row));
	if (!recording_calls(&report->recording))
		return EXIT_FAILED;
	if (!calls_recorded(report->recording.calls))
		return complain("%s: no system calls were recorded; `lttctl record -e 'syscall_time:*'` does, or -e 'raw_syscalls:*'",
				ltttrace_part(report->recording.trace, 0)->path);
	return 0;
}

/* Names stay until the end, one text for each call. */
static void on_call(const struct call *call, void *arg)
{
	struct report *report = arg;
	struct data *data = report->data;
	const struct task *task = report->by == BY_CALL ? NULL : call->task;
	struct row *row;

	if (!report_has(report, call->to_ns))
		return;
	row = report_get(report, data->rows,
			 report_key(report, task, call->task->host, 0, (uintptr_t)call->name));
	if (!row)
		return;
	row->calls++;
	row->errors += call->ret < 0 && call->ret >= -MAX_ERRNO;
	if (call->has_duration)
		figures_add(&row->time, call->to_ns - call->from_ns, call->from_ns);
}

static void sum(void *to, const void *more)
{
	struct row *row = to;
	const struct row *other = more;

	row->calls += other->calls;
	row->errors += other->errors;
	figures_sum(&row->time, &other->time);
}

static void finish(struct report *report)
{
	static const struct column columns[] = {
		GROUP_COLUMNS, { "Call", "call", COLUMN_TEXT }, { "Calls", "calls", COLUMN_NUMBER },
		{ "Errors", "errors", COLUMN_NUMBER }, FIGURES_COLUMNS("Timed", "time_"), { 0 }
	};
	struct data *data = report->data;
	struct map *rows = report_fold(report, data->rows, sizeof(struct row), sum);
	struct table *table = report_table(report, "calls", "System calls", columns);
	const struct row *value;
	struct map_key key;
	struct cell *row;
	size_t i;

	for (i = 0; rows && table && i < map_nr(rows); i++) {
		value = map_at(rows, i, &key);
		row = table_add(table);
		if (!row)
			return;
		if (report->by != BY_CALL)
			report_name_row(report, row, &key);
		row += NR_GROUP_COLUMNS;
		cell_text(&row[0], "%s", (const char *)(uintptr_t)key.number[2]);
		cell_number(&row[1], value->calls);
		cell_number(&row[2], value->errors);
		figures_cells(&row[3], &value->time);
	}
	if (table)
		table_sort(table, NR_GROUP_COLUMNS + 4);
}

static const struct report_event events[] = { { 0 } };

const struct report_kind report_syscalls = {
	.name = "syscalls", .summary = "which system calls were made, how often, and how long they took",
	.by = 1 << BY_CALL | 1 << BY_PROCESS | 1 << BY_THREAD | 1 << BY_NAME, .default_by = BY_CALL,
	.events = events, .size = sizeof(struct data), .prepare = prepare, .call = on_call, .finish = finish,
};
