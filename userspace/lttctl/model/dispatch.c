// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Handlers of events, by the event's name: see dispatch.h.
 *
 * Layer: lttctl model.
 */
#include "dispatch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct handler - what was added by dispatch_on() or dispatch_on_all()
 * @event: the name; NULL: all records
 * @fields: the fields
 * @fn: the handler
 * @record_fn: if @event is NULL, the function
 * @data: for both
 */
struct handler {
	const char *event;
	const char *const *fields;
	dispatch_fn *fn;
	dispatch_record_fn *record_fn;
	void *data;
};

/* The handler of a class, with the indexes of its fields. */
struct target {
	dispatch_fn *fn;
	void *data;
	int index[DISPATCH_FIELDS];
};

/* The targets of a class in each phase. */
struct class {
	bool resolved;
	struct {
		struct target *targets;
		size_t nr;
	} phases[DISPATCH_PHASES];
};

struct dispatch {
	const struct ltttrace *trace;
	struct {
		struct handler *handlers;
		size_t nr;
	} phases[DISPATCH_PHASES];
	struct class *classes;
	size_t nr_classes;
};

struct dispatch *dispatch_new(const struct ltttrace *trace)
{
	struct dispatch *dispatch = calloc(1, sizeof(*dispatch));

	if (dispatch)
		dispatch->trace = trace;
	return dispatch;
}

void dispatch_free(struct dispatch *dispatch)
{
	size_t i, phase;

	if (!dispatch)
		return;
	for (i = 0; i < dispatch->nr_classes; i++)
		for (phase = 0; phase < DISPATCH_PHASES; phase++)
			free(dispatch->classes[i].phases[phase].targets);
	for (phase = 0; phase < DISPATCH_PHASES; phase++)
		free(dispatch->phases[phase].handlers);
	free(dispatch->classes);
	free(dispatch);
}

