/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The tree of an expression, between print-expression-parse.c and print-expression.c.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_PRINT_EXPRESSION_TREE_H
#define LTTCTL_PRINT_EXPRESSION_TREE_H

#include "print-expression.h"

/**
 * enum node_kind - what a node is
 * @NODE_NUMBER: &node.number
 * @NODE_STRING: &node.text
 * @NODE_FIELD: the field of the expression
 * @NODE_UNARY: &node.sign before @a
 * @NODE_CAST: @a as a type of &node.bits
 * @NODE_BINARY: @a &node.operation @b
 * @NODE_CHOICE: @a ? @b : @c
 * @NODE_FLAGS: __print_flags(@a, @text, @list)
 * @NODE_SYMBOLIC: __print_symbolic(@a, @list)
 * @NODE_ENTRY: { @a, @text } of a list, which ends before one without @text
 */
enum node_kind {
	NODE_NUMBER,
	NODE_STRING,
	NODE_FIELD,
	NODE_UNARY,
	NODE_CAST,
	NODE_BINARY,
	NODE_CHOICE,
	NODE_FLAGS,
	NODE_SYMBOLIC,
	NODE_ENTRY,
};

enum operation {
	OP_OR_ELSE,
	OP_AND_THEN,
	OP_OR,
	OP_XOR,
	OP_AND,
	OP_EQUAL,
	OP_DIFFERENT,
	OP_LESS,
	OP_MORE,
	OP_AT_MOST,
	OP_AT_LEAST,
	OP_LEFT,
	OP_RIGHT,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_MODULO,
};

struct node {
	struct node *allocated;		/* the node that was made before */
	enum node_kind kind;
	enum operation operation;
	char sign;
	unsigned int bits;
	bool is_signed;
	int64_t number;
	char *text;
	struct node *a, *b, *c;
	struct node *list;		/* the first entry, or the next one */
};

/**
 * struct print_expression - an expression
 * @root: its tree
 * @nodes: all nodes
 * @nr: number of @nodes
 * @field: name of the field that it reads, NULL: none yet
 */
struct print_expression {
	struct node *root;
	struct node *nodes;
	unsigned int nr;
	char *field;
};

#endif /* LTTCTL_PRINT_EXPRESSION_TREE_H */
