// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Comparing strings in a program.
 *
 * A text of constant place in the first bytes of the payload is compared where it is, and the
 * name of the thread in the kernel's structure, by words.  Others are read to the stack first,
 * and so is a text that a glob with elements goes through.
 */
#include "emit.h"

#include <string.h>

/**
 * struct text - where a text is
 * @base: the register that it is found by
 * @offset: its place there
 * @size: readable bytes, of which the text may have fewer
 * @max: the most characters that it has
 */
struct text {
	int base;
	int offset;
	unsigned int size;
	unsigned int max;
};

/* ---- Comparing ---- */

/* Return: @len bytes and then zeroes, as the word of @size bytes that a load of them gives. */
static uint64_t word_of(const char *bytes, unsigned int len, unsigned int size)
{
	char padded[8] = { 0 };
	uint64_t word8;
	uint32_t word4;
	uint16_t word2;

	memcpy(padded, bytes, len);
	memcpy(&word8, padded, sizeof(word8));
	memcpy(&word4, padded, sizeof(word4));
	memcpy(&word2, padded, sizeof(word2));
	return size == 8 ? word8 : size == 4 ? word4 : size == 2 ? word2 : (unsigned char)*padded;
}

/* Return: the size of the load at @at of a text: the smallest that has @len bytes, or else the largest. */
static unsigned int load_size(const struct text *text, unsigned int at, unsigned int len)
{
	unsigned int size, best = 1;

	for (size = 1; size <= 8; size *= 2) {
		if ((text->offset + at) % size || at + size > text->size)
			break;
		best = size;
		if (size >= len)
			break;
	}
	return best;
}

/* Jump to @miss if the text does not begin with @len bytes; changes R1 and R2. */
static void emit_compare(struct emitter *e, const struct text *text, const char *bytes, unsigned int len, label_t miss)
{
	static const char all[8] = "\xff\xff\xff\xff\xff\xff\xff\xff";
	unsigned int at, size, part;

	for (at = 0; at < len; at += part) {
		size = load_size(text, at, len - at);
		part = size < len - at ? size : len - at;
		emit_load(e, size, R1, text->base, text->offset + at);
		if (part < size)
			emit_with_number(e, BPF_AND, R1, word_of(all, part, size));
		/* A whole word of 4 bytes is compared as such: with 8, its sign would be extended. */
		emit_branch(e, BPF_JNE, size == 4 && part == 4 ? 4 : 8, R1, word_of(bytes + at, part, size), miss);
	}
}

static void emit_pattern(struct emitter *e, const struct text *text, const struct pattern *pattern, label_t miss)
{
	/* The NUL behind a text is compared, too, where it can have one. */
	const unsigned int len = pattern->prefix_len + (pattern_is_text(pattern) && pattern->prefix_len < text->max);

	emit_compare(e, text, pattern->prefix, len, miss);
	if (pattern->nr)
		emit_glob(e, pattern, text->max, miss);
}

/* ---- Finding the text ---- */

/* Return: bytes that the patterns look at; all of them if one has elements. */
static unsigned int bytes_needed(const struct node *patterns, bool *has_elements)
{
	unsigned int needed = 0;

	*has_elements = false;
	for (; patterns; patterns = patterns->next) {
		*has_elements |= patterns->pattern->nr;
		if (needed < patterns->pattern->prefix_len + 1)
			needed = patterns->pattern->prefix_len + 1;
	}
	return *has_elements ? EXPRESSION_STRING_MAX : needed;
}

static void set_known(struct emitter *e, const struct ltt_field *field, unsigned int size)
{
	e->known.text = field;
	e->known.text_size = size;
	e->known.writes++;
}

/* Copy a text to the stack; changes R1. */
static void emit_copy(struct emitter *e, struct text *text)
{
	unsigned int at, size;

	for (at = 0; at < text->max; at += size) {
		for (size = 8; (text->offset + at) % size || at % size || at + size > text->max; )
			size /= 2;
		emit_load(e, size, R1, text->base, text->offset + at);
		emit_store(e, size, FRAME, STACK_TEXT + at, R1);
	}
	text->base = FRAME;
	text->offset = STACK_TEXT;
	text->size = text->max;
}

/* The name of the thread: without the kernel's types, a helper copies it. */
static struct text emit_comm(struct emitter *e, const struct ltt_field *field)
{
	const struct task_path *path = &task_layout()->path[TASK_COMM];

	if (path->nr) {
		emit_call(e, BPF_FUNC_get_current_task_btf);
		emit_move(e, R3, R0);
		return (struct text){ R3, path->step[0], field->count, field->count };
	}
	emit_move(e, R1, FRAME);
	emit_with_number(e, BPF_ADD, R1, STACK_TEXT);
	emit_number(e, R2, field->count);
	emit_call(e, BPF_FUNC_get_current_comm);
	e->known.writes++;
	return (struct text){ FRAME, STACK_TEXT, field->count, field->count };
}

/* A string is read with room for one character more than the patterns have, and the NUL. */
static struct text emit_read_text(struct emitter *e, const struct ltt_field *field, unsigned int needed)
{
	const bool is_string = field->kind == LTT_FIELD_STRING;
	const unsigned int max = is_string || field->count > EXPRESSION_STRING_MAX ? EXPRESSION_STRING_MAX : field->count;
	unsigned int size = (needed + 1 + 7) & ~7u;

	if (!is_string && size > max)
		size = max;
	if (e->known.text != field || e->known.text_size < size) {
		emit_read(e, field, size, STACK_TEXT, is_string);
		set_known(e, field, size);
	}
	return (struct text){ FRAME, STACK_TEXT, e->known.text_size, max };
}

/* Return: true if a text can be compared, or copied, from the payload. */
static bool is_at_hand(const struct emitter *e, const struct ltt_field *field, struct text *text)
{
	size_t offset, end;

	if (field->kind != LTT_FIELD_TEXT || !place_of(e->scope, field, &offset) || offset + field->count > CONTEXT_MAX)
		return false;
	place_of(e->scope, NULL, &end);
	if (end > CONTEXT_MAX)
		end = CONTEXT_MAX;
	*text = (struct text){ PAYLOAD, offset, end - offset, field->count };
	return true;
}

static struct text emit_text(struct emitter *e, const struct node *node)
{
	const struct ltt_field *field = node->a->field;
	bool has_elements;
	const unsigned int needed = bytes_needed(node->b, &has_elements);
	struct text text;

	if (context_number(e, field) >= 0)
		text = emit_comm(e, field);
	else if (!is_at_hand(e, field, &text))
		return emit_read_text(e, field, needed);
	if (text.base == FRAME) {
		e->known.text = NULL;
	} else if (has_elements) {
		emit_copy(e, &text);
		set_known(e, NULL, 0);
	}
	return text;
}

/* ---- Matching ---- */

void emit_match(struct emitter *e, const struct node *node, bool sense, label_t label)
{
	const struct text text = emit_text(e, node);
	const bool jumps_if_match = sense != node->is_negative;
	const label_t matched = new_label(e);
	const struct node *pattern;
	label_t miss;

	for (pattern = node->b; pattern; pattern = pattern->next) {
		if (!jumps_if_match && !pattern->next) {
			emit_pattern(e, &text, pattern->pattern, label);
			break;
		}
		miss = new_label(e);
		emit_pattern(e, &text, pattern->pattern, miss);
		emit_jump(e, jumps_if_match ? label : matched);
		place_label(e, miss);
	}
	place_label(e, matched);
}
