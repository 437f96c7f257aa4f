/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * An expression of the kernel's print formats, such as
 *
 *   __print_flags(REC->flags & 7, "|", { 1, "read" }, { 2, "write" })
 *
 * Layer: lttctl view.  The text comes from a recording and may be anything.  An expression that
 * reads several fields, or that calls another function of the kernel, is not understood.
 */
#ifndef LTTCTL_PRINT_EXPRESSION_H
#define LTTCTL_PRINT_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct print_expression;

/**
 * print_expression_parse() - parse an expression
 * @text: its beginning; receives the place after it, at a comma or at the end, also if it is not
 *	understood
 *
 * Return: the expression, to be freed by print_expression_free(); NULL if it is not understood.
 */
struct print_expression *print_expression_parse(const char **text);

void print_expression_free(struct print_expression *expression);

/* Return: the field that it reads; NULL if it reads none. */
const char *print_expression_field(const struct print_expression *expression);

/* Return: true if it is a field and nothing else. */
bool print_expression_is_bare(const struct print_expression *expression);

/**
 * print_expression_number() - compute a number
 * @expression: the expression
 * @field: the value of its field
 * @value: receives the number
 *
 * Return: false if its value is a text.
 */
bool print_expression_number(const struct print_expression *expression, int64_t field, int64_t *value);

/**
 * print_expression_text() - compute a text, as the kernel does
 * @expression: the expression
 * @field: the value of its field
 * @text: receives the text, which is cut to @size
 * @size: bytes of @text
 *
 * Return: false if its value is a number.
 */
bool print_expression_text(const struct print_expression *expression, int64_t field, char *text, size_t size);

#endif /* LTTCTL_PRINT_EXPRESSION_H */
