// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * report irq: interrupt handlers and softirqs, how often they ran and how long.
 *
 * Times include those of interrupts that came in between.
 *
 * Layer: lttctl report.
 */
#include "report.h"

#include "lttctl/command.h"

#include <stdio.h>
#include <string.h>

#define NAME_SIZE 64

struct data {
	struct map *rows;	/* by irq: machine, event, number; by CPU: see report_key(): struct figures */
	struct map *names;	/* by machine and number: the name of an interrupt handler */
};

static int prepare(struct report *report)
{
	struct data *data = report->data;

	data->rows = report_map(report, sizeof(struct figures));
	data->names = report_map(report, NAME_SIZE);
	if (dispatch_has(report->recording.dispatch, "irq_handler_entry", NULL) ||
	    dispatch_has(report->recording.dispatch, "softirq_entry", NULL) ||
	    dispatch_has(report->recording.dispatch, "local_timer_entry", NULL))
		return 0;
	return recording_need(&report->recording, "irq_handler_entry", NULL, "irq:*");
}

static void on_interrupt(const struct interrupt *interrupt, void *arg)
{
	struct report *report = arg;
	struct data *data = report->data;
	struct figures *figures;

	if (!report_has(report, interrupt->to_ns))
		return;
	figures = report_get(report, data->rows, report->by == BY_CPU ?
			     report_key(report, NULL, interrupt->host, interrupt->cpu, 0) :
			     MAP_KEY(interrupt->host->number, (uintptr_t)interrupt->class, interrupt->number));
	if (figures)
		figures_add(figures, interrupt->to_ns - interrupt->from_ns, interrupt->from_ns);
}

static const char *const name_fields[] = { "irq", "name", NULL };

static void on_name(const struct dispatch_event *event, void *arg)
{
	struct report *report = arg;
	struct data *data = report->data;
	const struct host *host = tasks_host_of(report->recording.tasks, event->record->event->part);
	char *name = report_get(report, data->names, MAP_KEY(host->number, dispatch_integer(event, 0)));

	if (name && !*name)
		dispatch_text(event, 1, name, NAME_SIZE);
}

/* Set the kind, the number and the name of a row by irq. */
static void name_interrupt(const struct report *report, struct cell *row, const struct map_key *key)
{
	static const char *const softirqs[] = {
		"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU",
	};
	const struct data *data = report->data;
	const char *class = (const char *)(uintptr_t)key->number[1], *name = NULL;
	char text[NAME_SIZE];

	snprintf(text, sizeof(text), "%s", class);
	if (strlen(text) > strlen("_entry"))
		text[strlen(text) - strlen("_entry")] = '\0';
	if (!strcmp(text, "irq_handler")) {
		strcpy(text, "irq");
		name = map_find(data->names, MAP_KEY(key->number[0], key->number[2]));
	} else if (!strcmp(text, "softirq") && key->number[2] < sizeof(softirqs) / sizeof(softirqs[0])) {
		name = softirqs[key->number[2]];
	}
	cell_text(&row[0], "%s", text);
	cell_number(&row[1], key->number[2]);
	if (name)
		cell_text(&row[2], "%s", name);
}

static void finish(struct report *report)
{
	static const struct column columns[] = {
		{ "Kind", "kind", COLUMN_TEXT }, { "Number", "number", COLUMN_NUMBER }, { "Name", "name", COLUMN_TEXT },
		{ "CPU", "cpu", COLUMN_NUMBER }, { "Host", "host", COLUMN_TEXT }, FIGURES_COLUMNS("Count", ""), { 0 }
	};
	struct data *data = report->data;
	struct table *table = report_table(report, "interrupts", "Interrupt handlers and softirqs", columns);
	const struct figures *figures;
	struct map_key key;
	struct cell *row;
	size_t i;

	for (i = 0; table && i < map_nr(data->rows); i++) {
		figures = map_at(data->rows, i, &key);
		row = table_add(table);
		if (!row)
			return;
		if (report->by == BY_CPU)
			cell_number(&row[3], key.number[1]);
		else
			name_interrupt(report, row, &key);
		if (tasks_nr_hosts(report->recording.tasks) > 1)
			cell_text(&row[4], "%s", tasks_host(report->recording.tasks, key.number[0])->name);
		figures_cells(&row[5], figures);
	}
	if (table)
		table_sort(table, 6);
}

static const struct report_event events[] = {
	{ "irq_handler_entry", name_fields, NULL, on_name }, { 0 }
};

const struct report_kind report_irq = {
	.name = "irq", .summary = "interrupt handlers and softirqs, how often they ran, and how long",
	.by = 1 << BY_IRQ | 1 << BY_CPU, .default_by = BY_IRQ,
	.events = events, .size = sizeof(struct data), .prepare = prepare, .interrupt = on_interrupt, .finish = finish,
};
