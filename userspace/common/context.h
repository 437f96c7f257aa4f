/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Parse a list of context fields of programs' events.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_CONTEXT_H
#define LTT_COMMON_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "perf-counter.h"

#define CONTEXT_WORDS	"none, or a list of tid, pid, name, stack[:DEPTH] (DEPTH from 1 to 64), perf:cycles, perf:instructions, " \
			"perf:cache-misses, perf:page-faults, perf:context-switches and perf:task-clock, separated by commas"

/**
 * struct context_counter - the names of a performance counter
 * @word: in a list of context fields
 * @field: its field in the trace
 */
struct context_counter {
	const char *word;
	const char *field;
};

/* By their &enum perf_counter_number. */
extern const struct context_counter context_counters[PERF_COUNTERS];

/**
 * context_parse() - parse "none", or a list of context fields, see CONTEXT_WORDS
 * @text: the list; each word at most once
 * @context: receives the bits LTT_CONTEXT_*, the depth of a stack at bit LTT_CONTEXT_DEPTH, and the bits of
 *	counters
 *
 * Return: true; false if @text is not such a list.
 */
bool context_parse(const char *text, uint32_t *context);

#endif /* LTT_COMMON_CONTEXT_H */
