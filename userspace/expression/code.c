// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The code of a filter for an event of programs, from a bound expression.  common/filter.h describes the
 * machine that runs it.
 */
#include "tree.h"

#include <errno.h>
#include <string.h>

#include "common/filter.h"

/**
 * struct builder - code that is being made
 * @scope: the names
 * @code: the code so far
 * @depth: values on the stack
 * @error: receives the first error
 * @status: 0, or that error
 */
struct builder {
	const struct expression_scope *scope;
	struct ltt_filter_code *code;
	unsigned int depth;
	struct expression_error *error;
	int status;
};

/* ---- Instructions ---- */

static void add(struct builder *b, enum ltt_filter_op op, unsigned int which, unsigned int to, uint64_t number)
{
	if (!b->status && b->code->nr == LTT_FILTER_INSNS_MAX)
		b->status = fail_at(b->error, -E2BIG, 0, "the expression is too long for events of programs: it needs more "
				    "than %u instructions", LTT_FILTER_INSNS_MAX);
	if (!b->status)
		b->code->insn[b->code->nr++] = (struct ltt_filter_insn){
			.op = op, .which = which, .to = to, .number = number,
		};
}

static void push(struct builder *b)
{
	if (!b->status && b->depth == LTT_FILTER_STACK_MAX)
		b->status = fail_at(b->error, -E2BIG, 0, "the expression is too deep for events of programs: more than %u values "
				    "wait for an operation", LTT_FILTER_STACK_MAX);
	b->depth++;
	add(b, LTT_FILTER_PUSH, 0, 0, 0);
}

/* Have the jump with number @jump lead here. */
static void land(struct builder *b, unsigned int jump)
{
	if (!b->status)
		b->code->insn[jump].to = b->code->nr;
}

/* ---- Names ---- */

static bool is_context(const struct builder *b, const struct ltt_field *field)
{
	return field < b->scope->fields || field >= b->scope->fields + b->scope->nr_fields;
}

static void emit_name(struct builder *b, const struct node *node)
{
	static const enum ltt_filter_context numbers[EXPRESSION_PROGRAM_CONTEXTS] = {
		[EXPRESSION_PROGRAM_PID] = LTT_FILTER_PID, [EXPRESSION_PROGRAM_TID] = LTT_FILTER_TID,
		[EXPRESSION_PROGRAM_CPU] = LTT_FILTER_CPU, [EXPRESSION_PROGRAM_UID] = LTT_FILTER_UID,
	};

	if (is_context(b, node->field))
		add(b, LTT_FILTER_CONTEXT, numbers[node->field - b->scope->contexts], 0, 0);
	else
		add(b, LTT_FILTER_FIELD, node->field - b->scope->fields, 0, 0);
}

/* ---- Texts ---- */

/* Return: the place of a copy of the text of a pattern. */
static unsigned int keep_text(struct builder *b, const struct node *pattern)
{
	unsigned int place = b->code->size;

	if (!b->status && pattern->len > LTT_FILTER_TEXTS_MAX - place)
		b->status = fail_at(b->error, -E2BIG, 0, "the expression is too long for events of programs: its strings have "
				    "more than %u bytes", LTT_FILTER_TEXTS_MAX);
	if (b->status)
		return 0;
	memcpy(b->code->text + place, pattern->text, pattern->len);
	b->code->size += pattern->len;
	return place;
}

/* Compare with one pattern after the other, with a jump to the end between two. */
static void emit_match(struct builder *b, const struct node *node)
{
	const struct ltt_field *field = node->a->field;
	unsigned int which = is_context(b, field) ? LTT_FILTER_COMM : field - b->scope->fields;
	const struct node *pattern;
	unsigned int end = b->code->nr - 1;

	for (pattern = node->b; pattern; pattern = pattern->next)
		end += 2;
	for (pattern = node->b; pattern; pattern = pattern->next) {
		add(b, pattern->is_glob ? LTT_FILTER_LIKE : LTT_FILTER_IS, which, pattern->len, keep_text(b, pattern));
		if (pattern->next)
			add(b, LTT_FILTER_JUMP_IF, 0, end, 0);
	}
	if (node->is_negative)
		add(b, LTT_FILTER_EQUAL, 1, 0, 0);
}

/* ---- Operations ---- */

