// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Matching a glob in a program, in a loop over a text on the stack.
 *
 * A glob such as "*ab*", "*ab" or "a*b", of a star and at most 8 plain characters behind it, is a search for a word
 * in the last characters.  Others are pattern_matches(): a set of states.
 *
 * The elements that take a character are computed without branches.  With branches the verifier
 * would follow each way through them, with another set of states at the end of each.
 */
#include "emit.h"

/* Load the character at place R1 of the text to R4; jump to @end if it is the NUL; changes R2. */
static void emit_character(struct emitter *e, label_t end)
{
	emit_move(e, R2, FRAME);
	emit(e, BPF_ALU64 | BPF_ADD | BPF_X, R2, R1, 0, 0);
	emit_load(e, 1, R4, R2, STACK_TEXT);
	emit_branch(e, BPF_JEQ, 8, R4, 0, end);
}

/* Increment the place R1, and jump to @again unless it is the end of @size bytes. */
static void emit_next(struct emitter *e, unsigned int size, label_t again)
{
	emit_with_number(e, BPF_ADD, R1, 1);
	emit_branch(e, BPF_JNE, 8, R1, size, again);
}

/* ---- A word ---- */

/* Return: the character that an element alone takes; 0: it takes others, too. */
static unsigned int only_character(const struct pattern *pattern, unsigned int element)
{
	unsigned int c, only = 0;

	for (c = 1; c < 256; c++) {
		if (!pattern_has(pattern, element, c))
			continue;
		if (only)
			return 0;
		only = c;
	}
	return only;
}

/* Return: true if the elements are one word behind a star: its characters, the first one in the highest byte. */
static bool is_word(const struct pattern *pattern, uint64_t *word)
{
	const uint64_t last_star = UINT64_C(1) << pattern->nr;
	unsigned int i, c;

	if (pattern->nr > sizeof(*word) || (pattern->stars & ~last_star) != 1)
		return false;
	*word = 0;
	for (i = 0; i < pattern->nr; i++) {
		c = only_character(pattern, i);
		if (!c)
			return false;
		*word |= (uint64_t)c << (56 - 8 * i);
	}
	return true;
}

/* In the loop: R1 is the place in the text, R3 as many of the last characters as @word has, and R5 @word.  None of them
 * is a NUL, so R3 does not equal the word before it has as many. */
static void emit_search(struct emitter *e, const struct pattern *pattern, uint64_t word, unsigned int size,
			label_t miss)
{
	const label_t again = new_label(e), end = new_label(e), found = new_label(e);
	const bool is_anywhere = pattern->stars >> pattern->nr & 1;
	const unsigned int unused = 64 - 8 * pattern->nr;

	emit_number(e, R1, pattern->prefix_len);
	emit_number(e, R3, 0);
	emit_number(e, R5, word);
	place_label(e, again);
	emit_character(e, end);
	if (unused)
		emit_with_number(e, BPF_LSH, R4, unused);
	emit_with_number(e, BPF_LSH, R3, 8);
	emit(e, BPF_ALU64 | BPF_OR | BPF_X, R3, R4, 0, 0);
	if (is_anywhere)
		emit_branch_register(e, BPF_JEQ, R3, R5, found);
	emit_next(e, size, again);
	place_label(e, end);
	if (is_anywhere)
		emit_jump(e, miss);
	else
		emit_branch_register(e, BPF_JNE, R3, R5, miss);
	place_label(e, found);
}

/* ---- States ---- */

/* In the loop: R1 is the place in the text, R3 the states, R4 the character, R5 the elements that take it. */

/* Return: the elements that take @c, as bits. */
static uint64_t elements_with(const struct pattern *pattern, unsigned int c)
{
	uint64_t elements = 0;
	unsigned int i;

	for (i = 0; i < pattern->nr; i++)
		elements |= (uint64_t)pattern_has(pattern, i, c) << i;
	return elements;
}

/* Flip the bits @changed of R5 if the character is one from @first to @last; changes R0 and R2. */
static void emit_range(struct emitter *e, unsigned int first, unsigned int last, uint64_t changed)
{
	/* Negative for a character outside: all bits are set by the shift, or none. */
	emit_move(e, R0, R4);
	if (first == last) {
		emit_with_number(e, BPF_XOR, R0, first);
		emit(e, BPF_ALU64 | BPF_NEG, R0, 0, 0, 0);
	} else {
		emit_with_number(e, BPF_SUB, R0, first);
		emit_number(e, R2, last);
		emit(e, BPF_ALU64 | BPF_SUB | BPF_X, R2, R4, 0, 0);
		emit(e, BPF_ALU64 | BPF_OR | BPF_X, R0, R2, 0, 0);
	}
	emit_with_number(e, BPF_ARSH, R0, 63);
	emit_with_number(e, BPF_XOR, R0, UINT64_MAX);
	emit_with_number(e, BPF_AND, R0, changed);
	emit(e, BPF_ALU64 | BPF_XOR | BPF_X, R5, R0, 0, 0);
}

/* Compute R5.  Most characters are taken by the same elements, those of '?' and "[!...]". */
static void emit_elements(struct emitter *e, const struct pattern *pattern)
{
	const uint64_t usual = elements_with(pattern, 1);
	unsigned int first, last;
	uint64_t elements;

	emit_number(e, R5, usual);
	for (first = 1; first < 256; first = last + 1) {
		elements = elements_with(pattern, first);
		for (last = first; last < 255 && elements_with(pattern, last + 1) == elements; )
			last++;
		if (elements != usual)
			emit_range(e, first, last, elements ^ usual);
	}
}

static void emit_states(struct emitter *e, const struct pattern *pattern, unsigned int size, label_t miss)
{
	const label_t again = new_label(e), end = new_label(e);

	emit_number(e, R1, pattern->prefix_len);
	emit_number(e, R3, 1);
	place_label(e, again);
	emit_character(e, end);
	emit_elements(e, pattern);
	emit(e, BPF_ALU64 | BPF_AND | BPF_X, R5, R3, 0, 0);
	emit_with_number(e, BPF_LSH, R5, 1);
	emit_with_number(e, BPF_AND, R3, pattern->stars);
	emit(e, BPF_ALU64 | BPF_OR | BPF_X, R3, R5, 0, 0);
	emit_branch(e, BPF_JEQ, 8, R3, 0, miss);
	emit_next(e, size, again);
	place_label(e, end);
	emit_with_number(e, BPF_RSH, R3, pattern->nr);
	emit_with_number(e, BPF_AND, R3, 1);
	emit_branch(e, BPF_JEQ, 8, R3, 0, miss);
}

void emit_glob(struct emitter *e, const struct pattern *pattern, unsigned int size, label_t miss)
{
	uint64_t word;

	if (is_word(pattern, &word))
		emit_search(e, pattern, word, size, miss);
	else
		emit_states(e, pattern, size, miss);
}
