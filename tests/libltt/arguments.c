// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Random events as a program emits them.
 */
#include "arguments.h"

#include <stdlib.h>
#include <string.h>

/* With up to two arguments for each, so many fields are certain to fit. */
#define FIELDS	(LTT_MARK_MAX_ARGS / 2)

void draw_marker(uint64_t *state, struct layout *layout)
{
	size_t i;

	draw_layout(state, layout);
	if (layout->nr > FIELDS)
		layout->nr = FIELDS;
	/* The only text of fixed size is a character. */
	for (i = 0; i < layout->nr; i++)
		if (layout->field[i].kind == LTT_FIELD_TEXT)
			layout->field[i].count = 1;
}

static void add(struct arguments *arguments, unsigned int how, unsigned int size, unsigned int count, uint64_t word)
{
	arguments->fields.step[arguments->nr] = (struct ltt_mark_step){ .how = how, .size = size, .count = count };
	arguments->words[arguments->nr++] = word;
}

/* Bits beyond the size of an argument are not part of it. */
static const char *add_value(struct arguments *arguments, const char *from, unsigned int size)
{
	uint64_t word = 0x5a5a5a5a5a5a5a5a;

	memcpy(&word, from, size);
	add(arguments, LTT_MARK_VALUE, size, 0, word);
	return from + size;
}

static const char *copy(struct arguments *arguments, const char *from, size_t size)
{
	char *text = malloc(size + !size);

	if (!text)
		abort();
	arguments->text[arguments->nr] = memcpy(text, from, size);
	return text;
}

/* A text with a NUL, with a length before it, or with a precision; the last two have no NUL. */
static const char *add_text(struct arguments *arguments, const char *from, unsigned int number)
{
	size_t len = strlen(from);
	const char *text;

	if (number % 3 == 1) {
		add(arguments, LTT_MARK_LENGTH, 4, 0, len);
		text = copy(arguments, from, len);
		add(arguments, LTT_MARK_TEXT_OF_LENGTH, 8, 0, (uintptr_t)text);
	} else if (number % 3 == 2 && len) {
		text = copy(arguments, from, len);
		add(arguments, LTT_MARK_TEXT, 8, len, (uintptr_t)text);
	} else {
		text = copy(arguments, from, len + 1);
		add(arguments, LTT_MARK_TEXT, 8, 0, (uintptr_t)text);
	}
	return from + len + 1;
}

static const char *add_field(struct arguments *arguments, const struct ltt_field *field, const char *from,
			     unsigned int number)
{
	uint16_t count;

	switch (field->kind) {
	case LTT_FIELD_STRING:
		return add_text(arguments, from, number);
	case LTT_FIELD_ARRAY:
		add(arguments, LTT_MARK_ARRAY, field->size, field->count, (uintptr_t)from);
		return from + (size_t)field->count * field->size;
	case LTT_FIELD_SEQUENCE:
		memcpy(&count, from, sizeof(count));
		add(arguments, LTT_MARK_LENGTH, 4, 0, count);
		add(arguments, LTT_MARK_SEQUENCE, field->size, 0, (uintptr_t)(from + sizeof(count)));
		return from + sizeof(count) + (size_t)count * field->size;
	default:
		return add_value(arguments, from, field->size);
	}
}

void arguments_make(struct arguments *arguments, const struct layout *layout, const char *payload)
{
	unsigned int i;

	*arguments = (struct arguments){ .fields.nr = layout->nr };
	for (i = 0; i < layout->nr; i++) {
		arguments->fields.field[i] = layout->field[i];
		payload = add_field(arguments, &layout->field[i], payload, i);
	}
}

void arguments_free(struct arguments *arguments)
{
	unsigned int i;

	for (i = 0; i < arguments->nr; i++)
		free(arguments->text[i]);
}
