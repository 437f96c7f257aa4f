// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The grammar of expressions, by precedence climbing.  The text may be anything: its length
 * and the depth of its nesting are limited.  Chains such as a + b + c make a tree that is as
 * deep as they are long, so a function that walks a tree uses little of the stack.
 */
#include "parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in C, but for comparisons, which are all on one level.  A text stands behind those that begin with it. */
static const struct {
	const char *text;
	enum operation operation;
	int level;
} operators[] = {
	{ "||", OP_OR_ELSE, 0 }, { "&&", OP_AND_THEN, 1 },
	{ "==", OP_EQUAL, 5 }, { "!=", OP_DIFFERENT, 5 }, { "!~", OP_UNLIKE, 5 }, { "~", OP_LIKE, 5 },
	{ "<<", OP_LEFT, 6 }, { ">>", OP_RIGHT, 6 },
	{ "<=", OP_AT_MOST, 5 }, { ">=", OP_AT_LEAST, 5 }, { "<", OP_LESS, 5 }, { ">", OP_MORE, 5 },
	{ "|", OP_OR, 2 }, { "^", OP_XOR, 3 }, { "&", OP_AND, 4 },
	{ "+", OP_ADD, 7 }, { "-", OP_SUBTRACT, 7 },
	{ "*", OP_MULTIPLY, 8 }, { "/", OP_DIVIDE, 8 }, { "%", OP_MODULO, 8 },
};

#define LEVEL_COMPARISON 5
#define OPERATORS (sizeof(operators) / sizeof(operators[0]))

struct node *parse_fault(struct parser *parser, int status, unsigned int column, const char *sentence)
{
	parser->status = fail_at(parser->lexer.error, status, column, "%s", sentence);
	return NULL;
}

struct node *new_node(struct parser *parser, enum node_kind kind, unsigned int column)
{
	struct node *node = calloc(1, sizeof(*node));

	if (!node)
		return parse_fault(parser, -ENOMEM, column, "out of memory");
	node->kind = kind;
	node->column = column;
	node->allocated = parser->tree->nodes;
	parser->tree->nodes = node;
	return node;
}

/* ---- Operands ---- */

static struct node *parse_number(struct parser *parser)
{
	struct node *node = new_node(parser, NODE_NUMBER, lex_column(&parser->lexer));

	if (!node)
		return NULL;
	parser->status = lex_number(&parser->lexer, &node->number);
	node->is_unsigned = node->number > INT64_MAX;
	return parser->status ? NULL : node;
}

static struct node *parse_string(struct parser *parser)
{
	struct node *node = new_node(parser, NODE_STRING, lex_column(&parser->lexer));

	if (!node)
		return NULL;
	parser->status = lex_string(&parser->lexer, &node->text, &node->len);
	return parser->status ? NULL : node;
}

/* perf:EVENT, as --context has it: the name is that of the field in recordings, perf_EVENT with _ for -. */
static struct node *parse_counter(struct parser *parser, struct node *node)
{
	const char *at = parser->lexer.at;
	char *c;

	while ((*at >= 'a' && *at <= 'z') || (*at == '-' && at[1] >= 'a' && at[1] <= 'z'))
		at++;
	node->len = at - parser->lexer.at + strlen("perf_");
	if (asprintf(&node->text, "perf_%.*s", (int)(at - parser->lexer.at), parser->lexer.at) < 0) {
		node->text = NULL;
		return parse_fault(parser, -ENOMEM, node->column, "out of memory");
	}
	for (c = node->text; *c; c++)
		*c = *c == '-' ? '_' : *c;
	parser->lexer.at = at;
	return node;
}

/* NAME, or context.NAME */
static struct node *parse_name(struct parser *parser)
{
	struct node *node = new_node(parser, NODE_NAME, lex_column(&parser->lexer));

	if (!node)
		return NULL;
	if (lex_take(&parser->lexer, "context.")) {
		node->is_context = true;
		if (!lex_name(&parser->lexer))
			return parse_fault(parser, -EINVAL, lex_column(&parser->lexer), "the name of a context is missing");
	}
	if (lex_take(&parser->lexer, "perf:"))
		return parse_counter(parser, node);
	node->len = lex_name(&parser->lexer);
	node->text = strndup(parser->lexer.at, node->len);
	parser->lexer.at += node->len;
	return node->text ? node : parse_fault(parser, -ENOMEM, node->column, "out of memory");
}

static struct node *parse_parentheses(struct parser *parser)
{
	struct node *node;

