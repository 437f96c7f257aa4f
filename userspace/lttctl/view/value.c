// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The values of fields as text.
 *
 * Layer: lttctl view.
 */
#include "value.h"

#include "common/shm.h"
#include "kernel-names.h"
#include "kernel-symbols.h"

#include <string.h>

/* ---- Numbers ---- */

/* As printf() does: hexadecimal and octal numbers have no sign, but the bits of their size. */
static void put_integer(struct out *out, const struct ltttrace_field *field, uint64_t value)
{
	const uint64_t bits = value << (64 - field->bits) >> (64 - field->bits);

	if (field->base == 16)
		out_hex(out, bits);
	else if (field->base == 8)
		out_octal(out, bits);
	else if (field->element == LTTTRACE_SIGNED)
		out_signed(out, value);
	else
		out_unsigned(out, value);
}

/* Return: true for a name. */
static bool put_number(struct out *out, const struct ltttrace_field *field, const struct ltttrace_value *value)
{
	const char *label = field->nr_labels ? ltttrace_label(field, value->u) : NULL;

	if (label)
		out_plain(out, label, strlen(label));
	else if (field->element == LTTTRACE_FLOAT)
		out_real(out, value->f, field->bits == 32);
	else
		put_integer(out, field, value->u);
	return label;
}

/* ---- Names ---- */

static bool put_cgroup(struct out *out, uint64_t id)
{
	const char *path = kernel_cgroup(id);

	if (path)
		out_plain(out, path, strlen(path));
	return path;
}

static bool put_socket(struct out *out, const struct row *row, const struct shown *shown)
{
	const struct ltttrace_value value = ltttrace_value(row->record, shown->index);

	return syscall_put_address(out, value.elements, value.length);
}

static bool put_number_name(struct out *out, const struct row *row, const struct shown *shown, uint64_t value)
{
	switch (shown->naming) {
	case NAMING_CGROUP:
		return put_cgroup(out, value);
	case NAMING_COUNTER:
		if (value != LTT_PERF_UNAVAILABLE)
			return false;
		out_text(out, "unavailable");
		return true;
	case NAMING_DEVICE:
		decode_put_device(out, value);
		return true;
	case NAMING_ERROR:
		return syscall_put_error(out, value);
	case NAMING_KERNEL:
		return kernel_symbols_put(out, value);
	case NAMING_KERNEL_CODE:
		return mapped_put(out, &row->where, value, false) || kernel_symbols_put(out, value);
	case NAMING_NUMBER:
		return syscall_put_number(out, shown->names, value);
	case NAMING_TEXT:
		return decode_put_text(out, row->class->format, shown->field->name, value, shown->texts);
	default:
		return false;
	}
}

/* The value of an integer is @value. */
static bool put_name(struct out *out, const struct row *row, const struct shown *shown,
		     const struct ltttrace_value *value)
{
	if (shown->is_address && mapped_put(out, &row->where, value->u, shown->returns))
		return true;
	return shown->naming != NAMING_NONE && put_number_name(out, row, shown, value->u);
}

bool value_put_name(struct out *out, const struct row *row, const struct shown *shown)
{
	struct ltttrace_value value;
	const char *label;

	if (shown->naming == NAMING_SOCKET)
		return put_socket(out, row, shown);
	if (shown->field->kind > LTTTRACE_SIGNED)
		return false;
	value = ltttrace_value(row->record, shown->index);
	if (put_name(out, row, shown, &value))
		return true;
	label = shown->field->nr_labels ? ltttrace_label(shown->field, value.u) : NULL;
	if (label)
		out_plain(out, label, strlen(label));
	return label;
}

/* ---- Lists ---- */

static void list_stack(struct value_list *list, const struct row *row, const struct shown *shown)
{
	const uint64_t number = ltttrace_integer(row->record, shown->index);

	stacks_learn(row->record, shown->index);
	list->stack = stacks_find(number);
	list->is_kernel = !strncmp(shown->field->name, "kernel", strlen("kernel"));
	/* 0 is a stack that could not be captured. */
	list->is_unknown = !list->stack && number;
	if (!list->stack)
		return;
	list->end = list->stack->nr;
	if (list->is_kernel)
		list->first = stacks_own(row->record, list->stack);
}

bool value_list(struct value_list *list, const struct row *row, const struct shown *shown)
{
	*list = (struct value_list){ .first = 0 };
	if (shown->naming == NAMING_STACK_NUMBER) {
		list_stack(list, row, shown);
		return true;
	}
	if ((shown->field->kind != LTTTRACE_ARRAY && shown->field->kind != LTTTRACE_SEQUENCE) || shown->field->is_text)
		return false;
	list->value = ltttrace_value(row->record, shown->index);
	list->end = list->value.length;
	return true;
}

/* In a program, the first address is that of an instruction; others are returned to. */
static bool put_address(struct out *out, const struct row *row, const struct value_list *list, size_t index)
{
	const uint64_t address = list->stack->address[index];

	if (!row->class->is_raw && (list->is_kernel ? kernel_symbols_put(out, address) :
						      mapped_put(out, &row->where, address, index)))
		return true;
	out_hex(out, address);
	return false;
}

bool value_put_element(struct out *out, const struct row *row, const struct shown *shown, const struct value_list *list,
		       size_t index)
{
	struct ltttrace_value value;

	if (list->stack)
		return put_address(out, row, list, index);
	value = ltttrace_element(shown->field, &list->value, index);
	if (shown->naming == NAMING_STACK && shown->field->element == LTTTRACE_UNSIGNED &&
	    mapped_put(out, &row->where, value.u, true))
		return true;
	return put_number(out, shown->field, &value);
}

static void put_list(struct out *out, const struct row *row, const struct shown *shown, const struct value_list *list)
{
	size_t i;

	out_char(out, '[');
	if (list->is_unknown)
		out_text(out, "...");
	for (i = list->first; i < list->end; i++) {
		if (i > list->first)
			out_bytes(out, ", ", 2);
		value_put_element(out, row, shown, list, i);
	}
	out_char(out, ']');
}

/* ---- The value ---- */

void value_put(struct out *out, const struct row *row, const struct shown *shown)
{
	struct ltttrace_value value;
	struct value_list list;

	if (shown->naming == NAMING_SOCKET && put_socket(out, row, shown))
		return;
	if (value_list(&list, row, shown)) {
		put_list(out, row, shown, &list);
		return;
	}
	value = ltttrace_value(row->record, shown->index);
	if (shown->field->kind == LTTTRACE_STRING || shown->field->is_text)
		out_quoted(out, value.text, value.size);
	else if ((shown->naming == NAMING_NONE && !shown->is_address) || shown->field->kind == LTTTRACE_FLOAT ||
		 !put_name(out, row, shown, &value))
		put_number(out, shown->field, &value);
}
