// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * How a report is made, and what its kinds share: see report.h.
 *
 * Layer: lttctl report.
 */
#include "report.h"

#include "lttctl/command.h"

#include <stdlib.h>
#include <string.h>

static const struct report_kind *const kinds[] = {
	&report_cpu, &report_sched, &report_syscalls, &report_irq, &report_block, &report_net, &report_faults,
	&report_wakers, &report_timeline,
};

const struct report_kind *report_kind_at(size_t n)
{
	return n < sizeof(kinds) / sizeof(kinds[0]) ? kinds[n] : NULL;
}

const struct report_kind *report_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i]->name, name))
			return kinds[i];
	return NULL;
}

/* --- Making ------------------------------------------------------------------ */

static int check_needs(const struct report *report)
{
	const struct report_event *need;
	int status = 0;

	for (need = report->kind->events; need->event && !status; need++)
		if (need->pattern)
			status = recording_need(&report->recording, need->event, need->fields, need->pattern);
	return status;
}

bool report_is_possible(const struct report_kind *kind, const struct recording *recording)
{
	const struct report_event *need;

	for (need = kind->events; need->event; need++)
		if (need->pattern && !dispatch_has(recording->dispatch, need->event, need->fields))
			return false;
	return true;
}

/* Use the models that the kind listens to.  Return: false if memory is out. */
static bool add_listeners(struct report *report)
{
	const struct report_kind *kind = report->kind;
	struct recording *recording = &report->recording;

	if (kind->interval || kind->wake || kind->migration) {
		report->listener = (struct sched_listener){ kind->interval, kind->wake, kind->migration, report };
		if (!recording_sched(recording) || sched_listen(recording->sched, &report->listener))
			return false;
	}
	if (kind->call && (!recording_calls(recording) || calls_listen(recording->calls, kind->call, report)))
		return false;
	if (kind->interrupt) {
		report->interrupts = interrupts_new(recording->dispatch, recording->tasks);
		if (!report->interrupts)
			return false;
		interrupts_listen(report->interrupts, kind->interrupt, report);
	}
	return true;
}

static bool add_events(struct report *report)
{
	const struct report_event *event;

	for (event = report->kind->events; event->event; event++)
		if (event->fn && dispatch_on(report->recording.dispatch, DISPATCH_REPORT, event->event, event->fields,
					     event->fn, report))
			return false;
	return true;
}

static int out_of_memory(void)
{
	return complain("out of memory");
}

int report_make(struct report *report, const char *const *dirs, const char *from, const char *to)
{
	int status = recording_open(&report->recording, dirs, from, to);

	if (!status)
		status = check_needs(report);
	if (status)
		return status;
	report->devices = devices_new(report->recording.trace);
	report->data = calloc(1, report->kind->size ? report->kind->size : 1);
	if (!report->devices || !report->data)
		return out_of_memory();
	if (report->kind->prepare)
		status = report->kind->prepare(report);
	if (!status && (!add_listeners(report) || !add_events(report)))
		status = out_of_memory();
	if (!status)
		status = recording_read(&report->recording);
	if (!status)
		report->kind->finish(report);
	return status ? status : report->out_of_memory ? out_of_memory() : 0;
}

void report_release(struct report *report)
{
	size_t i;

	for (i = 0; i < report->nr_tables; i++)
		table_free(report->tables[i]);
	for (i = 0; i < report->nr_maps; i++)
		map_free(report->maps[i]);
	interrupts_free(report->interrupts);
	devices_free(report->devices);
	free(report->data);
	recording_close(&report->recording);
}

/* --- What kinds allocate ------------------------------------------------------ */

struct map *report_map(struct report *report, size_t size)
{
	struct map *map = report->nr_maps < REPORT_MAPS ? map_new(size) : NULL;

	if (map)
		report->maps[report->nr_maps++] = map;
	else
		report->out_of_memory = true;
	return map;
}

void *report_get(struct report *report, struct map *map, struct map_key key)
{
	void *value = map ? map_get(map, key) : NULL;

	if (!value)
		report->out_of_memory = true;
	return value;
}

struct table *report_table(struct report *report, const char *name, const char *title, const struct column *columns)
{
	struct table *table = report->nr_tables < REPORT_TABLES ? table_new(name, title, columns) : NULL;

	if (table)
		report->tables[report->nr_tables++] = table;
	else
		report->out_of_memory = true;
	return table;
}

/* --- Figures ------------------------------------------------------------------- */

void figures_add(struct figures *figures, int64_t ns, int64_t at_ns)
{
	figures->total_ns += ns;
	if (!figures->count++ || ns > figures->max_ns) {
		figures->max_ns = ns;
		figures->max_at_ns = at_ns;
	}
}

void figures_sum(struct figures *sum, const struct figures *more)
{
	if (more->count && (!sum->count || more->max_ns > sum->max_ns)) {
		sum->max_ns = more->max_ns;
		sum->max_at_ns = more->max_at_ns;
	}
	sum->count += more->count;
	sum->total_ns += more->total_ns;
}

void figures_cells(struct cell *cells, const struct figures *figures)
{
	cell_number(&cells[0], figures->count);
	if (!figures->count)
		return;
	cell_number(&cells[1], figures->total_ns);
	cell_number(&cells[2], figures->total_ns / (int64_t)figures->count);
	cell_number(&cells[3], figures->max_ns);
	cell_number(&cells[4], figures->max_at_ns);
}
