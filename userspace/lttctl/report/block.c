// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * report block: requests of block devices, from issue to completion.
 *
 * A request is paired by its device and sector.  A flush has none, and is paired with the next completion without a sector
 * of its device.  After a loss, requests that were open are left out: their completion may belong to another one.
 *
 * Layer: lttctl report.
 */
#include "report.h"

#include <string.h>

#define SECTOR_BYTES	512
#define RWBS_SIZE	16

struct row {
	uint64_t reads;
	uint64_t writes;
	uint64_t others;
	uint64_t errors;
	uint64_t bytes;
	struct figures latency;
	struct figures queue;
};

/* A request that is open. */
struct request {
	int64_t inserted_ns;	/* 0: not known */
	int64_t issued_ns;	/* 0: not issued */
	const struct task *task;	/* that inserted it, or issued it */
	unsigned int cpu;
	uint64_t sectors;
};

struct data {
	struct map *requests;	/* by machine, device and sector */
	struct map *rows;	/* see report_key(); the number of its own is the device */
	int64_t until_ns;	/* events may be missing until then */
};

static void on_loss(const struct ltttrace_record *record, void *arg)
{
	struct report *report = arg;
	struct data *data = report->data;

	if (record->kind != LTTTRACE_EVENT && record->until_ns > data->until_ns)
		data->until_ns = record->until_ns;
}

static int prepare(struct report *report)
{
	struct data *data = report->data;

	data->requests = report_map(report, sizeof(struct request));
	data->rows = report_map(report, sizeof(struct row));
	data->until_ns = INT64_MIN;
	if (dispatch_on_all(report->recording.dispatch, DISPATCH_STATES, on_loss, report))
		report->out_of_memory = true;
	return 0;
}

static const struct host *host_of(const struct report *report, const struct dispatch_event *event)
{
	return tasks_host_of(report->recording.tasks, event->record->event->part);
}

/* A flush has sector 0 or -1, and no size. */
static struct request *request_of(struct report *report, const struct dispatch_event *event)
{
	const struct data *data = report->data;
	uint64_t sector = dispatch_integer(event, 1);

	if (!dispatch_integer(event, 2))
		sector = UINT64_MAX;
	return report_get(report, data->requests,
			  MAP_KEY(host_of(report, event)->number, (uint32_t)dispatch_integer(event, 0), sector));
}

static void take_thread(struct report *report, const struct dispatch_event *event, struct request *request)
{
	request->task = task_of(report->recording.tasks, event->record);
	request->cpu = event->record->cpu;
}

static const char *const request_fields[] = { "dev", "sector", "nr_sector", NULL };

static void on_insert(const struct dispatch_event *event, void *arg)
{
	struct request *request = request_of(arg, event);

	if (!request)
		return;
	*request = (struct request){ .inserted_ns = event->record->ns };
	take_thread(arg, event, request);
}

static void on_issue(const struct dispatch_event *event, void *arg)
{
	struct request *request = request_of(arg, event);

	if (!request)
		return;
	/* It did not wait in a queue, or what is known is about an earlier request. */
	if (request->issued_ns || !request->inserted_ns) {
		*request = (struct request){ 0 };
		take_thread(arg, event, request);
	}
	request->issued_ns = event->record->ns;
	request->sectors = dispatch_integer(event, 2);
}

static const char *const complete_fields[] = { "dev", "sector", "nr_sector", "rwbs", "?error", "?errors", NULL };

static void count_kind(struct row *row, const char *rwbs)
{
	if (strchr(rwbs, 'R'))
		row->reads++;
	else if (strchr(rwbs, 'W'))
		row->writes++;
	else
		row->others++;
}

