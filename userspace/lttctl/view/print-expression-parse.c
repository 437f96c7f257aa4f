// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Parses expressions of the kernel's print formats: C without assignments, of one field.
 *
 * Layer: lttctl view.  The text may be anything: depth and size of the tree are limited.
 */
#include "print-expression-tree.h"
#include "print-expression-type.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX	64
#define NODES_MAX	16384

/**
 * struct parser - an expression that is being parsed
 * @expression: what there is so far
 * @at: the rest of the text
 * @depth: how many expressions enclose this one
 */
struct parser {
	struct print_expression *expression;
	const char *at;
	unsigned int depth;
};

static struct node *parse_choice(struct parser *parser);
static struct node *parse_unary(struct parser *parser);

/* ---- Words ---- */

static void skip_blanks(struct parser *parser)
{
	while (isspace((unsigned char)*parser->at))
		parser->at++;
}

/* Take a text that is next. */
static bool take(struct parser *parser, const char *text)
{
	skip_blanks(parser);
	if (strncmp(parser->at, text, strlen(text)))
		return false;
	parser->at += strlen(text);
	return true;
}

/* A node for which there is no memory makes the expression one that is not understood. */
static struct node *new_node(struct parser *parser, enum node_kind kind)
{
	struct node *node = parser->expression->nr < NODES_MAX ? calloc(1, sizeof(*node)) : NULL;

	if (!node)
		return NULL;
	node->kind = kind;
	node->allocated = parser->expression->nodes;
	parser->expression->nodes = node;
	parser->expression->nr++;
	return node;
}

/* ---- Strings and numbers ---- */

/* Return: a copy without quotes, of strings that follow each other; NULL if it is malformed. */
static char *take_string(struct parser *parser)
{
	char *text = malloc(strlen(parser->at) + 1), *to = text;

	while (text && take(parser, "\"")) {
		for (; *parser->at && *parser->at != '"'; parser->at++) {
			if (*parser->at == '\\' && parser->at[1])
				parser->at++;
			*to++ = *parser->at;
		}
		if (!*parser->at) {
			free(text);
			return NULL;
		}
		parser->at++;
	}
	if (text)
		*to = '\0';
	return text;
}

static struct node *parse_string(struct parser *parser)
{
	struct node *node = new_node(parser, NODE_STRING);

	if (node)
		node->text = take_string(parser);
	return node && node->text ? node : NULL;
}

static struct node *parse_number(struct parser *parser)
{
	struct node *node = new_node(parser, NODE_NUMBER);
	char *end;

	if (!node)
		return NULL;
	node->number = strtoull(parser->at, &end, 0);
	parser->at = end + strspn(end, "uUlL");
	return node;
}

/* 'x' */
static struct node *parse_character(struct parser *parser)
{
	struct node *node = new_node(parser, NODE_NUMBER);

	if (!node || !parser->at[1] || parser->at[1] == '\\' || parser->at[2] != '\'')
		return NULL;
	node->number = parser->at[1];
	parser->at += 3;
	return node;
}

/* ---- Fields and functions ---- */

static struct node *parse_field(struct parser *parser)
{
	struct print_expression *expression = parser->expression;
	size_t len;

	skip_blanks(parser);
	len = word_length(parser->at);
	if (!len || (expression->field && !is_word(parser->at, len, expression->field)))
		return NULL;
	if (!expression->field)
		expression->field = strndup(parser->at, len);
	parser->at += len;
	skip_blanks(parser);
	/* An element of an array, or a member. */
	if (!expression->field || *parser->at == '[' || *parser->at == '.' || !strncmp(parser->at, "->", 2))
		return NULL;
	return new_node(parser, NODE_FIELD);
}

/* { value, "text" }; the last of a list may have a null pointer as its text. */
static struct node *parse_entry(struct parser *parser)
{
	struct node *entry;

	if (!take(parser, "{"))
		return NULL;
	entry = new_node(parser, NODE_ENTRY);
	if (!entry)
		return NULL;
	entry->a = parse_choice(parser);
	if (!entry->a || !take(parser, ","))
		return NULL;
	skip_blanks(parser);
	if (*parser->at == '"')
		entry->text = take_string(parser);
	return (entry->text || parse_choice(parser)) && take(parser, "}") ? entry : NULL;
}

/* The arguments of __print_flags or __print_symbolic, from the parenthesis on. */
static struct node *parse_names(struct parser *parser, enum node_kind kind)
{
	struct node *node = new_node(parser, kind), **link;

	if (!node || !take(parser, "("))
		return NULL;
	node->a = parse_choice(parser);
	if (!node->a)
		return NULL;
	if (kind == NODE_FLAGS) {
		if (!take(parser, ","))
			return NULL;
		skip_blanks(parser);
		node->text = *parser->at == '"' ? take_string(parser) : NULL;
		if (!node->text)
			return NULL;
	}
	for (link = &node->list; take(parser, ","); link = &(*link)->list) {
		*link = parse_entry(parser);
		if (!*link)
			return NULL;
	}
	return take(parser, ")") ? node : NULL;
}

static struct node *parse_word(struct parser *parser)
{
	static const struct {
		const char *name;
		enum node_kind kind;
	} functions[] = {
		{ "__print_flags", NODE_FLAGS },
		{ "__print_flags_u64", NODE_FLAGS },
		{ "__print_symbolic", NODE_SYMBOLIC },
		{ "__print_symbolic_u64", NODE_SYMBOLIC },
	};
	size_t len = word_length(parser->at), i;
	const char *word = parser->at;

