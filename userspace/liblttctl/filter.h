/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Filters of events, and triggers.
 *
 * Layer: liblttctl.  lttctl.h, which includes this file, has the conventions.
 */
#ifndef LIBLTTCTL_FILTER_H
#define LIBLTTCTL_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lttctl;
struct lttctl_trace;

/* --- Filters ------------------------------------------------------------ */

/**
 * lttctl_filter_check() - check whether an expression can be the filter of events
 * @trace: a handle of their trace
 * @pattern: group:name or name
 * @expression: see doc/expressions.md
 *
 * An event that lacks a field of the expression is dropped.
 *
 * Return: 0 if it is an expression, and its types fit each event that the trace records and @pattern
 * matches, of which one at least has all names; -EINVAL, -E2BIG: the error sentence names the event and the column.
 */
int lttctl_filter_check(struct lttctl_trace *trace, const char *pattern, const char *expression);

/**
 * lttctl_trace_filter() - set the filter of the events that a pattern matches
 * @trace: its handle; in any state
 * @pattern: group:name or name; it enables no event
 * @expression: see doc/expressions.md
 *
 * The last pattern that matches an event decides.  In a running trace, what happens while an event
 * gets another filter is not recorded.  An event that comes later waits for
 * lttctl_filters_attach(), which the lttd of the trace calls.
 *
 * Return: 0; an error of lttctl_filter_check(); -EPERM without the right to load programs;
 * -EOPNOTSUPP the kernel has no eBPF; -EDQUOT; -ENOENT.  After an error nothing has changed.
 */
int lttctl_trace_filter(struct lttctl_trace *trace, const char *pattern, const char *expression);

/**
 * lttctl_filter_note() - have other events note what a filter asks of them
 * @trace: its handle; in any state
 * @pattern: of the filter
 * @expression: the filter
 *
 * lttctl_trace_filter() does so.  Do it again if a later filter replaces that of the other events.
 *
 * Return: 0, also without since() and between(); as lttctl_trigger_add().
 */
int lttctl_filter_note(struct lttctl_trace *trace, const char *pattern, const char *expression);

/**
 * lttctl_event_enable_filtered() - enable events, with a filter from the first one on
 * @trace: its handle; in any state
 * @channel: as for lttctl_event_enable_in(); NULL for the channel "events"
 * @pattern: group:name or name
 * @expression: see doc/expressions.md; checked as by lttctl_filter_check() for the events that @pattern
 *	matches now
 *
 * Return: as lttctl_event_enable_in() and lttctl_trace_filter().  If only the kernel refuses the
 * program, @pattern is disabled.
 */
int lttctl_event_enable_filtered(struct lttctl_trace *trace, const char *channel,
				 const char *pattern, const char *expression);

/**
 * lttctl_trace_unfilter() - remove the filter of a pattern
 * @trace: its handle; in any state
 * @pattern: the same pattern
 *
 * Return: 0; -EINVAL for an invalid pattern; -ENOENT when it has no filter.
 */
int lttctl_trace_unfilter(struct lttctl_trace *trace, const char *pattern);

/**
 * lttctl_filters_attach() - compile the filters of all events that wait for it
 * @trace: its handle; in any state
 *
 * Return: 0; the first error, as of lttctl_trace_filter(): then the events that it does not concern
 * have their filters.
 */
int lttctl_filters_attach(struct lttctl_trace *trace);

/**
 * lttctl_filter_set() - set a filter whose programs are the caller's own
 * @trace: its handle; in any state
 * @pattern: group:name or name
 * @text: any line; the tracer shows it
 *
 * The events that @pattern matches are not recorded until lttctl_filter_attach() gives them a program.
 *
 * Return: 0; -EINVAL, -E2BIG, -EDQUOT; -ENOENT.
 */
int lttctl_filter_set(struct lttctl_trace *trace, const char *pattern, const char *text);

