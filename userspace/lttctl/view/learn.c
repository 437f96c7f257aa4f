// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * All that has to be known before the first event is shown: the names of threads, the kernel's print formats, devices
 * and functions, and the places of files in programs.
 *
 * Layer: lttctl view.
 */
#include "lttctl/command.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

/*
 * Before a window, threads may have got other names than those at the begin of the recording.  As much as this is read
 * before it, for the names; sched_switch alone has the names of all threads that run.
 */
#define BEFORE_BYTES	(UINT64_C(4) << 20)
#define BEFORE_NS	INT64_C(1000000000)

/* The rules of a class of events; there may be far more records than classes. */
struct known {
	bool is_known;
	unsigned int nr;
	struct comm_rule rules[COMM_RULES];
};

struct learner {
	struct known *known;
	size_t nr;
};

/* Return: NULL without memory. */
static const struct known *find(struct learner *learner, const struct ltttrace_event *event)
{
	struct known *known = event->number < learner->nr ? &learner->known[event->number] : NULL;

	if (known && !known->is_known) {
		known->nr = comm_rules(event, known->rules);
		known->is_known = true;
	}
	return known;
}

static void learn_comm(struct learner *learner, const struct ltttrace_record *record, enum learn when)
{
	const struct known *known = find(learner, record->event);

	if (known)
		comm_learn(record, known->rules, known->nr, when);
}

/* ---- The state ---- */

static bool is_state(const struct ltttrace_stream *stream, void *unused)
{
	(void)unused;
	return stream->is_state || stream->part->is_state;
}

/* Read on where the last call has ended. */
static int learn_state(struct view *view, struct learner *learner)
{
	const struct ltttrace_record *record;
	int ret;

	if (!view->state && ltttrace_merge(view->trace, is_state, NULL, &view->state))
		return complain("out of memory");
	while ((ret = ltttrace_next(view->state, &record)) > 0) {
		if (record->kind != LTTTRACE_EVENT)
			continue;
		learn_comm(learner, record, LEARN_FIRST);
		decode_learn(record);
		mapped_learn(record);
	}
	return ret ? complain("cannot read the state of the system: %s", strerror(-ret)) : 0;
}

/* ---- Before the window ---- */

/* Return: how long before the window there are about BEFORE_BYTES, in nanoseconds. */
static int64_t time_before(const struct view *view)
{
	int64_t first, last;
	uint64_t bytes = 0;
	double ns;
	size_t i;

	for (i = 0; i < ltttrace_nr_streams(view->trace); i++)
		bytes += ltttrace_stream(view->trace, i)->bytes;
	if (!bytes || !ltttrace_span(view->trace, &first, &last))
		return 0;
	ns = (double)(last - first) * BEFORE_BYTES / bytes;
	return ns < BEFORE_NS ? ns : BEFORE_NS;
}

struct before {
	struct view *view;
	struct learner *learner;
};

/* Return: true if events of the stream may have names. */
static bool has_names(const struct ltttrace_stream *stream, void *data)
{
	const struct before *before = data;
	const struct ltttrace_event *event;
	size_t i;

	if (!view_is_shown(stream, before->view))
		return false;
	for (i = 0; i < before->learner->nr; i++) {
		event = ltttrace_event(before->view->trace, i);
		if (event->part == stream->part && find(before->learner, event)->nr && !strcmp(event->channel, stream->channel))
			return true;
	}
	return false;
}

static int learn_before(struct view *view, struct learner *learner)
{
	struct before before = { view, learner };
	const struct ltttrace_record *record;
	struct ltttrace_cursor *cursor;
	int ret;

	if (ltttrace_merge(view->trace, has_names, &before, &cursor))
		return complain("out of memory");
	ret = ltttrace_seek(cursor, view->from - time_before(view));
	while (!ret && (ret = ltttrace_next(cursor, &record)) > 0 && record->ns < view->from) {
		ret = 0;
		if (record->kind != LTTTRACE_EVENT)
			continue;
		learn_comm(learner, record, LEARN_BEFORE);
		learn_comm(learner, record, LEARN_AFTER);
	}
	ltttrace_cursor_free(cursor);
	return ret < 0 ? complain("cannot read the recording: %s", strerror(-ret)) : 0;
}

static bool make(struct learner *learner, const struct ltttrace *trace)
{
	learner->nr = ltttrace_nr_events(trace);
	learner->known = calloc(learner->nr + 1, sizeof(*learner->known));
	return learner->known;
}

int view_learn(struct view *view)
{
	struct learner learner;
	int status;

	if (!make(&learner, view->trace))
		return complain("out of memory");
	status = learn_state(view, &learner);
	if (!status && view->from != INT64_MIN)
		status = learn_before(view, &learner);
	free(learner.known);
	return status;
}

int view_learn_more(struct view *view)
{
	struct learner learner;
	int status;

	if (!make(&learner, view->trace))
		return complain("out of memory");
	status = learn_state(view, &learner);
	free(learner.known);
	return status;
}
