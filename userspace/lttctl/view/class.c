// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Facts that `lttctl view` keeps about a class of events.
 *
 * Layer: lttctl view.
 */
#include "class.h"

#include "common/context.h"
#include "kernel-names.h"
#include "out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields of these names are code addresses in programs. */
static const struct {
	const char *name;
	bool returns;
} code_fields[] = {
	{ "function", false },
	{ "call_site", true },
	{ "caller", true },
};

/* ---- Names of values ---- */

static bool is_integer(const struct ltttrace_field *field)
{
	return field->kind == LTTTRACE_UNSIGNED || field->kind == LTTTRACE_SIGNED;
}

static void name_address(struct shown *shown)
{
	size_t i;

	for (i = 0; i < sizeof(code_fields) / sizeof(code_fields[0]); i++) {
		if (shown->field->kind != LTTTRACE_UNSIGNED || strcmp(shown->field->name, code_fields[i].name))
			continue;
		shown->is_address = true;
		shown->returns = code_fields[i].returns;
	}
}

/* Return: false if the field of a system call has no names. */
static bool name_syscall(struct shown *shown, const char *call)
{
	const struct ltttrace_field *field = shown->field;

	if ((field->kind == LTTTRACE_ARRAY || field->kind == LTTTRACE_SEQUENCE) && !field->is_text &&
	    field->element == LTTTRACE_UNSIGNED && field->bits == 8)
		shown->naming = NAMING_SOCKET;
	if (!is_integer(field))
		return shown->naming != NAMING_NONE;
	if (!strcmp(field->name, "ret")) {
		shown->naming = NAMING_ERROR;
		return true;
	}
	shown->names = number_names_of(call, field->name);
	if (shown->names)
		shown->naming = NAMING_NUMBER;
	return shown->names;
}

static void name_by_format(struct shown *shown, const struct print_format *format)
{
	switch (print_format_kind(format, shown->field->name)) {
	case PRINT_TEXT:
		shown->texts = calloc(1, sizeof(*shown->texts));
		if (shown->texts)
			shown->naming = NAMING_TEXT;
		break;
	case PRINT_DEVICE:
		shown->naming = NAMING_DEVICE;
		break;
	case PRINT_ADDRESS:
		shown->naming = NAMING_KERNEL;
		break;
	case PRINT_NUMBER:
		break;
	}
}

static void name_payload(const struct class *class, struct shown *shown)
{
	const char *call = syscall_of(class->event->name);

	name_address(shown);
	if (class->is_raw || (call && name_syscall(shown, call)))
		return;
	if (!is_integer(shown->field))
		return;
	if (decode_is_code(class->event->name, shown->field->name))
		shown->naming = NAMING_KERNEL_CODE;
	else if (class->format)
		name_by_format(shown, class->format);
}

static bool is_counter(const char *name)
{
	unsigned int i;

	for (i = 0; i < PERF_COUNTERS; i++)
		if (!strcmp(name, context_counters[i].field))
			return true;
	return false;
}

static void name_context(const struct class *class, struct shown *shown, bool is_common)
{
	const struct ltttrace_field *field = shown->field;

	if (is_common && !strcmp(field->name, "stack"))
		shown->naming = NAMING_STACK;
	else if (is_common && is_integer(field) && is_counter(field->name))
		shown->naming = NAMING_COUNTER;
	else if (!is_common && field->kind == LTTTRACE_UNSIGNED && !strcmp(field->name, "cgroup") &&
		 !class->is_raw && kernel_is_same_boot(class->event->part))
		shown->naming = NAMING_CGROUP;
}

/* ---- Fields ---- */

/* @between: stands before it in the line. */
static bool add(struct class *class, unsigned int index, const char *between, const char *name)
{
	struct shown *shown = &class->shown[class->nr_known];
	const struct ltttrace_event *event = class->event;
	const bool is_stack = stacks_field(event, index);
	int len;

	*shown = (struct shown){ .field = &event->fields[index + (is_stack ? 2 : 0)], .index = index };
	shown->is_context = is_stack || index < event->payload;
	shown->name = name ? name : shown->field->name;
	len = asprintf(&shown->label, "%s%s=", between, shown->name);
	if (len < 0)
		return false;
	shown->label_len = len;
	class->nr_known++;
	if (is_stack)
		shown->naming = NAMING_STACK_NUMBER;
	else if (index < event->payload)
		name_context(class, shown, index < event->own);
	else
		name_payload(class, shown);
	return true;
}

