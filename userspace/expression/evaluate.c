// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The values of bound expressions.  All numbers have 64 bits; see doc/expressions.md.
 */
#include "tree.h"

#include <errno.h>
#include <string.h>

/* ---- Operations ---- */

/* As the kernel's eBPF does without signed division: of the magnitudes, and then the sign. */
static uint64_t divide(bool is_unsigned, uint64_t a, uint64_t b)
{
	const bool a_negative = !is_unsigned && (int64_t)a < 0;
	const bool b_negative = !is_unsigned && (int64_t)b < 0;
	uint64_t quotient;

	if (!b)
		return 0;
	quotient = (a_negative ? -a : a) / (b_negative ? -b : b);
	return a_negative != b_negative ? -quotient : quotient;
}

static bool is_less(bool is_unsigned, uint64_t a, uint64_t b)
{
	return is_unsigned ? a < b : (int64_t)a < (int64_t)b;
}

uint64_t compute(enum operation operation, bool is_unsigned, uint64_t a, uint64_t b)
{
	switch (operation) {
	case OP_NOT:
		return !a;
	case OP_COMPLEMENT:
		return ~a;
	case OP_NEGATE:
		return -a;
	case OP_OR:
		return a | b;
	case OP_XOR:
		return a ^ b;
	case OP_AND:
		return a & b;
	case OP_EQUAL:
		return a == b;
	case OP_DIFFERENT:
		return a != b;
	case OP_LESS:
		return is_less(is_unsigned, a, b);
	case OP_AT_MOST:
		return !is_less(is_unsigned, b, a);
	case OP_MORE:
		return is_less(is_unsigned, b, a);
	case OP_AT_LEAST:
		return !is_less(is_unsigned, a, b);
	case OP_LEFT:
		return a << (b & 63);
	case OP_RIGHT:
		return is_unsigned ? a >> (b & 63) : (uint64_t)((int64_t)a >> (b & 63));
	case OP_ADD:
		return a + b;
	case OP_SUBTRACT:
		return a - b;
	case OP_MULTIPLY:
		return a * b;
	case OP_DIVIDE:
		return divide(is_unsigned, a, b);
	case OP_MODULO:
		return a - divide(is_unsigned, a, b) * b;
	case OP_OR_ELSE:
	case OP_AND_THEN:
	case OP_LIKE:
	case OP_UNLIKE:
		break;
	}
	return 0;	/* a bound tree has no others, and conditions are not computed from two values */
}

/* ---- Trees ---- */

/**
 * struct source - where the values of names are
 * @get: returns the value of a field of the scope
 * @data: for @get
 */
struct source {
	struct expression_value (*get)(const struct ltt_field *field, void *data);
	void *data;
};

static uint64_t value_of(const struct source *source, const struct node *node);

static bool is_in(const struct source *source, const struct node *node)
{
	const uint64_t value = value_of(source, node->a);
	const struct node *item;

	for (item = node->b; item; item = item->next)
		if (item->number == value)
			return true;
	return false;
}

static bool is_match(const struct source *source, const struct node *node)
{
	const struct expression_value value = source->get(node->a->field, source->data);
	const size_t size = value.size < EXPRESSION_STRING_MAX ? value.size : EXPRESSION_STRING_MAX;
	const struct node *item;

	for (item = node->b; item; item = item->next)
		if (pattern_matches(item->pattern, value.text, strnlen(value.text, size)))
			return !node->is_negative;
	return node->is_negative;
}

static bool is_among(const struct source *source, const struct node *node)
{
	const uint64_t value = value_of(source, node->a);
	size_t i;

	for (i = 0; i < node->nr_numbers; i++)
		if (node->numbers[i] == value)
			return !node->is_negative;
	return node->is_negative;
}

static uint64_t binary_value(const struct source *source, const struct node *node)
{
	const uint64_t a = value_of(source, node->a);

	if (node->operation == OP_AND_THEN)
		return a && value_of(source, node->b);
	if (node->operation == OP_OR_ELSE)
		return a || value_of(source, node->b);
	return compute(node->operation, node->is_unsigned, a, value_of(source, node->b));
}

static uint64_t value_of(const struct source *source, const struct node *node)
{
	switch (node->kind) {
	case NODE_NUMBER:
		return node->number;
	case NODE_NAME:
		return source->get(node->field, source->data).number;
	case NODE_UNARY:
		return compute(node->operation, false, value_of(source, node->a), 0);
	case NODE_BINARY:
		return binary_value(source, node);
	case NODE_IN:
		return is_in(source, node);
	case NODE_MATCH:
		return is_match(source, node);
	case NODE_AMONG:
		return is_among(source, node);
	case NODE_STRING:
	case NODE_PATTERN:
	case NODE_ON_STACK:
	case NODE_SINCE:
	case NODE_BETWEEN:
	case NODE_NOTE:
	case NODE_ENTER:
	case NODE_LEAVE:
	case NODE_ACTION:
		break;
	}
	return 0;	/* not values of a bound tree, filters aside */
}

bool expression_holds(const struct expression_bound *bound,
		      struct expression_value (*get)(const struct ltt_field *field, void *data), void *data)
{
	const struct source source = { get, data };

	return value_of(&source, bound->tree->root);
}
