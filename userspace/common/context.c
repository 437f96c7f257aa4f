// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Parse a list of context fields of programs' events.
 *
 * Layer: common.
 */
#include "context.h"

#include <string.h>

#include "shm.h"

#define STACK	"stack"

const struct context_counter context_counters[PERF_COUNTERS] = {
	[PERF_CYCLES] = { "perf:cycles", "perf_cycles" },
	[PERF_INSTRUCTIONS] = { "perf:instructions", "perf_instructions" },
	[PERF_CACHE_MISSES] = { "perf:cache-misses", "perf_cache_misses" },
	[PERF_PAGE_FAULTS] = { "perf:page-faults", "perf_page_faults" },
	[PERF_CONTEXT_SWITCHES] = { "perf:context-switches", "perf_context_switches" },
	[PERF_TASK_CLOCK] = { "perf:task-clock", "perf_task_clock" },
};

static bool is_word(const char *word, size_t len, const char *expected)
{
	return len == strlen(expected) && !memcmp(word, expected, len);
}

/* "stack" or "stack:DEPTH".  Return: the bit with the depth above it, or 0. */
static uint32_t parse_stack(const char *word, size_t len)
{
	const char *at = word + strlen(STACK), *end = word + len;
	uint32_t depth = 0;

	if (len < strlen(STACK) || memcmp(word, STACK, strlen(STACK)))
		return 0;
	if (at == end)
		return LTT_CONTEXT_STACK | LTT_STACK_DEPTH << LTT_CONTEXT_DEPTH;
	if (*at++ != ':')
		return 0;
	for (; at < end && *at >= '0' && *at <= '9' && depth <= LTT_STACK_DEPTH_MAX; at++)
		depth = depth * 10 + *at - '0';
	if (at < end || !depth || depth > LTT_STACK_DEPTH_MAX)
		return 0;
	return LTT_CONTEXT_STACK | depth << LTT_CONTEXT_DEPTH;
}

/* Return: its bit, or 0. */
static uint32_t parse_word(const char *word, size_t len)
{
	static const struct {
		const char *word;
		uint32_t bit;
	} words[] = {
		{ "tid", LTT_CONTEXT_TID }, { "pid", LTT_CONTEXT_PID }, { "name", LTT_CONTEXT_NAME },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (is_word(word, len, words[i].word))
			return words[i].bit;
	for (i = 0; i < PERF_COUNTERS; i++)
		if (is_word(word, len, context_counters[i].word))
			return 1U << LTT_CONTEXT_PERF_SHIFT << i;
	return parse_stack(word, len);
}

bool context_parse(const char *text, uint32_t *context)
{
	uint32_t bit;
	size_t len;

	*context = 0;
	if (!strcmp(text, "none"))
		return true;
	for (;; text += len + 1) {
		len = strcspn(text, ",");
		bit = parse_word(text, len);
		/* The bits of a depth may differ. */
		if (!bit || *context & bit & ~(0xffU << LTT_CONTEXT_DEPTH))
			return false;
		*context |= bit;
		if (!text[len])
			return true;
	}
}