	lex_take(&parser->lexer, "(");
	node = parse_binary(parser, 0);
	if (!node)
		return NULL;
	if (!lex_take(&parser->lexer, ")"))
		return parse_fault(parser, -EINVAL, lex_column(&parser->lexer), "an operator or ) is missing");
	node->in_parentheses = true;
	return node;
}

/* Items with commas between them, and the ")" behind them.  *@next: the first one.  Return: false after a fault. */
static bool parse_items(struct parser *parser, struct node **next, struct node *(*parse_item)(struct parser *parser))
{
	do {
		*next = parse_item(parser);
		if (!*next)
			return false;
		next = &(*next)->next;
	} while (lex_take(&parser->lexer, ","));
	if (!lex_take(&parser->lexer, ")"))
		parse_fault(parser, -EINVAL, lex_column(&parser->lexer), "a comma or ) is missing");
	return !parser->status;
}

static struct node *parse_function(struct parser *parser)
{
	lex_column(&parser->lexer);
	if (*parser->lexer.at != '"' || parser->lexer.at[1] == '"')
		return parse_fault(parser, -EINVAL, lex_column(&parser->lexer),
				   "the name of a function of the kernel, in quotes, must stand here");
	return parse_string(parser);
}

/* ("FUNCTION", ...), behind on_stack */
static struct node *parse_on_stack(struct parser *parser, unsigned int column)
{
	struct node *node = new_node(parser, NODE_ON_STACK, column);

	if (!node)
		return NULL;
	lex_take(&parser->lexer, "(");
	return parse_items(parser, &node->b, parse_function) ? node : NULL;
}

/* A field can have this name, too. */
static bool is_call_of(struct parser *parser, const char *name)
{
	const char *at = parser->lexer.at;

	if (lex_take_name(&parser->lexer, name) && lex_column(&parser->lexer) && *parser->lexer.at == '(')
		return true;
	parser->lexer.at = at;
	return false;
}

static struct node *parse_operand(struct parser *parser)
{
	const unsigned int column = lex_column(&parser->lexer);
	const char c = *parser->lexer.at;

	if (c == '(')
		return parse_parentheses(parser);
	if (c == '"')
		return parse_string(parser);
	if (c == '\'' || (c >= '0' && c <= '9'))
		return parse_number(parser);
	if (is_call_of(parser, "since"))
		return parse_call(parser, NODE_SINCE, column);
	if (is_call_of(parser, "between"))
		return parse_call(parser, NODE_BETWEEN, column);
	if (is_call_of(parser, "on_stack"))
		return parse_on_stack(parser, column);
	if (lex_name(&parser->lexer))
		return parse_name(parser);
	return parse_fault(parser, -EINVAL, column, c ? "a name, a number, a string or ( must stand here" :
						  "the expression is not complete");
}

static struct node *parse_unary(struct parser *parser)
{
	static const enum operation signs[] = { ['!'] = OP_NOT, ['~'] = OP_COMPLEMENT, ['-'] = OP_NEGATE };
	const unsigned int column = lex_column(&parser->lexer);
	struct node *node = NULL;

	if (++parser->depth > EXPRESSION_DEPTH_MAX)
		return parse_fault(parser, -E2BIG, column, "too many parentheses or unary operators in each other");
	if (!*parser->lexer.at || !strchr("!~-", *parser->lexer.at)) {
		node = parse_operand(parser);
	} else {
		node = new_node(parser, NODE_UNARY, column);
		if (node) {
			node->operation = signs[(unsigned char)*parser->lexer.at++];
			node->a = parse_unary(parser);
		}
		if (node && !node->a)
			node = NULL;
	}
	parser->depth--;
	return node;
}

/* ---- Operators ---- */

/* Return: the index of the operator that is next; OPERATORS for none. */
static size_t find_operator(struct parser *parser)
{
	size_t i;

	lex_column(&parser->lexer);
	for (i = 0; i < OPERATORS; i++)
		if (!strncmp(parser->lexer.at, operators[i].text, strlen(operators[i].text)))
			break;
	return i;
}

static bool is_bare_comparison(const struct node *node)
{
	return !node->in_parentheses && (node->kind == NODE_IN ||
		(node->kind == NODE_BINARY && is_comparison(node->operation)));
}

