// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#include "event.h"

#include <stdio.h>
#include <string.h>

#include "../unit/unit.h"
#include "interpret.h"

#define INTEGER(n, bytes, sign, ...) \
	{ .name = n, .kind = LTT_FIELD_INT, .size = bytes, .is_signed = sign, ##__VA_ARGS__ }

const struct ltt_field event_fields[] = {
	{ .name = "prev_comm", .kind = LTT_FIELD_TEXT, .size = 1, .count = 16 },
	INTEGER("prev_pid", 4, true),
	INTEGER("prev_prio", 4, true),
	INTEGER("delta", 8, true),
	INTEGER("bytes", 8, false),
	INTEGER("flags", 1, false),
	INTEGER("code", 2, true),
	INTEGER("state", 4, true, .labels = "idle=0, running=1, off-cpu=-2, uid=7}"),
	{ .name = "ratio", .kind = LTT_FIELD_FLOAT, .size = 8 },
	{ .name = "list", .kind = LTT_FIELD_ARRAY, .size = 2, .count = 2 },
	{ .name = "full", .kind = LTT_FIELD_TEXT, .size = 1, .count = 4 },
	{ .name = "path", .kind = LTT_FIELD_STRING, .size = 1 },
	INTEGER("uid", 4, false),
	{ .name = "data", .kind = LTT_FIELD_SEQUENCE, .size = 4 },
	{ .name = "tail", .kind = LTT_FIELD_STRING, .size = 1 },
	INTEGER("end", 8, false),
};

const struct expression_scope event_scope = {
	event_fields, sizeof(event_fields) / sizeof(event_fields[0]), expression_contexts, EXPRESSION_CONTEXTS, true,
};

const struct expression_value event_contexts[EXPRESSION_CONTEXTS] = {
	[EXPRESSION_PID] = { .number = 1000 },
	[EXPRESSION_TID] = { .number = 1001 },
	[EXPRESSION_COMM] = { .text = "make\0garbage...", .size = 16 },
	[EXPRESSION_CPU] = { .number = 3 },
	[EXPRESSION_CGROUP] = { .number = UINT64_C(0x100000001) },
	[EXPRESSION_PRIO] = { .number = -100 },
	[EXPRESSION_UID] = { .number = 0xfffffffe },
	[EXPRESSION_PPID] = { .number = 999 },
	[EXPRESSION_PID_NS] = { .number = 0xf0000002 },
	[EXPRESSION_NET_NS] = { .number = 0xf0000003 },
	[EXPRESSION_MNT_NS] = { .number = 0xf0000004 },
	[EXPRESSION_PREEMPT] = { .number = 2 },
	[EXPRESSION_IRQ] = { .number = 5 },
	[EXPRESSION_NEED_RESCHED] = { .number = 1 },
	[EXPRESSION_MIGRATE_DISABLE] = { .number = 4 },
	[EXPRESSION_COUNTERS] = { .number = 500 },
	[EXPRESSION_COUNTERS + 1] = { .number = 600 },
	[EXPRESSION_COUNTERS + 3] = { .number = UINT64_MAX },
	[EXPRESSION_COUNTERS + 14] = { .number = 7 },
};

/* The comm has something behind its NUL. */
const char event_payload[] =
	"kworker/0:1\0AAAA" "\x2a\0\0\0" "\x78\0\0\0" "\xfb\xff\xff\xff\xff\xff\xff\xff" "\xff\xff\xff\xff\xff\xff\xff\xff"
	"\x14" "\xfd\xff" "\xfe\xff\xff\xff" "\0\0\0\0\0\0\xf0\x3f" "\1\0\2\0" "abcd" "/usr/bin/cat\0" "\7\0\0\0"
	"\3\0" "\1\1\1\1\2\2\2\2\3\3\3\3" "\0" "\1\2\3\4\5\6\7\x88";
_Static_assert(sizeof(event_payload) - 1 == EVENT_PAYLOAD_SIZE, "event.h has its size");

int event_compile(const char *text, const struct expression_maps *maps, struct expression_program *program,
		  struct expression_error *error)
{
	return expression_compile(text, event_fields, event_scope.nr_fields, maps, program, error);
}

bool event_bind(const char *text, struct expression **expression, struct expression_bound **bound, struct expression_error *error)
{
	return !expression_parse(text, expression, error) && !expression_bind(*expression, &event_scope, bound, error);
}

void report(const char *text, const char *what)
{
	printf("%s: %s\n", text, what);
	CU_FAIL("see above");
}

void check_with(const char *text, const struct expression_value *values, bool holds)
{
	struct expression_program program;
	struct expression_bound *bound = NULL;
	struct expression *expression;
	struct expression_error error;
	const char *why;

	if (!event_bind(text, &expression, &bound, &error) || expression_emit(bound, &program, &error)) {
		report(text, error.text);
	} else {
		if (expression_holds_payload(bound, event_payload, EVENT_PAYLOAD_SIZE, values) != holds)
			report(text, "wrong value of the evaluator");
		why = check_flow(&program);
		if (!why && interpret(&program, event_payload, EVENT_PAYLOAD_SIZE, values, &why) != holds && !why)
			why = "wrong value of the program";
		if (why)
			report(text, why);
		expression_program_free(&program);
	}
	expression_bound_free(bound);
	expression_free(expression);
}

void check_value(const char *text, bool holds)
{
	check_with(text, event_contexts, holds);
}

void check_verdict(const char *text, unsigned int verdict)
{
	struct expression_program program;
	struct expression_error error;
	const char *why;
	int64_t got;

	if (event_compile(text, NULL, &program, &error)) {
		report(text, error.text);
		return;
	}
	why = check_flow(&program);
	got = why ? -1 : interpret(&program, event_payload, EVENT_PAYLOAD_SIZE, event_contexts, &why);
	if (why || got != verdict)
		report(text, why ? why : "wrong verdict");
	expression_program_free(&program);
}

void check_error(const char *text, unsigned int column, int status, const char *word)
{
	struct expression_error error = { 0 };
	struct expression_program program;
	int got = event_compile(text, NULL, &program, &error);

	if (got != status || error.column != column || !strstr(error.text, word) || program.insns) {
		printf("%s: %d at column %u: %s\n", text, got, error.column, error.text);
		CU_FAIL("see above");
	}
	expression_program_free(&program);
}
