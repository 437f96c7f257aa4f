// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * report net: packets of network devices.
 *
 * Packets that a device has received count at netif_receive_skb, those that it has sent at net_dev_xmit.  The time to send is
 * that from net_dev_queue to net_dev_xmit of the same buffer.  Receiving runs in softirqs, so by process its packets are those
 * of the thread that was interrupted.
 *
 * Layer: lttctl report.
 */
#include "report.h"

#define NAME_SIZE 32

struct row {
	uint64_t received;
	uint64_t received_bytes;
	uint64_t sent;
	uint64_t sent_bytes;
	uint64_t failed;
	struct figures queue;
};

struct data {
	struct map *devices;	/* by the hash of the name: the name */
	struct map *rows;	/* see report_key(); the number of its own is the hash of the device */
	struct map *queued;	/* by machine and address of the buffer: the time */
	int64_t until_ns;	/* events may be missing until then */
};

static void on_loss(const struct ltttrace_record *record, void *arg)
{
	struct report *report = arg;
	struct data *data = report->data;

	if (record->kind != LTTTRACE_EVENT && record->until_ns > data->until_ns)
		data->until_ns = record->until_ns;
}

static const char *const packet_fields[] = { "skbaddr", "len", "name", "?rc", NULL };

static int prepare(struct report *report)
{
	struct data *data = report->data;
	const struct dispatch *dispatch = report->recording.dispatch;

	data->devices = report_map(report, NAME_SIZE);
	data->rows = report_map(report, sizeof(struct row));
	data->queued = report_map(report, sizeof(int64_t));
	data->until_ns = INT64_MIN;
	if (dispatch_on_all(report->recording.dispatch, DISPATCH_STATES, on_loss, report))
		report->out_of_memory = true;
	if (dispatch_has(dispatch, "netif_receive_skb", packet_fields) || dispatch_has(dispatch, "net_dev_xmit", packet_fields))
		return 0;
	return recording_need(&report->recording, "net_dev_xmit", packet_fields, "net:*");
}

static const struct host *host_of(const struct report *report, const struct dispatch_event *event)
{
	return tasks_host_of(report->recording.tasks, event->record->event->part);
}

/* Return: the number of a device's name. */
static uint64_t device_of(struct report *report, const struct dispatch_event *event)
{
	struct data *data = report->data;
	uint64_t hash = 1469598103934665603;
	char name[NAME_SIZE], *known, *c;

	dispatch_text(event, 2, name, sizeof(name));
	for (c = name; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 1099511628211;
	known = report_get(report, data->devices, MAP_KEY(hash));
	if (known && !*known)
		dispatch_text(event, 2, known, NAME_SIZE);
	return hash;
}

static struct row *row_of(struct report *report, const struct dispatch_event *event)
{
	struct data *data = report->data;
	const struct task *task = report->by == BY_DEVICE ? NULL : task_of(report->recording.tasks, event->record);

	return report_get(report, data->rows, report_key(report, task, host_of(report, event), event->record->cpu,
							 device_of(report, event)));
}

static void on_receive(const struct dispatch_event *event, void *arg)
{
	struct row *row = row_of(arg, event);

	if (!row)
		return;
	row->received++;
	row->received_bytes += dispatch_integer(event, 1);
}

static int64_t *queued_of(struct report *report, const struct dispatch_event *event)
{
	struct data *data = report->data;

	return report_get(report, data->queued, MAP_KEY(host_of(report, event)->number, dispatch_integer(event, 0)));
}

static void on_queue(const struct dispatch_event *event, void *arg)
{
	int64_t *queued = queued_of(arg, event);

	if (queued)
		*queued = event->record->ns;
}

static void on_xmit(const struct dispatch_event *event, void *arg)
{
	struct report *report = arg;
	const struct data *data = report->data;
	int64_t *queued = queued_of(report, event);
	struct row *row = row_of(report, event);

	if (!row || !queued)
		return;
	if (dispatch_integer(event, 3)) {	/* the device was busy: the packet stays in the queue */
		row->failed++;
		return;
	}
	row->sent++;
	row->sent_bytes += dispatch_integer(event, 1);
	if (*queued && *queued >= data->until_ns)
		figures_add(&row->queue, event->record->ns - *queued, *queued);
	*queued = 0;
}

static void sum(void *to, const void *more)
{
	struct row *row = to;
	const struct row *other = more;

	row->received += other->received;
	row->received_bytes += other->received_bytes;
	row->sent += other->sent;
	row->sent_bytes += other->sent_bytes;
	row->failed += other->failed;
	figures_sum(&row->queue, &other->queue);
}

static void finish(struct report *report)
{
	static const struct column columns[] = {
		{ "Device", "device", COLUMN_TEXT }, GROUP_COLUMNS, { "Received", "received", COLUMN_NUMBER },
		{ "Bytes", "received_bytes", COLUMN_NUMBER }, { "Sent", "sent", COLUMN_NUMBER },
		{ "Bytes", "sent_bytes", COLUMN_NUMBER }, { "Failed", "failed", COLUMN_NUMBER },
		FIGURES_COLUMNS("Timed", "queue_"), { 0 }
	};
	struct data *data = report->data;
	struct map *rows = report_fold(report, data->rows, sizeof(struct row), sum);
	struct table *table = report_table(report, "packets", "Packets of network devices, and the time from the queue to the device",
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
		cell_text(&row[0], "%s", (const char *)map_find(data->devices, MAP_KEY(key.number[2])));
		if (report->by != BY_DEVICE)
			report_name_row(report, row + 1, &key);
		row += 1 + NR_GROUP_COLUMNS;
		cell_number(&row[0], value->received);
		cell_number(&row[1], value->received_bytes);
		cell_number(&row[2], value->sent);
		cell_number(&row[3], value->sent_bytes);
		cell_number(&row[4], value->failed);
		figures_cells(&row[5], &value->queue);
	}
	if (table)
		table_sort(table, 1 + NR_GROUP_COLUMNS + 1);
}

static const struct report_event events[] = {
	{ "netif_receive_skb", packet_fields, NULL, on_receive },
	{ "net_dev_queue", packet_fields, NULL, on_queue },
	{ "net_dev_xmit", packet_fields, NULL, on_xmit }, { 0 }
};

const struct report_kind report_net = {
	.name = "net", .summary = "packets of network devices",
	.by = 1 << BY_DEVICE | 1 << BY_PROCESS | 1 << BY_THREAD | 1 << BY_NAME | 1 << BY_CPU, .default_by = BY_DEVICE,
	.events = events, .size = sizeof(struct data), .prepare = prepare, .finish = finish,
};