/* Reject expressions that C accepts and that seldom mean what their author thinks.  Return: the status. */
static int check_meaning(struct parser *parser, const struct node *node)
{
	const bool compares = node->kind == NODE_IN || is_comparison(node->operation);
	const bool has_bits = !compares && node->operation >= OP_OR && node->operation <= OP_AND;
	const struct node *a = node->a, *b = node->kind == NODE_BINARY ? node->b : NULL;
	const struct node *bare = is_bare_comparison(a) ? a : b && is_bare_comparison(b) ? b : NULL;

	if (compares && bare)
		parse_fault(parser, -EINVAL, node->column, "comparisons cannot be chained: write a < b && b < c, "
		      "or put one of them into parentheses");
	else if (has_bits && bare)
		parse_fault(parser, -EINVAL, bare->column, "& ^ and | bind less than a comparison: "
		      "put either into parentheses, as in (a & b) == c");
	else if ((compares || has_bits) && a->kind == NODE_UNARY && a->operation == OP_NOT && !a->in_parentheses)
		parse_fault(parser, -EINVAL, a->column, "! binds more than the operator behind its operand: "
		      "write !(a == b) or a != b");
	return parser->status;
}

static struct node *parse_listed(struct parser *parser)
{
	return parse_binary(parser, LEVEL_COMPARISON + 1);
}

/* The list of "in", behind the word. */
static struct node *parse_list(struct parser *parser)
{
	struct node *first = NULL;

	if (!lex_take(&parser->lexer, "("))
		return parse_fault(parser, -EINVAL, lex_column(&parser->lexer), "in needs a list: in (1, 2)");
	return parse_items(parser, &first, parse_listed) ? first : NULL;
}

/* Take an operator of at least @level and what is right of it.  Return: NULL if none is next, or after a fault. */
static struct node *parse_operator(struct parser *parser, struct node *left, int level)
{
	const unsigned int column = lex_column(&parser->lexer);
	const bool is_in = lex_name(&parser->lexer) == 2 && !strncmp(parser->lexer.at, "in", 2);
	const size_t i = is_in ? OPERATORS : find_operator(parser);
	struct node *node;

	if (is_in ? level > LEVEL_COMPARISON : i == OPERATORS || operators[i].level < level)
		return NULL;
	node = new_node(parser, is_in ? NODE_IN : NODE_BINARY, column);
	if (!node)
		return NULL;
	node->a = left;
	if (is_in) {
		parser->lexer.at += 2;
		node->b = parse_list(parser);
	} else {
		node->operation = operators[i].operation;
		parser->lexer.at += strlen(operators[i].text);
		node->b = parse_binary(parser, operators[i].level + 1);
	}
	return node->b && !check_meaning(parser, node) ? node : NULL;
}

struct node *parse_binary(struct parser *parser, int level)
{
	struct node *left, *node;

	left = parse_unary(parser);
	while (left && (node = parse_operator(parser, left, level)))
		left = node;
	return parser->status ? NULL : left;
}

/* ---- The whole ---- */

void expression_free(struct expression *expression)
{
	struct node *node;

	if (!expression)
		return;
	while ((node = expression->nodes)) {
		expression->nodes = node->allocated;
		free(node->text);
		free(node->pattern);
		free(node->numbers);
		free(node);
	}
	free(expression->text);
	free(expression);
}

static void parse_whole(struct parser *parser)
{
	struct expression *tree = parser->tree;

	if (strlen(parser->lexer.text) >= EXPRESSION_TEXT_MAX) {
		parse_fault(parser, -E2BIG, EXPRESSION_TEXT_MAX, "the expression is longer than 4095 bytes");
		return;
	}
	tree->root = parse_binary(parser, 0);
	if (tree->is_filter)
		parse_actions(parser);
	if (!parser->status && lex_column(&parser->lexer) && *parser->lexer.at)
		parse_fault(parser, -EINVAL, lex_column(&parser->lexer), *parser->lexer.at == ';' && !tree->is_filter ?
			    "only the filter of a trace of the kernel can have actions" : "an operator must stand here");
}

int parse_text(const char *text, bool is_filter, struct expression **expression, struct expression_error *error)
{
	struct parser parser = { .lexer = { text, text, error } };

	*expression = NULL;
	parser.tree = calloc(1, sizeof(*parser.tree));
	if (!parser.tree || !(parser.tree->text = strdup(text)))
		parser.status = fail_at(error, -ENOMEM, 0, "out of memory");
	if (!parser.status) {
		parser.tree->is_filter = is_filter;
		parse_whole(&parser);
	}
	if (!parser.status)
		*expression = parser.tree;
	else
		expression_free(parser.tree);
	return parser.status;
}

int expression_parse(const char *text, struct expression **expression, struct expression_error *error)
{
	return parse_text(text, false, expression, error);
}

int expression_parse_filter(const char *text, struct expression **expression, struct expression_error *error)
{
	return parse_text(text, true, expression, error);
}
