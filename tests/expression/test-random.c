// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Random expressions on random events: the evaluator and the program of the emitter have the same
 * result.  The program runs in interpret.c here; kernel.c has it run by a kernel.
 *
 *   test-random [SEED [COUNT]]
 */
#include "interpret.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>

#include "../unit/unit.h"

#define PAYLOADS 6

static uint64_t seed = 1;
static unsigned long count = 20000;
static unsigned long held;

static const struct expression_value contexts[EXPRESSION_CONTEXTS] = {
	[EXPRESSION_PID] = { .number = 7 },
	[EXPRESSION_TID] = { .number = 64 },
	[EXPRESSION_COMM] = { .text = "ab\0ba]b*aabbaab", .size = 16 },
	[EXPRESSION_CPU] = { .number = 3 },
	[EXPRESSION_CGROUP] = { .number = UINT64_MAX - 1 },
	[EXPRESSION_PRIO] = { .number = -2 },
	[EXPRESSION_UID] = { .number = 0x80000000 },
	[EXPRESSION_PPID] = { .number = 1 },
	[EXPRESSION_PID_NS] = { .number = 0xf0000003 },
	[EXPRESSION_NET_NS] = { .number = 0xffffffff },
	[EXPRESSION_MNT_NS] = { .number = 0x80000000 },
	[EXPRESSION_PREEMPT] = { .number = -1 },
	[EXPRESSION_IRQ] = { .number = 5 },
	[EXPRESSION_NEED_RESCHED] = { .number = 1 },
	[EXPRESSION_MIGRATE_DISABLE] = { .number = 3 },
	[EXPRESSION_COUNTERS] = { .number = 64 },
	[EXPRESSION_COUNTERS + 3] = { .number = UINT64_MAX },
};

static void report(const char *what, const char *text)
{
	printf("%s: %s\n", what, text);
	CU_FAIL("see above");
}

static void compare(const struct expression_bound *bound, const struct expression_program *program, const char *text,
		    const struct layout *layout, uint64_t *state)
{
	static char payload[PAYLOAD_MAX];
	const char *why = check_flow(program);
	int64_t value, result;
	size_t size;
	int i;

	if (why) {
		report(why, text);
		return;
	}
	for (i = 0; i < PAYLOADS; i++) {
		size = draw_payload(state, layout, payload);
		value = expression_holds_payload(bound, payload, size, contexts);
		result = interpret(program, payload, size, contexts, &why);
		held += value == 1;
		if (why)
			report(why, text);
		else if (value < 0 || value != result)
			report("evaluator and program differ", text);
	}
}

static void test_one(uint64_t *state)
{
	static char text[EXPRESSION_TEXT_MAX];
	struct expression_program program;
	struct expression *expression;
	struct expression_bound *bound = NULL;
	struct expression_error error;
	struct layout layout;

	draw_layout(state, &layout);
	draw_expression(state, &layout, CONTEXTS_OF_COUNTERS, text);
	if (expression_parse(text, &expression, &error) ||
	    expression_bind(expression, &(struct expression_scope){ layout.field, layout.nr, expression_contexts,
								    EXPRESSION_CONTEXTS, false }, &bound, &error))
		report(error.text, text);
	else if (!expression_emit(bound, &program, &error)) {
		compare(bound, &program, text, &layout, state);
		expression_program_free(&program);
	} else if (error.column) {	/* some are too long, and none is wrong */
		report(error.text, text);
	}
	expression_bound_free(bound);
	expression_free(expression);
}

static void evaluator_and_program_agree(void)
{
	uint64_t state = seed;
	unsigned long i;

	for (i = 0; i < count; i++)
		test_one(&state);
	printf("# seed %llu: %lu expressions, which hold for %lu of %lu payloads\n", (unsigned long long)seed, count, held,
	       count * PAYLOADS);
	/* A comparison that never holds proves nothing. */
	CU_ASSERT(held > count && held < count * (PAYLOADS - 1));
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(evaluator_and_program_agree),
		{ NULL, NULL }
	};

	if (argc > 1)
		seed = strtoull(argv[1], NULL, 0);
	if (argc > 2)
		count = strtoul(argv[2], NULL, 0);
	return unit_main(argv[0], tests);
}
