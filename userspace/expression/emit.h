/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The emitter of eBPF, between its files: program.c has the instructions, emit-load.c the values
 * of fields, emit-context.c those of contexts, emit-value.c numbers, emit-text.c and emit-glob.c
 * strings, and emit.c conditions and the whole; emit-call.c has what needs maps.
 *
 * Registers: R6 is the payload; R7 and R8 are used while the place of a field is computed; R9 is the
 * verdict of a filter with actions; R0 is the value of what was emitted last.  Calls of helpers change
 * R0 to R5.
 */
#ifndef EXPRESSION_EMIT_H
#define EXPRESSION_EMIT_H

#include "tree.h"
#include "include/uapi/ltt/verdict.h"

enum {
	R0 = BPF_REG_0, R1, R2, R3, R4, R5, R6, R7, R8, R9, FRAME = BPF_REG_10,
	PAYLOAD = R6, VERDICT = R9,
};

/* The stack of a program, below FRAME: a text with its NUL, a number that a helper reads, numbers that wait
 * for the other operand of an operation, and numbers that are used again. */
#define STACK_TEXT	(-(EXPRESSION_STRING_MAX + 1))
#define STACK_NUMBER	(STACK_TEXT - 8)
#define STACK_SPILLS	16
#define STACK_SPILL(i)	(STACK_NUMBER - 8 * (1 + (int)(i)))
#define STACK_KEPTS	9
#define STACK_KEPT(i)	(STACK_SPILL(STACK_SPILLS) - 8 * (int)(i))

/* The values of since() and between(), and the key of a note. */
#define STACK_CALLS	4
#define STACK_CALL(i)	(STACK_KEPT(STACK_KEPTS) - 8 * (int)(i))
#define STACK_NOTE	STACK_CALL(STACK_CALLS)

/* A program that uses this asks for a struct ltt_run_values (ltt/verdict.h), to be copied there. */
#define STACK_RUN	(STACK_NOTE - 8)

_Static_assert(STACK_RUN == -512, "the stack of a program has 512 bytes");

/* The verifier lets a program of this type load so many bytes of the context. */
#define CONTEXT_MAX	96

typedef unsigned int label_t;

/**
 * struct known - contents of the stack at one place of the program, on each way to it
 * @kept: bit i: the value of the field &emitter.kept[i]
 * @text: the field whose text is there; NULL: none
 * @text_size: bytes of it
 * @writes: how often a text has been written there
 */
struct known {
	uint64_t kept;
	const struct ltt_field *text;
	unsigned int text_size;
	unsigned int writes;
};

/**
 * struct emitter - a program that is being made
 * @scope: the fields and contexts
 * @insns: the instructions
 * @target: for each of @insns, the label that it jumps to, or 0
 * @nr: number of @insns
 * @place: for each label, the instruction
 * @labels: number of labels; label 0 is none
 * @context_bytes: see &struct expression_program
 * @asks: see &struct expression_program
 * @counters: the counters that it asks for, of enum expression_context
 * @nr_counters: number of @counters
 * @spilled: how many values wait on the stack
 * @kept: the fields whose values are kept, as they are used again and loading them is slow
 * @nr_kept: number of @kept
 * @known: what is on the stack
 * @maps: for since(), between() and notes; NULL for none
 * @error: receives what is wrong
 * @status: 0, or the first error
 */
struct emitter {
	const struct expression_scope *scope;
	struct bpf_insn insns[EXPRESSION_PROGRAM_MAX];
	label_t target[EXPRESSION_PROGRAM_MAX];
	unsigned int nr;
	unsigned int place[EXPRESSION_PROGRAM_MAX];
	label_t labels;
	unsigned int context_bytes;
	bool asks;
	int counters[LTT_RUN_COUNTERS];
	unsigned int nr_counters;
	unsigned int spilled;
	const struct ltt_field *kept[STACK_KEPTS];
	unsigned int nr_kept;
	struct known known;
	const struct expression_maps *maps;
	struct expression_error *error;
	int status;
};

/* --- Instructions (program.c) --------------------------------------- */

/* Once something has failed, these emit nothing. */
void emit(struct emitter *e, uint8_t code, int to, int from, int offset, int32_t number);
void emit_move(struct emitter *e, int to, int from);
void emit_number(struct emitter *e, int to, uint64_t number);
void emit_call(struct emitter *e, int32_t helper);

/* @size: 1, 2, 4 or 8 bytes */
void emit_load(struct emitter *e, unsigned int size, int to, int from, int offset);
void emit_store(struct emitter *e, unsigned int size, int to, int offset, int from);

/* Compute @to @operation= @number; @operation: a BPF_ADD or such, which can have 0. */
void emit_with_number(struct emitter *e, uint8_t operation, int to, uint64_t number);

/* The address of a map, by its descriptor. */
void emit_map(struct emitter *e, int to, int map);

/* The address of a place in the one value of an array. */
void emit_map_value(struct emitter *e, int to, int map, uint32_t offset);

/* The address of a @place on the stack. */
void emit_address(struct emitter *e, int to, int place);

/* The address of the value of the key at @place to R0; 0 if there is none. */
void emit_lookup(struct emitter *e, int map, int place);

