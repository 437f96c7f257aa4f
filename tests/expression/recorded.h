/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Filters of traces, and what each trace has recorded: shared by the two halves of
 * expression-recorded.
 */
#ifndef LTT_TESTS_RECORDED_H
#define LTT_TESTS_RECORDED_H

#include "random.h"

#include <limits.h>

/* Of a batch.  One more trace has no filter. */
#define TRACES_MAX	20
#define EVENTS_MAX	60

/**
 * struct digest - a multiset of records
 * @records: how many
 * @sum: of the hashes of their contents
 */
struct digest {
	uint64_t records, sum;
};

/**
 * struct filter - the filter of an event in a trace
 * @text: the expression
 * @is_recorded: its program was attached
 * @selected: the records of the trace without filters for which the reader's evaluation holds
 * @recorded: those that the trace with the filter has
 */
struct filter {
	char text[EXPRESSION_TEXT_MAX];
	bool is_recorded;
	struct digest selected, recorded;
};

/**
 * struct batch - traces that record the same events
 * @nr_events: number of @event
 * @event: GROUP:NAME of each
 * @nr_traces: number of traces with filters
 * @filter: of each trace and event
 * @read: records of each event in the trace without filters
 */
struct batch {
	size_t nr_events;
	char event[EVENTS_MAX][128];
	size_t nr_traces;
	struct filter filter[TRACES_MAX][EVENTS_MAX];
	uint64_t read[EVENTS_MAX];
};

/* Select records of the trace in a directory by all expressions, each as `lttctl view -f` does. */
void select_records(struct batch *batch, const char *dir);

/* Add up the records that trace @nr has in a directory. */
void add_records(struct batch *batch, size_t nr, const char *dir);

#endif /* LTT_TESTS_RECORDED_H */
