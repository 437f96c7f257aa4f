// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The values of expressions of the kernel's print formats.
 *
 * Layer: lttctl view.  print-expression-parse.c makes the tree.
 */
#include "print-expression-tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *print_expression_field(const struct print_expression *expression)
{
	return expression->field;
}

bool print_expression_is_bare(const struct print_expression *expression)
{
	return expression->root->kind == NODE_FIELD;
}

void print_expression_free(struct print_expression *expression)
{
	struct node *node;

	if (!expression)
		return;
	while ((node = expression->nodes)) {
		expression->nodes = node->allocated;
		free(node->text);
		free(node);
	}
	free(expression->field);
	free(expression);
}

/* ---- Numbers ---- */

static bool number_of(const struct node *node, int64_t field, int64_t *value);

/* As in C, where all values have 64 bits. */
static bool binary(enum operation operation, int64_t a, int64_t b, int64_t *value)
{
	switch (operation) {
	case OP_OR_ELSE:
		*value = a || b;
		return true;
	case OP_AND_THEN:
		*value = a && b;
		return true;
	case OP_OR:
		*value = a | b;
		return true;
	case OP_XOR:
		*value = a ^ b;
		return true;
	case OP_AND:
		*value = a & b;
		return true;
	case OP_EQUAL:
		*value = a == b;
		return true;
	case OP_DIFFERENT:
		*value = a != b;
		return true;
	case OP_LESS:
		*value = a < b;
		return true;
	case OP_MORE:
		*value = a > b;
		return true;
	case OP_AT_MOST:
		*value = a <= b;
		return true;
	case OP_AT_LEAST:
		*value = a >= b;
		return true;
	case OP_LEFT:
		*value = b >= 0 && b < 64 ? (uint64_t)a << b : 0;
		return true;
	case OP_RIGHT:
		*value = b >= 0 && b < 64 ? a >> b : 0;
		return true;
	case OP_ADD:
		*value = (uint64_t)a + b;
		return true;
	case OP_SUBTRACT:
		*value = (uint64_t)a - b;
		return true;
	case OP_MULTIPLY:
		*value = (uint64_t)a * b;
		return true;
	case OP_DIVIDE:
	case OP_MODULO:
		if (!b || (a == INT64_MIN && b == -1))
			return false;
		*value = operation == OP_DIVIDE ? a / b : a % b;
		return true;
	}
	return false;
}

static bool unary(const struct node *node, int64_t a, int64_t *value)
{
	switch (node->sign) {
	case '!':
		*value = !a;
		return true;
	case '~':
		*value = ~a;
		return true;
	case '-':
		*value = -(uint64_t)a;
		return true;
	}
	return false;
}

/* Keep the bits of the type. */
static int64_t cast(const struct node *node, int64_t a)
{
	unsigned int unused = 64 - node->bits;

	return node->is_signed ? (int64_t)((uint64_t)a << unused) >> unused : (int64_t)((uint64_t)a << unused >> unused);
}

static bool number_of(const struct node *node, int64_t field, int64_t *value)
{
	int64_t a, b;

	switch (node->kind) {
	case NODE_NUMBER:
		*value = node->number;
		return true;
	case NODE_FIELD:
		*value = field;
		return true;
	case NODE_UNARY:
		return number_of(node->a, field, &a) && unary(node, a, value);
	case NODE_CAST:
		if (!number_of(node->a, field, &a))
			return false;
		*value = cast(node, a);
		return true;
	case NODE_BINARY:
		return number_of(node->a, field, &a) && number_of(node->b, field, &b) &&
		       binary(node->operation, a, b, value);
	case NODE_CHOICE:
		return number_of(node->a, field, &a) && number_of(a ? node->b : node->c, field, value);
	default:
		return false;
	}
}

bool print_expression_number(const struct print_expression *expression, int64_t field, int64_t *value)
{
	return number_of(expression->root, field, value);
}

/* ---- Texts ---- */

struct output {
	char *text;
	size_t size;
	size_t len;
};

static void put(struct output *output, const char *text)
{
	size_t room = output->size - output->len - 1, len = strlen(text);

	len = len < room ? len : room;
	memcpy(output->text + output->len, text, len);
	output->len += len;
	output->text[output->len] = '\0';
}

static void put_hex(struct output *output, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	put(output, text);
}

/* As trace_print_flags_seq() of the kernel. */
static bool put_flags(struct output *output, const struct node *node, int64_t field)
{
	const char *between = "";
	const struct node *entry;
	int64_t value, mask;

	if (!number_of(node->a, field, &value))
		return false;
	for (entry = node->list; entry && entry->text && value; entry = entry->list) {
		if (!number_of(entry->a, field, &mask))
			return false;
		if ((value & mask) != mask)
			continue;
		put(output, between);
		put(output, entry->text);
		value &= ~mask;
		between = node->text;
	}
	if (value) {
		put(output, between);
		put_hex(output, value);
	}
	return true;
}

/* As trace_print_symbols_seq(). */
static bool put_symbolic(struct output *output, const struct node *node, int64_t field)
{
	const struct node *entry;
	int64_t value, number;

	if (!number_of(node->a, field, &value))
		return false;
	for (entry = node->list; entry && entry->text; entry = entry->list) {
		if (!number_of(entry->a, field, &number))
			return false;
		if (value == number) {
			put(output, entry->text);
			return true;
		}
	}
	put_hex(output, value);
	return true;
}

static bool put_text(struct output *output, const struct node *node, int64_t field)
{
	int64_t a;

	switch (node->kind) {
	case NODE_STRING:
		put(output, node->text);
		return true;
	case NODE_CHOICE:
		return number_of(node->a, field, &a) && put_text(output, a ? node->b : node->c, field);
	case NODE_FLAGS:
		return put_flags(output, node, field);
	case NODE_SYMBOLIC:
		return put_symbolic(output, node, field);
	default:
		return false;
	}
}

bool print_expression_text(const struct print_expression *expression, int64_t field, char *text, size_t size)
{
	struct output output = { text, size, 0 };

	*text = '\0';
	return put_text(&output, expression->root, field);
}
