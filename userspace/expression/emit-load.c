// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The values of fields in a program; emit-context.c has those of contexts.
 *
 * A field of constant place in the first 96 bytes of the payload is loaded from there.  The
 * verifier lets a program load 1, 2, 4 or 8 bytes at a multiple of as many.  Other fields are
 * read by a helper, behind the strings and arrays before them, whose lengths are read first.
 */
#include "emit.h"

/* The longest string of an event, with its NUL, is LTT_MARK_STRING_MAX + 1; each read has one less of its
 * characters than the room for it. */
#define STRING_READS	((4096 + 1 + EXPRESSION_STRING_MAX - 1) / EXPRESSION_STRING_MAX)

/* More than the bytes of any payload.  It bounds a place for the verifier, which else would verify what follows
 * again for each number of reads. */
#define PLACE_MASK	0x7fff

/* ---- Places ---- */

static bool is_variable(const struct ltt_field *field)
{
	return field->kind == LTT_FIELD_STRING || field->kind == LTT_FIELD_SEQUENCE;
}

static size_t fixed_size(const struct ltt_field *field)
{
	return field->kind == LTT_FIELD_TEXT || field->kind == LTT_FIELD_ARRAY ? (size_t)field->count * field->size :
									       field->size;
}

bool place_of(const struct expression_scope *scope, const struct ltt_field *field, size_t *offset)
{
	size_t i;

	*offset = 0;
	for (i = 0; i < scope->nr_fields; i++) {
		if (&scope->fields[i] == field)
			return true;
		if (is_variable(&scope->fields[i]))
			return !field;
		*offset += fixed_size(&scope->fields[i]);
	}
	return !field;
}

int context_number(const struct emitter *e, const struct ltt_field *field)
{
	return field >= e->scope->contexts && field < e->scope->contexts + e->scope->nr_contexts ?
	       field - e->scope->contexts : -1;
}

/* ---- From the context ---- */

bool is_direct(const struct emitter *e, const struct node *node)
{
	size_t offset;

	return node->kind == NODE_NAME && context_number(e, node->field) < 0 &&
	       place_of(e->scope, node->field, &offset) && offset + node->field->size <= CONTEXT_MAX;
}

static void extend_sign(struct emitter *e, const struct ltt_field *field, int reg)
{
	const int unused = 64 - 8 * field->size;

	if (!field->is_signed || !unused)
		return;
	emit(e, BPF_ALU64 | BPF_LSH | BPF_K, reg, 0, 0, unused);
	emit(e, BPF_ALU64 | BPF_ARSH | BPF_K, reg, 0, 0, unused);
}

void emit_field_to(struct emitter *e, const struct ltt_field *field, int to, bool extends)
{
	unsigned int done, part, shift;
	size_t offset;
	int reg;

	place_of(e->scope, field, &offset);
	for (done = 0; done < field->size; done += part) {
		for (part = 8; (offset + done) % part || done + part > field->size; )
			part /= 2;
		shift = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 8 * done : 8 * (field->size - done - part);
		reg = done ? R2 : to;
		emit_load(e, part, reg, PAYLOAD, offset + done);
		if (shift)
			emit(e, BPF_ALU64 | BPF_LSH | BPF_K, reg, 0, 0, shift);
		if (done)
			emit(e, BPF_ALU64 | BPF_OR | BPF_X, to, reg, 0, 0);
	}
	if (extends)
		extend_sign(e, field, to);
}

/* ---- By a helper ---- */

/* Read @size bytes at R6 + R7, or at R6 + @offset if it is not negative. */
static void emit_read_at(struct emitter *e, long offset, unsigned int size, int to, bool is_string)
{
	emit_move(e, R1, FRAME);
	emit_with_number(e, BPF_ADD, R1, to);
	emit_number(e, R2, size);
	emit_move(e, R3, PAYLOAD);
	if (offset < 0)
		emit(e, BPF_ALU64 | BPF_ADD | BPF_X, R3, R7, 0, 0);
	else if (offset)
		emit_with_number(e, BPF_ADD, R3, offset);
	emit_call(e, is_string ? BPF_FUNC_probe_read_kernel_str : BPF_FUNC_probe_read_kernel);
	if (to == STACK_TEXT)
		e->known.writes++;
}