	parser->at += len;
	if (is_word(word, len, "REC"))
		return take(parser, "->") ? parse_field(parser) : NULL;
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (is_word(word, len, functions[i].name))
			return parse_names(parser, functions[i].kind);
	return NULL;
}

/* ---- Casts ---- */

static struct node *parse_cast(struct parser *parser, const struct type *type)
{
	struct node *a = parse_unary(parser), *node;

	if (!a || !type->bits || type->bits == 64)
		return a;
	node = new_node(parser, NODE_CAST);
	if (!node)
		return NULL;
	node->a = a;
	node->bits = type->bits;
	node->is_signed = !type->is_unsigned;
	return node;
}

static struct node *parse_parenthesis(struct parser *parser)
{
	struct node *node;
	struct type type;

	if (type_take(&parser->at, &type))
		return parse_cast(parser, &type);
	node = parse_choice(parser);
	return node && take(parser, ")") ? node : NULL;
}

/* ---- Operators ---- */

static struct node *parse_sign(struct parser *parser)
{
	struct node *node = new_node(parser, NODE_UNARY);

	if (!node)
		return NULL;
	node->sign = *parser->at++;
	node->a = parse_unary(parser);
	return node->a ? node : NULL;
}

static struct node *parse_value(struct parser *parser)
{
	skip_blanks(parser);
	if (*parser->at && strchr("!~-", *parser->at))
		return parse_sign(parser);
	if (*parser->at == '"')
		return parse_string(parser);
	if (*parser->at == '\'')
		return parse_character(parser);
	if (isdigit((unsigned char)*parser->at))
		return parse_number(parser);
	if (take(parser, "("))
		return parse_parenthesis(parser);
	return parse_word(parser);
}

static struct node *parse_unary(struct parser *parser)
{
	struct node *node = NULL;

	if (parser->depth++ < DEPTH_MAX)
		node = parse_value(parser);
	parser->depth--;
	return node;
}

/* Longer operators first; a higher level binds closer. */
static const struct {
	const char *text;
	enum operation operation;
	unsigned int level;
} operators[] = {
	{ "||", OP_OR_ELSE, 1 }, { "&&", OP_AND_THEN, 2 }, { "==", OP_EQUAL, 6 }, { "!=", OP_DIFFERENT, 6 },
	{ "<<", OP_LEFT, 8 }, { ">>", OP_RIGHT, 8 }, { "<=", OP_AT_MOST, 7 }, { ">=", OP_AT_LEAST, 7 },
	{ "|", OP_OR, 3 }, { "^", OP_XOR, 4 }, { "&", OP_AND, 5 }, { "<", OP_LESS, 7 }, { ">", OP_MORE, 7 },
	{ "+", OP_ADD, 9 }, { "-", OP_SUBTRACT, 9 }, { "*", OP_MULTIPLY, 10 }, { "/", OP_DIVIDE, 10 },
	{ "%", OP_MODULO, 10 },
};

#define NR_OPERATORS (sizeof(operators) / sizeof(operators[0]))

/* Return: the operator that is next, NR_OPERATORS if none is. */
static size_t next_operator(struct parser *parser)
{
	size_t i = 0;

	skip_blanks(parser);
	while (i < NR_OPERATORS && strncmp(parser->at, operators[i].text, strlen(operators[i].text)))
		i++;
	return i;
}

/* Operators of at least this level. */
static struct node *parse_binary(struct parser *parser, unsigned int level)
{
	struct node *a = parse_unary(parser), *node;
	size_t i;

	while (a && (i = next_operator(parser)) < NR_OPERATORS && operators[i].level >= level) {
		parser->at += strlen(operators[i].text);
		node = new_node(parser, NODE_BINARY);
		if (!node)
			return NULL;
		node->operation = operators[i].operation;
		node->a = a;
		node->b = parse_binary(parser, operators[i].level + 1);
		a = node->b ? node : NULL;
	}
	return a;
}

static struct node *parse_condition(struct parser *parser)
{
	struct node *a = parse_binary(parser, 1), *node;

	if (!a || !take(parser, "?"))
		return a;
	node = new_node(parser, NODE_CHOICE);
	if (!node)
		return NULL;
	node->a = a;
	node->b = parse_choice(parser);
	if (!node->b || !take(parser, ":"))
		return NULL;
	node->c = parse_choice(parser);
	return node->c ? node : NULL;
}

static struct node *parse_choice(struct parser *parser)
{
	struct node *node = NULL;

	if (parser->depth++ < DEPTH_MAX)
		node = parse_condition(parser);
	parser->depth--;
	return node;
}

/* ---- The whole ---- */

/* Return: the place of the comma behind an expression, or of the end of the text. */
static const char *skip_expression(const char *at)
{
	unsigned int depth = 0;

	for (; *at && (*at != ',' || depth); at++) {
		if (strchr("([{", *at)) {
			depth++;
		} else if (strchr(")]}", *at)) {
			depth -= depth > 0;
		} else if (*at == '"') {
			for (at++; *at && *at != '"'; at++)
				at += *at == '\\' && at[1];
			if (!*at)
				break;
		}
	}
	return at;
}

struct print_expression *print_expression_parse(const char **text)
{
	struct parser parser = { .at = *text, .expression = calloc(1, sizeof(struct print_expression)) };
	const char *end = skip_expression(*text);

	*text = end;
	if (!parser.expression)
		return NULL;
	parser.expression->root = parse_choice(&parser);
	skip_blanks(&parser);
	if (parser.expression->root && parser.at == end)
		return parser.expression;
	print_expression_free(parser.expression);
	return NULL;
}
