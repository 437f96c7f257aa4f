/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Random events as a program emits them: the fields of a marker, and arguments for a payload.
 */
#ifndef LTT_TESTS_ARGUMENTS_H
#define LTT_TESTS_ARGUMENTS_H

#include "../expression/random.h"
#include "core/mark-format.h"

/**
 * struct arguments - an event of a marker
 * @fields: its fields and steps
 * @words: its arguments
 * @nr: number of @words
 * @text: what they point to: each text in a block of just its size
 */
struct arguments {
	struct ltt_mark_fields fields;
	uint64_t words[LTT_MARK_MAX_ARGS];
	unsigned int nr;
	char *text[LTT_MARK_MAX_ARGS];
};

/* Draw a layout that a marker can have. */
void draw_marker(uint64_t *state, struct layout *layout);

/* Make the arguments from which libltt would pack @payload; to be freed by arguments_free(). */
void arguments_make(struct arguments *arguments, const struct layout *layout, const char *payload);

void arguments_free(struct arguments *arguments);

#endif /* LTT_TESTS_ARGUMENTS_H */
