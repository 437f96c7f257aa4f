/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The filters of a recording of programs: expressions for patterns, and the code of each event's filter.
 *
 * Layer: lttd.
 */
#ifndef LTTD_FILTERS_H
#define LTTD_FILTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "common/filter.h"

struct event;
struct events;
struct expression;

#define FILTERS_WHY	4352	/* bytes of a sentence about a filter */

/**
 * struct filter - the filter of a pattern
 * @entry: the newest is first in the list
 * @number: of all filters of the recording
 * @text: the expression
 * @expression: the same, parsed
 * @is_known: an event has all names of @expression
 * @lacking: the sentence about the first event that has not; "" if there is none
 * @pattern: see common/selection.h
 */
struct filter {
	TAILQ_ENTRY(filter) entry;
	uint64_t number;
	char *text;
	struct expression *expression;
	bool is_known;
	char lacking[FILTERS_WHY];
	char pattern[];
};

/**
 * struct filters - all filters; the newest whose pattern matches an event decides
 * @list: the filters
 * @nr: number of them
 */
struct filters {
	TAILQ_HEAD(, filter) list;
	unsigned int nr;
};

/**
 * struct event_filter - the filter of an event
 * @number: &filter.number
 * @err: 0: @code is its code, which drops each event if the event lacks a name; -errno: it does not fit the event
 * @code: see there
 */
struct event_filter {
	uint64_t number;
	int err;
	struct ltt_filter_code code;
};

/** filters_init() - initialise @filters, which has none then */
void filters_init(struct filters *filters);

/**
 * filter_new() - make a filter from the text "PATTERN EXPRESSION"
 * @text: a text in one line
 * @why: receives what is wrong, FILTERS_WHY bytes
 *
 * Return: the filter, to be passed to filters_set() or filter_free(); NULL.
 */
struct filter *filter_new(const char *text, char *why);

void filter_free(struct filter *filter);

/**
 * filter_check() - find out if a filter fits the events that there are
 * @filter: a new filter
 * @events: events of a user
 * @why: receives what is wrong, FILTERS_WHY bytes
 *
 * An event that lacks a name is accepted here; see filter_is_unknown().
 *
 * Return: true; false if an event that @filter is for does not fit it.
 */
bool filter_check(struct filter *filter, const struct events *events, char *why);

/** filter_is_unknown() - return true if all events so far lack a name of @filter, and there are some */
bool filter_is_unknown(const struct filter *filter);

/**
 * filters_set() - add a filter, which replaces that of the same pattern
 * @filters: the filters
 * @filter: owned by @filters from then on
 * @why: receives what is wrong, FILTERS_WHY bytes
 *
 * Return: true; false if there would be more than OPTIONS_FILTERS_MAX: @filter is freed.
 */
bool filters_set(struct filters *filters, struct filter *filter, char *why);

/** filters_unset() - remove the filter of @pattern.  Return: false if it has none. */
bool filters_unset(struct filters *filters, const char *pattern);

/** filters_find() - find the filter of the event @group:@name of @program.  Return: NULL if it has none. */
struct filter *filters_find(const struct filters *filters, const char *program, const char *group, const char *name);

/**
 * filter_event() - get the code of the filter of an event
 * @filter: the filter
 * @event: the event, which keeps the code of the last filter that it was asked for
 * @why: receives what is wrong, FILTERS_WHY bytes; "" when that was returned for this event before
 *
 * Return: the code; see &event_filter.err.  NULL: out of memory.
 */
const struct event_filter *filter_event(struct filter *filter, struct event *event, char *why);

/** filters_free() - free all filters */
void filters_free(struct filters *filters);

#endif /* LTTD_FILTERS_H */
