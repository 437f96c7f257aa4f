// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl filter, unfilter and filters: the filters of a trace, which may change while it runs.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "lttctl/record/filters.h"

#include <stdio.h>
#include <string.h>

/* Parse a command line with the arguments that @what names, and open the trace, which is the first. */
static int open_trace(int argc, const char **argv, const struct poptOption *table,
		      const char *const *what, poptContext *context, const char ***args,
		      struct lttctl **ctl, struct lttctl_trace **trace)
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
	status = what[1] && what[2] ? filter_syntax((*args)[2]) : 0;
	if (status)
		return status;
	*ctl = tracer_connect(false);
	return *ctl ? tracer_status(*ctl, lttctl_trace_open(*ctl, **args, trace)) : EXIT_FAILED;
}

static const struct poptOption no_options[] = { OPTIONS_VIA, OPTIONS_HELP, POPT_TABLEEND };

int cmd_filter(int argc, const char **argv)
{
	static const char *const what[] = { "TRACE", "PATTERN", "EXPRESSION", NULL };
	struct lttctl_trace *trace = NULL;
	struct lttctl *ctl = NULL;
	poptContext context;
	const char **args;
	int status;

	status = open_trace(argc, argv, no_options, what, &context, &args, &ctl, &trace);
	if (!status)
		status = tracer_status(ctl, lttctl_trace_filter(trace, args[1], args[2]));
	lttctl_trace_close(trace);
	lttctl_free(ctl);
	poptFreeContext(context);
	return status;
}

int cmd_unfilter(int argc, const char **argv)
{
	static const char *const what[] = { "TRACE", "PATTERN", NULL };
	struct lttctl_trace *trace = NULL;
	struct lttctl *ctl = NULL;
	poptContext context;
	const char **args;
	int status;

	status = open_trace(argc, argv, no_options, what, &context, &args, &ctl, &trace);
	if (!status)
		status = tracer_status(ctl, lttctl_trace_unfilter(trace, args[1]));
	lttctl_trace_close(trace);
	lttctl_free(ctl);
	poptFreeContext(context);
	return status;
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
	struct lttctl_trace *trace = NULL;
	struct json_object *list = NULL;
	struct lttctl *ctl = NULL;
	poptContext context;
	const char **args;
	int status;

	status = open_trace(argc, argv, table, what, &context, &args, &ctl, &trace);
	if (!status && json)
		list = json_object_new_array();
	if (!status)
		status = tracer_status(ctl, lttctl_for_each_filter(trace, json ? add_json : print_text, list));
	if (!status && json)
		print_json(json_object_get(list));
	json_object_put(list);
	lttctl_trace_close(trace);
	lttctl_free(ctl);
	poptFreeContext(context);
	return status;
}
