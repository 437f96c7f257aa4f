/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Labels: names of the values of an integer field.
 *
 * Layer: core.  Labels stay text, as in the format of the marker:
 *
 *   NAME=NUMBER, ... }
 *
 * with white space anywhere.  A name has 1 to 63 characters: a letter or _, then letters,
 * digits, - _ and .  A number is decimal or hexadecimal (0x), with or without a minus.
 */
#ifndef LTT_CORE_LABEL_H
#define LTT_CORE_LABEL_H

#include "types.h"

#define LTT_LABEL_NAME_MAX	63

/**
 * struct ltt_label - the name of a value
 * @name: @len characters
 * @len: 1 to LTT_LABEL_NAME_MAX
 * @value: in two's complement if negative
 * @is_negative: it was written with a minus
 */
struct ltt_label {
	const char *name;
	unsigned int len;
	u64 value;
	bool is_negative;
};

/**
 * ltt_label_next() - take the next label from a list
 * @at: place in the list, NUL-terminated text; on success it is moved behind the label and
 *	its comma
 * @label: filled in
 *
 * Context: any.
 * Return: true; false if there is no sound label here, as at the brace that ends the list.
 */
bool ltt_label_next(const char **at, struct ltt_label *label);

#endif /* LTT_CORE_LABEL_H */
