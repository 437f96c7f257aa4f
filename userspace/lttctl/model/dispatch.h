/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Handlers of events, by the event's name.
 *
 *	static const char *const fields[] = { "irq", "?name", NULL };
 *
 *	static void entry(const struct dispatch_event *event, void *data)
 *	{
 *		int64_t irq = dispatch_integer(event, 0);
 *		...
 *	}
 *
 *	dispatch_on(dispatch, DISPATCH_REPORT, "irq_handler_entry", fields, entry, data);
 *
 * The handlers of an event class are looked up once, with the indexes of the fields that they need.
 * A class that lacks a field which a handler needs is not passed to that handler; dispatch_missing()
 * explains why.  Handlers of one class are called in the order of enum dispatch_phase, and those of a phase
 * in the order in which they were added.
 *
 * Layer: lttctl model, above libltttrace.
 */
#ifndef LTTCTL_MODEL_DISPATCH_H
#define LTTCTL_MODEL_DISPATCH_H

#include <ltt/ltttrace.h>

#define DISPATCH_FIELDS	8	/* that a handler can name */

/**
 * enum dispatch_phase - when a handler is called, and for what
 * @DISPATCH_TASKS: first: names of threads; also outside of the window
 * @DISPATCH_STATES: next: states of threads and CPUs; also outside of the window
 * @DISPATCH_REPORT: last; only for records in the window
 */
enum dispatch_phase {
	DISPATCH_TASKS,
	DISPATCH_STATES,
	DISPATCH_REPORT,
	DISPATCH_PHASES,
};

/**
 * struct dispatch_event - an event with the fields that its handler named
 * @record: the event
 * @index: indexes into record->event->fields, one for each name; -1: the class lacks an optional field
 */
struct dispatch_event {
	const struct ltttrace_record *record;
	int index[DISPATCH_FIELDS];
};

typedef void dispatch_fn(const struct dispatch_event *event, void *data);
typedef void dispatch_record_fn(const struct ltttrace_record *record, void *data);

struct dispatch;

/* Return: a dispatcher without handlers, to be freed by dispatch_free(); NULL if memory is out. */
struct dispatch *dispatch_new(const struct ltttrace *trace);
void dispatch_free(struct dispatch *dispatch);

/**
 * dispatch_on() - add a handler
 * @dispatch: the dispatcher
 * @phase: when to call it
 * @event: the name of events; "syscall:*" stands for all events of a group, "*" for all events
 * @fields: names of fields of the payload or the contexts (of two, the payload's), and NULL after the last; "?NAME" is
 *	a field that may be missing; NULL: no fields.  The array must stay.
 * @fn: the handler
 * @data: for @fn
 *
 * Context: before the first dispatch_record().
 *
 * Return: 0; -ENOMEM.
 */
int dispatch_on(struct dispatch *dispatch, enum dispatch_phase phase, const char *event, const char *const *fields,
		dispatch_fn *fn, void *data);

/**
 * dispatch_on_all() - add a function that is called with each record, also of other kinds than events
 * @dispatch: the dispatcher
 * @phase: when to call it: before the handlers of the phase
 * @fn: the function
 * @data: for @fn
 *
 * Return: 0; -ENOMEM.
 */
int dispatch_on_all(struct dispatch *dispatch, enum dispatch_phase phase, dispatch_record_fn *fn, void *data);

/**
 * dispatch_record() - call the handlers of a record
 * @dispatch: the dispatcher
 * @record: the record
 * @in_window: also those of DISPATCH_REPORT
 *
 * Return: 0; -ENOMEM: no handler was called.
 */
int dispatch_record(struct dispatch *dispatch, const struct ltttrace_record *record, bool in_window);

/* Return: true if the recording has a class of @event, as in dispatch_on(), with all of @fields. */
bool dispatch_has(const struct dispatch *dispatch, const char *event, const char *const *fields);

/**
 * dispatch_missing() - find out why dispatch_has() is false
 * @dispatch: the dispatcher
 * @event: see dispatch_on()
 * @fields: see dispatch_on()
 * @class: receives a class of the name, or NULL if there is none
 *
 * Return: the name of a field that the class lacks; NULL if nothing is missing, or there is no class.
 */
const char *dispatch_missing(const struct dispatch *dispatch, const char *event, const char *const *fields,
			     const struct ltttrace_event **class);

/* Return: true if an event of this name is one that @pattern stands for, see dispatch_on(). */
bool dispatch_matches(const char *pattern, const char *event);

/* Return: the integer field @n of the handler's names; 0 if it is missing. */
static inline int64_t dispatch_integer(const struct dispatch_event *event, unsigned int n)
{
	return ltttrace_integer(event->record, event->index[n]);
}

/**
 * dispatch_text() - copy the text of a field
 * @event: the event
 * @n: the field, in the order of the handler's names
 * @text: receives the text, which is cut to @size
 * @size: bytes of @text
 *
 * Return: false if the field is missing or no text; then @text is "".
 */
bool dispatch_text(const struct dispatch_event *event, unsigned int n, char *text, size_t size);

/* As dispatch_text() of a field by its index in record->event->fields; -1: it is missing. */
bool record_text(const struct ltttrace_record *record, int field, char *text, size_t size);

#endif /* LTTCTL_MODEL_DISPATCH_H */