static int add(struct dispatch *dispatch, enum dispatch_phase phase, const struct handler *handler)
{
	size_t nr = dispatch->phases[phase].nr;
	struct handler *more = reallocarray(dispatch->phases[phase].handlers, nr + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	more[nr] = *handler;
	dispatch->phases[phase].handlers = more;
	dispatch->phases[phase].nr++;
	return 0;
}

int dispatch_on(struct dispatch *dispatch, enum dispatch_phase phase, const char *event, const char *const *fields,
		dispatch_fn *fn, void *data)
{
	const struct handler handler = { .event = event, .fields = fields, .fn = fn, .data = data };

	return add(dispatch, phase, &handler);
}

int dispatch_on_all(struct dispatch *dispatch, enum dispatch_phase phase, dispatch_record_fn *fn, void *data)
{
	const struct handler handler = { .record_fn = fn, .data = data };

	return add(dispatch, phase, &handler);
}

/* --- Classes -------------------------------------------------------------- */

bool dispatch_matches(const char *pattern, const char *event)
{
	size_t length = strlen(pattern);

	if (length && pattern[length - 1] == '*')
		return !strncmp(pattern, event, length - 1);
	return !strcmp(pattern, event);
}

static int find_field(const struct ltttrace_event *class, const char *name)
{
	int index = ltttrace_payload_field(class, name);

	return index >= 0 ? index : ltttrace_context_field(class, name);
}

/* Return: the name of the first field that is missing; NULL if none is. */
static const char *find_fields(const struct ltttrace_event *class, const char *const *fields, int index[DISPATCH_FIELDS])
{
	size_t i;

	for (i = 0; i < DISPATCH_FIELDS; i++)
		index[i] = -1;
	for (i = 0; fields && fields[i] && i < DISPATCH_FIELDS; i++) {
		index[i] = find_field(class, fields[i] + (fields[i][0] == '?'));
		if (index[i] < 0 && fields[i][0] != '?')
			return fields[i];
	}
	return NULL;
}

static int resolve_phase(const struct dispatch *dispatch, const struct ltttrace_event *event, struct class *class,
			 size_t phase)
{
	const struct handler *handler = dispatch->phases[phase].handlers;
	const struct handler *end = handler + dispatch->phases[phase].nr;
	struct target *targets = NULL, *more;
	int index[DISPATCH_FIELDS];
	size_t nr = 0;

	for (; handler < end; handler++) {
		if (!handler->event || !dispatch_matches(handler->event, event->name) ||
		    find_fields(event, handler->fields, index))
			continue;
		more = reallocarray(targets, nr + 1, sizeof(*targets));
		if (!more) {
			free(targets);
			return -ENOMEM;
		}
		targets = more;
		targets[nr] = (struct target){ .fn = handler->fn, .data = handler->data };
		memcpy(targets[nr++].index, index, sizeof(index));
	}
	class->phases[phase].targets = targets;
	class->phases[phase].nr = nr;
	return 0;
}

/* Classes may come while a recording that runs is read. */
static int add_classes(struct dispatch *dispatch)
{
	size_t nr = ltttrace_nr_events(dispatch->trace);
	struct class *more = reallocarray(dispatch->classes, nr, sizeof(*more));

	if (!more)
		return -ENOMEM;
	memset(more + dispatch->nr_classes, 0, (nr - dispatch->nr_classes) * sizeof(*more));
	dispatch->classes = more;
	dispatch->nr_classes = nr;
	return 0;
}

static int resolve(struct dispatch *dispatch, const struct ltttrace_event *event)
{
	struct class *class;
	size_t phase;
	int err = 0;

	if (event->number >= dispatch->nr_classes)
		err = add_classes(dispatch);
	if (err || dispatch->classes[event->number].resolved)
		return err;
	class = &dispatch->classes[event->number];
	for (phase = 0; phase < DISPATCH_PHASES && !err; phase++)
		if (!class->phases[phase].targets)
			err = resolve_phase(dispatch, event, class, phase);
	class->resolved = !err;
	return err;
}

/* --- Records -------------------------------------------------------------- */

static void call_phase(struct dispatch *dispatch, const struct ltttrace_record *record, size_t phase)
{
	struct dispatch_event event = { .record = record };
	const struct handler *handler = dispatch->phases[phase].handlers;
	const struct handler *handlers_end = handler + dispatch->phases[phase].nr;
	const struct target *target, *end;

	for (; handler < handlers_end; handler++)
		if (!handler->event)
			handler->record_fn(record, handler->data);
	if (record->kind != LTTTRACE_EVENT)
		return;
	target = dispatch->classes[record->event->number].phases[phase].targets;
	end = target + dispatch->classes[record->event->number].phases[phase].nr;
	for (; target < end; target++) {
		memcpy(event.index, target->index, sizeof(event.index));
		target->fn(&event, target->data);
	}
}

int dispatch_record(struct dispatch *dispatch, const struct ltttrace_record *record, bool in_window)
{
	size_t phase, end = in_window ? DISPATCH_PHASES : DISPATCH_REPORT;
	int err = record->kind == LTTTRACE_EVENT ? resolve(dispatch, record->event) : 0;

	for (phase = 0; phase < end && !err; phase++)
		call_phase(dispatch, record, phase);
	return err;
}

bool dispatch_has(const struct dispatch *dispatch, const char *event, const char *const *fields)
{
	const struct ltttrace_event *class;

	return !dispatch_missing(dispatch, event, fields, &class) && class;
}

const char *dispatch_missing(const struct dispatch *dispatch, const char *event, const char *const *fields,
			     const struct ltttrace_event **class)
{
	size_t i, nr = ltttrace_nr_events(dispatch->trace);
	const char *missing = NULL, *lacks;
	int index[DISPATCH_FIELDS];

	*class = NULL;
	for (i = 0; i < nr; i++) {
		const struct ltttrace_event *candidate = ltttrace_event(dispatch->trace, i);

		if (!dispatch_matches(event, candidate->name))
			continue;
		lacks = find_fields(candidate, fields, index);
		*class = candidate;
		if (!lacks)
			return NULL;
		missing = lacks;
	}
	return missing;
}

/* --- Texts ---------------------------------------------------------------- */

bool record_text(const struct ltttrace_record *record, int field, char *text, size_t size)
{
	struct ltttrace_value value;
	size_t length;

	text[0] = '\0';
	if (field < 0)
		return false;
	value = ltttrace_value(record, field);
	if (!value.text)
		return false;
	length = strnlen(value.text, value.size < size - 1 ? value.size : size - 1);
	memcpy(text, value.text, length);
	text[length] = '\0';
	return true;
}

bool dispatch_text(const struct dispatch_event *event, unsigned int n, char *text, size_t size)
{
	return record_text(event->record, event->index[n], text, size);
}
