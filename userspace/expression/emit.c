// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Conditions in a program, by jumps, and the whole program.
 */
#include "emit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Conditions ---- */

/* Keep the knowledge that holds whether or not the second part of a condition ran: @before is that before it. */
static void forget(struct emitter *e, const struct known *before)
{
	const unsigned int writes = e->known.writes;

	e->known = *before;
	if (writes != before->writes)
		e->known.text = NULL;
	e->known.writes = writes;
}

/* && and ||: one side that is @decides decides the whole. */
static void emit_chain(struct emitter *e, const struct node *node, bool sense, label_t label)
{
	const bool decides = node->operation == OP_OR_ELSE;
	const label_t end = new_label(e);
	struct known before;

	emit_condition(e, node->a, decides, sense == decides ? label : end);
	before = e->known;
	emit_condition(e, node->b, sense, label);
	forget(e, &before);
	place_label(e, end);
}

static uint8_t branch_of(enum operation operation, bool is_unsigned, bool sense)
{
	static const struct {
		uint8_t branch, signed_branch;
		enum operation opposite;
	} branches[] = {
		[OP_EQUAL] = { BPF_JEQ, BPF_JEQ, OP_DIFFERENT }, [OP_DIFFERENT] = { BPF_JNE, BPF_JNE, OP_EQUAL },
		[OP_LESS] = { BPF_JLT, BPF_JSLT, OP_AT_LEAST }, [OP_AT_LEAST] = { BPF_JGE, BPF_JSGE, OP_LESS },
		[OP_MORE] = { BPF_JGT, BPF_JSGT, OP_AT_MOST }, [OP_AT_MOST] = { BPF_JLE, BPF_JSLE, OP_MORE },
	};

	if (!sense)
		operation = branches[operation].opposite;
	return is_unsigned ? branches[operation].branch : branches[operation].signed_branch;
}

/* Can a field be compared with a number as 32 bits, so that its sign need not be extended? */
static bool is_narrow(const struct node *field, const struct node *number)
{
	return field->kind == NODE_NAME && field->field->size == 4 && field->field->is_signed && is_short(number->number);
}

static void emit_comparison(struct emitter *e, const struct node *node, bool sense, label_t label)
{
	const uint8_t branch = branch_of(node->operation, node->is_unsigned, sense);

	if (node->b->kind != NODE_NUMBER) {
		emit_values(e, node->a, node->b);
		emit_branch_register(e, branch, R0, R1, label);
	} else if (is_narrow(node->a, node->b) && !node->is_unsigned) {
		emit_name(e, node->a, false);
		emit_branch(e, branch, 4, R0, node->b->number, label);
	} else {
		emit_value(e, node->a);
		emit_branch(e, branch, 8, R0, node->b->number, label);
	}
}

static void emit_in(struct emitter *e, const struct node *node, bool sense, label_t label)
{
	const label_t found = new_label(e);
	const struct node *item;

	emit_value(e, node->a);
	for (item = node->b; item->next; item = item->next)
		emit_branch(e, BPF_JEQ, 8, R0, item->number, sense ? label : found);
	emit_branch(e, sense ? BPF_JEQ : BPF_JNE, 8, R0, item->number, label);
	place_label(e, found);
}

/* Compare R0 with numbers in ascending order. */
static void emit_search(struct emitter *e, const uint64_t *numbers, size_t nr, label_t found, label_t missed)
{
	const label_t upper = new_label(e);
	size_t i;

	if (nr <= 3) {
		for (i = 0; i < nr; i++)
			emit_branch(e, BPF_JEQ, 8, R0, numbers[i], found);
		emit_jump(e, missed);
		return;
	}
	emit_branch(e, BPF_JGE, 8, R0, numbers[nr / 2], upper);
	emit_search(e, numbers, nr / 2, found, missed);
	place_label(e, upper);
	emit_search(e, numbers + nr / 2, nr - nr / 2, found, missed);
}

