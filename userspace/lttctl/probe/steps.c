// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Writes the steps of a field.
 *
 * Layer: lttctl.
 */
#include "steps.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Append to a text that has room for the longest value that the parser accepts. */
void steps_add(struct steps *steps, const char *fmt, ...)
{
	size_t room = sizeof(steps->text) - steps->len;
	va_list list;
	int len;

	steps_flush(steps);
	if (steps->len)
		steps->text[steps->len++] = ',';
	va_start(list, fmt);
	len = vsnprintf(steps->text + steps->len, room, fmt, list);
	va_end(list);
	steps->len += len;
}

void steps_flush(struct steps *steps)
{
	int64_t offset = steps->offset;

	steps->offset = 0;
	if (offset)
		steps_add(steps, "%+" PRId64, offset);
}

void steps_load(struct steps *steps, bool user, int size)
{
	steps_add(steps, "%c%d", user ? 'u' : 'k', size);
}

void field_set_type(struct field *field, const struct probe_argument *argument, char memory)
{
	char count[16] = "";

	if (argument->count)
		snprintf(count, sizeof(count), "[%d]", argument->count);
	switch (argument->type) {
	case PROBE_DEFAULT:
		return;
	case PROBE_INTEGER:
		snprintf(field->type, sizeof(field->type), "%c%d%s", argument->sign, argument->bits, count);
		break;
	case PROBE_TEXT:
		snprintf(field->type, sizeof(field->type), "text%s", count);
		break;
	case PROBE_STRING:
		snprintf(field->type, sizeof(field->type), "string%s", count);
		break;
	}
	field->memory = 0;
	if (argument->type != PROBE_INTEGER || argument->count)
		field->memory = argument->user ? 'u' : memory;
}
