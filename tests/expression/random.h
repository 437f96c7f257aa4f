/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Random layouts of events, payloads for them, and typed expressions on their fields.
 */
#ifndef LTT_TESTS_RANDOM_H
#define LTT_TESTS_RANDOM_H

#include "../../userspace/expression/expression.h"

#define FIELDS_MAX	10
#define PAYLOAD_MAX	8192

/**
 * struct layout - the fields of an event
 * @field: the fields
 * @nr: number of @field
 * @is_short: all payloads fit into the context of a test run, 96 bytes
 */
struct layout {
	struct ltt_field field[FIELDS_MAX];
	char name[FIELDS_MAX][24];
	size_t nr;
	bool is_short;
};

/* Return: a number below @below; the next ones follow from @state. */
uint64_t draw(uint64_t *state, uint64_t below);

void draw_layout(uint64_t *state, struct layout *layout);

/* Return: bytes of the payload, at most PAYLOAD_MAX, and 96 if the layout is short: then 96 are set. */
size_t draw_payload(uint64_t *state, const struct layout *layout, char *payload);

/**
 * enum random_contexts - the contexts of random expressions, besides those of the line before
 * @CONTEXTS_OF_PROGRAMS: those that programs have
 * @CONTEXTS_OF_TASKS: what the kernel has for a task
 * @CONTEXTS_OF_EVENTS: what the tracer has for an event, and no time changes
 * @CONTEXTS_OF_COUNTERS: also counters
 */
enum random_contexts {
	CONTEXTS_OF_PROGRAMS,
	CONTEXTS_OF_TASKS,
	CONTEXTS_OF_EVENTS,
	CONTEXTS_OF_COUNTERS,
};

/* The text of a condition, which is right for the layout, also on contexts. */
void draw_expression(uint64_t *state, const struct layout *layout, enum random_contexts contexts,
		     char text[EXPRESSION_TEXT_MAX]);

#endif /* LTT_TESTS_RANDOM_H */
