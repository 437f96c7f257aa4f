// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Filters in libltt: random expressions on random events have the value that the evaluator computes, and the
 * check rejects each kind of wrong code.
 *
 *   test-filter [SEED [COUNT]]
 */
#include "arguments.h"
#include "common/shm.h"
#include "libltt/filter.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../unit/unit.h"

#define PAYLOADS 6
#define CONTEXT	(64 | UINT64_C(7) << LTT_TASK_ID_BITS)	/* thread 64 of process 7 */

static uint64_t seed = 1;
static unsigned long count = 20000;
static unsigned long held, compared;

static struct expression_value contexts[EXPRESSION_PROGRAM_CONTEXTS] = {
	[EXPRESSION_PROGRAM_PID] = { .number = 7 },
	[EXPRESSION_PROGRAM_TID] = { .number = 64 },
	[EXPRESSION_PROGRAM_COMM] = { .text = "ab", .size = 3 },
};

static void report(const char *what, const char *text)
{
	printf("%s: %s\n", what, text);
	CU_FAIL("see above");
}

/* The thread stays on a CPU, and has the name that the evaluator gets. */
static void settle(void)
{
	cpu_set_t cpus;
	int cpu = sched_getcpu();

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	CU_ASSERT_FATAL(!sched_setaffinity(0, sizeof(cpus), &cpus));
	prctl(PR_SET_NAME, contexts[EXPRESSION_PROGRAM_COMM].text);
	contexts[EXPRESSION_PROGRAM_CPU].number = cpu;
	contexts[EXPRESSION_PROGRAM_UID].number = getuid();
}

/* ---- The values ---- */

static void compare(const struct expression_bound *bound, const struct ltt_filter_code *code, const char *text,
		    const struct layout *layout, uint64_t *state)
{
	static char payload[PAYLOAD_MAX];
	struct arguments arguments;
	struct ltt_filter *filter;
	int value, i, err;
	size_t size;

	for (i = 0; i < PAYLOADS; i++) {
		size = draw_payload(state, layout, payload);
		arguments_make(&arguments, layout, payload);
		filter = ltt_filter_new(code, &arguments.fields, &err);
		value = expression_holds_payload(bound, payload, size, contexts);
		if (!filter)
			report("the check rejects it", text);
		else if (ltt_filter_passes(filter, arguments.fields.step, arguments.words, CONTEXT) != value)
			report("evaluator and filter differ", text);
		held += value == 1;
		compared++;
		free(filter);
		arguments_free(&arguments);
	}
}

/* Some are too long. */
static bool is_limit(int status, const struct expression_error *error)
{
	return status == -E2BIG && !error->column;
}

static void test_one(uint64_t *state)
{
	static char text[EXPRESSION_TEXT_MAX];
	struct expression_bound *bound = NULL;
	struct expression *expression;
	struct expression_error error;
	struct ltt_filter_code code;
	struct expression_scope scope;
	struct layout layout;
	int status;

	draw_marker(state, &layout);
	draw_expression(state, &layout, CONTEXTS_OF_PROGRAMS, text);
	scope = (struct expression_scope){ layout.field, layout.nr, expression_program_contexts,
					   EXPRESSION_PROGRAM_CONTEXTS, false };
	status = expression_parse(text, &expression, &error);
	if (!status)
		status = expression_bind(expression, &scope, &bound, &error);
	if (!status)
		status = expression_emit_code(bound, &code, &error);
	if (!status)
		compare(bound, &code, text, &layout, state);
	else if (!is_limit(status, &error))
		report(error.text, text);
	expression_bound_free(bound);
	expression_free(expression);
}

static void evaluator_and_filter_agree(void)
{
	uint64_t state = seed;
	unsigned long i;

	settle();
	for (i = 0; i < count; i++)
		test_one(&state);
	printf("# seed %llu: %lu events compared, of which %lu pass\n", (unsigned long long)seed, compared, held);
	/* A comparison that never holds, or of few events, proves nothing. */
	CU_ASSERT(compared > count * PAYLOADS / 2 && held > compared / 8 && held < compared * 7 / 8);
}

/* ---- The check ---- */

/* A marker with the fields: int, text, char of "%c", double; the text has its length before it. */
static const struct ltt_mark_fields marker = {
	.nr = 4,
	.field = {
		{ .name = "number", .kind = LTT_FIELD_INT, .size = 4, .is_signed = true },
		{ .name = "text", .kind = LTT_FIELD_STRING, .size = 1 },
		{ .name = "letter", .kind = LTT_FIELD_TEXT, .size = 1, .count = 1 },
		{ .name = "real", .kind = LTT_FIELD_FLOAT, .size = 8 },
	},
	.step = {
		{ .how = LTT_MARK_VALUE, .size = 4 },
		{ .how = LTT_MARK_LENGTH, .size = 4 },
		{ .how = LTT_MARK_TEXT_OF_LENGTH, .size = 8 },
		{ .how = LTT_MARK_VALUE, .size = 1 },
		{ .how = LTT_MARK_VALUE, .size = 8 },
	},
};

