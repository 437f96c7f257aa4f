// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Expressions, for libFuzzer.
 *
 * A case is a byte that an event is made of, one that its payloads are made of, and a text.  The text is
 * an expression, a filter with actions, or has an error.  An expression that suits the event has the same value in the evaluator
 * and in its program, and the program does nothing that the kernel's verifier rejects.
 */
#include "must.h"

#include <errno.h>

#include "../../include/uapi/ltt/verdict.h"
#include "../expression/interpret.h"
#include "../expression/random.h"

#define PAYLOADS 8

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
};

/* The column of an error is a character of the text, or the end of it. */
static void check_error(int status, const struct expression_error *error, const char *text)
{
	MUST(status == -EINVAL || status == -E2BIG || status == -ENOENT);
	MUST(error->column <= strlen(text) + 1 && *error->text);
}

/* An event for which the expression of a filter holds is recorded, whatever the actions are. */
static bool agrees(int64_t verdict, int holds, bool has_actions)
{
	return has_actions ? !holds || verdict & (LTT_VERDICT_RECORD | LTT_VERDICT_RECORD_BEGUN) : verdict == holds;
}

static void run(const struct expression_bound *bound, bool has_actions, const struct layout *layout, uint64_t *state)
{
	static char payload[PAYLOAD_MAX];
	struct expression_program program;
	struct expression_error error;
	const char *why;
	char *copy;
	size_t size;
	int i;

	if (expression_emit(bound, &program, &error)) {
		MUST(!program.insns && *error.text);
		return;
	}
	why = check_flow(&program);
	MUST(!why);
	for (i = 0; i < PAYLOADS; i++) {
		/* In a block of just its size. */
		size = draw_payload(state, layout, payload);
		copy = malloc(size + !size);
		MUST(copy);
		memcpy(copy, payload, size);
		MUST(agrees(interpret(&program, copy, size, contexts, &why),
			    expression_holds_payload(bound, copy, size, contexts), has_actions) && !why);
		free(copy);
	}
	expression_program_free(&program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rest rest = { data, size };
	uint64_t event = take_byte(&rest), payloads = take_byte(&rest);
	char *text = take_text(&rest, size);
	struct expression_bound *bound = NULL;
	struct expression *expression;
	struct expression_error error;
	struct layout layout;
	int status;

	draw_layout(&event, &layout);
	status = expression_parse(text, &expression, &error);
	if (status)
		status = expression_parse_filter(text, &expression, &error);
	MUST(!status == !!expression);
	if (!status)
		status = expression_bind(expression, &(struct expression_scope){
			layout.field, layout.nr, expression_contexts, EXPRESSION_CONTEXTS, false }, &bound, &error);
	MUST(!status == !!bound);
	if (status)
		check_error(status, &error, text);
	else
		run(bound, expression_has_actions(expression), &layout, &payloads);
	MUST(status || !expression_unknown(expression, &error));
	expression_bound_free(bound);
	expression_free(expression);
	free(text);
	return 0;
}