label_t new_label(struct emitter *e);
void place_label(struct emitter *e, label_t label);
void emit_jump(struct emitter *e, label_t label);

/**
 * emit_branch() - jump if a comparison holds
 * @e: the program
 * @operation: BPF_JEQ or such
 * @size: compare so many bytes, 4 or 8
 * @a: the left register
 * @number: the right side; register R2 is changed if it has more than 32 bits
 * @label: where to jump
 */
void emit_branch(struct emitter *e, uint8_t operation, unsigned int size, int a, uint64_t number, label_t label);
void emit_branch_register(struct emitter *e, uint8_t operation, int a, int b, label_t label);

/* Return: true if an instruction can have @number, whose sign it extends. */
static inline bool is_short(uint64_t number)
{
	return (int64_t)number == (int32_t)number;
}

/* --- Fields and contexts (emit-load.c) ------------------------------- */

/**
 * place_of() - find the place of a field in the payload
 * @scope: the fields
 * @field: one of them; NULL: the end of the last field of constant place and size
 * @offset: receives the place
 *
 * Return: true if it is constant.
 */
bool place_of(const struct expression_scope *scope, const struct ltt_field *field, size_t *offset);

/* Return: true if emit_field_to() does for an integer. */
bool is_direct(const struct emitter *e, const struct node *node);

/* Load a field that is_direct(); changes R2.  The sign is extended if @extends. */
void emit_field_to(struct emitter *e, const struct ltt_field *field, int to, bool extends);

/* Load an integer to R0; changes R1 to R5, and R7 and R8.  The sign is extended if @extends. */
void emit_name(struct emitter *e, const struct node *node, bool extends);

/* Read @size bytes of a field into the stack at @to, by a helper which stops at a NUL if @is_string. */
void emit_read(struct emitter *e, const struct ltt_field *field, unsigned int size, int to, bool is_string);

/* Return: the number of the context in expression_contexts; -1: it is a field. */
int context_number(const struct emitter *e, const struct ltt_field *field);

/* Compute a context that is a number, of expression_contexts, to R0; changes R1 to R5 (emit-context.c). */
void emit_context(struct emitter *e, int number);

/* --- Other events (emit-call.c) -------------------------------------- */

/* Compute all since() and between() of a filter to their places on the stack; changes R9. */
void emit_calls(struct emitter *e, const struct expression *tree);

/* Note or forget something for another event. */
void emit_memory(struct emitter *e, const struct node *node);

/* --- The whole (emit.c) ---------------------------------------------- */

/* Prepare a tree for what follows: find the fields that it uses again, and how much of the stack it needs. */
void emit_prepare(struct emitter *e, struct node *root);

/* Make a program of what was emitted.  Return: 0, or the first error. */
int emit_finish(struct emitter *e, struct expression_program *program);

/* --- Values and conditions ------------------------------------------ */

/* Compute a number to R0 (emit-value.c). */
void emit_value(struct emitter *e, const struct node *node);

/* Compute two numbers to R0 and R1 (emit-value.c). */
void emit_values(struct emitter *e, const struct node *a, const struct node *b);

/* Jump to @label if a condition is @sense (emit.c). */
void emit_condition(struct emitter *e, const struct node *node, bool sense, label_t label);

/* The same for NODE_MATCH (emit-text.c). */
void emit_match(struct emitter *e, const struct node *node, bool sense, label_t label);

/* Jump to @miss if a pattern with elements does not match the text of at most @size bytes at STACK_TEXT, which has
 * its prefix (emit-glob.c). */
void emit_glob(struct emitter *e, const struct pattern *pattern, unsigned int size, label_t miss);

/* The same for NODE_ON_STACK (emit-stack.c). */
void emit_on_stack(struct emitter *e, const struct node *node, bool sense, label_t label);

/* --- The kernel's types (task.c) ------------------------------------- */

/**
 * enum task_value - what is found from the kernel's struct task_struct on
 *
 * TASK_PID_NS is the namespace of the first of the numbers of a process, which has one for each level of namespaces;
 * TASK_PID_LEVEL is the last level.  TASK_RUN is the pointer behind a struct ltt_run_values (ltt/verdict.h).
 */
enum task_value {
	TASK_COMM,
	TASK_PRIO,
	TASK_PPID,
	TASK_PID_LEVEL,
	TASK_PID_NS,
	TASK_NET_NS,
	TASK_MNT_NS,
	TASK_MIGRATE_DISABLE,
	TASK_RUN,
	TASK_VALUES,
};

#define TASK_STEPS	3

/**
 * struct task_path - the way to a value
 * @nr: number of @step; 0: this kernel does not have it, or no type information
 * @step: places in structures: of the pointer to the next one, and the last of the value
 * @size: bytes of the value
 */
struct task_path {
	unsigned int nr;
	int step[TASK_STEPS];
	unsigned int size;
};

/**
 * struct task_layout - all ways
 * @path: the way to each value
 * @pointer: bytes of a pointer
 * @upid: bytes from one of the numbers of a process to the next
 */
struct task_layout {
	struct task_path path[TASK_VALUES];
	unsigned int pointer;
	unsigned int upid;
};

/* Return: the ways, by the BTF of the running kernel, which is read once. */
const struct task_layout *task_layout(void);

#endif /* EXPRESSION_EMIT_H */
