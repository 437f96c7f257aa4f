// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The differences of two recordings: see diff.h.
 *
 * Each recording is counted as by `lttctl stat`, and reported on by each kind of report that is possible for both.  Figures
 * of the same name are compared.  A rate is compared if one recording has MIN_EVENTS of it, a time if both have MIN_TIMES.
 *
 * Layer: lttctl report.
 */
#include "diff.h"

#include "report.h"

#include "lttctl/command.h"
#include "lttctl/stat/tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIN_EVENTS	10
#define MIN_TIMES	5

/**
 * struct figure - a figure to compare
 * @kind: the report; NULL: `lttctl stat`
 * @by: its groups
 * @table: the table
 * @names: the members that make the name, NULL after the last
 * @value: the member of the figure; NULL: @samples in a second
 * @samples: the member that says how many events it is made of
 * @what: for people
 * @unit: its unit
 */
struct figure {
	const struct report_kind *kind;
	enum report_by by;
	const char *table;
	const char *names[3];
	const char *value;
	const char *samples;
	const char *what;
	enum diff_unit unit;
};

static const struct figure figures[] = {
	{ NULL, 0, "by_event", { "event" }, NULL, "events", "event", DIFF_PER_SECOND },
	{ &report_cpu, BY_NAME, "tasks", { "name" }, "percent", "slices", "CPU use", DIFF_PERCENT },
	{ &report_sched, BY_NAME, "tasks", { "name" }, "latency_average_ns", "latency_count", "wake-up latency, average", DIFF_NS },
	{ &report_sched, BY_NAME, "tasks", { "name" }, "latency_max_ns", "latency_count", "wake-up latency, longest", DIFF_NS },
	{ &report_sched, BY_NAME, "tasks", { "name" }, "slice_average_ns", "slices", "time slice, average", DIFF_NS },
	{ &report_syscalls, BY_CALL, "calls", { "call" }, NULL, "calls", "system call", DIFF_PER_SECOND },
	{ &report_syscalls, BY_CALL, "calls", { "call" }, NULL, "errors", "failed system call", DIFF_PER_SECOND },
	{ &report_syscalls, BY_CALL, "calls", { "call" }, "time_average_ns", "time_count", "system call, average", DIFF_NS },
	{ &report_irq, BY_IRQ, "interrupts", { "kind", "name" }, NULL, "count", "interrupt", DIFF_PER_SECOND },
	{ &report_irq, BY_IRQ, "interrupts", { "kind", "name" }, "average_ns", "count", "interrupt, average", DIFF_NS },
	{ &report_block, BY_DEVICE, "requests", { "device" }, NULL, "latency_count", "request of a device", DIFF_PER_SECOND },
	{ &report_block, BY_DEVICE, "requests", { "device" }, "latency_average_ns", "latency_count", "request, average", DIFF_NS },
	{ &report_net, BY_DEVICE, "packets", { "device" }, NULL, "received", "packet received", DIFF_PER_SECOND },
	{ &report_net, BY_DEVICE, "packets", { "device" }, NULL, "sent", "packet sent", DIFF_PER_SECOND },
	{ &report_faults, BY_NAME, "faults", { "name" }, NULL, "faults", "page fault", DIFF_PER_SECOND },
};

/* --- Rows ---------------------------------------------------------------------- */

static char *name_of_row(const struct table *table, const struct cell *row, const char *const *members)
{
	char *name = NULL, *longer;
	int column;

	for (; *members; members++) {
		column = table_column(table, *members);
		if (column < 0 || !row[column].is_set)
			continue;
		if (asprintf(&longer, "%s%s%s", name ? name : "", name ? " " : "", row[column].text) < 0)
			longer = NULL;
		free(name);
		name = longer;
	}
	return name;
}

/* Return: the row of a figure and a name, which is added if it is new, and takes the name; NULL if memory is out. */
static struct diff_row *get_row(struct diff *diff, const struct figure *figure, char *name)
{
	struct diff_row *more;
	size_t i;