/**
 * lttctl_filter_attach() - give an event a program
 * @trace: its handle; over the device, as debugfs takes no descriptors
 * @event: group:name
 * @layout: from &struct lttctl_fields, which the program was made for
 * @program: descriptor of a program of the type BPF_PROG_TYPE_RAW_TRACEPOINT
 * @counters: the counters that the tracer is to read for the program, "perf:EVENT,..."; "" for none
 * @text: of the filter of the event
 *
 * Return: 0; -ESTALE when the event has other fields or another filter; -EINVAL for a program that cannot
 * run there; -EOPNOTSUPP the kernel has no eBPF, or does not count that; -EBUSY the counters are in use; -ENOSYS the
 * tracer is of an earlier version, without @counters; -ENOENT.
 */
int lttctl_filter_attach(struct lttctl_trace *trace, const char *event, const char *layout, int program,
			 const char *counters, const char *text);

/**
 * struct lttctl_filter - the filter of a pattern or of an event
 * @pattern: group:name with wildcards; NULL for an event
 * @event: group:name; NULL for a pattern
 * @expression: the filter of the pattern, or that for which the event waits: it is not recorded.
 *	NULL for an event that has its program
 * @program: number of the program in the kernel, as of the others, of an event that has one
 * @runs: how often it was run
 * @filtered: how many events it dropped
 * @unjudged: how many events were recorded while it was running already
 */
struct lttctl_filter {
	const char *pattern;
	const char *event;
	const char *expression;
	uint64_t program;
	uint64_t runs;
	uint64_t filtered;
	uint64_t unjudged;
};

/**
 * lttctl_for_each_filter() - call a function for the filter of each pattern, then of each event
 * @trace: its handle
 * @fn: the function; @filter is valid during the call
 * @arg: its last argument
 *
 * Return: 0, the first non-zero value of @fn; -ENOENT.
 */
int lttctl_for_each_filter(struct lttctl_trace *trace,
			   int (*fn)(const struct lttctl_filter *filter, void *arg), void *arg);

/* --- Triggers ----------------------------------------------------------- */

#define LTTCTL_SLOTS 8

/**
 * lttctl_trigger_add() - have an event do something besides being recorded
 * @trace: its handle; in any state
 * @event: group:name
 * @action: "stop", "begin" or "report N", with a slot N below LTTCTL_SLOTS: see doc/expressions.md
 * @condition: an expression; "" for each event
 *
 * The event is recorded when its trigger fires, also if the trace does not record it else.  A later filter
 * for a pattern that matches the event replaces its triggers.
 *
 * Return: 0; -EINVAL, -E2BIG: the error sentence names the column in @condition; as lttctl_trace_filter()
 * and lttctl_event_enable().
 */
int lttctl_trigger_add(struct lttctl_trace *trace, const char *event, const char *action, const char *condition);

/**
 * lttctl_trace_arm() - start a trace that begins to record with an event
 * @trace: its handle; not running
 * @event: group:name of an event with a trigger "begin"
 * @condition: of the trigger: the events that it asks about pass, too, and are not recorded
 *
 * Until then the trace records the names of threads alone.
 *
 * Return: as lttctl_trace_start().
 */
int lttctl_trace_arm(struct lttctl_trace *trace, const char *event, const char *condition);

/**
 * struct lttctl_triggers - what triggers have done so far
 * @armed: the trace waits for the event that it begins with
 * @reports: how often a trigger "report N" has fired, for each slot
 */
struct lttctl_triggers {
	bool armed;
	unsigned int reports[LTTCTL_SLOTS];
};

/**
 * lttctl_trace_triggers() - ask what triggers have done
 * @trace: its handle
 * @triggers: receives it
 *
 * Return: 0; -ENOENT.
 */
int lttctl_trace_triggers(struct lttctl_trace *trace, struct lttctl_triggers *triggers);

/**
 * lttctl_trigger_watch() - wait for triggers, and for the stop of a trace, with poll()
 * @trace: its handle
 * @all: as for lttctl_trace_watch(): over debugfs, the caller has to look from time to time
 *
 * Return: as lttctl_trace_watch().
 */
int lttctl_trigger_watch(struct lttctl_trace *trace, bool *all);

#endif /* LIBLTTCTL_FILTER_H */
