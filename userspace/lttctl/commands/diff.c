// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl diff: compare two recordings.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/model/moment.h"
#include "lttctl/report/diff.h"
#include "lttctl/report/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TOP 25
#define MISSING_SHOWN 12

static void set_value(struct cell *cell, const struct diff_row *row, int side)
{
	char text[MOMENT_TEXT];

	if (!row->samples[side])
		return;
	if (row->unit == DIFF_NS)
		cell_text(cell, "%s", moment_duration_text(llround(row->value[side]), text));
	else if (row->unit == DIFF_PERCENT)
		cell_text(cell, "%.2f %%", row->value[side]);
	else
		cell_text(cell, "%.1f /s", row->value[side]);
}

static void set_change(struct cell *cell, const struct diff_row *row)
{
	double change;

	if (!row->samples[0] || !row->samples[1] || row->value[0] <= 0) {
		cell_text(cell, row->samples[1] ? "new" : "gone");
		return;
	}
	change = row->value[1] / row->value[0];
	if (change >= 10 || change <= 0.1)
		cell_text(cell, "x %.*f", change >= 10 ? 1 : 3, change);
	else
		cell_text(cell, "%+.1f %%", 100 * (change - 1));
}

/* Print the first names of a list. */
static void print_missing(const char *list, const char *side)
{
	const char *end = list;
	size_t i;

	if (!list)
		return;
	for (i = 0; end && i < MISSING_SHOWN; i++)
		end = strchr(end + 1, ' ');
	printf("\nOnly %s can have these events: %.*s%s\n", side, end ? (int)(end - list) : (int)strlen(list), list,
	       end ? " ..." : "");
}

static int print_text(const struct diff *diff, size_t top)
{
	static const struct column columns[] = {
		{ "Change", "change", COLUMN_VALUE }, { "A", "a", COLUMN_VALUE }, { "B", "b", COLUMN_VALUE },
		{ "What", "what", COLUMN_TEXT }, { "Of", "name", COLUMN_TEXT }, { 0 }
	};
	struct table *table = table_new("changes", "The most changed first", columns);
	struct cell *row;
	size_t i;

	for (i = 0; table && i < diff->nr_rows; i++) {
		row = table_add(table);
		if (!row)
			break;
		set_change(&row[0], &diff->rows[i]);
		set_value(&row[1], &diff->rows[i], 0);
		set_value(&row[2], &diff->rows[i], 1);
		cell_text(&row[3], "%s", diff->rows[i].what);
		cell_text(&row[4], "%s", diff->rows[i].name);
	}
	if (!table)
		return complain("out of memory");
	table_cut(table, top);
	printf("A: %.3f s, B: %.3f s\n\n", diff->seconds[0], diff->seconds[1]);
	table_print(table);
	for (i = 0; i < 2; i++)
		print_missing(diff->missing[i], i ? "B" : "A");
	table_free(table);
	return 0;
}

static struct json_object *value_json(const struct diff_row *row, int side)
{
	return row->samples[side] ? json_object_new_double(row->value[side]) : NULL;
}

static int print_as_json(const struct diff *diff, size_t top)
{
	static const char *const units[] = { "per second", "ns", "percent" };
	struct json_object *object = json_object_new_object(), *changes = json_object_new_array(), *change;
	const struct diff_row *row;
	size_t i;

	for (i = 0; i < diff->nr_rows && (!top || i < top); i++) {
		row = &diff->rows[i];
		change = json_object_new_object();
		json_object_object_add(change, "what", json_object_new_string(row->what));
		json_object_object_add(change, "name", json_object_new_string(row->name));
		json_object_object_add(change, "unit", json_object_new_string(units[row->unit]));
		json_object_object_add(change, "a", value_json(row, 0));
		json_object_object_add(change, "b", value_json(row, 1));
		json_object_object_add(change, "samples_a", json_object_new_int64(row->samples[0]));
		json_object_object_add(change, "samples_b", json_object_new_int64(row->samples[1]));
		json_object_array_add(changes, change);
	}
	json_object_object_add(object, "seconds_a", json_object_new_double(diff->seconds[0]));
	json_object_object_add(object, "seconds_b", json_object_new_double(diff->seconds[1]));
	json_object_object_add(object, "changes", changes);
	json_object_object_add(object, "only_a", diff->missing[0] ? json_object_new_string(diff->missing[0]) : NULL);
	json_object_object_add(object, "only_b", diff->missing[1] ? json_object_new_string(diff->missing[1]) : NULL);
	print_json(object);
	return 0;
}

int cmd_diff(int argc, const char **argv)
{
	int json = 0, top = -1, status;
	char *top_text = NULL;
	const struct poptOption table[] = {
		{ "top", 0, POPT_ARG_STRING, &top_text, 0, "print at most N rows (default 25, with --json all; 0: all)", "N" },
		{ "json", 0, POPT_ARG_NONE, &json, 0, "print JSON", NULL },
		OPTIONS_HELP, POPT_TABLEEND
	};
	poptContext context;
	struct diff diff;
	const char **dirs;

	status = options_parse(argc, argv, table, 0, &context);
	dirs = poptGetArgs(context);
	if (!status)
		status = take_number("--top", top_text, 0, TOP_MAX, &top);
	if (!status && (!dirs || !dirs[0] || !dirs[1]))
		status = misused("two directories are needed");
	if (!status && dirs[2])
		status = misused("two directories only, not also `%s`", dirs[2]);
	if (!status) {
		status = diff_make(dirs, &diff);
		if (!status)
			status = json ? print_as_json(&diff, top > 0 ? top : 0) :
				 print_text(&diff, top >= 0 ? top : DEFAULT_TOP);
		diff_release(&diff);
	}
	free(top_text);
	poptFreeContext(context);
	return status;
}
