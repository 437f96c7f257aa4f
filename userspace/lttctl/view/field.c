// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The values of fields as text.
 *
 * Layer: lttctl view.
 */
#include "decode.h"
#include "view.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields of these names are code addresses. */
static const struct {
	const char *name;
	bool returns;	/* see mapped_print() */
} code_fields[] = {
	{ "function", false },
	{ "call_site", true },
	{ "caller", true },
};

/* A recording may contain any bytes: send no control characters to the terminal. */
static void print_escaped(const char *text, const char *special)
{
	for (; *text; text++) {
		if (strchr(special, *text))
			printf("\\%c", *text);
		else if (iscntrl((unsigned char)*text))
			printf("\\x%02x", (unsigned char)*text);
		else
			putchar(*text);
	}
}

void print_plain(const char *text)
{
	print_escaped(text, "");
}

static void print_string(const char *text)
{
	putchar('"');
	print_escaped(text, "\"\\");
	putchar('"');
}

static void print_in_base(const bt_field_class *class, uint64_t bits, int64_t value)
{
	switch (bt_field_class_integer_get_preferred_display_base(class)) {
	case BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_OCTAL:
		printf("0%" PRIo64, bits);
		break;
	case BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL:
		printf("0x%" PRIx64, bits);
		break;
	default:
		if (value < 0)
			printf("%" PRId64, value);
		else
			printf("%" PRIu64, bits);
	}
}

static void print_unsigned(const bt_field *field)
{
	print_in_base(bt_field_borrow_class_const(field), bt_field_integer_unsigned_get_value(field), 0);
}

/* Print a code address by its name.  Return: false if it is not one, or has no name. */
static bool print_code(const char *name, const bt_field *field, int64_t pid)
{
	size_t i;

	if (!bt_field_class_type_is(bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		return false;
	for (i = 0; i < sizeof(code_fields) / sizeof(code_fields[0]); i++)
		if (!strcmp(name, code_fields[i].name))
			return mapped_print(pid, bt_field_integer_unsigned_get_value(field), code_fields[i].returns);
	return false;
}

/* As printf() does: hexadecimal and octal numbers have no sign, but the bits of their size. */
static void print_signed(const bt_field *field)
{
	const bt_field_class *class = bt_field_borrow_class_const(field);
	int64_t value = bt_field_integer_signed_get_value(field);
	unsigned int unused = 64 - bt_field_class_integer_get_field_value_range(class);

	print_in_base(class, (uint64_t)value << unused >> unused, value);
}

static void print_integer(const bt_field *field)
{
	if (bt_field_class_type_is(bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		print_unsigned(field);
	else
		print_signed(field);
}

/* The first label of the value; the number if it has none. */
static void print_enumeration(const bt_field *field)
{
	bool is_signed = bt_field_class_type_is(bt_field_get_class_type(field),
						BT_FIELD_CLASS_TYPE_SIGNED_INTEGER);
	bt_field_class_enumeration_mapping_label_array labels;
	bt_field_enumeration_get_mapping_labels_status status;
	uint64_t count = 0;

	status = is_signed ? bt_field_enumeration_signed_get_mapping_labels(field, &labels, &count) :
		 bt_field_enumeration_unsigned_get_mapping_labels(field, &labels, &count);
	if (status == BT_FIELD_ENUMERATION_GET_MAPPING_LABELS_STATUS_OK && count)
		fputs(labels[0], stdout);
	else
		print_integer(field);
}

/* With as many digits as it takes to tell the number from all others of its size. */
static void print_real(double value, bool is_single)
{
	char text[32];
	int digits;

	for (digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (is_single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
			break;
	}
	fputs(text, stdout);
}

static void print_structure(const bt_field *field, int64_t pid)
{
	const bt_field_class *class = bt_field_borrow_class_const(field);
	uint64_t count = bt_field_class_structure_get_member_count(class);
	const bt_field_class_structure_member *member;
	const bt_field *value;
	const char *name;
	uint64_t first = event_context_in_payload(field), i;

	for (i = first; i < count; i++) {
		member = bt_field_class_structure_borrow_member_by_index_const(class, i);
		name = bt_field_class_structure_member_get_name(member);
		value = bt_field_structure_borrow_member_field_by_index_const(field, i);
		printf("%s%s=", i > first ? ", " : "", name);
		if (!print_code(name, value, pid) && !syscall_print(name, value) && !decode_print(name, value, pid))
			field_print(value, pid);
	}
}

static void print_array(const bt_field *field, int64_t pid)
{
	uint64_t count = bt_field_array_get_length(field);
	uint64_t i;

	putchar('[');
	for (i = 0; i < count; i++) {
		if (i)
			fputs(", ", stdout);
		field_print(bt_field_array_borrow_element_field_by_index_const(field, i), pid);
	}
	putchar(']');
}

void field_print_stack(const bt_field *field, int64_t pid)
{
	bool is_array = bt_field_class_type_is(bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_ARRAY);
	uint64_t count = is_array ? bt_field_array_get_length(field) : 0, i;
	const bt_field *address;

	putchar('[');
	for (i = 0; i < count; i++) {
		address = bt_field_array_borrow_element_field_by_index_const(field, i);
		if (i)
			fputs(", ", stdout);
		if (!bt_field_class_type_is(bt_field_get_class_type(address), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER) ||
		    !mapped_print(pid, bt_field_integer_unsigned_get_value(address), true))
			field_print(address, pid);
	}
	putchar(']');
}

/* babeltrace2 2.0.4 leaves an earlier text in an empty field, and only its length is right. */
const char *string_of(const bt_field *field)
{
	return bt_field_string_get_length(field) ? bt_field_string_get_value(field) : "";
}

void field_print(const bt_field *field, int64_t pid)
{
	bt_field_class_type type = bt_field_get_class_type(field);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ENUMERATION))
		print_enumeration(field);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER))
		print_integer(field);
	else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
		print_real(bt_field_real_single_precision_get_value(field), true);
	else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)
		print_real(bt_field_real_double_precision_get_value(field), false);
	else if (type == BT_FIELD_CLASS_TYPE_STRING)
		print_string(string_of(field));
	else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
		print_structure(field, pid);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY))
		print_array(field, pid);
	else	/* the tracer writes no other kinds */
		putchar('?');
}

bool field_integer(const bt_field *structure, const char *name, int64_t *value)
{
	const bt_field *field;
	bt_field_class_type type;

	field = bt_field_structure_borrow_member_field_by_name_const(structure, name);
	if (!field)
		return false;
	type = bt_field_get_class_type(field);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		*value = bt_field_integer_unsigned_get_value(field);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		*value = bt_field_integer_signed_get_value(field);
	else
		return false;
	return true;
}

const char *field_string(const bt_field *structure, const char *name)
{
	const bt_field *field;

	field = bt_field_structure_borrow_member_field_by_name_const(structure, name);
	if (!field || bt_field_get_class_type(field) != BT_FIELD_CLASS_TYPE_STRING)
		return NULL;
	return string_of(field);
}