	for (i = 0; name && i < diff->nr_rows; i++) {
		if (diff->rows[i].what != figure->what || strcmp(diff->rows[i].name, name))
			continue;
		free(name);
		return &diff->rows[i];
	}
	more = name ? reallocarray(diff->rows, diff->nr_rows + 1, sizeof(*more)) : NULL;
	if (!more) {
		free(name);
		return NULL;
	}
	diff->rows = more;
	more[diff->nr_rows] = (struct diff_row){ .what = figure->what, .name = name, .unit = figure->unit };
	return &more[diff->nr_rows++];
}

static double value_of(const struct table *table, const struct cell *row, const char *member)
{
	const int column = table_column(table, member);

	if (column < 0 || !row[column].is_set)
		return 0;
	return table->columns[column].kind == COLUMN_PERCENT || table->columns[column].kind == COLUMN_RATE ?
	       row[column].real : (double)row[column].number;
}

static int take_table(struct diff *diff, const struct figure *figure, const struct table *table, int side)
{
	struct diff_row *row;
	uint64_t samples;
	size_t i;

	for (i = 0; i < table->nr_rows; i++) {
		samples = value_of(table, table->rows[i], figure->samples);
		if (!samples)
			continue;
		row = get_row(diff, figure, name_of_row(table, table->rows[i], figure->names));
		if (!row)
			return complain("out of memory");
		row->samples[side] += samples;
		row->value[side] = figure->value ? value_of(table, table->rows[i], figure->value) :
				   row->samples[side] / diff->seconds[side];
	}
	return 0;
}

/* --- Both recordings -------------------------------------------------------------- */

static int take_stat(struct diff *diff, struct stat *stat, int side)
{
	const struct recording *recording = &stat->recording;

	diff->seconds[side] = (recording->to_ns - recording->from_ns) / 1e9;
	if (diff->seconds[side] <= 0)
		return complain("a recording of no duration cannot be compared");
	return take_table(diff, &figures[0], stat->tables[STAT_EVENTS], side);
}

static int take_report(struct diff *diff, const struct report_kind *kind, const char *dir, int side)
{
	const char *const dirs[] = { dir, NULL };
	struct report report = { .kind = kind, .tid = -1, .chain = -1 };
	size_t i, table;
	int status;

	for (i = 0; figures[i].kind != kind; i++)
		;
	report.by = figures[i].by;
	status = report_make(&report, dirs, NULL, NULL);
	for (; !status && i < sizeof(figures) / sizeof(figures[0]) && figures[i].kind == kind; i++)
		for (table = 0; !status && table < report.nr_tables; table++)
			if (!strcmp(report.tables[table]->name, figures[i].table))
				status = take_table(diff, &figures[i], report.tables[table], side);
	report_release(&report);
	return status;
}

/* The calls of a recording may be recorded by name, or not at all. */
static bool is_possible(const struct report_kind *kind, const struct recording *recording)
{
	const struct dispatch *dispatch = recording->dispatch;

	if (kind == &report_syscalls)
		return dispatch_has(dispatch, "sys_exit", NULL) || dispatch_has(dispatch, "syscall:*", NULL) ||
		       dispatch_has(dispatch, "syscall_time:*", NULL);
	if (kind == &report_irq)
		return dispatch_has(dispatch, "irq_handler_entry", NULL) || dispatch_has(dispatch, "softirq_entry", NULL);
	if (kind == &report_net)
		return dispatch_has(dispatch, "netif_receive_skb", NULL) || dispatch_has(dispatch, "net_dev_xmit", NULL);
	if (kind == &report_faults)
		return dispatch_has(dispatch, "page_fault_user", NULL);
	return report_is_possible(kind, recording);
}

static bool is_word_of(const char *list, const char *word)
{
	const size_t length = strlen(word);
	const char *at = list;

	while (at && (at = strstr(at, word))) {
		if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
		at += length;
	}
	return false;
}

/* An event that only one recording knows was not recorded in the other: and has not changed. */
static char *only_in(const struct recording *one, const struct recording *other)
{
	size_t i, nr = ltttrace_nr_events(one->trace);
	char *list = NULL, *longer;
	const char *name;

	for (i = 0; i < nr; i++) {
		name = ltttrace_event(one->trace, i)->name;
		if (ltttrace_event(one->trace, i)->part->is_state || dispatch_has(other->dispatch, name, NULL) ||
		    is_word_of(list, name))
			continue;
		if (asprintf(&longer, "%s%s%s", list ? list : "", list ? " " : "", name) < 0)
			longer = NULL;
		free(list);
		list = longer;
	}
	return list;
}

