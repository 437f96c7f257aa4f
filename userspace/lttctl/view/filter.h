/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Which events are shown: those for which an expression holds.
 *
 * Layer: lttctl view, on userspace/expression.
 */
#ifndef LTTCTL_FILTER_H
#define LTTCTL_FILTER_H

#include "expression/expression.h"
#include "ltt/ltttrace.h"

/* --- The names of an event (filter-scope.c) -------------------------- */

/* Values that are not fields of the record: the CPU; the name of the thread, as it is shown in the line. */
#define FILTER_CPU	(-1)
#define FILTER_COMM	(-2)

/**
 * struct filter_scope - the names of a class of events
 * @event: the class
 * @expression: the fields of the payload, and all others as contexts
 * @fields: &expression.fields
 * @contexts: &expression.contexts
 * @members: for each of @contexts, the index of the field, FILTER_CPU or FILTER_COMM
 */
struct filter_scope {
	const struct ltttrace_event *event;
	struct expression_scope expression;
	struct ltt_field *fields;
	struct ltt_field *contexts;
	int *members;
};

/* Fill in the names of a class, which must exist as long as @scope.  Return: false without memory; either way
 * filter_scope_free() frees it. */
bool filter_scope_make(struct filter_scope *scope, const struct ltttrace_event *event);

void filter_scope_free(struct filter_scope *scope);

/* --- Choosing (filter.c) --------------------------------------------- */

/**
 * struct filter_class - the expression for a class of events
 * @scope: its names
 * @bound: the expression; NULL: it does not apply to the class
 * @is_used: there is an expression
 */
struct filter_class {
	struct filter_scope scope;
	struct expression_bound *bound;
	bool is_used;
};

/**
 * filter_set() - show only the events for which an expression holds
 * @text: the expression
 *
 * Return: 0; EXIT_USAGE after a message for a wrong expression.
 */
int filter_set(const char *text);

/* Give the names of the expression their meaning in a class.  Return: false without memory. */
bool filter_bind(struct filter_class *class, const struct ltttrace_event *event);

void filter_unbind(struct filter_class *class);

/* Require that each name of the expression means something in one of the classes that filter_bind() has got.
 * Return: 0, or EXIT_FAILED after a message. */
int filter_check(void);

/**
 * filter_holds() - check whether an event is shown
 * @class: its class
 * @record: the event
 * @comm: the name of its thread
 *
 * Return: false also for an event that lacks a name of the expression; true if there is no filter.
 */
bool filter_holds(const struct filter_class *class, const struct ltttrace_record *record, const char *comm);

/* Free the expression; all classes are unbound. */
void filter_forget(void);

#endif /* LTTCTL_FILTER_H */
