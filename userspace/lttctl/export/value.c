// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Values of fields as text; value.h has the interface.
 *
 * Layer: lttctl export.
 */
#include "value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

size_t value_length(const struct ltttrace_value *value)
{
	return strnlen(value->text, value->size);
}

static int number_text(const struct ltttrace_field *field, const struct ltttrace_value *value, char *text, size_t size)
{
	const uint64_t mask = field->bits < 64 ? (1ULL << field->bits) - 1 : UINT64_MAX;

	if (field->element == LTTTRACE_FLOAT)
		return snprintf(text, size, "%.17g", value->f);
	if (field->base == 16)
		return snprintf(text, size, "0x%" PRIx64, value->u & mask);
	return field->element == LTTTRACE_SIGNED ? snprintf(text, size, "%" PRId64, value->s) :
						   snprintf(text, size, "%" PRIu64, value->u);
}

size_t value_text(const struct ltttrace_field *field, const struct ltttrace_value *value, char text[VALUE_TEXT])
{
	static const char cut[] = "...]";
	struct ltttrace_value element;
	size_t len = 0, i;

	if (value->text)
		return snprintf(text, VALUE_TEXT, "%.*s", (int)(value_length(value) < VALUE_TEXT ? value_length(value) : VALUE_TEXT - 1),
				value->text), strlen(text);
	if (field->kind < LTTTRACE_STRING)
		return number_text(field, value, text, VALUE_TEXT);
	text[len++] = '[';
	for (i = 0; i < value->length && len < VALUE_TEXT - 64; i++) {
		element = ltttrace_element(field, value, i);
		len += sprintf(text + len, "%s", i ? ", " : "");
		len += number_text(field, &element, text + len, VALUE_TEXT - len);
	}
	return len + sprintf(text + len, "%s", i < value->length ? cut : "]");
}

bool part_is_kernel(const struct ltttrace_part *part)
{
	const char *domain = ltttrace_env(part, "domain");

	return domain ? !strcmp(domain, "kernel") : !strcmp(part->name, "kernel");
}

bool event_is_own(const struct ltttrace_event *event)
{
	return !strncmp(event->name, "ltt:", 4);
}