static int take_both(struct diff *diff, const char *const dirs[2], struct stat stats[2])
{
	const struct report_kind *kind = NULL;
	int status = 0, side;
	size_t i;

	for (side = 0; side < 2 && !status; side++) {
		diff->missing[side] = only_in(&stats[side].recording, &stats[!side].recording);
		status = take_stat(diff, &stats[side], side);
	}
	for (i = 1; i < sizeof(figures) / sizeof(figures[0]) && !status; i++) {
		if (figures[i].kind == kind)
			continue;
		kind = figures[i].kind;
		if (!is_possible(kind, &stats[0].recording) || !is_possible(kind, &stats[1].recording))
			continue;
		for (side = 0; side < 2 && !status; side++)
			status = take_report(diff, kind, dirs[side], side);
	}
	return status;
}

/* --- Order ------------------------------------------------------------------------- */

static bool is_comparable(const struct diff *diff, const struct diff_row *row)
{
	/* Events of the tracer itself do not describe the system. */
	if (row->what == figures[0].what &&
	    (is_word_of(diff->missing[0], row->name) || is_word_of(diff->missing[1], row->name) ||
	     !strncmp(row->name, "ltt:", 4)))
		return false;
	if (row->unit == DIFF_PER_SECOND)
		return row->samples[0] >= MIN_EVENTS || row->samples[1] >= MIN_EVENTS;
	if (row->unit == DIFF_PERCENT)
		return (row->samples[0] >= MIN_EVENTS || row->samples[1] >= MIN_EVENTS) && row->value[0] + row->value[1] >= 0.1;
	return row->samples[0] >= MIN_TIMES && row->samples[1] >= MIN_TIMES;
}

/* A rate of 0 has no ratio: one event more in both is what the ratio is made of. */
static double weight_of(const struct diff *diff, const struct diff_row *row)
{
	double a = row->value[0], b = row->value[1];

	if (row->unit == DIFF_PER_SECOND) {
		a = (row->samples[0] + 1) / diff->seconds[0];
		b = (row->samples[1] + 1) / diff->seconds[1];
	} else if (row->unit == DIFF_PERCENT) {
		a += 0.05;
		b += 0.05;
	}
	return a > 0 && b > 0 ? fabs(log2(b / a)) : 0;
}

static int compare(const void *one, const void *other)
{
	const struct diff_row *a = one, *b = other;
	int order;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	order = strcmp(a->what, b->what);
	return order ? order : strcmp(a->name, b->name);
}

static void put_in_order(struct diff *diff)
{
	size_t i, kept = 0;

	for (i = 0; i < diff->nr_rows; i++) {
		if (!is_comparable(diff, &diff->rows[i])) {
			free(diff->rows[i].name);
			continue;
		}
		diff->rows[i].weight = weight_of(diff, &diff->rows[i]);
		diff->rows[kept++] = diff->rows[i];
	}
	diff->nr_rows = kept;
	if (kept)
		qsort(diff->rows, kept, sizeof(*diff->rows), compare);
}

int diff_make(const char *const dirs[2], struct diff *diff)
{
	struct stat stats[2];
	int status = 0, side;

	memset(diff, 0, sizeof(*diff));
	memset(stats, 0, sizeof(stats));
	for (side = 0; side < 2 && !status; side++) {
		const char *const list[] = { dirs[side], NULL };

		status = stat_make(&stats[side], list, NULL, NULL, 0);
	}
	if (!status)
		status = take_both(diff, dirs, stats);
	if (!status)
		put_in_order(diff);
	stat_release(&stats[0]);
	stat_release(&stats[1]);
	return status;
}

void diff_release(struct diff *diff)
{
	size_t i;

	for (i = 0; i < diff->nr_rows; i++)
		free(diff->rows[i].name);
	free(diff->rows);
	free(diff->missing[0]);
	free(diff->missing[1]);
}