/* Add the bytes of the string at R7 to R7.  A read returns the characters with the NUL; one that fills the room
 * has cut the string, or is at its end. */
static void skip_string(struct emitter *e)
{
	const label_t again = new_label(e), last = new_label(e);

	e->known.text = NULL;
	emit_number(e, R8, STRING_READS);
	place_label(e, again);
	emit_read_at(e, -1, EXPRESSION_STRING_MAX + 1, STACK_TEXT, true);
	emit_with_number(e, BPF_AND, R0, 2 * EXPRESSION_STRING_MAX + 1);
	emit_branch(e, BPF_JNE, 8, R0, EXPRESSION_STRING_MAX + 1, last);
	emit_with_number(e, BPF_ADD, R7, EXPRESSION_STRING_MAX);
	emit_with_number(e, BPF_SUB, R8, 1);
	emit_branch(e, BPF_JNE, 8, R8, 0, again);
	place_label(e, last);
	emit(e, BPF_ALU64 | BPF_ADD | BPF_X, R7, R0, 0, 0);
}

/* Add the bytes of the elements of the array whose number is at R7, and of this number. */
static void skip_sequence(struct emitter *e, const struct ltt_field *field)
{
	emit_read_at(e, -1, sizeof(uint16_t), STACK_NUMBER, false);
	emit_load(e, sizeof(uint16_t), R0, FRAME, STACK_NUMBER);
	emit_with_number(e, BPF_MUL, R0, field->size);
	emit(e, BPF_ALU64 | BPF_ADD | BPF_X, R7, R0, 0, 0);
	emit_with_number(e, BPF_ADD, R7, sizeof(uint16_t));
}

/* Compute the place of a field behind strings or arrays to R7. */
static void emit_place(struct emitter *e, const struct ltt_field *wanted)
{
	const struct ltt_field *field = e->scope->fields;
	size_t fixed = 0;

	emit_number(e, R7, 0);
	for (; field < wanted; field++) {
		if (!is_variable(field)) {
			fixed += fixed_size(field);
			continue;
		}
		if (fixed)
			emit_with_number(e, BPF_ADD, R7, fixed);
		fixed = 0;
		if (field->kind == LTT_FIELD_STRING)
			skip_string(e);
		else
			skip_sequence(e, field);
		emit_with_number(e, BPF_AND, R7, PLACE_MASK);
	}
	if (fixed)
		emit_with_number(e, BPF_ADD, R7, fixed);
}

void emit_read(struct emitter *e, const struct ltt_field *field, unsigned int size, int to, bool is_string)
{
	size_t offset;

	if (place_of(e->scope, field, &offset)) {
		emit_read_at(e, offset, size, to, is_string);
		return;
	}
	emit_place(e, field);
	emit_read_at(e, -1, size, to, is_string);
}

/* ---- Integers ---- */

/* Return: the bit of a value that is kept; 0: it is not. */
static uint64_t kept_bit(const struct emitter *e, const struct ltt_field *field, unsigned int *nr)
{
	for (*nr = 0; *nr < e->nr_kept; (*nr)++)
		if (e->kept[*nr] == field)
			return UINT64_C(1) << *nr;
	return 0;
}

void emit_name(struct emitter *e, const struct node *node, bool extends)
{
	const int context = context_number(e, node->field);
	unsigned int nr;
	uint64_t kept;

	if (is_direct(e, node)) {
		emit_field_to(e, node->field, R0, extends);
		return;
	}
	kept = kept_bit(e, node->field, &nr);
	if (kept & e->known.kept) {
		emit_load(e, 8, R0, FRAME, STACK_KEPT(nr));
		return;
	}
	if (context >= 0) {
		emit_context(e, context);
	} else {
		emit_read(e, node->field, node->field->size, STACK_NUMBER, false);
		emit_load(e, node->field->size, R0, FRAME, STACK_NUMBER);
	}
	if (extends || kept)
		extend_sign(e, node->field, R0);
	if (kept)
		emit_store(e, 8, FRAME, STACK_KEPT(nr), R0);
	e->known.kept |= kept;
}
