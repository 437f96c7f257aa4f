/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The option -f: filters of the events that the -e before it selects.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_FILTERS_H
#define LTTCTL_FILTERS_H

#include <popt.h>
#include <stdbool.h>
#include <stddef.h>

struct lttctl;
struct lttctl_trace;

/**
 * struct filters - what -f selects
 * @nr_events: number of -e so far
 * @filter: the filters: the -e that each belongs to, from 1 on, and its text
 * @nr: number of @filter
 * @no_memory: there was no memory for a filter
 * @orphan: the first -f without -e before it, or NULL
 * @programs: those for events of programs, as lttd's --filter has them, after filters_check(); NULL at the end
 * @nr_programs: number of @programs
 */
struct filters {
	size_t nr_events;
	struct {
		size_t event;
		char *text;
	} *filter;
	size_t nr;
	bool no_memory;
	char *orphan;
	char **programs;
	size_t nr_programs;
};

/* The entry of a table with both options that goes before them: has popt note their order. */
#define FILTERS_ORDER(filters) { NULL, 0, POPT_ARG_CALLBACK | POPT_CBFLAG_INC_DATA, \
				 filters_note, 0, (const char *)&(filters), NULL }
#define FILTERS_OPTION { "filter", 'f', POPT_ARG_STRING, NULL, 'f', \
			 "record of the events of the -e before it those for which EXPRESSION is true (see doc/expressions.md)", \
			 "EXPRESSION" }

void filters_note(poptContext context, enum poptCallbackReason reason,
		  const struct poptOption *option, const char *arg, void *data);

/**
 * filters_check() - check the filters before the tracer or lttd is needed
 * @filters: of a command line
 * @lists: the values of -e, in their order
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int filters_check(struct filters *filters, const char *const *lists);

/**
 * filters_apply() - set the filters of a trace whose events are enabled
 * @ctl: a connected handle
 * @filters: checked
 * @lists: the values of -e
 * @trace: the trace
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int filters_apply(struct lttctl *ctl, const struct filters *filters, const char *const *lists,
		  struct lttctl_trace *trace);

void filters_free(struct filters *filters);

/**
 * filter_syntax() - check the text of a filter before the tracer is needed
 * @text: the expression
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int filter_syntax(const char *text);

#endif /* LTTCTL_FILTERS_H */
