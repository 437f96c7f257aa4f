/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The values of fields as text.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_VALUE_H
#define LTTCTL_VIEW_VALUE_H

#include "out.h"
#include "row.h"

/* Write the value of a field, as it is shown in a line. */
void value_put(struct out *out, const struct row *row, const struct shown *shown);

/* Write the name that a value has, without quotation marks.  Return: false if it has none; then nothing is written. */
bool value_put_name(struct out *out, const struct row *row, const struct shown *shown);

/**
 * struct value_list - the elements of an array, sequence or stack
 * @value: of the field; of a stack, unused
 * @stack: the stack; NULL: it is not one
 * @first: the first element that is shown
 * @end: the end of the elements
 * @is_kernel: the addresses of @stack are in the kernel
 * @is_unknown: the addresses of the stack are not known
 */
struct value_list {
	struct ltttrace_value value;
	const struct stack *stack;
	size_t first;
	size_t end;
	bool is_kernel;
	bool is_unknown;
};

/* Return: false if the field is not a list; a text is not one. */
bool value_list(struct value_list *list, const struct row *row, const struct shown *shown);

/* Write an element.  Return: true if it is a name, or false for a number. */
bool value_put_element(struct out *out, const struct row *row, const struct shown *shown, const struct value_list *list,
		       size_t index);

#endif /* LTTCTL_VIEW_VALUE_H */
