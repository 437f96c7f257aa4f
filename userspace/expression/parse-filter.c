// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The parts of a filter in the kernel besides its expression: actions, since() and between(), which need a memory.
 */
#include "parse.h"
#include "include/uapi/ltt/verdict.h"

#include <errno.h>
#include <string.h>

/* ---- since(EVENT, KEY) and between(EVENT, EVENT, KEY) ---- */

/* GROUP:NAME, of the characters that names of events have. */
static struct node *parse_event(struct parser *parser)
{
	struct node *node = new_node(parser, NODE_STRING, lex_column(&parser->lexer));
	const char *text = parser->lexer.at;
	const size_t len = strcspn(text, " \t,()=;");

	if (!node)
		return NULL;
	if (!memchr(text, ':', len))
		return parse_fault(parser, -EINVAL, node->column, "an event must stand here: GROUP:NAME");
	node->text = strndup(text, len);
	node->len = len;
	parser->lexer.at += len;
	return node->text ? node : parse_fault(parser, -ENOMEM, node->column, "out of memory");
}

/* A name, or 0.  Its text is that of the node after it, as the other event is asked for it, too. */
static struct node *parse_key(struct parser *parser)
{
	const unsigned int column = lex_column(&parser->lexer);
	struct node *text = new_node(parser, NODE_STRING, column);
	const char *from = parser->lexer.at;
	const size_t len = lex_name(&parser->lexer);

	if (!text)
		return NULL;
	if (!len && *from != '0')
		return parse_fault(parser, -EINVAL, column, "the name of a field or context must stand here");
	text->text = strndup(from, len + !len);
	return text->text ? text : parse_fault(parser, -ENOMEM, column, "out of memory");
}

/* A node for @key in the scope of this event. */
static struct node *key_node(struct parser *parser, const struct node *key)
{
	struct node *node = new_node(parser, *key->text == '0' ? NODE_NUMBER : NODE_NAME, key->column);

	if (!node || node->kind == NODE_NUMBER)
		return node;
	node->text = strdup(key->text);
	node->len = strlen(key->text);
	return node->text ? node : parse_fault(parser, -ENOMEM, key->column, "out of memory");
}

/* KEY, or KEY = EXPRESSION: the text to @text, the value of this event to @node. */
static struct node *parse_match(struct parser *parser, struct node *node, struct node **text)
{
	*text = parse_key(parser);
	if (!*text)
		return NULL;
	parser->lexer.at += strlen((*text)->text);
	lex_column(&parser->lexer);
	if (*parser->lexer.at == '=' && parser->lexer.at[1] != '=') {
		parser->lexer.at++;
		node->a = parse_binary(parser, 0);
	} else {
		node->a = key_node(parser, *text);
	}
	return node->a ? node : NULL;
}

static bool take_comma(struct parser *parser)
{
	if (lex_take(&parser->lexer, ","))
		return true;
	parse_fault(parser, -EINVAL, lex_column(&parser->lexer),
		    "a comma must stand here: since(EVENT, KEY) and between(EVENT, EVENT, KEY), where KEY may be 0 for any");
	return false;
}

/* The text of the key follows the first event, and the second event follows that. */
struct node *parse_call(struct parser *parser, enum node_kind kind, unsigned int column)
{
	struct node *node = new_node(parser, kind, column), *second = NULL;

	if (!node)
		return NULL;
	if (!parser->tree->is_filter)
		return parse_fault(parser, -EINVAL, column, "only the filter of a trace of the kernel can ask about another event");
	lex_take(&parser->lexer, "(");
	node->b = parse_event(parser);
	if (!node->b || !take_comma(parser))
		return NULL;
	if (kind == NODE_BETWEEN) {
		second = parse_event(parser);
		if (!second || !take_comma(parser))
			return NULL;
	}
	if (!parse_match(parser, node, &node->b->next))
		return NULL;
	node->b->next->next = second;
	if (!lex_take(&parser->lexer, ")"))
		return parse_fault(parser, -EINVAL, lex_column(&parser->lexer), "an operator or ) is missing");
	return node;
}

/* ---- Actions ---- */

static const struct {
	const char *name;
	uint64_t verdict;
} actions[] = {
	{ "stop", LTT_VERDICT_RECORD | LTT_VERDICT_STOP },
	{ "begin", LTT_VERDICT_BEGIN },
	{ "report", LTT_VERDICT_RECORD },
};

