/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Patterns, which strings are compared with: a text, or a glob of * ? and [...].
 *
 * A pattern is the characters that it begins with, and then elements, each of which takes one
 * character, with stars between them.  It is matched by a set of states in one word: bit i is
 * set if the elements before @element[i] have matched what has been read.
 */
#ifndef EXPRESSION_PATTERN_H
#define EXPRESSION_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expression.h"

#define PATTERN_ELEMENTS_MAX	63	/* one state more fits into a word */

/**
 * struct pattern - a text or a glob
 * @prefix: the characters that it begins with
 * @prefix_len: number of them
 * @nr: number of @element
 * @element: a set of characters each, bit c & 7 of byte c >> 3
 * @stars: bit i: a star is before @element[i]; bit @nr: one is at the end
 */
struct pattern {
	char prefix[EXPRESSION_STRING_MAX];
	unsigned int prefix_len;
	unsigned int nr;
	uint8_t element[PATTERN_ELEMENTS_MAX][32];
	uint64_t stars;
};

/* Make the pattern that matches @len characters, fewer than EXPRESSION_STRING_MAX, and nothing else. */
void pattern_set_text(struct pattern *pattern, const char *text, size_t len);

/**
 * pattern_set_glob() - make the pattern of a glob
 * @pattern: receives it
 * @glob: the glob
 * @len: number of its characters, fewer than EXPRESSION_STRING_MAX
 *
 * Return: NULL; or a sentence that says what is wrong with the glob.
 */
const char *pattern_set_glob(struct pattern *pattern, const char *glob, size_t len);

/* Return: true if it matches its prefix and nothing else. */
static inline bool pattern_is_text(const struct pattern *pattern)
{
	return !pattern->nr && !pattern->stars;
}

/* Return: true if it matches all that begins with its prefix. */
static inline bool pattern_is_prefix(const struct pattern *pattern)
{
	return !pattern->nr && pattern->stars;
}

static inline bool pattern_has(const struct pattern *pattern, unsigned int element, unsigned int c)
{
	return pattern->element[element][c >> 3] >> (c & 7) & 1;
}

/* Return: true if it matches a text of @len characters. */
bool pattern_matches(const struct pattern *pattern, const char *text, size_t len);

#endif /* EXPRESSION_PATTERN_H */
