// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Whether a function is being called, in a program: the kernel's own unwinder writes the innermost frames to the
 * stack of the program, and each is compared with the code of the functions.
 */
#include "emit.h"

/* As many addresses as the place for a text has room for. */
#define FRAMES_SIZE	(-STACK_TEXT)

_Static_assert(FRAMES_SIZE == 32 * sizeof(uint64_t), "see doc/expressions.md");

/* A return address is behind a call, which may be the last instruction of a function: compare the byte before it. */
void emit_on_stack(struct emitter *e, const struct node *node, bool sense, label_t label)
{
	const label_t again = new_label(e), end = new_label(e);
	const label_t found = sense ? label : end, missed = sense ? end : label;
	size_t i;

	/* The verifiers of older kernels, such as 6.1.0-50 of Debian, refuse to pass on memory that was not written. */
	emit_number(e, R1, 0);
	for (i = 0; i < FRAMES_SIZE; i += sizeof(uint64_t))
		emit_store(e, 8, FRAME, STACK_TEXT + (int)i, R1);
	emit_move(e, R1, PAYLOAD);
	emit_address(e, R2, STACK_TEXT);
	emit_number(e, R3, FRAMES_SIZE);
	emit_number(e, R4, 0);
	/* It fills what it has no frames for with zeros.  If it fails, as it does where programs of the CPU nest too
	 * deeply, it may leave what was there. */
	emit_call(e, BPF_FUNC_get_stack);
	emit_branch(e, BPF_JSLT, 8, R0, 0, missed);
	e->known.text = NULL;
	e->known.writes++;
	emit_number(e, R1, 0);
	place_label(e, again);
	emit_move(e, R2, FRAME);
	emit(e, BPF_ALU64 | BPF_ADD | BPF_X, R2, R1, 0, 0);
	emit_load(e, 8, R3, R2, STACK_TEXT);
	emit_branch(e, BPF_JEQ, 8, R3, 0, missed);
	for (i = 0; i < node->nr_numbers; i += 2) {
		emit_move(e, R4, R3);
		emit_number(e, R5, node->numbers[i] + 1);
		emit(e, BPF_ALU64 | BPF_SUB | BPF_X, R4, R5, 0, 0);
		emit_branch(e, BPF_JLT, 8, R4, node->numbers[i + 1], found);
	}
	emit_with_number(e, BPF_ADD, R1, 8);
	emit_branch(e, BPF_JNE, 8, R1, FRAMES_SIZE, again);
	if (!sense)
		emit_jump(e, label);
	place_label(e, end);
}