static enum ltt_filter_op op_of(const struct node *node)
{
	static const struct {
		uint8_t is_signed, is_unsigned;
	} ops[] = {
		[OP_OR] = { LTT_FILTER_OR, LTT_FILTER_OR },
		[OP_XOR] = { LTT_FILTER_XOR, LTT_FILTER_XOR },
		[OP_AND] = { LTT_FILTER_AND, LTT_FILTER_AND },
		[OP_EQUAL] = { LTT_FILTER_EQUAL, LTT_FILTER_EQUAL },
		[OP_DIFFERENT] = { LTT_FILTER_DIFFERENT, LTT_FILTER_DIFFERENT },
		[OP_LESS] = { LTT_FILTER_LESS, LTT_FILTER_LESS_UNSIGNED },
		[OP_AT_MOST] = { LTT_FILTER_AT_MOST, LTT_FILTER_AT_MOST_UNSIGNED },
		[OP_MORE] = { LTT_FILTER_MORE, LTT_FILTER_MORE_UNSIGNED },
		[OP_AT_LEAST] = { LTT_FILTER_AT_LEAST, LTT_FILTER_AT_LEAST_UNSIGNED },
		[OP_LEFT] = { LTT_FILTER_LEFT, LTT_FILTER_LEFT },
		[OP_RIGHT] = { LTT_FILTER_RIGHT, LTT_FILTER_RIGHT_UNSIGNED },
		[OP_ADD] = { LTT_FILTER_ADD, LTT_FILTER_ADD },
		[OP_SUBTRACT] = { LTT_FILTER_SUBTRACT, LTT_FILTER_SUBTRACT },
		[OP_MULTIPLY] = { LTT_FILTER_MULTIPLY, LTT_FILTER_MULTIPLY },
		[OP_DIVIDE] = { LTT_FILTER_DIVIDE, LTT_FILTER_DIVIDE_UNSIGNED },
		[OP_MODULO] = { LTT_FILTER_MODULO, LTT_FILTER_MODULO_UNSIGNED },
	};

	return node->is_unsigned ? ops[node->operation].is_unsigned : ops[node->operation].is_signed;
}

static void emit_value(struct builder *b, const struct node *node);
static void emit_truth(struct builder *b, const struct node *node);

/* && and ||: the left side decides, or the right one does. */
static void emit_choice(struct builder *b, const struct node *node)
{
	unsigned int jump;

	emit_truth(b, node->a);
	jump = b->code->nr;
	add(b, node->operation == OP_OR_ELSE ? LTT_FILTER_JUMP_IF : LTT_FILTER_JUMP_UNLESS, 0, 0, 0);
	emit_truth(b, node->b);
	land(b, jump);
}

static void emit_binary(struct builder *b, const struct node *node)
{
	emit_value(b, node->a);
	if (node->b->kind == NODE_NUMBER) {
		add(b, op_of(node), 1, 0, node->b->number);
		return;
	}
	push(b);
	emit_value(b, node->b);
	add(b, op_of(node), 0, 0, 0);
	b->depth--;
}

/* The last number needs no jump. */
static void emit_in(struct builder *b, const struct node *node)
{
	const struct node *item;
	unsigned int end;

	emit_value(b, node->a);
	end = b->code->nr;
	for (item = node->b; item; item = item->next)
		end++;
	for (item = node->b; item->next; item = item->next)
		add(b, LTT_FILTER_JUMP_IF_EQUAL, 0, end, item->number);
	add(b, LTT_FILTER_EQUAL, 1, 0, item->number);
}

static void emit_unary(struct builder *b, const struct node *node)
{
	if (node->operation == OP_NOT) {
		emit_truth(b, node->a);
		add(b, LTT_FILTER_EQUAL, 1, 0, 0);
		return;
	}
	emit_value(b, node->a);
	add(b, node->operation == OP_NEGATE ? LTT_FILTER_NEGATE : LTT_FILTER_COMPLEMENT, 0, 0, 0);
}

static bool is_choice(const struct node *node)
{
	return node->kind == NODE_BINARY && (node->operation == OP_AND_THEN || node->operation == OP_OR_ELSE);
}

/* A = the value of a node. */
static void emit_value(struct builder *b, const struct node *node)
{
	emit_truth(b, node);
	if (is_choice(node))
		add(b, LTT_FILTER_DIFFERENT, 1, 0, 0);
}

/* A = 0 if the value of a node is 0, else any other number.  Nothing is emitted after an error: a tree can be
 * much larger than code. */
static void emit_truth(struct builder *b, const struct node *node)
{
	if (b->status)
		return;
	switch (node->kind) {
	case NODE_NUMBER:
		add(b, LTT_FILTER_NUMBER, 0, 0, node->number);
		break;
	case NODE_NAME:
		emit_name(b, node);
		break;
	case NODE_UNARY:
		emit_unary(b, node);
		break;
	case NODE_BINARY:
		if (is_choice(node))
			emit_choice(b, node);
		else
			emit_binary(b, node);
		break;
	case NODE_IN:
		emit_in(b, node);
		break;
	case NODE_MATCH:
		emit_match(b, node);
		break;
	case NODE_STRING:
	case NODE_PATTERN:
	case NODE_AMONG:
	case NODE_ON_STACK:
	case NODE_SINCE:
	case NODE_BETWEEN:
	case NODE_NOTE:
	case NODE_ENTER:
	case NODE_LEAVE:
	case NODE_ACTION:
		break;	/* not values of a bound tree, filters in the kernel aside */
	}
}

int expression_emit_code(const struct expression_bound *bound, struct ltt_filter_code *code,
			 struct expression_error *error)
{
	struct builder b = { .scope = &bound->scope, .code = code, .error = error };

	code->nr = code->size = 0;
	emit_truth(&b, bound->tree->root);
	return b.status;
}
