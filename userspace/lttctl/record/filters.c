// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The option -f: filters of the events that the -e before it selects.
 *
 * Layer: lttctl.
 */
#include "filters.h"
#include "event-patterns.h"
#include "common/options.h"
#include "expression/expression.h"
#include "lttctl/command.h"
#include "lttctl/probe/describe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- The command line ---- */

/* A callback of popt cannot fail: filters_check() does. */
static void add(struct filters *filters, const char *text)
{
	void *grown = reallocarray(filters->filter, filters->nr + 1, sizeof(*filters->filter));
	char *copy = strdup(text);

	if (grown)
		filters->filter = grown;
	if (!grown || !copy) {
		filters->no_memory = true;
		free(copy);
		return;
	}
	filters->filter[filters->nr].text = copy;
	filters->filter[filters->nr].event = filters->nr_events;
	filters->nr++;
}

void filters_note(poptContext context, enum poptCallbackReason reason,
		  const struct poptOption *option, const char *arg, void *data)
{
	struct filters *filters = data;

	(void)context;
	(void)reason;
	if (option->shortName == 'e')
		filters->nr_events++;
	if (option->val != 'f')
		return;
	if (filters->nr_events)
		add(filters, arg);
	else if (!filters->orphan)
		filters->orphan = strdup(arg);
}

static int check_syntax(const char *text, int (*parse)(const char *text, struct expression **expression,
						       struct expression_error *error))
{
	struct expression_error error = { .column = 0 };
	struct expression *expression;
	int err = parse(text, &expression, &error);

	if (!err) {
		expression_free(expression);
		return 0;
	}
	if (err == -ENOMEM)
		return complain("out of memory");
	if (!error.column)
		return misused("filter `%s`: %s", text, error.text);
	return misused("filter `%s`: column %u: %s", text, error.column, error.text);
}

int filter_syntax(const char *text)
{
	return check_syntax(text, expression_parse_filter);
}

static int add_program(struct filters *filters, const char *pattern, const char *text)
{
	void *grown;

	if (filters->nr_programs == OPTIONS_FILTERS_MAX)
		return misused("-f: filters for more than %d patterns of events of programs; use wider patterns",
			       OPTIONS_FILTERS_MAX);
	grown = reallocarray(filters->programs, filters->nr_programs + 2, sizeof(*filters->programs));
	if (!grown)
		return complain("out of memory");
	filters->programs = grown;
	filters->programs[filters->nr_programs + 1] = NULL;
	if (asprintf(&filters->programs[filters->nr_programs], "%s %s", pattern, text) < 0)
		return complain("out of memory");
	filters->nr_programs++;
	return 0;
}

/* Collect the filters for events of programs, which lttd applies. */
static int take_programs(struct filters *filters, const char *list, const char *text)
{
	const char *const lists[] = { list, NULL };
	struct event_patterns patterns = { NULL };
	int status = event_patterns_parse(&patterns, "-e ", lists);
	size_t i;

	/* Programs have no actions, and no memory of other events. */
	if (!status && patterns.nr_programs)
		status = check_syntax(text, expression_parse);
	for (i = 0; !status && i < patterns.nr_programs; i++)
		status = add_program(filters, patterns.programs[i], text);
	event_patterns_free(&patterns);
	return status;
}

int filters_check(struct filters *filters, const char *const *lists)
{
	int status = 0;
	size_t i;

	if (filters->orphan)
		return misused("-f `%s`: there is no -e before it", filters->orphan);
	if (filters->no_memory)
		return complain("out of memory");
	for (i = 0; !status && i < filters->nr; i++) {
		status = filter_syntax(filters->filter[i].text);
		if (!status)
			status = take_programs(filters, lists[filters->filter[i].event - 1], filters->filter[i].text);
	}
	return status;
}

void filters_free(struct filters *filters)
{
	size_t i;

	for (i = 0; i < filters->nr; i++)
		free(filters->filter[i].text);
	while (filters->nr_programs)
		free(filters->programs[--filters->nr_programs]);
	free(filters->programs);
	free(filters->filter);
	free(filters->orphan);
}

/* ---- The trace ---- */

typedef int (*apply_fn)(struct lttctl_trace *trace, const char *pattern, const char *expression);

/* A description of a dynamic probe begins with the name of its event. */
static int apply_probes(struct lttctl *ctl, const struct event_patterns *patterns,
			const char *text, apply_fn fn, struct lttctl_trace *trace)
{
	struct descriptions probes = { NULL, 0 };
	int status = event_patterns_describe(patterns, "-e ", &probes);
	char *event;
	size_t i;

	for (i = 0; !status && i < probes.nr; i++) {
		event = strndup(probes.text[i], strcspn(probes.text[i], " "));
		if (!event)
			status = complain("out of memory");
		else
			status = tracer_status(ctl, fn(trace, event, text));
		free(event);
	}
	descriptions_free(&probes);
	return status;
}

static int apply_one(struct lttctl *ctl, const char *list, const char *text, apply_fn fn,
		     struct lttctl_trace *trace)
{
	const char *const lists[] = { list, NULL };
	struct event_patterns patterns = { NULL };
	int status = event_patterns_parse(&patterns, "-e ", lists);
	char **pattern;

	for (pattern = patterns.kernel; !status && *pattern; pattern++)
		status = tracer_status(ctl, fn(trace, *pattern, text));
	if (!status)
		status = apply_probes(ctl, &patterns, text, fn, trace);
	event_patterns_free(&patterns);
	return status;
}

static int apply_all(struct lttctl *ctl, const struct filters *filters, const char *const *lists, apply_fn fn,
		     struct lttctl_trace *trace)
{
	int status = 0;
	size_t i;

	for (i = 0; !status && i < filters->nr; i++)
		status = apply_one(ctl, lists[filters->filter[i].event - 1], filters->filter[i].text, fn, trace);
	return status;
}

int filters_apply(struct lttctl *ctl, const struct filters *filters, const char *const *lists,
		  struct lttctl_trace *trace)
{
	int status = apply_all(ctl, filters, lists, lttctl_trace_filter, trace);

	/* A later filter may have replaced that of an event which another filter asks about. */
	return status ? status : apply_all(ctl, filters, lists, lttctl_filter_note, trace);
}
