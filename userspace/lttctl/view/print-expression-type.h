/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The types of casts in the kernel's print formats.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_PRINT_EXPRESSION_TYPE_H
#define LTTCTL_PRINT_EXPRESSION_TYPE_H

#include <stdbool.h>
#include <stddef.h>

/* Return: the length of the word at the beginning of a text, 0 if there is none. */
size_t word_length(const char *at);

/* Return: true if the @len bytes at @at are @word. */
bool is_word(const char *at, size_t len, const char *word);

/**
 * struct type - a type in a cast
 * @bits: its size; 0: it is not known, and the cast leaves the value as it is
 * @is_unsigned: its sign
 */
struct type {
	unsigned int bits;
	bool is_unsigned;
};

/**
 * type_take() - take a type in parentheses off a text
 * @text: the text behind the opening parenthesis; receives the place behind the closing one
 * @type: receives the type
 *
 * Return: false if it is another expression; then nothing is taken.
 */
bool type_take(const char **text, struct type *type);

#endif /* LTTCTL_PRINT_EXPRESSION_TYPE_H */
