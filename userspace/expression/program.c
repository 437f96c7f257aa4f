// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The instructions and labels of a program.
 */
#include "emit.h"

#include <errno.h>
#include <string.h>

static void fail_for_size(struct emitter *e)
{
	if (!e->status)
		e->status = fail_at(e->error, -E2BIG, 0, "the expression is too long for the kernel: it needs more than %u "
				    "instructions", EXPRESSION_PROGRAM_MAX);
}

void emit(struct emitter *e, uint8_t code, int to, int from, int offset, int32_t number)
{
	if (e->nr == EXPRESSION_PROGRAM_MAX)
		fail_for_size(e);
	if (e->status)
		return;
	e->insns[e->nr++] = (struct bpf_insn){
		.code = code, .dst_reg = to, .src_reg = from, .off = offset, .imm = number,
	};
}

void emit_move(struct emitter *e, int to, int from)
{
	emit(e, BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0);
}

void emit_number(struct emitter *e, int to, uint64_t number)
{
	if (is_short(number)) {
		emit(e, BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, number);
		return;
	}
	emit(e, BPF_LD | BPF_DW | BPF_IMM, to, 0, 0, number);
	emit(e, 0, 0, 0, 0, number >> 32);
}

void emit_call(struct emitter *e, int32_t helper)
{
	emit(e, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

static uint8_t code_of_size(unsigned int size)
{
	return size == 1 ? BPF_B : size == 2 ? BPF_H : size == 4 ? BPF_W : BPF_DW;
}

void emit_load(struct emitter *e, unsigned int size, int to, int from, int offset)
{
	if (from == PAYLOAD && e->context_bytes < offset + size)
		e->context_bytes = offset + size;
	emit(e, BPF_LDX | BPF_MEM | code_of_size(size), to, from, offset, 0);
}

void emit_store(struct emitter *e, unsigned int size, int to, int offset, int from)
{
	emit(e, BPF_STX | BPF_MEM | code_of_size(size), to, from, offset, 0);
}

void emit_with_number(struct emitter *e, uint8_t operation, int to, uint64_t number)
{
	if (is_short(number)) {
		emit(e, BPF_ALU64 | operation | BPF_K, to, 0, 0, number);
		return;
	}
	emit_number(e, R2, number);
	emit(e, BPF_ALU64 | operation | BPF_X, to, R2, 0, 0);
}

void emit_map(struct emitter *e, int to, int map)
{
	emit(e, BPF_LD | BPF_DW | BPF_IMM, to, BPF_PSEUDO_MAP_FD, 0, map);
	emit(e, 0, 0, 0, 0, 0);
}

void emit_map_value(struct emitter *e, int to, int map, uint32_t offset)
{
	emit(e, BPF_LD | BPF_DW | BPF_IMM, to, BPF_PSEUDO_MAP_VALUE, 0, map);
	emit(e, 0, 0, 0, 0, offset);
}

void emit_address(struct emitter *e, int to, int place)
{
	emit_move(e, to, FRAME);
	emit_with_number(e, BPF_ADD, to, place);
}

void emit_lookup(struct emitter *e, int map, int place)
{
	emit_map(e, R1, map);
	emit_address(e, R2, place);
	emit_call(e, BPF_FUNC_map_lookup_elem);
}

label_t new_label(struct emitter *e)
{
	if (e->labels == EXPRESSION_PROGRAM_MAX - 1)
		fail_for_size(e);
	else
		e->labels++;
	return e->labels;
}

void place_label(struct emitter *e, label_t label)
{
	e->place[label] = e->nr;
}

static void emit_to(struct emitter *e, label_t label)
{
	if (!e->status)
		e->target[e->nr - 1] = label;
}

void emit_jump(struct emitter *e, label_t label)
{
	emit(e, BPF_JMP | BPF_JA, 0, 0, 0, 0);
	emit_to(e, label);
}

void emit_branch_register(struct emitter *e, uint8_t operation, int a, int b, label_t label)
{
	emit(e, BPF_JMP | operation | BPF_X, a, b, 0, 0);
	emit_to(e, label);
}

void emit_branch(struct emitter *e, uint8_t operation, unsigned int size, int a, uint64_t number, label_t label)
{
	if (size == 4 || is_short(number)) {
		emit(e, (size == 4 ? BPF_JMP32 : BPF_JMP) | operation | BPF_K, a, 0, 0, number);
		emit_to(e, label);
		return;
	}
	emit_number(e, R2, number);
	emit_branch_register(e, operation, a, R2, label);
}