#define ACTIONS (sizeof(actions) / sizeof(actions[0]))

static struct node *parse_slot(struct parser *parser, struct node *node)
{
	const unsigned int column = lex_column(&parser->lexer);
	const char c = *parser->lexer.at;
	uint64_t slot = LTT_REPORT_SLOTS;

	if (c >= '0' && c <= '9' && lex_number(&parser->lexer, &slot))
		parser->status = -EINVAL;
	else if (slot >= LTT_REPORT_SLOTS)
		parser->status = fail_at(parser->lexer.error, -EINVAL, column, "report needs the number of a slot, from 0 to %u",
					 LTT_REPORT_SLOTS - 1);
	if (parser->status)
		return NULL;
	node->number |= LTT_VERDICT_REPORT(slot);
	return node;
}

static bool is_at_end(struct parser *parser)
{
	lex_column(&parser->lexer);
	return !*parser->lexer.at || *parser->lexer.at == ';';
}

/* The word between the key and the other event. */
static const struct {
	const char *action;
	const char *word;
	enum node_kind kind;
} memories[] = {
	{ "note", "for", NODE_NOTE },
	{ "note", "until", NODE_ENTER },
	{ "forget", "from", NODE_LEAVE },
};

#define MEMORIES (sizeof(memories) / sizeof(memories[0]))

/* KEY WORD EVENT, behind @action. */
static struct node *parse_memory(struct parser *parser, struct node *node, const char *action)
{
	struct node *key = parse_key(parser);
	size_t i;

	if (!key)
		return NULL;
	parser->lexer.at += strlen(key->text);
	node->a = key_node(parser, key);
	if (!node->a)
		return NULL;
	for (i = 0; i < MEMORIES; i++)
		if (!strcmp(memories[i].action, action) && lex_take_name(&parser->lexer, memories[i].word))
			break;
	if (i == MEMORIES)
		return parse_fault(parser, -EINVAL, lex_column(&parser->lexer),
				   "the other event must stand here: note KEY for EVENT, note KEY until EVENT or forget KEY from EVENT");
	node->kind = memories[i].kind;
	node->b = parse_event(parser);
	if (!node->b)
		return NULL;
	node->b->next = key;
	return node;
}

/* ACTION [EXPRESSION], behind the semicolon. */
static struct node *parse_action(struct parser *parser)
{
	struct node *node = new_node(parser, NODE_ACTION, lex_column(&parser->lexer));
	size_t i;

	if (!node)
		return NULL;
	if (lex_take_name(&parser->lexer, "note"))
		return parse_memory(parser, node, "note");
	if (lex_take_name(&parser->lexer, "forget"))
		return parse_memory(parser, node, "forget");
	for (i = 0; i < ACTIONS && !lex_take_name(&parser->lexer, actions[i].name); )
		i++;
	if (i == ACTIONS)
		return parse_fault(parser, -EINVAL, node->column, "an action must stand here: stop, begin, report SLOT, note KEY or forget KEY");
	node->number = actions[i].verdict;
	if (!strcmp(actions[i].name, "report") && !parse_slot(parser, node))
		return NULL;
	if (is_at_end(parser)) {
		node->a = new_node(parser, NODE_NUMBER, node->column);
		if (node->a)
			node->a->number = 1;
	} else {
		node->a = parse_binary(parser, 0);
	}
	return node->a ? node : NULL;
}

void parse_actions(struct parser *parser)
{
	struct node **next = &parser->tree->actions;

	while (!parser->status && lex_take(&parser->lexer, ";")) {
		*next = parse_action(parser);
		if (*next)
			next = &(*next)->next;
	}
}

/* ---- Questions about a filter ---- */

bool expression_has_actions(const struct expression *expression)
{
	return expression->actions;
}

int expression_for_each_call(const struct expression *expression,
			     int (*fn)(const struct expression_call *call, void *data), void *data)
{
	struct expression_call call;
	const struct node *node;
	int ret = 0;

	for (node = expression->nodes; node && !ret; node = node->allocated) {
		if (!is_call(node))
			continue;
		call.event = node->b->text;
		call.key = node->b->next->text;
		call.end = node->kind == NODE_BETWEEN ? node->b->next->next->text : NULL;
		ret = fn(&call, data);
	}
	return ret;
}