static void emit_among(struct emitter *e, const struct node *node, bool sense, label_t label)
{
	const bool jumps_if_found = sense != node->is_negative;
	const label_t end = new_label(e);

	emit_value(e, node->a);
	if (node->nr_numbers == 1)
		emit_branch(e, jumps_if_found ? BPF_JEQ : BPF_JNE, 8, R0, node->numbers[0], label);
	else
		emit_search(e, node->numbers, node->nr_numbers, jumps_if_found ? label : end, jumps_if_found ? end : label);
	place_label(e, end);
}

void emit_condition(struct emitter *e, const struct node *node, bool sense, label_t label)
{
	if (node->kind == NODE_MATCH) {
		emit_match(e, node, sense, label);
	} else if (node->kind == NODE_IN) {
		emit_in(e, node, sense, label);
	} else if (node->kind == NODE_AMONG) {
		emit_among(e, node, sense, label);
	} else if (node->kind == NODE_ON_STACK) {
		emit_on_stack(e, node, sense, label);
	} else if (node->kind == NODE_UNARY && node->operation == OP_NOT) {
		emit_condition(e, node->a, !sense, label);
	} else if (!is_condition(node)) {
		emit_value(e, node);
		emit_branch(e, sense ? BPF_JNE : BPF_JEQ, 8, R0, 0, label);
	} else if (is_comparison(node->operation)) {
		emit_comparison(e, node, sense, label);
	} else {
		emit_chain(e, node, sense, label);
	}
}

/* ---- The whole ---- */

/* Compute how many values wait while each node is computed, and find the fields that are used again. */
static void prepare(struct emitter *e, struct node *node, const struct ltt_field **seen, size_t *nr_seen)
{
	struct node *a = node->a, *b = node->b;
	size_t i;

	if (a)
		prepare(e, a, seen, nr_seen);
	if (b && node->kind == NODE_BINARY) {
		prepare(e, b, seen, nr_seen);
		node->spills = a->spills > b->spills ? a->spills : b->spills;
		if (a->spills == b->spills && b->kind != NODE_NUMBER && !is_direct(e, b))
			node->spills++;
		return;
	}
	if (a)
		node->spills = a->spills;
	if (node->kind != NODE_NAME || is_text(node->field) || is_direct(e, node))
		return;
	for (i = 0; i < *nr_seen && seen[i] != node->field; )
		i++;
	if (i == *nr_seen) {
		seen[(*nr_seen)++] = node->field;
		return;
	}
	for (i = 0; i < e->nr_kept && e->kept[i] != node->field; )
		i++;
	if (i == e->nr_kept && i < STACK_KEPTS)
		e->kept[e->nr_kept++] = node->field;
}

void emit_prepare(struct emitter *e, struct node *root)
{
	const struct ltt_field **seen = calloc(e->scope->nr_fields + e->scope->nr_contexts + 1, sizeof(*seen));
	size_t nr_seen = 0;

	if (!seen) {
		e->status = fail_at(e->error, -ENOMEM, 0, "out of memory");
		return;
	}
	prepare(e, root, seen, &nr_seen);
	free(seen);
}

