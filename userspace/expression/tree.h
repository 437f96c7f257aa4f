/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The tree of an expression, between the files of this folder.
 *
 * parse.c makes it; bind.c gives its names their meaning, and type.c checks the types and
 * computes what is constant.  evaluate.c and the emitter see only bound trees.
 */
#ifndef EXPRESSION_TREE_H
#define EXPRESSION_TREE_H

#include "expression.h"
#include "pattern.h"

/**
 * enum node_kind - what a node is
 * @NODE_NUMBER: &node.number
 * @NODE_STRING: a string in quotes, &node.text; not in a bound tree
 * @NODE_NAME: the field or context &node.field; before it is bound, the name &node.text
 * @NODE_UNARY: &node.operation before @a
 * @NODE_BINARY: @a &node.operation @b
 * @NODE_IN: @a is one of the nodes from @b on; of numbers in a bound tree
 * @NODE_MATCH: the string @a matches one of the nodes NODE_PATTERN from @b on, or none of them if it
 *	&node.is_negative; only in a bound tree
 * @NODE_PATTERN: &node.pattern, made of &node.text; only in a bound tree
 * @NODE_AMONG: the number @a is one of &node.numbers, or none of them if it &node.is_negative; only in a bound tree
 * @NODE_ON_STACK: a function whose name is one of the nodes NODE_STRING from @b on is being called.  In a bound tree
 *	&node.numbers has the address and the size of each place of code
 * @NODE_SINCE: of a filter: the nanoseconds since the event @b happened with the key that is @a now; @b is a
 *	NODE_STRING, and the text of the key follows it.  &node.number is its place on the stack
 * @NODE_BETWEEN: of a filter: 1 after the event @b with that key, and up to the event whose name follows the
 *	key; else 0
 * @NODE_NOTE: a filter's action: note the time for the key @a, and for the event @b with since(); the text of the
 *	key follows @b
 * @NODE_ENTER: the same for between(), which ends with the event @b
 * @NODE_LEAVE: forget the key, which the event @b has noted for between()
 * @NODE_ACTION: a filter's action, whose verdict is &node.number, on the condition @a
 */
enum node_kind {
	NODE_NUMBER,
	NODE_STRING,
	NODE_NAME,
	NODE_UNARY,
	NODE_BINARY,
	NODE_IN,
	NODE_MATCH,
	NODE_PATTERN,
	NODE_AMONG,
	NODE_ON_STACK,
	NODE_SINCE,
	NODE_BETWEEN,
	NODE_NOTE,
	NODE_ENTER,
	NODE_LEAVE,
	NODE_ACTION,
};

enum operation {
	OP_NOT,
	OP_COMPLEMENT,
	OP_NEGATE,
	OP_OR_ELSE,
	OP_AND_THEN,
	OP_OR,
	OP_XOR,
	OP_AND,
	OP_EQUAL,
	OP_DIFFERENT,
	OP_LESS,
	OP_AT_MOST,
	OP_MORE,
	OP_AT_LEAST,
	OP_LIKE,	/* ~ and !~: not in a bound tree */
	OP_UNLIKE,
	OP_LEFT,
	OP_RIGHT,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_MODULO,
};

/**
 * struct node - a node of the tree
 * @allocated: the node that was allocated before
 * @kind: what it is; the other members as &enum node_kind says
 * @operation: of one or two values
 * @column: where it stands in the text, from 1 on: the operator, or the first character
 * @in_parentheses: it stands in parentheses of its own
 * @is_context: NODE_NAME: written as context.NAME
 * @is_known: NODE_NAME: it has a meaning; in a tree that is not bound, in one of the scopes so far
 * @is_unsigned: NODE_NUMBER and NODE_NAME: the type is unsigned; NODE_BINARY: that of the operation is
 * @is_negative: NODE_MATCH: it holds if no pattern matches; NODE_AMONG: if no number is equal
 * @is_placed: NODE_SINCE, NODE_BETWEEN: for the emitter: it has its place on the stack
 * @is_glob: NODE_PATTERN: @text is a glob
 * @number: in two's complement
 * @text: of a name or a string, with a NUL at its end
 * @len: characters of @text
 * @field: the element of an array of the scope
 * @pattern: what a string is compared with
 * @numbers: NODE_AMONG: in ascending order; NODE_ON_STACK
 * @nr_numbers: number of @numbers
 * @a: the first operand
 * @b: the second one, or the first of a list
 * @next: the next one of a list
 * @spills: for the emitter: how many values wait on the stack while it is computed
 */
