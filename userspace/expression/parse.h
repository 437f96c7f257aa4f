/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The parser, between its files: parse.c has expressions, parse-filter.c what only filters in the kernel have.
 */
#ifndef EXPRESSION_PARSE_H
#define EXPRESSION_PARSE_H

#include "lex.h"

/**
 * struct parser - a text that is being parsed
 * @lexer: the text
 * @tree: what has been made of it
 * @depth: number of operands around this one
 * @status: 0, or the first error
 */
struct parser {
	struct lexer lexer;
	struct expression *tree;
	unsigned int depth;
	int status;
};

/* Fail.  Return: NULL, for the caller to return. */
struct node *parse_fault(struct parser *parser, int status, unsigned int column, const char *sentence);

struct node *new_node(struct parser *parser, enum node_kind kind, unsigned int column);

/* Parse operators of at least @level; 0 for an expression.  Return: NULL after a fault. */
struct node *parse_binary(struct parser *parser, int level);

/* Parse the arguments of since() or between(), at the parenthesis; the word stands at @column.  Return: NULL after
 * a fault. */
struct node *parse_call(struct parser *parser, enum node_kind kind, unsigned int column);

/* Parse the actions behind the expression. */
void parse_actions(struct parser *parser);

#endif /* EXPRESSION_PARSE_H */
