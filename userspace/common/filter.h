/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The code of a filter for an event of programs, as lttd sends it and libltt runs it.
 *
 * Layer: common.
 *
 * The machine has an accumulator A, which is 0 at first, and a stack.  Both hold integers of 64 bits, which an
 * operation takes as signed or unsigned.  Jumps lead forward only, so each instruction runs once at most.
 * The event passes if A is not 0 behind the last instruction.
 *
 * The code names fields by their numbers.  libltt knows the type of each from the marker itself, and checks
 * all code before it runs any: see filter.h of libltt.
 */
#ifndef LTT_COMMON_FILTER_H
#define LTT_COMMON_FILTER_H

#include <stdint.h>

#define LTT_FILTER_INSNS_MAX	160
#define LTT_FILTER_TEXTS_MAX	1024	/* bytes of all texts */
#define LTT_FILTER_STACK_MAX	32	/* values */
#define LTT_FILTER_TEXT_MAX	254	/* characters of a text or glob, as in an expression */
#define LTT_FILTER_LOOKED_AT	255	/* characters of a value that are looked at, as in an expression */

/* Instead of the number of a field that is a text: the name of the thread. */
#define LTT_FILTER_COMM		0xff

/**
 * enum ltt_filter_op - what an instruction does
 * @LTT_FILTER_FIELD: A = the integer field &ltt_filter_insn.which
 * @LTT_FILTER_CONTEXT: A = the context &ltt_filter_insn.which, an enum ltt_filter_context
 * @LTT_FILTER_NUMBER: A = &ltt_filter_insn.number
 * @LTT_FILTER_IS: A = 1 if the text field &ltt_filter_insn.which, or LTT_FILTER_COMM, is the text of
 *	&ltt_filter_insn.to characters at &ltt_filter_insn.number, else 0
 * @LTT_FILTER_LIKE: the same for a glob
 * @LTT_FILTER_PUSH: push A
 * @LTT_FILTER_NEGATE: A = -A
 * @LTT_FILTER_COMPLEMENT: A = ~A
 * @LTT_FILTER_JUMP_IF: jump to &ltt_filter_insn.to if A is not 0
 * @LTT_FILTER_JUMP_UNLESS: jump if A is 0
 * @LTT_FILTER_JUMP_IF_EQUAL: if A is &ltt_filter_insn.number, jump with A = 1
 * @LTT_FILTER_OR: this and the following: the left operand is popped and the right one is A; or, if
 *	&ltt_filter_insn.which is 1, the left one is A and the right one is &ltt_filter_insn.number.  A = the
 *	result, which for comparisons is 1 or 0.  As in doc/expressions.md, the count of a shift is taken modulo 64,
 *	x / 0 is 0, and x % 0 is x
 */
enum ltt_filter_op {
	LTT_FILTER_FIELD,
	LTT_FILTER_CONTEXT,
	LTT_FILTER_NUMBER,
	LTT_FILTER_IS,
	LTT_FILTER_LIKE,
	LTT_FILTER_PUSH,
	LTT_FILTER_NEGATE,
	LTT_FILTER_COMPLEMENT,
	LTT_FILTER_JUMP_IF,
	LTT_FILTER_JUMP_UNLESS,
	LTT_FILTER_JUMP_IF_EQUAL,
	LTT_FILTER_OR,
	LTT_FILTER_XOR,
	LTT_FILTER_AND,
	LTT_FILTER_EQUAL,
	LTT_FILTER_DIFFERENT,
	LTT_FILTER_LESS,
	LTT_FILTER_LESS_UNSIGNED,
	LTT_FILTER_AT_MOST,
	LTT_FILTER_AT_MOST_UNSIGNED,
	LTT_FILTER_MORE,
	LTT_FILTER_MORE_UNSIGNED,
	LTT_FILTER_AT_LEAST,
	LTT_FILTER_AT_LEAST_UNSIGNED,
	LTT_FILTER_LEFT,
	LTT_FILTER_RIGHT,
	LTT_FILTER_RIGHT_UNSIGNED,
	LTT_FILTER_ADD,
	LTT_FILTER_SUBTRACT,
	LTT_FILTER_MULTIPLY,
	LTT_FILTER_DIVIDE,
	LTT_FILTER_DIVIDE_UNSIGNED,
	LTT_FILTER_MODULO,
	LTT_FILTER_MODULO_UNSIGNED,
	LTT_FILTER_OPS,
};

/* The contexts that are integers. */
enum ltt_filter_context {
	LTT_FILTER_PID,
	LTT_FILTER_TID,
	LTT_FILTER_CPU,
	LTT_FILTER_UID,
	LTT_FILTER_CONTEXTS,
};

/**
 * struct ltt_filter_insn - an instruction
 * @op: enum ltt_filter_op, which names the members that it uses; the others are 0
 * @which: number of a field in the order of the event, or as @op says
 * @to: of a jump, the number of a later instruction, or that of all instructions for the end
 * @unused: 0
 * @number: an operand, or the place of a text among the texts
 */
struct ltt_filter_insn {
	uint8_t op;
	uint8_t which;
	uint16_t to;
	uint32_t unused;
	uint64_t number;
};

/**
 * struct ltt_filter_code - a filter
 * @nr: number of @insn
 * @size: bytes of @text
 * @insn: the instructions
 * @text: texts and globs, which instructions name by place and length
 */
struct ltt_filter_code {
	uint32_t nr;
	uint32_t size;
	struct ltt_filter_insn insn[LTT_FILTER_INSNS_MAX];
	char text[LTT_FILTER_TEXTS_MAX];
};

_Static_assert(sizeof(struct ltt_filter_insn) == 16, "programs of 32 and of 64 bits get the same");

#endif /* LTT_COMMON_FILTER_H */
