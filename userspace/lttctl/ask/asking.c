// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A question that the kernel answers: a private trace whose filters are the programs of the question.
 *
 * Layer: lttctl.  The programs drop every event, so that the buffers of the trace stay empty; they are
 * as small as they can be.  The trace, the programs and the maps end with this process.
 */
#include "ask.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHANNEL		"events"
#define STATE_CHANNEL	"state"
/* The tracer shows this as the filter of the events. */
#define FILTER		"lttctl asks"

double asking_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* ---- Answers ---- */

/* Count what the trace knows: the events of its channel. */
static int count(struct asking *asking, struct answer *answer)
{
	struct lttctl_stats stats;
	struct lttctl_counts counts;
	const char *name;
	unsigned int n;
	int status = tracer_status(asking->ctl, lttctl_trace_stats(asking->trace, &stats));

	if (status)
		return status;
	answer->unjudged = stats.total.unjudged;
	for (n = 0; channel_stats(&stats, n, &name, &counts); n++) {
		if (strcmp(name, CHANNEL))
			continue;
		answer->emitted = counts.emitted;
		answer->big = counts.emitted - counts.filtered;
	}
	lttctl_stats_free(&stats);
	answer->big -= answer->big < answer->unjudged ? answer->big : answer->unjudged;
	return 0;
}

int asking_read(struct asking *asking, struct answer *answer)
{
	struct expression_error error;
	int status;

	*answer = (struct answer){
		.question = asking->question, .options = &asking->ask->question, .events = &asking->asked,
		.is_brief = asking->ask->brief || asking->ask->question.kind == QUESTION_COUNT,
		.seconds = asking_now() - asking->began,
	};
	if (question_read(asking->question, &answer->rows, &error))
		return complain("%s", error.text);
	status = count(asking, answer);
	if (status)
		question_answer_free(&answer->rows);
	return status;
}

/* ---- The trace ---- */

/* @name: the event or option that an error about a place is about */
static int complain_about(const char *name, const struct expression_error *error)
{
	if (error->column)
		return complain("%s: column %u: %s", name, error->column, error->text);
	return complain("%s", error->text);
}

static int make_question(struct asking *asking)
{
	struct expression_error error;
	unsigned int i;
	int err = 0;

	asking->question = question_new(&asking->ask->question);
	if (!asking->question)
		return complain("out of memory");
	for (i = 0; i < asking->asked.nr; i++) {
		const struct asked_name *event = &asking->asked.events[i];

		err = question_add_event(asking->question, event->name, event->fields.field, event->fields.nr,
					 event->is_first, &error);
		if (err < 0)
			return complain_about(event->name, &error);
	}
	err = question_make_maps(asking->question, &error);
	return err ? complain_about("-f", &error) : 0;
}

static int attach(struct asking *asking, unsigned int event)
{
	const struct asked_name *asked = &asking->asked.events[event];
	char counters[EXPRESSION_COUNTERS_TEXT];
	struct expression_error error;
	int program = question_load(asking->question, event, counters, &error);
	int err;

	if (program < 0)
		return complain_about(asked->name, &error);
	err = lttctl_filter_attach(asking->trace, asked->name, asked->fields.layout, program, counters, FILTER);
	close(program);
	return tracer_status(asking->ctl, err);
}

static int attach_all(struct asking *asking)
{
	unsigned int i;
	int status = tracer_status(asking->ctl, lttctl_filter_set(asking->trace, "*:*", FILTER));

	for (i = 0; !status && i < asking->asked.nr; i++)
		status = attach(asking, i);
	return status;
}

static int shrink(struct asking *asking, const char *channel)
{
	int err = lttctl_channel_set(asking->trace, channel, LTTCTL_SUBBUF_SIZE, sysconf(_SC_PAGESIZE));

	if (!err)
		err = lttctl_channel_set(asking->trace, channel, LTTCTL_SUBBUF_COUNT, 2);
	if (!err)
		err = lttctl_channel_set(asking->trace, channel, LTTCTL_OVERWRITE, true);
	return tracer_status(asking->ctl, err);
}

static int prepare(struct asking *asking)
{
	return tracer_status(asking->ctl, lttctl_trace_set_nameless(asking->trace)) ?:
	       shrink(asking, STATE_CHANNEL) ?: shrink(asking, CHANNEL) ?:
	       asked_find(&asking->asked, asking->ctl, asking->trace, asking->ask->patterns) ?:
	       make_question(asking) ?: attach_all(asking);
}

int asking_begin(struct asking *asking, const struct ask *ask)
{
	char name[32];
	int status;

	*asking = (struct asking){ .ask = ask, .asked.is_latency = ask->question.kind == QUESTION_LATENCY };
	snprintf(name, sizeof(name), "ask-%d", getpid());
	asking->ctl = tracer_connect_private();
	if (!asking->ctl)
		return EXIT_FAILED;
	if (!lttctl_is_private(asking->ctl))
		return complain("questions are asked by /dev/ltt, which cannot be opened");
	status = tracer_status(asking->ctl, lttctl_trace_create(asking->ctl, name, &asking->trace));
	return status ?: prepare(asking);
}

int asking_start(struct asking *asking)
{
	int status = tracer_status(asking->ctl, limits_apply(&asking->ask->limits, asking->trace)) ?:
		     tracer_status(asking->ctl, lttctl_trace_start(asking->trace));

	asking->began = asking_now();
	return status;
}

void asking_end(struct asking *asking)
{
	if (asking->trace) {
		lttctl_trace_destroy(asking->trace);
		lttctl_trace_close(asking->trace);
	}
	question_free(asking->question);
	asked_free(&asking->asked);
	lttctl_free(asking->ctl);
	*asking = (struct asking){ .ask = NULL };
}
