// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl stat: how many events a recording has, of which kinds, where, and how many are missing.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/model/moment.h"
#include "lttctl/stat/tables.h"

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TOP 15

static void print_summary(const struct stat *stat)
{
	const struct recording *recording = &stat->recording;
	const int64_t length = recording->to_ns - recording->from_ns;
	char from[MOMENT_TEXT], to[MOMENT_TEXT], text[MOMENT_TEXT], number[32], bytes[32];

	printf("%s to %s, %s\n", moment_date_text(recording->from_ns, from), moment_text(recording->to_ns, to),
	       moment_duration_text(length, text));
	printf("%s events", with_commas(stat->total.events, number));
	if (length > 0)
		printf(" (%.0f a second)", stat->total.events * 1e9 / length);
	printf(", %s on disk\n", as_bytes(stat->disk_bytes, bytes));
	printf("%s lost events", with_commas(stat->losses.lost_events, number));
	printf(", %s overwritten packets", with_commas(stat->losses.lost_packets, number));
	printf(", %s unreadable places\n", with_commas(stat->losses.unreadable, number));
	if (!stat->total.events)
		return;
	printf("|%s| %s a column, at most %.0f events a second\n", stat->spark ? stat->spark : "",
	       moment_duration_text((length + 1) / COUNT_BUCKETS, text), stat_peak(stat));
}

static void print_text(const struct stat *stat, const char *by)
{
	size_t i;

	print_summary(stat);
	for (i = 0; i < STAT_TABLES; i++) {
		if (by ? strcmp(stat->tables[i]->name + strlen("by_"), by) : !stat_is_shown(stat, i))
			continue;
		putchar('\n');
		table_print(stat->tables[i]);
	}
}

static void print_as_json(const struct stat *stat)
{
	struct json_object *object = json_object_new_object(), *buckets = json_object_new_array();
	size_t i;

	json_object_object_add(object, "from_ns", json_object_new_int64(stat->recording.from_ns));
	json_object_object_add(object, "to_ns", json_object_new_int64(stat->recording.to_ns));
	json_object_object_add(object, "events", json_object_new_int64(stat->total.events));
	json_object_object_add(object, "bytes", json_object_new_int64(stat->total.bytes));
	json_object_object_add(object, "disk_bytes", json_object_new_int64(stat->disk_bytes));
	json_object_object_add(object, "lost_events", json_object_new_int64(stat->losses.lost_events));
	json_object_object_add(object, "lost_packets", json_object_new_int64(stat->losses.lost_packets));
	json_object_object_add(object, "unreadable", json_object_new_int64(stat->losses.unreadable));
	for (i = 0; i < COUNT_BUCKETS; i++)
		json_object_array_add(buckets, json_object_new_int64(stat->total.buckets[i]));
	json_object_object_add(object, "over_time", buckets);
	for (i = 0; i < STAT_TABLES; i++)
		json_object_object_add(object, stat->tables[i]->name, table_json(stat->tables[i]));
	print_json(object);
}

/* --by names a table. */
static int check_by(const char *by)
{
	static const char *const names[] = { "event", "cpu", "process", "thread", "stream" };
	size_t i;

	for (i = 0; by && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(by, names[i]))
			return 0;
	return by ? misused("--by %s: must be event, cpu, process, thread or stream", by) : 0;
}

int cmd_stat(int argc, const char **argv)
{
	char *by = NULL, *from = NULL, *to = NULL, *top_text = NULL;
	int json = 0, top = -1, status;
	const struct poptOption table[] = {
		{ "by", 0, POPT_ARG_STRING, &by, 0, "one table: by event, cpu, process, thread or stream", "GROUP" },
		{ "from", 0, POPT_ARG_STRING, &from, 0, "begin at a time, such as 14:03:59.25 or +500ms", "TIME" },
		{ "to", 0, POPT_ARG_STRING, &to, 0, "end at a time", "TIME" },
		{ "top", 0, POPT_ARG_STRING, &top_text, 0, "print at most N rows of each table (default 15, with --json all; 0: all)",
		  "N" },
		{ "json", 0, POPT_ARG_NONE, &json, 0, "print JSON", NULL },
		OPTIONS_HELP, POPT_TABLEEND
	};
	const char **dirs;
	poptContext context;
	struct stat stat;

	setlocale(LC_CTYPE, "");	/* for the sparklines */
	status = options_parse(argc, argv, table, 0, &context);
	dirs = poptGetArgs(context);
	if (!status)
		status = take_number("--top", top_text, 0, TOP_MAX, &top);
	if (!status)
		status = check_by(by);
	if (!status && (!dirs || !dirs[0]))
		status = misused("directory is missing");
	if (!status) {
		status = stat_make(&stat, dirs, from, to, top >= 0 ? top : json ? 0 : DEFAULT_TOP);
		if (!status && json)
			print_as_json(&stat);
		else if (!status)
			print_text(&stat, by);
		stat_release(&stat);
	}
	poptFreeContext(context);
	free(by);
	free(from);
	free(to);
	free(top_text);
	return status;
}
