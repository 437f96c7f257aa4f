// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl filter, unfilter and filters: the filters of a trace, or of a recording of programs, which may change
 * while it runs.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/programs/recordings.h"
#include "lttctl/record/event-patterns.h"
#include "lttctl/record/filters.h"

#include <stdio.h>
#include <string.h>

/* Parse a command line with the arguments that @what names.  @args: receives them. */
static int parse(int argc, const char **argv, const struct poptOption *table,
		 const char *const *what, poptContext *context, const char ***args)
{
	int status = options_parse(argc, argv, table, 0, context);
	size_t i;

	*args = poptGetArgs(*context);
	if (status)
		return status;
	for (i = 0; what[i]; i++)
		if (!*args || !(*args)[i])
			return misused("%s is missing", what[i]);
	if ((*args)[i])
		return misused("%s: too many arguments", (*args)[i]);
	return what[1] && what[2] ? filter_syntax((*args)[2]) : 0;
}

/* Open a trace of the kernel.  Return: 0 or a status; either way, both are to be freed. */
static int open_trace(const char *name, struct lttctl **ctl, struct lttctl_trace **trace)
{
	*trace = NULL;
	*ctl = tracer_connect(false);
	return *ctl ? tracer_status(*ctl, lttctl_trace_open(*ctl, name, trace)) : EXIT_FAILED;
}

static const struct poptOption no_options[] = { OPTIONS_VIA, OPTIONS_HELP, POPT_TABLEEND };

/* @expression: NULL to remove the filter of the pattern. */
static int change_recording(const char *name, const char *pattern, const char *expression)
{
	const char *const lists[] = { pattern, NULL };
	struct event_patterns patterns = { NULL };
	int status = event_patterns_parse(&patterns, "", lists);
	size_t i;

	if (!status && (*patterns.kernel || patterns.nr_probes))
		status = misused("%s: a recording of programs, whose events are user:group:name", name);
	for (i = 0; !status && i < patterns.nr_programs; i++)
		status = recordings_filter(name, patterns.programs[i], expression);
	event_patterns_free(&patterns);
	return status;
}

static int change_trace(const char *name, const char *pattern, const char *expression)
{
	struct lttctl_trace *trace;
	struct lttctl *ctl;
	int status = open_trace(name, &ctl, &trace);

	if (!status)
		status = tracer_status(ctl, expression ? lttctl_trace_filter(trace, pattern, expression) :
							 lttctl_trace_unfilter(trace, pattern));
	lttctl_trace_close(trace);
	lttctl_free(ctl);
	return status;
}

static int change(int argc, const char **argv, const char *const *what)
{
	poptContext context;
	const char **args;
	int status = parse(argc, argv, no_options, what, &context, &args);
	pid_t pid;

	/* Without an expression, the arguments end with the pattern. */
	if (!status)
		status = recordings_is_name(args[0], &pid) ? change_recording(args[0], args[1], args[2]) :
							     change_trace(args[0], args[1], args[2]);
	poptFreeContext(context);
	return status;
}

int cmd_filter(int argc, const char **argv)
{
	static const char *const what[] = { "TRACE", "PATTERN", "EXPRESSION", NULL };

	return change(argc, argv, what);
}

int cmd_unfilter(int argc, const char **argv)
{
	static const char *const what[] = { "TRACE", "PATTERN", NULL };

	return change(argc, argv, what);
}

/* ---- filters ---- */

static int print_text(const struct lttctl_filter *filter, void *arg)
{
	(void)arg;
	if (filter->pattern)
		printf("%s  %s\n", filter->pattern, filter->expression);
	else if (filter->expression)
		printf("  %s: not recorded, its filter is not compiled\n", filter->event);
	else
		printf("  %s: program %llu, %llu runs, %llu filtered, %llu unjudged\n", filter->event,
		       (unsigned long long)filter->program, (unsigned long long)filter->runs,
		       (unsigned long long)filter->filtered, (unsigned long long)filter->unjudged);
	return 0;
}

static void add_number(struct json_object *object, const char *name, uint64_t number)
{
	json_object_object_add(object, name, json_object_new_uint64(number));
}

static int add_json(const struct lttctl_filter *filter, void *arg)
{
	struct json_object *object = json_object_new_object(), *list = arg;

	json_object_object_add(object, filter->pattern ? "pattern" : "event",
			       json_object_new_string(filter->pattern ?: filter->event));
	if (filter->expression) {
		json_object_object_add(object, "expression",
				       json_object_new_string(filter->expression));
	} else {
		add_number(object, "program", filter->program);
		add_number(object, "runs", filter->runs);
		add_number(object, "filtered", filter->filtered);
		add_number(object, "unjudged", filter->unjudged);
	}
	json_object_array_add(list, object);
	return 0;
}

/* Of a recording of programs: the code of the filters is in the programs, which do not count its runs. */
static int show_of_programs(const char *pattern, const char *expression, void *list)
{
	const struct lttctl_filter filter = { .pattern = pattern, .expression = expression };

	return list ? add_json(&filter, list) : print_text(&filter, NULL);
}

static int show_trace(const char *name, struct json_object *list)
{
	struct lttctl_trace *trace;
	struct lttctl *ctl;
	int status = open_trace(name, &ctl, &trace);

	if (!status)
		status = tracer_status(ctl, lttctl_for_each_filter(trace, list ? add_json : print_text, list));
	lttctl_trace_close(trace);
	lttctl_free(ctl);
	return status;
}

int cmd_filters(int argc, const char **argv)
{
	static const char *const what[] = { "TRACE", NULL };
	int json = 0;
	const struct poptOption table[] = {
		{ "json", 0, POPT_ARG_NONE, &json, 0, "print JSON", NULL },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	struct json_object *list = NULL;
	poptContext context;
	const char **args;
	int status = parse(argc, argv, table, what, &context, &args);
	pid_t pid;

	if (!status && json)
		list = json_object_new_array();
	if (!status)
		status = recordings_is_name(args[0], &pid) ?
			 recordings_for_each_filter(args[0], show_of_programs, list) : show_trace(args[0], list);
	if (!status && json)
		print_json(json_object_get(list));
	json_object_put(list);
	poptFreeContext(context);
	return status;
}
