// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The program of an event: it computes the key, and updates the entry.
 */
#include "emit.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * A program without a key uses arrays only, so the kernel runs it for an event that interrupts it, too: then each
 * update is one atomic operation.  Others run one at a time on each CPU.
 */
static bool is_nested(const struct question *question)
{
	return !question->key_size;
}

/* ---- Instructions ---- */

void emit_store_number(struct emitter *e, unsigned int size, int place, int32_t number)
{
	emit(e, BPF_ST | BPF_MEM | (size == 8 ? BPF_DW : BPF_W), FRAME, 0, place, number);
}

static void emit_end(struct emitter *e)
{
	emit_number(e, R0, 0);
	emit(e, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/* Add @from to the number at @base + @offset; changes R2. */
static void emit_add(struct emitter *e, const struct question *question, int base, int offset, int from)
{
	if (is_nested(question)) {
		emit(e, BPF_STX | BPF_ATOMIC | BPF_DW, base, from, offset, BPF_ADD);
		return;
	}
	emit_load(e, 8, R2, base, offset);
	emit(e, BPF_ALU64 | BPF_ADD | BPF_X, R2, from, 0, 0);
	emit(e, BPF_STX | BPF_MEM | BPF_DW, base, R2, offset, 0);
}

static void emit_add_one(struct emitter *e, const struct question *question, int base, int offset)
{
	emit_number(e, R1, 1);
	emit_add(e, question, base, offset, R1);
}

void emit_miss(struct emitter *e, const struct question *question, enum miss miss)
{
	label_t none = new_label(e);

	emit_store_number(e, 4, CELL, miss);
	emit_lookup(e, question->misses, CELL);
	emit_branch(e, BPF_JEQ, 8, R0, 0, none);
	emit_add_one(e, question, R0, 0);
	place_label(e, none);
}

/* ---- The entry ---- */

/* Count in the entry's bucket @nr; changes R1 and R2. */
static void emit_bucket(struct emitter *e, const struct question *question, unsigned int nr)
{
	emit_add_one(e, question, ENTRY, offsetof(struct entry, buckets) + nr * sizeof(uint64_t));
}

/*
 * Count a number of 32 bits, whose highest bit is one of @first to @last, or which has none: 0.  Its bucket is
 * @more further on.  A binary tree of comparisons: a number passes one for each level, and nothing else.
 */
static void emit_bits(struct emitter *e, const struct question *question, int value, int first, int last, int more,
		      label_t end)
{
	const int middle = (first + last + 1) / 2;
	label_t greater;

	if (first == last) {
		emit_bucket(e, question, first + more);
		emit_jump(e, end);
		return;
	}
	greater = new_label(e);
	emit_branch(e, BPF_JGE, 4, value, UINT64_C(1) << (middle - 1), greater);
	emit_bits(e, question, value, first, middle - 1, more, end);
	place_label(e, greater);
	emit_bits(e, question, value, middle, last, more, end);
}

/* Count VALUE in bucket 0 if it is 0 or negative, else in that of its highest bit, from 1 on. */
static void emit_log2(struct emitter *e, const struct question *question)
{
	label_t end = new_label(e), high = new_label(e), positive = new_label(e);

	/* An unsigned comparison: what is negative is high. */
	emit_branch(e, BPF_JGT, 8, VALUE, INT32_MAX, high);
	emit_bits(e, question, VALUE, 0, 31, 0, end);
	place_label(e, high);
	if (question->is_signed) {
		emit_branch(e, BPF_JSGE, 8, VALUE, 0, positive);
		emit_bucket(e, question, 0);
		emit_jump(e, end);
		place_label(e, positive);
	}
	emit_move(e, R3, VALUE);
	emit(e, BPF_ALU64 | BPF_RSH | BPF_K, R3, 0, 0, 32);
	emit_bits(e, question, R3, 0, 32, 32, end);
	place_label(e, end);
}

/* For times in units of 2^-30 s: 10^9 / 2^30 is FIVES / 2^UNIT_SHIFT.  The times of TIME_MAX ns and more are in one bucket. */
#define UNIT_SHIFT	21
#define FIVES		1953125
#define TIME_MAX	(UINT64_C(1) << 42)

/* Make VALUE one less, in the unit of the buckets: then (2^(i-1), 2^i] has the highest bits of [2^(i-1), 2^i). */
static void emit_upper(struct emitter *e, const struct question *question)
{
	label_t none = new_label(e), short_time = new_label(e);

	emit_branch(e, question->is_signed ? BPF_JSLE : BPF_JEQ, 8, VALUE, 0, none);
	if (question->options->kind == QUESTION_LATENCY) {
		emit_branch(e, BPF_JLT, 8, VALUE, TIME_MAX, short_time);
		emit_number(e, VALUE, TIME_MAX);
		place_label(e, short_time);
		emit(e, BPF_ALU64 | BPF_LSH | BPF_K, VALUE, 0, 0, UNIT_SHIFT);
		emit_with_number(e, BPF_SUB, VALUE, 1);
		emit_with_number(e, BPF_DIV, VALUE, FIVES);
	} else {
		emit_with_number(e, BPF_SUB, VALUE, 1);
	}
	place_label(e, none);
}

/* The same for linear buckets: 0 for what is less, and one more than their number for what is greater. */
static void emit_linear(struct emitter *e, const struct question *question)
{
	const struct question_linear *linear = &question->options->linear;
	label_t end = new_label(e), inside = new_label(e), less = new_label(e);

	emit_branch(e, question->is_signed ? BPF_JSLT : BPF_JLT, 8, VALUE, linear->min, less);
	emit_move(e, R3, VALUE);
	emit_with_number(e, BPF_SUB, R3, linear->min);
	/* The number is unsigned, and a short constant would have its sign extended. */
	emit_number(e, R2, linear->step);
	emit(e, BPF_ALU64 | BPF_DIV | BPF_X, R3, R2, 0, 0);
	emit_branch(e, BPF_JLT, 8, R3, linear->nr, inside);
	emit_bucket(e, question, linear->nr + 1);
	emit_jump(e, end);
	place_label(e, less);
	emit_bucket(e, question, 0);
	emit_jump(e, end);
	place_label(e, inside);
	emit_with_number(e, BPF_MUL, R3, sizeof(uint64_t));
	emit(e, BPF_ALU64 | BPF_ADD | BPF_X, ENTRY, R3, 0, 0);
	emit_bucket(e, question, 1);
	place_label(e, end);
}

/* Replace the number at ENTRY + @offset by VALUE, unless the @branch finds VALUE no better.  An interrupt may change the
 * number between the load and the exchange: that is tried again, and given up if as many interrupts change it
 * one after the other. */
static void emit_extreme(struct emitter *e, const struct question *question, int offset, uint8_t branch)
{
	label_t kept = new_label(e);
	int tries;

	emit_load(e, 8, R0, ENTRY, offset);
	for (tries = is_nested(question) ? 4 : 0; tries; tries--) {
		emit_branch_register(e, branch, VALUE, R0, kept);
		emit_move(e, R2, R0);
		emit(e, BPF_STX | BPF_ATOMIC | BPF_DW, ENTRY, VALUE, offset, BPF_CMPXCHG);
		emit_branch_register(e, BPF_JEQ, R0, R2, kept);
	}
	if (!is_nested(question)) {
		emit_branch_register(e, branch, VALUE, R0, kept);
		emit(e, BPF_STX | BPF_MEM | BPF_DW, ENTRY, VALUE, offset, 0);
	}
	place_label(e, kept);
}

static void emit_extremes(struct emitter *e, const struct question *question)
{
	emit_extreme(e, question, offsetof(struct entry, max), question->is_signed ? BPF_JSLE : BPF_JLE);
	emit_extreme(e, question, offsetof(struct entry, min), question->is_signed ? BPF_JSGE : BPF_JGE);
}

/* Update the entry at R0. */
static void emit_update(struct emitter *e, const struct question *question)
{
	if (question->options->kind == QUESTION_COUNT) {
		emit_add_one(e, question, R0, offsetof(struct entry, count));
		return;
	}
	emit_move(e, ENTRY, R0);
	/* Without a key, the buckets are the count.  With one, the count claims a slot. */
	if (question->key_size)
		emit_add_one(e, question, ENTRY, offsetof(struct entry, count));
	emit_add(e, question, ENTRY, offsetof(struct entry, sum), VALUE);
	emit_extremes(e, question);
	if (question->options->linear.step) {
		emit_linear(e, question);
		return;
	}
	if (question->options->upper)
		emit_upper(e, question);
	emit_log2(e, question);
}

/* ---- The whole ---- */

/* Note the time of the first event. */
static void emit_first(struct emitter *e, const struct question *question, const struct asked_event *event)
{
	label_t noted = new_label(e);

	emit_number_part(e, event->match->tree->root, KEY);
	emit_call(e, BPF_FUNC_ktime_get_ns);
	emit_store(e, 8, FRAME, CELL, R0);
	emit_map(e, R1, question->starts);
	emit_address(e, R2, KEY);
	emit_address(e, R3, CELL);
	emit_number(e, R4, BPF_ANY);
	emit_call(e, BPF_FUNC_map_update_elem);
	emit_branch(e, BPF_JEQ, 8, R0, 0, noted);
	emit_miss(e, question, MISS_FULL);
	place_label(e, noted);
}

/* The time since the first event to VALUE; jump to @none if there was none. */
static void emit_time(struct emitter *e, const struct question *question, const struct asked_event *event,
		      label_t none)
{
	emit_call(e, BPF_FUNC_ktime_get_ns);
	emit_move(e, VALUE, R0);
	emit_number_part(e, event->match->tree->root, KEY);
	emit_lookup(e, question->starts, KEY);
	emit_branch(e, BPF_JEQ, 8, R0, 0, none);
	emit_load(e, 8, R1, R0, 0);
	emit(e, BPF_ALU64 | BPF_SUB | BPF_X, VALUE, R1, 0, 0);
	/* Another CPU may have noted a first event after this one read the clock. */
	emit_branch(e, BPF_JSLT, 8, VALUE, 0, none);
	emit_map(e, R1, question->starts);
	emit_address(e, R2, KEY);
	emit_call(e, BPF_FUNC_map_delete_elem);
}

/* A register that is not used need not be saved. */
static bool uses_payload(const struct emitter *e, const struct question *question, const struct asked_event *event)
{
	unsigned int i;

	if (event->match || event->filter || event->value)
		return true;
	for (i = 0; i < question->options->nr_keys; i++)
		if (!event->keys[i] || event->keys[i]->tree->root->kind != NODE_NAME ||
		    context_number(e, event->keys[i]->tree->root->field) < 0)
			return true;
	return false;
}

static void emit_event(struct emitter *e, const struct question *question, const struct asked_event *event)
{
	label_t drop = new_label(e), full = new_label(e), none = new_label(e);

	if (event->is_dropped) {
		emit_end(e);
		return;
	}
	if (uses_payload(e, question, event))
		emit_move(e, PAYLOAD, R1);
	if (event->is_first) {
		emit_first(e, question, event);
		emit_end(e);
		return;
	}
	if (event->match)
		emit_time(e, question, event, none);
	if (event->filter) {
		begin(e, event->filter->tree->root);
		emit_condition(e, event->filter->tree->root, false, drop);
	}
	if (event->value) {
		begin(e, event->value->tree->root);
		emit_value(e, event->value->tree->root);
		emit_move(e, VALUE, R0);
	}
	emit_key(e, question, event);
	emit_entry(e, question, event, full);
	emit_update(e, question);
	place_label(e, drop);
	emit_end(e);
	if (question->key_size) {
		place_label(e, full);
		emit_miss(e, question, MISS_FULL);
		emit_end(e);
	}
	if (event->match) {
		place_label(e, none);
		emit_miss(e, question, MISS_UNMATCHED);
		emit_end(e);
	}
}

static int compile(const struct question *question, const struct asked_event *event,
		   struct expression_program *program, struct expression_error *error)
{
	struct emitter *e = calloc(1, sizeof(*e));
	int err;

	*program = (struct expression_program){ 0 };
	if (!e)
		return fail(error, -ENOMEM, "out of memory");
	e->scope = &event->scope;
	e->error = error;
	emit_event(e, question, event);
	err = emit_finish(e, program);
	free(e);
	return err;
}

int question_load(struct question *question, unsigned int event, char counters[EXPRESSION_COUNTERS_TEXT],
		  struct expression_error *error)
{
	struct expression_program program;
	int err = compile(question, &question->events[event], &program, error);

	if (!err)
		err = expression_check_tracer(&program, error);
	if (!err)
		err = expression_load(&program, question->events[event].name, error);
	strcpy(counters, program.counters);
	expression_program_free(&program);
	return err;
}