/* Return: 0 if the check accepts the code, else its error.  Counts that are too large are given without what they
 * count. */
static int check(const struct ltt_filter_insn *insns, unsigned int nr, const char *text, size_t size)
{
	struct ltt_filter_code code = { .nr = nr, .size = size };
	struct ltt_filter *filter;
	int err = 0;

	if (nr <= LTT_FILTER_INSNS_MAX)
		memcpy(code.insn, insns, nr * sizeof(*insns));
	if (size <= sizeof(code.text))
		memcpy(code.text, text, size);
	filter = ltt_filter_new(&code, &marker, &err);
	free(filter);
	return filter ? 0 : err;
}

static void wrong_code_is_rejected(void)
{
	static const struct {
		const char *what;
		struct ltt_filter_insn insn[4];
		unsigned int nr;
		const char *text;
		size_t size;
		bool is_right;
	} cases[] = {
		{ "an integer", { { .op = LTT_FILTER_FIELD, .which = 0 } }, 1, "", 0, true },
		{ "an integer that is a text", { { .op = LTT_FILTER_FIELD, .which = 1 } }, 1, "", 0, false },
		{ "an integer that is a double", { { .op = LTT_FILTER_FIELD, .which = 3 } }, 1, "", 0, false },
		{ "a field beyond the last", { { .op = LTT_FILTER_FIELD, .which = 4 } }, 1, "", 0, false },
		{ "a field beyond any marker", { { .op = LTT_FILTER_FIELD, .which = 255 } }, 1, "", 0, false },
		{ "the last context", { { .op = LTT_FILTER_CONTEXT, .which = LTT_FILTER_CONTEXTS - 1 } }, 1, "", 0, true },
		{ "no such context", { { .op = LTT_FILTER_CONTEXT, .which = LTT_FILTER_CONTEXTS } }, 1, "", 0, false },
		{ "no such instruction", { { .op = LTT_FILTER_OPS, .which = 1 } }, 1, "", 0, false },
		{ "no such operand", { { .op = LTT_FILTER_ADD, .which = 2 } }, 1, "", 0, false },
		{ "a text", { { .op = LTT_FILTER_IS, .which = 1, .to = 3 } }, 1, "abc", 3, true },
		{ "a character", { { .op = LTT_FILTER_IS, .which = 2, .to = 1 } }, 1, "abc", 3, true },
		{ "the name of the thread", { { .op = LTT_FILTER_IS, .which = LTT_FILTER_COMM, .to = 3 } }, 1, "abc", 3, true },
		{ "a text that is an integer", { { .op = LTT_FILTER_IS, .which = 0, .to = 3 } }, 1, "abc", 3, false },
		{ "a text that is a double", { { .op = LTT_FILTER_LIKE, .which = 3, .to = 3 } }, 1, "abc", 3, false },
		{ "a text beyond the last field", { { .op = LTT_FILTER_IS, .which = 4, .to = 3 } }, 1, "abc", 3, false },
		{ "a text at the end", { { .op = LTT_FILTER_IS, .which = 1, .number = 3 } }, 1, "abc", 3, true },
		{ "a text beyond the end", { { .op = LTT_FILTER_IS, .which = 1, .number = 4 } }, 1, "abc", 3, false },
		{ "a text far away", { { .op = LTT_FILTER_IS, .which = 1, .to = 1, .number = UINT64_MAX } }, 1, "abc", 3, false },
		{ "a text with its end beyond", { { .op = LTT_FILTER_IS, .which = 1, .to = 3, .number = 1 } }, 1, "abc", 3, false },
		{ "a text with a NUL", { { .op = LTT_FILTER_IS, .which = 1, .to = 3 } }, 1, "a\0c", 3, false },
		{ "a glob", { { .op = LTT_FILTER_LIKE, .which = 1, .to = 5 } }, 1, "[]a]*", 5, true },
		{ "a glob that does not end", { { .op = LTT_FILTER_LIKE, .which = 1, .to = 3 } }, 1, "[]a]", 4, false },
		{ "a jump to the end", { { .op = LTT_FILTER_JUMP_IF, .to = 1 } }, 1, "", 0, true },
		{ "a jump beyond the end", { { .op = LTT_FILTER_JUMP_IF, .to = 2 } }, 1, "", 0, false },
		{ "a jump to itself", { { .op = LTT_FILTER_JUMP_UNLESS, .to = 0 } }, 1, "", 0, false },
		{ "a jump back", { { .op = LTT_FILTER_NUMBER }, { .op = LTT_FILTER_JUMP_IF_EQUAL, .to = 0 } }, 2, "", 0, false },
		{ "a value pushed and popped", { { .op = LTT_FILTER_PUSH }, { .op = LTT_FILTER_ADD } }, 2, "", 0, true },
		{ "a value that nothing pushed", { { .op = LTT_FILTER_ADD } }, 1, "", 0, false },
		{ "a second value that nothing pushed", { { .op = LTT_FILTER_PUSH }, { .op = LTT_FILTER_ADD }, { .op = LTT_FILTER_OR } }, 3, "", 0, false },
		{ "two depths at an instruction", { { .op = LTT_FILTER_JUMP_IF, .to = 2 }, { .op = LTT_FILTER_PUSH }, { .op = LTT_FILTER_ADD } },
		  3, "", 0, false },
		{ "two depths at the end", { { .op = LTT_FILTER_JUMP_IF, .to = 2 }, { .op = LTT_FILTER_PUSH } }, 2, "", 0, false },
		{ "two depths of two jumps",
		  { { .op = LTT_FILTER_JUMP_IF, .to = 3 }, { .op = LTT_FILTER_PUSH }, { .op = LTT_FILTER_JUMP_IF, .to = 3 }, { .op = LTT_FILTER_NUMBER } },
		  4, "", 0, false },
		{ "too many bytes of texts", { { .op = LTT_FILTER_NUMBER } }, 1, "", LTT_FILTER_TEXTS_MAX + 1, false },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (check(cases[i].insn, cases[i].nr, cases[i].text, cases[i].size) != (cases[i].is_right ? 0 : -EBADMSG))
			report("judged wrongly", cases[i].what);
}

static void limits_hold(void)
{
	struct ltt_filter_insn insns[LTT_FILTER_INSNS_MAX + 1] = { { .op = LTT_FILTER_NUMBER } };
	unsigned int i;

	for (i = 0; i <= LTT_FILTER_INSNS_MAX; i++)
		insns[i].op = LTT_FILTER_NUMBER;
	CU_ASSERT(!check(insns, LTT_FILTER_INSNS_MAX, "", 0));
	CU_ASSERT(check(insns, LTT_FILTER_INSNS_MAX + 1, "", 0) == -EBADMSG);
	CU_ASSERT(check(insns, UINT32_MAX, "", 0) == -EBADMSG);
	for (i = 0; i <= LTT_FILTER_STACK_MAX; i++)
		insns[i].op = LTT_FILTER_PUSH;
	CU_ASSERT(!check(insns, LTT_FILTER_STACK_MAX, "", 0));
	CU_ASSERT(check(insns, LTT_FILTER_STACK_MAX + 1, "", 0) == -EBADMSG);
}

/* Equal code has one filter, so that a change and its reversal, over and over, take no memory. */
static void equal_code_has_one_filter(void)
{
	struct ltt_filter_code code = { .nr = 1, .insn = { { .op = LTT_FILTER_NUMBER, .number = 1 } } };
	const struct ltt_filter *first, *other;
	int err;

	first = ltt_filter_get(&code, &marker, &err);
	code.insn[0].number = 2;
	other = ltt_filter_get(&code, &marker, &err);
	CU_ASSERT(first && other && first != other);
	CU_ASSERT(other == ltt_filter_get(&code, &marker, &err) && !err);
	code.insn[0].number = 1;
	CU_ASSERT(first == ltt_filter_get(&code, &marker, &err));
}

static void filters_take_limited_memory(void)
{
	struct ltt_filter_code code = { .nr = 1, .size = LTT_FILTER_TEXTS_MAX, .insn = { { .op = LTT_FILTER_NUMBER } } };
	int err = 0;

	while (code.insn[0].number < 100000 && ltt_filter_get(&code, &marker, &err))
		code.insn[0].number++;
	CU_ASSERT(err == -ENOSPC && code.insn[0].number > 1000);
	code.insn[0].number = 0;
	CU_ASSERT(ltt_filter_get(&code, &marker, &err) != NULL);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(evaluator_and_filter_agree),
		UNIT_TEST(wrong_code_is_rejected),
		UNIT_TEST(limits_hold),
		UNIT_TEST(equal_code_has_one_filter),
		UNIT_TEST(filters_take_limited_memory),
		{ NULL, NULL }
	};

	if (argc > 1)
		seed = strtoull(argv[1], NULL, 0);
	if (argc > 2)
		count = strtoul(argv[2], NULL, 0);
	return unit_main(argv[0], tests);
}