static void emit_whole(struct emitter *e, const struct expression *tree)
{
	const label_t drop = new_label(e);
	struct node *root = tree->root;

	if (root->kind != NODE_NUMBER || e->maps)
		emit_move(e, PAYLOAD, R1);
	emit_calls(e, tree);
	emit_prepare(e, root);
	if (root->kind == NODE_NUMBER) {
		emit_number(e, R0, !!root->number);
		emit(e, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
		return;
	}
	emit_condition(e, root, false, drop);
	emit_number(e, R0, 1);
	emit(e, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	place_label(e, drop);
	emit_number(e, R0, 0);
	emit(e, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/* ---- Filters with actions ---- */

/* Add @bits to the verdict if a condition is true. */
static void emit_verdict(struct emitter *e, struct node *condition, uint64_t bits)
{
	const label_t end = new_label(e);
	struct known before;

	if (condition->kind == NODE_NUMBER && !condition->number)
		return;
	emit_prepare(e, condition);
	before = e->known;
	if (condition->kind != NODE_NUMBER)
		emit_condition(e, condition, false, end);
	emit_with_number(e, BPF_OR, VERDICT, bits);
	forget(e, &before);
	place_label(e, end);
}

/* An event that may begin the recording, or that such an event asks about, is not recorded before that. */
static uint64_t verdict_without_actions(const struct node *action)
{
	for (; action; action = action->next)
		if (action->kind != NODE_ACTION || action->number & LTT_VERDICT_BEGIN)
			return LTT_VERDICT_RECORD_BEGUN;
	return LTT_VERDICT_RECORD;
}

static void emit_filter(struct emitter *e, const struct expression *tree)
{
	struct node *action;

	emit_move(e, PAYLOAD, R1);
	emit_calls(e, tree);
	emit_number(e, VERDICT, 0);
	emit_verdict(e, tree->root, verdict_without_actions(tree->actions));
	for (action = tree->actions; action; action = action->next) {
		if (action->kind == NODE_ACTION)
			emit_verdict(e, action->a, action->number);
		else
			emit_memory(e, action);
	}
	emit_move(e, R0, VERDICT);
	emit(e, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static void resolve_labels(struct emitter *e)
{
	unsigned int i;

	for (i = 0; i < e->nr; i++)
		if (e->target[i])
			e->insns[i].off = (int)e->place[e->target[i]] - (int)(i + 1);
}

/* The contexts by the names that --context has. */
static void write_counters(const struct emitter *e, char text[EXPRESSION_COUNTERS_TEXT])
{
	size_t len = 0;
	unsigned int i;
	char *c;

	*text = '\0';
	for (i = 0; i < e->nr_counters; i++) {
		c = text + len;
		len += snprintf(c, EXPRESSION_COUNTERS_TEXT - len, "%s%s", i ? "," : "", expression_contexts[e->counters[i]].name);
		*strchr(c, '_') = ':';
		while ((c = strchr(c, '_')))
			*c = '-';
	}
}

int emit_finish(struct emitter *e, struct expression_program *program)
{
	if (e->status)
		return e->status;
	resolve_labels(e);
	program->nr = e->nr;
	program->context_bytes = e->context_bytes;
	program->asks = e->asks;
	write_counters(e, program->counters);
	program->insns = malloc(e->nr * sizeof(e->insns[0]));
	if (!program->insns)
		return fail_at(e->error, -ENOMEM, 0, "out of memory");
	memcpy(program->insns, e->insns, e->nr * sizeof(e->insns[0]));
	return 0;
}

static int emit_bound(const struct expression_bound *bound, const struct expression_maps *maps,
		      struct expression_program *program, struct expression_error *error)
{
	struct emitter *e = calloc(1, sizeof(*e));
	int status;

	*program = (struct expression_program){ 0 };
	if (!e)
		return fail_at(error, -ENOMEM, 0, "out of memory");
	e->scope = &bound->scope;
	e->maps = maps;
	e->error = error;
	if (bound->tree->actions)
		emit_filter(e, bound->tree);
	else
		emit_whole(e, bound->tree);
	status = emit_finish(e, program);
	free(e);
	return status;
}

int expression_emit(const struct expression_bound *bound, struct expression_program *program,
		    struct expression_error *error)
{
	return emit_bound(bound, NULL, program, error);
}

int expression_compile(const char *text, const struct ltt_field *fields, size_t nr_fields,
		       const struct expression_maps *maps, struct expression_program *program,
		       struct expression_error *error)
{
	const struct expression_scope scope = { fields, nr_fields, expression_contexts, EXPRESSION_CONTEXTS, true };
	struct expression_bound *bound = NULL;
	struct expression *expression;
	int status;

	*program = (struct expression_program){ 0 };
	status = expression_parse_filter(text, &expression, error);
	if (!status)
		status = expression_bind(expression, &scope, &bound, error);
	if (!status)
		status = emit_bound(bound, maps, program, error);
	expression_bound_free(bound);
	expression_free(expression);
	return status;
}

void expression_program_free(struct expression_program *program)
{
	free(program->insns);
	*program = (struct expression_program){ 0 };
}
