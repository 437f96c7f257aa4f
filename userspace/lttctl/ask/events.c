// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The events that a question is about: those that its trace records, and their fields.
 *
 * Layer: lttctl.
 */
#include "ask.h"

#include <stdlib.h>
#include <string.h>

#include "lttctl/probe/describe.h"
#include "lttctl/record/event-patterns.h"

static bool is_known(const struct asked *asked, const char *name)
{
	unsigned int i;

	for (i = 0; i < asked->nr; i++)
		if (!strcmp(asked->events[i].name, name))
			return true;
	return false;
}

/* The state of a walk over the events of the trace. */
struct search {
	struct asked *asked;
	bool is_first;
	int status;
};

static int add_event(const struct lttctl_event *event, void *arg)
{
	struct search *search = arg;
	struct asked *asked = search->asked;
	struct asked_name *events;

	if (event->waiting || is_known(asked, event->name))
		return 0;
	events = realloc(asked->events, (asked->nr + 1) * sizeof(*events));
	if (events)
		asked->events = events;
	if (!events || asked->nr == QUESTION_EVENTS_MAX) {
		search->status = events ? complain("more than %d events match: name fewer", QUESTION_EVENTS_MAX) :
					  complain("out of memory");
		return -1;
	}
	events[asked->nr] = (struct asked_name){ .name = strdup(event->name), .is_first = search->is_first };
	if (!events[asked->nr].name) {
		search->status = complain("out of memory");
		return -1;
	}
	asked->nr++;
	return 0;
}

/* Have the trace record the events of one -e. */
static int enable(struct lttctl *ctl, struct lttctl_trace *trace, const char *pattern)
{
	const char *const list[] = { pattern, NULL };
	struct event_patterns patterns = { .only_present = true };
	struct descriptions probes = { 0 };
	int status, err = 0;
	size_t i;

	status = event_patterns_parse(&patterns, "-e ", list);
	if (!status && patterns.nr_programs)
		status = misused("-e %s: events of programs cannot be counted in the kernel", pattern);
	if (!status)
		status = event_patterns_check_known(ctl, "-e ", &patterns, NULL);
	if (!status)
		status = event_patterns_describe(&patterns, "-e ", &probes);
	for (i = 0; !status && !err && patterns.kernel[i]; i++)
		err = lttctl_event_enable(trace, patterns.kernel[i]);
	for (i = 0; !status && !err && i < probes.nr; i++)
		err = probe_enable(ctl, trace, probes.text[i]);
	if (err)
		status = tracer_status(ctl, err);
	descriptions_free(&probes);
	event_patterns_free(&patterns);
	return status;
}

int asked_find(struct asked *asked, struct lttctl *ctl, struct lttctl_trace *trace, char *const *patterns)
{
	struct search search = { .asked = asked };
	unsigned int i;
	int status = 0;

	for (i = 0; !status && patterns[i]; i++) {
		status = enable(ctl, trace, patterns[i]);
		search.is_first = asked->is_latency && !i;
		if (!status && lttctl_for_each_event(trace, add_event, &search))
			status = search.status ?: complain("%s", lttctl_error(ctl));
	}
	/* It matches what the patterns before it match. */
	if (!status && asked->is_latency && (!asked->nr || asked->events[asked->nr - 1].is_first))
		status = misused("-e %s: matches no other event than -e %s", patterns[1], patterns[0]);
	for (i = 0; !status && i < asked->nr; i++)
		status = tracer_status(ctl, lttctl_marker_fields(ctl, asked->events[i].name, &asked->events[i].fields));
	return status;
}

void asked_free(struct asked *asked)
{
	unsigned int i;

	for (i = 0; i < asked->nr; i++) {
		lttctl_fields_free(&asked->events[i].fields);
		free(asked->events[i].name);
	}
	free(asked->events);
}
