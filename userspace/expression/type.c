// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The types of an expression whose names have a meaning, and what can be computed at once.
 *
 * Afterwards a constant is a single node on the right of its operator, the whole is constant
 * or has no constant condition in it, and strings occur in NODE_MATCH alone.
 */
#include "tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int check(struct node *node, struct expression_error *error);

static bool is_constant(const struct node *node)
{
	return node->kind == NODE_NUMBER;
}

static bool is_string(const struct node *node)
{
	return node->kind == NODE_STRING || (node->kind == NODE_NAME && is_text(node->field));
}

static void become_number(struct node *node, uint64_t number, bool is_unsigned)
{
	node->kind = NODE_NUMBER;
	node->number = number;
	node->is_unsigned = is_unsigned;
}

/* Return: true if the value of a node has an unsigned type.  Conditions are signed, as in C. */
static bool has_unsigned_value(const struct node *node)
{
	if (node->kind == NODE_UNARY)
		return node->operation != OP_NOT && has_unsigned_value(node->a);
	return !is_condition(node) && node->is_unsigned;
}

/* ---- Names ---- */

static int check_name(const struct node *node, struct expression_error *error)
{
	const struct ltt_field *field = node->field;

	switch (field->kind) {
	case LTT_FIELD_FLOAT:
		return fail_at(error, -EINVAL, node->column, "%s is a floating-point number, which an expression cannot use",
			       field->name);
	case LTT_FIELD_ARRAY:
	case LTT_FIELD_SEQUENCE:
		return fail_at(error, -EINVAL, node->column, "%s is an array, which an expression cannot use", field->name);
	default:
		return 0;
	}
}

/* ---- Strings ---- */

static int fail_for_string(const struct node *node, struct expression_error *error)
{
	if (node->kind == NODE_STRING)
		return fail_at(error, -EINVAL, node->column, "\"%s\" is a string, and a number must stand here", node->text);
	return fail_at(error, -EINVAL, node->column, "%s is a string, and a number must stand here", node->text);
}

static int become_pattern(struct node *node, bool is_glob, struct expression_error *error)
{
	const char *why = NULL;

	node->pattern = malloc(sizeof(*node->pattern));
	if (!node->pattern)
		return fail_at(error, -ENOMEM, 0, "out of memory");
	if (is_glob)
		why = pattern_set_glob(node->pattern, node->text, node->len);
	else
		pattern_set_text(node->pattern, node->text, node->len);
	if (why)
		return fail_at(error, -EINVAL, node->column, "%s", why);
	node->kind = NODE_PATTERN;
	node->is_glob = is_glob;
	return 0;
}

/**
 * enum chance - whether a pattern matches the texts that a field can have
 * @CHANCE_NONE: never
 * @CHANCE_SOME: some
 * @CHANCE_ALL: always
 *
 * The emitter makes no comparison that is decided here, and no code that is never reached, which the
 * kernel would reject.
 */
enum chance {
	CHANCE_NONE,
	CHANCE_SOME,
	CHANCE_ALL,
};

static enum chance chance_of(const struct ltt_field *field, const struct pattern *pattern)
{
	if (pattern_is_prefix(pattern) && !pattern->prefix_len)
		return CHANCE_ALL;
	if (field->kind == LTT_FIELD_STRING)
		return CHANCE_SOME;
	if (!field->count)
		return pattern_matches(pattern, "", 0) ? CHANCE_ALL : CHANCE_NONE;
	return pattern->prefix_len + pattern->nr <= field->count ? CHANCE_SOME : CHANCE_NONE;
}

/* Make a node of @field and of strings, from @string on, NODE_MATCH, or a number if it is decided. */
static int become_match(struct node *node, struct node *field, struct node *string, bool is_glob,
			struct expression_error *error)
{
	struct node **kept = &node->b;
	bool is_decided = false;
	enum chance chance;
	int status;

	node->kind = NODE_MATCH;
	node->a = field;
	for (; string; string = string->next) {
		if (string->kind != NODE_STRING)
			return fail_at(error, -EINVAL, string->column, "%s is a string, which must be compared with one "
				       "in quotes", field->text);
		status = become_pattern(string, is_glob, error);
		if (status)
			return status;
		chance = chance_of(field->field, string->pattern);
		is_decided |= chance == CHANCE_ALL;
		if (chance == CHANCE_NONE)
			continue;
		*kept = string;
		kept = &string->next;
	}
	*kept = NULL;
	if (is_decided || !node->b)
		become_number(node, is_decided != node->is_negative, false);
	return 0;
}

static int check_strings(struct node *node, struct expression_error *error)
{
	const bool is_glob = node->operation == OP_LIKE || node->operation == OP_UNLIKE;
	const bool is_negative = node->operation == OP_DIFFERENT || node->operation == OP_UNLIKE;
	struct node *field = node->a, *string = node->b;

	if (!is_glob && field->kind == NODE_STRING) {
		field = node->b;
		string = node->a;
	}
	if (!is_glob && !is_negative && node->operation != OP_EQUAL)
		return fail_at(error, -EINVAL, node->column, "strings have no order: there are ==, !=, ~, !~ and in");
	if (!is_string(field))
		return is_glob ? fail_at(error, -EINVAL, field->column, "a field that is a string must stand before ~") :
				 fail_for_string(string, error);
	if (field->kind == NODE_STRING)
		return fail_at(error, -EINVAL, field->column, "a string in quotes must be compared with a field");
	if (is_glob && string->kind != NODE_STRING)
		return fail_at(error, -EINVAL, string->column, "a glob in quotes must stand here, such as \"kworker*\"");
	if (!is_string(string))
		return fail_at(error, -EINVAL, string->column, "%s is a string, and cannot be compared with a number",
			       field->text);
	node->is_negative = is_negative;
	return become_match(node, field, string, is_glob, error);
}