static void on_complete(const struct dispatch_event *event, void *arg)
{
	struct report *report = arg;
	struct data *data = report->data;
	struct request *request = request_of(report, event), done;
	const int64_t ns = event->record->ns;
	char rwbs[RWBS_SIZE];
	struct row *row;

	if (!request)
		return;
	done = *request;
	*request = (struct request){ 0 };
	if (!done.issued_ns || done.issued_ns < data->until_ns || !report_has(report, ns))
		return;
	row = report_get(report, data->rows,
			 report_key(report, report->by == BY_DEVICE ? NULL : done.task, host_of(report, event), done.cpu,
				    (uint32_t)dispatch_integer(event, 0)));
	if (!row)
		return;
	dispatch_text(event, 3, rwbs, sizeof(rwbs));
	count_kind(row, rwbs);
	row->errors += dispatch_integer(event, 4) || dispatch_integer(event, 5);
	row->bytes += done.sectors * SECTOR_BYTES;
	figures_add(&row->latency, ns - done.issued_ns, done.issued_ns);
	if (done.inserted_ns)
		figures_add(&row->queue, done.issued_ns - done.inserted_ns, done.inserted_ns);
}

static void sum(void *to, const void *more)
{
	struct row *row = to;
	const struct row *other = more;

	row->reads += other->reads;
	row->writes += other->writes;
	row->others += other->others;
	row->errors += other->errors;
	row->bytes += other->bytes;
	figures_sum(&row->latency, &other->latency);
	figures_sum(&row->queue, &other->queue);
}

static void set_cells(struct cell *row, const struct row *value)
{
	cell_number(&row[0], value->reads);
	cell_number(&row[1], value->writes);
	cell_number(&row[2], value->others);
	cell_number(&row[3], value->errors);
	cell_number(&row[4], value->bytes);
	figures_cells(&row[5], &value->latency);
	row += 5 + NR_FIGURES_COLUMNS;
	if (!value->queue.count)
		return;
	cell_number(&row[0], value->queue.total_ns / (int64_t)value->queue.count);
	cell_number(&row[1], value->queue.max_ns);
}

static void finish(struct report *report)
{
	static const struct column columns[] = {
		{ "Device", "device", COLUMN_TEXT }, GROUP_COLUMNS, { "Reads", "reads", COLUMN_NUMBER },
		{ "Writes", "writes", COLUMN_NUMBER }, { "Others", "others", COLUMN_NUMBER },
		{ "Errors", "errors", COLUMN_NUMBER }, { "Bytes", "bytes", COLUMN_NUMBER },
		FIGURES_COLUMNS("Requests", "latency_"), { "Average queued", "queue_average_ns", COLUMN_US },
		{ "Longest queued", "queue_max_ns", COLUMN_US }, { 0 }
	};
	struct data *data = report->data;
	struct map *rows = report_fold(report, data->rows, sizeof(struct row), sum);
	struct table *table = report_table(report, "requests", "Requests of block devices, from issue to completion", columns);
	char device[DEVICE_TEXT];
	struct map_key key;
	struct cell *row;
	size_t i;

	for (i = 0; rows && table && i < map_nr(rows); i++) {
		const struct row *value = map_at(rows, i, &key);

		row = table_add(table);
		if (!row)
			return;
		cell_text(&row[0], "%s", device_text(report->devices, key.number[2], device));
		if (report->by != BY_DEVICE)
			report_name_row(report, row + 1, &key);
		set_cells(row + 1 + NR_GROUP_COLUMNS, value);
	}
	if (table)
		table_sort(table, 1 + NR_GROUP_COLUMNS + 6);
}

static const struct report_event events[] = {
	{ "block_rq_insert", request_fields, NULL, on_insert },
	{ "block_rq_issue", request_fields, "block:block_rq_issue", on_issue },
	{ "block_rq_complete", complete_fields, "block:block_rq_complete", on_complete }, { 0 }
};

const struct report_kind report_block = {
	.name = "block", .summary = "requests of block devices, and how long they took",
	.by = 1 << BY_DEVICE | 1 << BY_PROCESS | 1 << BY_THREAD | 1 << BY_NAME | 1 << BY_CPU, .default_by = BY_DEVICE,
	.events = events, .size = sizeof(struct data), .prepare = prepare, .finish = finish,
};
