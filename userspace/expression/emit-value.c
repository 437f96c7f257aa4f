// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Numbers in a program: the value of a node is in R0, and those that wait for it on the stack.
 */
#include "emit.h"

/* Can @node be computed to R1 while R0 has the other operand? */
static bool is_simple(const struct emitter *e, const struct node *node)
{
	return node->kind == NODE_NUMBER || is_direct(e, node);
}

static void emit_simple(struct emitter *e, const struct node *node)
{
	if (node->kind == NODE_NUMBER)
		emit_number(e, R1, node->number);
	else
		emit_field_to(e, node->field, R1, true);
}

/* The operand that needs more of the stack is computed first, so each needs at most the logarithm of their number. */
void emit_values(struct emitter *e, const struct node *a, const struct node *b)
{
	const bool a_first = a->spills >= b->spills;
	const int slot = STACK_SPILL(e->spilled);

	if (is_simple(e, b)) {
		emit_value(e, a);
		emit_simple(e, b);
		return;
	}
	emit_value(e, a_first ? a : b);
	emit_store(e, 8, FRAME, slot, R0);
	e->spilled++;
	emit_value(e, a_first ? b : a);
	e->spilled--;
	if (a_first)
		emit_move(e, R1, R0);
	emit_load(e, 8, a_first ? R0 : R1, FRAME, slot);
}

static void negate_if_negative(struct emitter *e, int reg, int sign)
{
	const label_t positive = new_label(e);

	emit_branch(e, BPF_JSGE, 8, sign, 0, positive);
	emit(e, BPF_ALU64 | BPF_NEG, reg, 0, 0, 0);
	place_label(e, positive);
}

/* Kernels before 6.6 have no signed division: divide the magnitudes of R0 and R1.  R2 has the sign of the result. */
static void emit_signed_division(struct emitter *e, uint8_t code)
{
	emit_move(e, R2, R0);
	if (code == BPF_DIV)
		emit(e, BPF_ALU64 | BPF_XOR | BPF_X, R2, R1, 0, 0);
	negate_if_negative(e, R0, R0);
	negate_if_negative(e, R1, R1);
	emit(e, BPF_ALU64 | code | BPF_X, R0, R1, 0, 0);
	negate_if_negative(e, R0, R2);
}

static void emit_shift(struct emitter *e, const struct node *node, uint8_t code)
{
	if (node->b->kind == NODE_NUMBER) {
		emit_value(e, node->a);
		emit(e, BPF_ALU64 | code | BPF_K, R0, 0, 0, node->b->number & 63);
		return;
	}
	emit_values(e, node->a, node->b);
	emit_with_number(e, BPF_AND, R1, 63);
	emit(e, BPF_ALU64 | code | BPF_X, R0, R1, 0, 0);
}

static void emit_division(struct emitter *e, const struct node *node, uint8_t code)
{
	emit_values(e, node->a, node->b);
	if (node->is_unsigned)
		emit(e, BPF_ALU64 | code | BPF_X, R0, R1, 0, 0);
	else
		emit_signed_division(e, code);
}

static void emit_arithmetic(struct emitter *e, const struct node *node)
{
	static const uint8_t codes[] = {
		[OP_OR] = BPF_OR, [OP_XOR] = BPF_XOR, [OP_AND] = BPF_AND, [OP_ADD] = BPF_ADD,
		[OP_SUBTRACT] = BPF_SUB, [OP_MULTIPLY] = BPF_MUL,
	};

	switch (node->operation) {
	case OP_LEFT:
		emit_shift(e, node, BPF_LSH);
		return;
	case OP_RIGHT:
		emit_shift(e, node, node->is_unsigned ? BPF_RSH : BPF_ARSH);
		return;
	case OP_DIVIDE:
		emit_division(e, node, BPF_DIV);
		return;
	case OP_MODULO:
		emit_division(e, node, BPF_MOD);
		return;
	default:
		break;
	}
	if (node->b->kind == NODE_NUMBER) {
		emit_value(e, node->a);
		emit_with_number(e, codes[node->operation], R0, node->b->number);
		return;
	}
	emit_values(e, node->a, node->b);
	emit(e, BPF_ALU64 | codes[node->operation] | BPF_X, R0, R1, 0, 0);
}

static void emit_condition_value(struct emitter *e, const struct node *node)
{
	const label_t holds = new_label(e), end = new_label(e);

	emit_condition(e, node, true, holds);
	emit_number(e, R0, 0);
	emit_jump(e, end);
	place_label(e, holds);
	emit_number(e, R0, 1);
	place_label(e, end);
}

void emit_value(struct emitter *e, const struct node *node)
{
	if (is_condition(node)) {
		emit_condition_value(e, node);
	} else if (node->kind == NODE_NUMBER) {
		emit_number(e, R0, node->number);
	} else if (node->kind == NODE_NAME) {
		emit_name(e, node, true);
	} else if (node->kind == NODE_BINARY) {
		emit_arithmetic(e, node);
	} else if (is_call(node)) {
		emit_load(e, 8, R0, FRAME, STACK_CALL(node->number));
	} else {
		emit_value(e, node->a);
		if (node->operation == OP_NEGATE)
			emit(e, BPF_ALU64 | BPF_NEG, R0, 0, 0, 0);
		else
			emit_with_number(e, BPF_XOR, R0, UINT64_MAX);
	}
}