/* ---- Operators ---- */

static int check_number(struct node *node, struct expression_error *error)
{
	int status = check(node, error);

	return status ?: is_string(node) ? fail_for_string(node, error) : 0;
}

/* Put a constant on the right, if the operation allows it. */
static void order(struct node *node)
{
	static const enum operation mirrored[] = {
		[OP_OR] = OP_OR, [OP_XOR] = OP_XOR, [OP_AND] = OP_AND, [OP_EQUAL] = OP_EQUAL,
		[OP_DIFFERENT] = OP_DIFFERENT, [OP_LESS] = OP_MORE, [OP_AT_MOST] = OP_AT_LEAST, [OP_MORE] = OP_LESS,
		[OP_AT_LEAST] = OP_AT_MOST, [OP_ADD] = OP_ADD, [OP_MULTIPLY] = OP_MULTIPLY, [OP_MODULO] = 0,
	};
	struct node *constant = node->a;

	if (!is_constant(constant) || !mirrored[node->operation])
		return;
	node->a = node->b;
	node->b = constant;
	node->operation = mirrored[node->operation];
}

/* Turn a node into what decides it, @other, as a condition: !(other == 0). */
static void become_condition(struct node *node, struct node *other, struct node *zero)
{
	become_number(zero, 0, false);
	node->kind = NODE_BINARY;
	node->operation = OP_DIFFERENT;
	node->a = other;
	node->b = zero;
}

/* && and || with a constant: it decides, or the other side does. */
static void reduce_condition(struct node *node)
{
	const bool decides_if = node->operation == OP_OR_ELSE;
	struct node *constant = is_constant(node->a) ? node->a : node->b;
	struct node *other = is_constant(node->a) ? node->b : node->a;

	if (!is_constant(constant))
		return;
	if (!!constant->number == decides_if)
		become_number(node, decides_if, false);
	else if (is_constant(other))
		become_number(node, !!other->number, false);
	else
		become_condition(node, other, constant);
}

static int check_binary(struct node *node, struct expression_error *error)
{
	int status;

	if (is_comparison(node->operation) && (is_string(node->a) || is_string(node->b) ||
					       node->operation == OP_LIKE || node->operation == OP_UNLIKE)) {
		status = (node->a->kind == NODE_STRING ? 0 : check(node->a, error)) ?:
			 (node->b->kind == NODE_STRING ? 0 : check(node->b, error));
		return status ?: check_strings(node, error);
	}
	status = check_number(node->a, error) ?: check_number(node->b, error);
	if (status)
		return status;
	if (node->operation == OP_OR_ELSE || node->operation == OP_AND_THEN) {
		reduce_condition(node);
		return 0;
	}
	node->is_unsigned = has_unsigned_value(node->a);
	if (node->operation != OP_LEFT && node->operation != OP_RIGHT)
		node->is_unsigned |= has_unsigned_value(node->b);
	order(node);
	if (is_constant(node->a) && is_constant(node->b))
		become_number(node, compute(node->operation, node->is_unsigned, node->a->number, node->b->number),
			      has_unsigned_value(node));
	return 0;
}

static int check_unary(struct node *node, struct expression_error *error)
{
	int status = check_number(node->a, error);

	if (!status && is_constant(node->a))
		become_number(node, compute(node->operation, false, node->a->number, 0), has_unsigned_value(node));
	return status;
}

static int check_in(struct node *node, struct expression_error *error)
{
	struct node *item;
	bool found = false;
	int status = check(node->a, error);

	if (status)
		return status;
	if (node->a->kind == NODE_STRING)
		return fail_at(error, -EINVAL, node->a->column, "a field must stand before in");
	if (is_string(node->a))
		return become_match(node, node->a, node->b, false, error);
	for (item = node->b; item; item = item->next) {
		status = check_number(item, error);
		if (status)
			return status;
		if (!is_constant(item))
			return fail_at(error, -EINVAL, item->column, "the values of in must be constant");
		found |= is_constant(node->a) && item->number == node->a->number;
	}
	if (is_constant(node->a))
		become_number(node, found, false);
	return 0;
}

static int check(struct node *node, struct expression_error *error)
{
	switch (node->kind) {
	case NODE_NAME:
		return check_name(node, error);
	case NODE_UNARY:
		return check_unary(node, error);
	case NODE_SINCE:
	case NODE_BETWEEN:
		return check_number(node->a, error);
	case NODE_BINARY:
		return check_binary(node, error);
	case NODE_IN:
		return check_in(node, error);
	default:
		return 0;
	}
}

static int check_whole(struct node *root, struct expression_error *error)
{
	int status = check(root, error);

	if (!status && is_string(root))
		return fail_at(error, -EINVAL, root->column, "a string is not a condition: compare it with another");
	return status;
}

int check_types(struct expression *tree, struct expression_error *error)
{
	int status = check_whole(tree->root, error);
	struct node *action;

	for (action = tree->actions; !status && action; action = action->next)
		status = check_whole(action->a, error);
	return status;
}

enum expression_type expression_type(const struct expression_bound *bound, unsigned int *size)
{
	const struct node *root = bound->tree->root;

	*size = sizeof(uint64_t);
	if (root->kind != NODE_NAME)
		return has_unsigned_value(root) ? EXPRESSION_UNSIGNED : EXPRESSION_SIGNED;
	if (is_text(root->field)) {
		*size = root->field->kind == LTT_FIELD_TEXT ? root->field->count : EXPRESSION_STRING_MAX;
		return EXPRESSION_TEXT;
	}
	*size = root->field->size;
	return root->field->is_signed ? EXPRESSION_SIGNED : EXPRESSION_UNSIGNED;
}