/* The fields that stand in the line before the contexts of the kernel, as far as they are not in a column. */
static bool is_of_programs(const struct ltttrace_event *event, unsigned int index)
{
	const struct ltttrace_field *field = &event->fields[index];

	return !strcmp(field->name, "stack") || (is_integer(field) && is_counter(field->name));
}

static bool add_all(struct class *class)
{
	const struct ltttrace_event *event = class->event;
	const unsigned int payload = event->payload + class->nr_stacks * STACK_FIELDS;
	bool added = true;
	unsigned int i;

	for (i = payload; added && i < event->nr_fields; i++)
		added = add(class, i, class->nr_known ? ", " : "", NULL);
	for (i = 0; added && i < event->own; i++)
		if (is_of_programs(event, i))
			added = add(class, i, class->nr_known ? ", " : " ", NULL);
	for (i = event->own; added && i < event->payload; i++)
		added = add(class, i, class->nr_known ? ", " : "", NULL);
	for (i = event->payload; added && i < payload; i += STACK_FIELDS)
		added = add(class, i, class->nr_known ? ", " : "", NULL);
	class->nr_shown = class->nr_known;
	/* Others are in a column, or would make the line long. */
	for (i = 0; added && i < event->own; i++)
		if ((int)i != event->tid && !event->fields[i].is_length && !is_of_programs(event, i))
			added = add(class, i, "", NULL);
	return added;
}

/* The addresses of a stack stand for it. */
static int stack_of(const struct class *class, int index)
{
	const int first = class->event->payload, end = first + class->nr_stacks * STACK_FIELDS;

	return index >= first && index < end && (index - first) % STACK_FIELDS == STACK_FIELDS - 1 ?
		       index - (STACK_FIELDS - 1) : index;
}

static bool add_chosen(struct class *class, const struct columns *columns)
{
	unsigned int i;
	int index;

	class->column = calloc(columns->nr_fields + 1, sizeof(*class->column));
	if (!class->column)
		return false;
	for (i = 0; i < columns->nr_fields; i++) {
		index = columns_find(class->event, columns->field[i]);
		class->column[i] = index < 0 ? -1 : (int)class->nr_known;
		if (index >= 0 && !add(class, stack_of(class, index), class->nr_known ? ", " : "", columns->field[i]))
			return false;
	}
	class->nr_shown = class->nr_known;
	return true;
}

/* ---- The whole ---- */

/* Names of events may be any text. */
static bool make_head(struct class *class, const char *end)
{
	const char *name = class->event->name;
	struct out out;

	if (!out_init(&out, -1))
		return false;
	out_plain(&out, name, strlen(name));
	class->name_len = out.len;
	out_text(&out, end);
	class->head_len = out.len;
	class->head = out.data;
	return true;
}

static bool fill(struct class *class, const struct columns *columns)
{
	const struct ltttrace_event *event = class->event;

	class->shown = calloc(event->nr_fields + columns->nr_fields + 1, sizeof(*class->shown));
	if (!class->shown)
		return false;
	if (!(columns->are_chosen ? add_chosen(class, columns) : add_all(class)))
		return false;
	return make_head(class, columns->are_chosen && !class->nr_shown ? ":" : ": ");
}

struct class *class_make(const struct ltttrace_event *event, const struct columns *columns, bool raw)
{
	/* Also without names, this is how functions of the kernel become known. */
	const struct print_format *format = decode_format(event);
	struct class *class = calloc(1, sizeof(*class));

	if (!class)
		return NULL;
	class->event = event;
	class->is_raw = raw;
	class->pid = ltttrace_context_field(event, "pid");
	class->format = raw ? NULL : format;
	while (stacks_field(event, event->payload + class->nr_stacks * STACK_FIELDS))
		class->nr_stacks++;
	class->nr_rules = comm_rules(event, class->rules);
	slices_class(&class->slice, event);
	class->is_watched = class->nr_rules || class->nr_stacks || class->slice.name;
	if (!fill(class, columns) || !filter_bind(&class->filter, event)) {
		class_free(class);
		return NULL;
	}
	return class;
}

void class_free(struct class *class)
{
	unsigned int i;

	if (!class)
		return;
	for (i = 0; i < class->nr_known; i++) {
		free(class->shown[i].label);
		free(class->shown[i].texts);
	}
	filter_unbind(&class->filter);
	free(class->shown);
	free(class->column);
	free(class->head);
	free(class);
}
