// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl report: answer a question about a recording with tables.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/model/moment.h"
#include "lttctl/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TOP 25

/* The options and arguments. */
struct options {
	char *by;
	char *from;
	char *to;
	char *chain;
	char *top_text;
	int top;
	int json;
};

static void list_kinds(char *text, size_t size)
{
	size_t i, length = 0;

	for (i = 0; report_kind_at(i) && length < size; i++)
		length += snprintf(text + length, size - length, "%s%s", i ? ", " : "", report_kind_at(i)->name);
}

static int set_by(struct report *report, const char *by)
{
	char possible[128] = "";
	unsigned int i;

	report->by = report->kind->default_by;
	if (!by)
		return 0;
	if (!report->kind->by)
		return misused("--by: `report %s` has no groups", report->kind->name);
	for (i = 0; i < BY_KINDS; i++) {
		if (!(report->kind->by & 1u << i))
			continue;
		if (!strcmp(by, report_by_text(i))) {
			report->by = i;
			return 0;
		}
		snprintf(possible + strlen(possible), sizeof(possible) - strlen(possible), "%s%s", possible[0] ? ", " : "",
			 report_by_text(i));
	}
	return misused("--by %s: must be one of %s", by, possible);
}

static int parse_tid(const char *what, const char *text, int64_t *tid)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (!*text || *end || value < 1 || value > INT32_MAX)
		return misused("%s%s: must be the number of a process or thread", what, text);
	*tid = value;
	return 0;
}

/* Take NAME and, if the kind wants it, PID.  @args moves on to the directories. */
static int take_arguments(struct report *report, const char ***args, const struct options *options)
{
	char kinds[256];
	int status;

	list_kinds(kinds, sizeof(kinds));
	if (!*args || !**args)
		return misused("the name of a report is missing: one of %s", kinds);
	report->kind = report_find(**args);
	if (!report->kind)
		return misused("%s: must be one of %s", **args, kinds);
	++*args;
	status = set_by(report, options->by);
	if (!status && report->kind->takes_thread) {
		if (!**args)
			return misused("PID is missing");
		status = parse_tid("", **args, &report->tid);
		++*args;
	}
	if (!status && options->chain) {
		if (report->kind != &report_wakers)
			return misused("--chain is an option of `report wakers`");
		status = parse_tid("--chain ", options->chain, &report->chain);
	}
	if (!status && !**args)
		status = misused("directory is missing");
	return status;
}

static void print_text(const struct report *report)
{
	char from[MOMENT_TEXT], to[MOMENT_TEXT], length[MOMENT_TEXT];
	const struct recording *recording = &report->recording;
	size_t i;

	printf("%s to %s, %s%s%s\n", moment_date_text(recording->from_ns, from), moment_text(recording->to_ns, to),
	       moment_duration_text(recording->to_ns - recording->from_ns, length), report->kind->by ? ", by " : "",
	       report->kind->by ? report_by_text(report->by) : "");
	for (i = 0; i < report->nr_tables; i++) {
		putchar('\n');
		if (report->tables[i]->nr_rows)
			table_print(report->tables[i]);
		else
			printf("%s\nnone\n", report->tables[i]->title);
	}
}

static void print_as_json(const struct report *report)
{
	struct json_object *object = json_object_new_object();
	const struct recording *recording = &report->recording;
	size_t i;

	json_object_object_add(object, "report", json_object_new_string(report->kind->name));
	if (report->kind->by)
		json_object_object_add(object, "by", json_object_new_string(report_by_text(report->by)));
	json_object_object_add(object, "from_ns", json_object_new_int64(recording->from_ns));
	json_object_object_add(object, "to_ns", json_object_new_int64(recording->to_ns));
	json_object_object_add(object, "lost_events", json_object_new_int64(recording->nr_lost_events));
	json_object_object_add(object, "lost_packets", json_object_new_int64(recording->nr_lost_packets));
	json_object_object_add(object, "unreadable", json_object_new_int64(recording->nr_damages));
	for (i = 0; i < report->nr_tables; i++)
		json_object_object_add(object, report->tables[i]->name, table_json(report->tables[i]));
	print_json(object);
}

static int run(struct report *report, const char *const *dirs, const struct options *options)
{
	int status = report_make(report, dirs, options->from, options->to);
	size_t i;

	for (i = 0; !status && i < report->nr_tables; i++)
		table_cut(report->tables[i], report->top);
	if (!status) {
		if (options->json)
			print_as_json(report);
		else
			print_text(report);
		recording_warn(&report->recording, report->by == BY_PROCESS);
	}
	report_release(report);
	return status;
}

int cmd_report(int argc, const char **argv)
{
	struct options options = { .top = -1 };
	struct report report = { .tid = -1, .chain = -1 };
	const struct poptOption table[] = {
		{ "by", 0, POPT_ARG_STRING, &options.by, 0,
		  "a row for each process, thread, name, cpu, call, irq or device", "GROUP" },
		{ "from", 0, POPT_ARG_STRING, &options.from, 0, "begin at a time, such as 14:03:59.25 or +500ms", "TIME" },
		{ "to", 0, POPT_ARG_STRING, &options.to, 0, "end at a time", "TIME" },
		{ "top", 0, POPT_ARG_STRING, &options.top_text, 0,
		  "print at most N rows of each table (default 25, with --json all; 0: all)", "N" },
		{ "chain", 0, POPT_ARG_STRING, &options.chain, 0,
		  "of `report wakers`: what the thread TID waited for in its longest wait", "TID" },
		{ "json", 0, POPT_ARG_NONE, &options.json, 0, "print JSON", NULL },
		OPTIONS_HELP, POPT_TABLEEND
	};
	poptContext context;
	const char **args;
	int status;

	status = options_parse(argc, argv, table, 0, &context);
	args = poptGetArgs(context);
	if (!status)
		status = take_number("--top", options.top_text, 0, TOP_MAX, &options.top);
	if (!status)
		status = take_arguments(&report, &args, &options);
	if (!status) {
		report.top = options.top >= 0 ? options.top : options.json || report.kind->takes_thread ? 0 : DEFAULT_TOP;
		status = run(&report, args, &options);
	}
	poptFreeContext(context);
	free(options.by);
	free(options.from);
	free(options.to);
	free(options.chain);
	free(options.top_text);
	return status;
}
