/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Which events are shown: those for which an expression holds.
 *
 * Layer: lttctl view, on userspace/expression.
 */
#ifndef LTTCTL_FILTER_H
#define LTTCTL_FILTER_H

#include "expression/expression.h"
#include "view.h"

/* --- The names of an event (filter-scope.c) -------------------------- */

/**
 * enum filter_place - where a value of an event is
 * @FILTER_PAYLOAD: in the payload
 * @FILTER_OWN: in the contexts that the event has of its own
 * @FILTER_COMMON: in those of its stream
 * @FILTER_PACKET: in the context of its packet
 * @FILTER_COMM: the name of its thread, as it is shown in the line
 */
enum filter_place {
	FILTER_PAYLOAD,
	FILTER_OWN,
	FILTER_COMMON,
	FILTER_PACKET,
	FILTER_COMM,
};

/**
 * struct filter_scope - the names of a class of events
 * @expression: the fields of the payload, and all others as contexts
 * @fields: &expression.fields
 * @contexts: &expression.contexts
 * @places: for each of @contexts, where it is
 * @members: for each of @contexts, which member it is there
 */
struct filter_scope {
	struct expression_scope expression;
	struct ltt_field *fields;
	struct ltt_field *contexts;
	enum filter_place *places;
	uint64_t *members;
};

/* Fill in the names of a class, which must exist as long as @scope.  Return: false without memory; either way
 * filter_scope_free() frees it. */
bool filter_scope_make(struct filter_scope *scope, const bt_event_class *class);

void filter_scope_free(struct filter_scope *scope);

/* --- Choosing (filter.c) --------------------------------------------- */

/**
 * filter_set() - show only the events for which an expression holds
 * @text: the expression
 * @dirs: the recordings, whose events are looked at for the names in it
 *
 * Return: 0; after a message, EXIT_USAGE for a wrong expression, else EXIT_FAILED.
 */
int filter_set(const char *text, const char *const *dirs);

/**
 * filter_holds() - check whether an event is shown
 * @event: the event
 * @comm: the name of its thread
 *
 * Return: false also for an event that lacks a name of the expression; true if there is no filter.
 */
bool filter_holds(const bt_event *event, const char *comm);

/* Free what filter_set() and filter_holds() have made. */
void filter_forget(void);

#endif /* LTTCTL_FILTER_H */