struct node {
	struct node *allocated;
	enum node_kind kind;
	enum operation operation;
	unsigned int column;
	bool in_parentheses;
	bool is_context;
	bool is_known;
	bool is_unsigned;
	bool is_negative;
	bool is_placed;
	bool is_glob;
	uint64_t number;
	char *text;
	size_t len;
	const struct ltt_field *field;
	struct pattern *pattern;
	uint64_t *numbers;
	size_t nr_numbers;
	struct node *a, *b, *next;
	unsigned int spills;
};

/**
 * struct expression - the tree of a text
 * @text: the text, for expression_bind(), which parses it again
 * @is_filter: it may have actions
 * @root: the whole, but for the actions
 * @actions: nodes NODE_ACTION, in the order of the text, or NULL
 * @nodes: all nodes, the last that was allocated first
 */
struct expression {
	char *text;
	bool is_filter;
	struct node *root;
	struct node *actions;
	struct node *nodes;
};

/**
 * struct expression_bound - a tree whose names have a meaning
 * @tree: the tree
 * @scope: what its fields are elements of
 */
struct expression_bound {
	struct expression *tree;
	struct expression_scope scope;
};

/* Return: true for the operations that compare two values. */
static inline bool is_comparison(enum operation operation)
{
	return operation >= OP_EQUAL && operation <= OP_UNLIKE;
}

/* Return: true for a node whose value is 0 or 1. */
static inline bool is_condition(const struct node *node)
{
	switch (node->kind) {
	case NODE_UNARY:
		return node->operation == OP_NOT;
	case NODE_BINARY:
		return is_comparison(node->operation) || node->operation == OP_OR_ELSE ||
		       node->operation == OP_AND_THEN;
	case NODE_IN:
	case NODE_MATCH:
	case NODE_AMONG:
	case NODE_ON_STACK:
		return true;
	default:
		return false;
	}
}

/* Return: true for a value that is computed before the rest of the filter. */
static inline bool is_call(const struct node *node)
{
	return node->kind == NODE_SINCE || node->kind == NODE_BETWEEN;
}

/* Return: true for a field or context whose value is a text. */
static inline bool is_text(const struct ltt_field *field)
{
	return field->kind == LTT_FIELD_STRING || field->kind == LTT_FIELD_TEXT;
}

/* --- error.c -------------------------------------------------------- */

/* Fill in an error.  Return: @status. */
__attribute__((format(printf, 4, 5)))
int fail_at(struct expression_error *error, int status, unsigned int column, const char *fmt, ...);

/* Add to the sentence of an error; what does not fit is cut. */
__attribute__((format(printf, 2, 3)))
void add_to_error(struct expression_error *error, const char *fmt, ...);

/* --- parse.c -------------------------------------------------------- */

/* expression_parse(), or expression_parse_filter(). */
int parse_text(const char *text, bool is_filter, struct expression **expression, struct expression_error *error);

/* --- bind.c, type.c ------------------------------------------------- */

/* Give all names of a tree their meaning.  Return: 0, or an error of expression_bind() about the first
 * that has none; is_known is right for each name either way. */
int bind_names(struct expression *tree, const struct expression_scope *scope, struct expression_error *error);

/* Check the types in a tree whose names have a meaning, and reduce it to what a bound tree may have.
 * Return: 0, or an error of expression_bind(). */
int check_types(struct expression *tree, struct expression_error *error);

/* --- cgroup.c, symbol.c --------------------------------------------- */

/* Make a comparison of @context with the paths of cgroups, from @string on, NODE_AMONG.  Return: 0, or an error of
 * expression_bind(). */
int become_among(struct node *node, struct node *context, const struct node *string, struct expression_error *error);

/* Find the code of the functions of NODE_ON_STACK.  Return: 0, or an error of expression_bind(). */
int find_functions(struct node *node, struct expression_error *error);

/* --- evaluate.c ----------------------------------------------------- */

/* Compute an operation; @b is not used by one of a single value. */
uint64_t compute(enum operation operation, bool is_unsigned, uint64_t a, uint64_t b);

#endif /* EXPRESSION_TREE_H */
