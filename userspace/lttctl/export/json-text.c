// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Texts and values as JSON; json-text.h has the interface.
 *
 * Layer: lttctl export.
 */
#include "json-text.h"
#include "common/utf8.h"
#include "value.h"

#include <inttypes.h>
#include <math.h>

#define EXACT (1LL << 53)	/* doubles hold all integers up to this one */

/* "</" would end a script of HTML. */
static void put_character(FILE *to, unsigned char c, unsigned char before)
{
	if (c == '"' || c == '\\' || (c == '/' && before == '<'))
		fprintf(to, "\\%c", c);
	else if (c < 0x20 || c == 0x7f)
		fprintf(to, "\\u%04x", c);
	else
		fputc(c, to);
}

void json_text(FILE *to, const char *text, size_t size)
{
	size_t len, i;

	fputc('"', to);
	while (size) {
		len = utf8_valid(text, size);
		for (i = 0; i < len; i++)
			put_character(to, text[i], i ? text[i - 1] : 0);
		text += len;
		size -= len;
		if (size) {
			fputs(UTF8_REPLACEMENT, to);
			text++;
			size--;
		}
	}
	fputc('"', to);
}

static void put_number(FILE *to, const struct ltttrace_field *field, const struct ltttrace_value *value)
{
	if (field->element == LTTTRACE_FLOAT)
		fprintf(to, isfinite(value->f) ? "%.17g" : "\"%f\"", value->f);
	else if (field->element == LTTTRACE_SIGNED)
		fprintf(to, value->s > EXACT || value->s < -EXACT ? "\"%" PRId64 "\"" : "%" PRId64, value->s);
	else
		fprintf(to, value->u > EXACT ? "\"%" PRIu64 "\"" : "%" PRIu64, value->u);
}

void json_value(FILE *to, const struct ltttrace_field *field, const struct ltttrace_value *value)
{
	struct ltttrace_value element;
	size_t i;

	if (value->text) {
		json_text(to, value->text, value_length(value));
	} else if (field->kind < LTTTRACE_STRING) {
		put_number(to, field, value);
	} else {
		fputc('[', to);
		for (i = 0; i < value->length; i++) {
			element = ltttrace_element(field, value, i);
			if (i)
				fputc(',', to);
			put_number(to, field, &element);
		}
		fputc(']', to);
	}
}
