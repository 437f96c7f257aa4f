// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * How the kernel prints the fields of an event.
 *
 * Layer: lttctl view.
 */
#include "print-format.h"
#include "print-expression.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MAX	128

/**
 * struct argument - a conversion of the format, and its argument
 * @before: the text between the last conversion and this one
 * @before_len: its length
 * @conversion: 's', 'd' and so on
 * @is_address: %p, %ps and others
 * @expression: NULL if it is not understood
 */
struct argument {
	const char *before;
	size_t before_len;
	char conversion;
	bool is_address;
	struct print_expression *expression;
};

/**
 * struct shown - how a field is shown: by arguments that follow each other and read it alone
 * @field: its name
 * @kind: see there
 * @first: the first of its arguments
 * @last: the last
 */
struct shown {
	const char *field;
	enum print_kind kind;
	unsigned int first;
	unsigned int last;
};

struct print_format {
	char *text;
	unsigned int nr;
	struct argument argument[ARGUMENTS_MAX];
	unsigned int nr_shown;
	struct shown shown[ARGUMENTS_MAX];
};

/* ---- Parsing ---- */

/* Take one conversion behind a percent sign.  Return: false for one that is not known. */
static bool take_conversion(const char **at, struct argument *argument)
{
	*at += strspn(*at, "-+ #0123456789.");
	*at += strspn(*at, "hlLqjzt");
	argument->conversion = **at;
	if (!argument->conversion || !strchr("diuxXocsp", argument->conversion))
		return false;
	++*at;
	if (argument->conversion != 'p')
		return true;
	/* With other letters behind it, %p is not an address. */
	argument->is_address = !isalpha((unsigned char)**at) || strchr("sSfFBxK", **at);
	*at += isalpha((unsigned char)**at) != 0;
	return true;
}

/* Split the text of the format.  Return: the place behind its quote; NULL if it is not understood. */
static const char *take_conversions(struct print_format *format)
{
	const char *at = format->text + strspn(format->text, " "), *before;

	if (*at++ != '"')
		return NULL;
	for (before = at; *at && *at != '"'; ) {
		if (*at == '\\' && at[1]) {
			at += 2;
		} else if (*at != '%') {
			at++;
		} else if (at[1] == '%') {
			at += 2;
		} else {
			struct argument *argument = &format->argument[format->nr];

			if (format->nr == ARGUMENTS_MAX)
				return NULL;
			argument->before = before;
			argument->before_len = at++ - before;
			if (!take_conversion(&at, argument))
				return NULL;
			before = at;
			format->nr++;
		}
	}
	return *at ? at + 1 : NULL;
}

static void take_arguments(struct print_format *format, const char *at)
{
	unsigned int i;

	for (i = 0; i < format->nr && *(at += strspn(at, " ")) == ','; i++) {
		at++;
		format->argument[i].expression = print_expression_parse(&at);
	}
}

/* ---- What the arguments say of a field ---- */

/* Return: the field that an argument reads alone; NULL if it does not. */
static const char *field_of(const struct argument *argument)
{
	return argument->expression ? print_expression_field(argument->expression) : NULL;
}

static bool is_text(const struct argument *argument)
{
	return argument->conversion == 's' && !print_expression_is_bare(argument->expression);
}

static bool number_is(const struct argument *argument, int64_t value, int64_t expected)
{
	int64_t number;

	return print_expression_number(argument->expression, value, &number) && number == expected;
}

/* The kernel's MAJOR() and MINOR(), by what they do to a number. */
static bool is_device(const struct argument *argument)
{
	return number_is(&argument[0], 0x12345678, 0x123) && number_is(&argument[1], 0x12345678, 0x45678);
}

static void add_shown(struct print_format *format, enum print_kind kind, unsigned int first, unsigned int last)
{
	format->shown[format->nr_shown++] = (struct shown){
		.field = field_of(&format->argument[first]), .kind = kind, .first = first, .last = last,
	};
}

/* Look at the arguments from @first to before @end, which read the same field. */
static void look_at(struct print_format *format, unsigned int first, unsigned int end)
{
	const struct argument *argument = format->argument;

	if (end - first == 2 && is_device(&argument[first])) {
		add_shown(format, PRINT_DEVICE, first, end - 1);
		return;
	}
	if (end - first == 1 && argument[first].is_address) {
		add_shown(format, PRINT_ADDRESS, first, first);
		return;
	}
	/* A number beside the text says the same. */
	while (first < end && !is_text(&argument[first]))
		first++;
	while (first < end && !is_text(&argument[end - 1]))
		end--;
	if (first < end)
		add_shown(format, PRINT_TEXT, first, end - 1);
}

static void look_at_all(struct print_format *format)
{
	unsigned int first, end;

	for (first = 0; first < format->nr; first = end) {
		const char *field = field_of(&format->argument[first]), *next;

		end = first + 1;
		if (!field)
			continue;
		while (end < format->nr && (next = field_of(&format->argument[end])) && !strcmp(next, field))
			end++;
		look_at(format, first, end);
	}
}

struct print_format *print_format_parse(const char *text)
{
	struct print_format *format = calloc(1, sizeof(*format));
	const char *arguments;

	if (!format)
		return NULL;
	format->text = strdup(text);
	if (!format->text) {
		free(format);
		return NULL;
	}
	arguments = take_conversions(format);
	if (!arguments)
		return format;
	take_arguments(format, arguments);
	look_at_all(format);
	return format;
}

void print_format_free(struct print_format *format)
{
	unsigned int i;

	if (!format)
		return;
	for (i = 0; i < format->nr; i++)
		print_expression_free(format->argument[i].expression);
	free(format->text);
	free(format);
}

/* ---- Showing ---- */

static const struct shown *find(const struct print_format *format, const char *field)
{
	unsigned int i;

	for (i = 0; i < format->nr_shown; i++)
		if (!strcmp(format->shown[i].field, field))
			return &format->shown[i];
	return NULL;
}

enum print_kind print_format_kind(const struct print_format *format, const char *field)
{
	const struct shown *shown = find(format, field);

	return shown ? shown->kind : PRINT_NUMBER;
}

/* One argument; a number between texts is printed as one. */
static bool put_argument(const struct argument *argument, int64_t value, char *text, size_t size)
{
	int64_t number;

	if (is_text(argument))
		return print_expression_text(argument->expression, value, text, size);
	if (!print_expression_number(argument->expression, value, &number))
		return false;
	snprintf(text, size, strchr("xX", argument->conversion) ? "%" PRIx64 : "%" PRId64, number);
	return true;
}

bool print_format_text(const struct print_format *format, const char *field, int64_t value, char *text,
		       size_t size)
{
	const struct shown *shown = find(format, field);
	size_t len = 0;
	unsigned int i;

	if (!shown || shown->kind != PRINT_TEXT)
		return false;
	for (i = shown->first; i <= shown->last && len < size; i++) {
		const struct argument *argument = &format->argument[i];

		if (i > shown->first)
			len += snprintf(text + len, size - len, "%.*s", (int)argument->before_len, argument->before);
		if (len >= size)
			break;
		if (!put_argument(argument, value, text + len, size - len))
			return false;
		len += strlen(text + len);
	}
	return len;
}

bool print_format_fields(const struct print_format *format, bool (*fn)(const char *field, const void *arg),
			 const void *arg)
{
	unsigned int i;

	for (i = 0; i < format->nr_shown; i++)
		if (!fn(format->shown[i].field, arg))
			return false;
	return true;
}
