// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/* The values of expressions on one event, and the columns of errors. */
#include "event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "interpret.h"

/* ---- Values ---- */

static const struct {
	const char *text;
	bool holds;
} values[] = {
	/* Integers of each place, size and sign. */
	{ "prev_pid == 42", true }, { "prev_pid != 42", false }, { "prev_pid == 43", false }, { "42 == prev_pid", true },
	{ "delta == -5", true }, { "delta < 0", true }, { "bytes == 0xffffffffffffffff", true }, { "flags == 20", true },
	{ "code == -3", true }, { "code == 65533", false }, { "uid == 7", true }, { "end == 0x8807060504030201", true },
	{ "end > 0x7fffffffffffffff", true }, { "flags", true }, { "!flags", false }, { "flags - 20", false },
	/* Signs, as in C with 64 bits: unsigned if one side is. */
	{ "prev_pid > -1", true }, { "-1 < prev_pid", true }, { "bytes > -1", false }, { "bytes == -1", true },
	{ "flags > -1", true }, { "uid - 8 < 0", true }, { "end - bytes > 0", true }, { "delta > 5", false },
	{ "delta + 0 * bytes > 5", true }, { "-bytes == 1", true }, { "-bytes < 0", false }, { "(bytes == 1) - 1 < 0", true },
	{ "9223372036854775808 > -1", false }, { "-9223372036854775808 < 0", false }, { "prev_prio >= 120", true },
	{ "prev_prio <= 119", false }, { "prev_prio > 120", false }, { "prev_prio < 121", true },
	/* Operators. */
	{ "flags & 4", true }, { "flags & 3", false }, { "(flags & 0x14) == 0x14", true }, { "(flags | 1) == 21", true },
	{ "(flags ^ 0xff) == 0xeb", true }, { "~flags == -21", true }, { "flags << 2 == 80", true }, { "delta >> 1 == -3", true },
	{ "bytes >> 63 == 1", true }, { "1 << 64 == 1", true }, { "1 << code == 0x2000000000000000", true },
	{ "prev_pid * 2 + 1 == 85", true }, { "1 + prev_pid * 2 == 85", true }, { "100 - prev_pid == 58", true },
	{ "prev_pid - 2 - 1 == 39", true }, { "prev_pid - (2 - 1) == 41", true }, { "100 / prev_pid == 2", true },
	{ "delta / 2 == -2", true }, { "delta % 3 == -2", true }, { "prev_pid / delta == -8", true }, { "prev_pid % delta == 2", true },
	{ "prev_pid / (flags - 20) == 0", true }, { "prev_pid % (flags - 20) == 42", true }, { "prev_pid / 0 == 0", true },
	{ "bytes / 2 == 0x7fffffffffffffff", true }, { "(-9223372036854775807 - 1) / (prev_pid - 43) < 0", true },
	{ "delta % -1 == 0", true }, { "(prev_pid + (flags + (delta + (code + 1)))) == 55", true },
	{ "(uid + end) - (end + uid) == 0", true }, { "uid * (uid + 1) == uid * uid + uid", true },
	/* Conditions. */
	{ "prev_pid == 42 && prev_prio < 100", false }, { "prev_pid == 42 && prev_prio < 130", true },
	{ "prev_pid == 1 || prev_prio == 120", true }, { "prev_pid == 1 || prev_prio == 1", false },
	{ "1 || prev_pid", true }, { "0 && prev_pid", false }, { "prev_pid && 1", true }, { "0 || prev_pid == 1", false },
	{ "prev_pid == 1 && flags || code", true }, { "prev_pid == 1 && (flags || code)", false },
	{ "!(prev_pid == 1)", true }, { "(!!flags) == 1", true }, { "(prev_pid == 42) + (flags == 20) == 2", true },
	{ "1", true }, { "0", false }, { "2 - 2", false },
	/* Lists. */
	{ "prev_pid in (1, 42)", true }, { "prev_pid in (1, 2)", false }, { "!(prev_pid in (1, 2))", true },
	{ "prev_pid + 1 in (43)", true }, { "bytes in (-1)", true }, { "end in (0x8807060504030201, 1)", true },
	{ "prev_comm in (\"a\", \"kworker/0:1\")", true }, { "path in (\"/usr\", \"cat\")", false }, { "3 in (1, 3)", true },
	/* Numbers. */
	{ "4k == 4096", true }, { "10ms == 10000000", true }, { "2M == 2097152", true }, { "1G == 1073741824", true },
	{ "3us == 3000", true }, { "1s == 1000000000", true }, { "5ns == 5", true }, { "010 == 8", true }, { "0xFF == 255", true },
	{ "'a' == 97", true }, { "'\\n' == 10", true }, { "'\\0' == 0", true }, { "'\\x41' == 'A'", true }, { "'\\'' == 39", true },
	/* Names of values. */
	{ "state == \"off-cpu\"", true }, { "state != running", true }, { "idle > state", true }, { "state in (idle, \"off-cpu\")", true },
	{ "state == uid", false }, { "context.uid == 0xfffffffe", true }, { "(state) == (running)", false },
	/* Strings: in place, behind others, and as long as their field. */
	{ "prev_comm == \"kworker/0:1\"", true }, { "prev_comm == \"kworker/0:\"", false }, { "prev_comm != \"kworker/0:12\"", true },
	{ "\"kworker/0:1\" == prev_comm", true }, { "prev_comm ~ \"kworker*\"", true }, { "prev_comm ~ \"*:1\"", true },
	{ "prev_comm !~ \"kworker*\"", false }, { "prev_comm ~ \"kworker/0:1\"", true }, { "prev_comm ~ \"kworker/?:1\"", true },
	{ "prev_comm ~ \"kworker/[0-9]:*\"", true }, { "prev_comm ~ \"kworker/[!0-9]:*\"", false }, { "prev_comm ~ \"kworker/[^1]*\"", true },
	{ "prev_comm ~ \"*o*k*/*\"", true }, { "prev_comm ~ \"*AAAA\"", false }, { "prev_comm ~ \"k*r*:?\"", true }, { "prev_comm ~ \"*\"", true },
	{ "prev_comm ~ \"*r/0*\"", true }, { "prev_comm ~ \"*r/1*\"", false }, { "prev_comm ~ \"k*:1\"", true }, { "prev_comm ~ \"k*:\"", false },
	{ "prev_comm ~ \"kworker*kworker*\"", false }, { "prev_comm ~ \"*worker/0*\"", true }, { "prev_comm ~ \"*kworker/0:*\"", true },
	{ "prev_comm ~ \"\"", false }, { "prev_comm == \"\"", false }, { "prev_comm == \"a longer name than 16\"", false },
	{ "full == \"abcd\"", true }, { "full == \"abc\"", false }, { "full ~ \"abcd*\"", true }, { "full ~ \"abcd?\"", false },
	{ "full ~ \"*d\"", true }, { "path == \"/usr/bin/cat\"", true }, { "path == \"/usr/bin/ca\"", false }, { "path == \"/usr/bin/cats\"", false },
	{ "path ~ \"/usr/*\"", true }, { "path ~ \"*/cat\"", true }, { "path ~ \"/usr/bin/cat*\"", true }, { "path ~ \"/etc/*\"", false },
	{ "tail == \"\"", true }, { "tail != \"\"", false }, { "tail ~ \"?*\"", false }, { "tail == \"x\"", false },
	{ "path == \"/usr/bin/cat\" && tail == \"\" && path ~ \"/u*\"", true }, { "path ~ \"*[]c]at\"", true }, { "path ~ \"*[a-c]?t\"", true },
	/* Contexts; a field of the same name comes first. */
	{ "pid == 1000", true }, { "tid == 1001", true }, { "comm == \"make\"", true }, { "comm ~ \"m?k[e]\"", true }, { "cpu == 3", true },
	{ "cgroup == 0x100000001", true }, { "prio == -100", true }, { "prio < 0", true }, { "context.pid == pid", true },
	{ "context.uid > 0", true }, { "tid == pid + 1 && pid == tid - 1", true }, { "comm in (\"cc1\", \"make\")", true },
	{ "ppid == 999", true }, { "ppid == pid - 1", true }, { "pid_ns == 0xf0000002", true }, { "pid_ns == -268435454", false },
	{ "net_ns == 0xf0000003", true }, { "mnt_ns == net_ns + 1", true }, { "preempt == 2", true }, { "preempt > 2", false },
	{ "need_resched", true }, { "migrate_disable == 4", true }, { "migrate_disable < 4 || !need_resched", false },
	/* A context with labels, on either side of a comparison. */
	{ "irq == 5", true }, { "irq == hardirq_off", true }, { "hardirq_off == irq", true }, { "irq != \"off\"", true },
	{ "irq in (on, off, softirq)", false }, { "irq >= hardirq", true }, { "irq & 1", true }, { "irq == preempt + 3", true },
	{ "irq < preempt", false }, { "context.irq == nmi_off", false }, { "state != irq", true },
	/* Counters, by either name. */
	{ "perf_cycles == 500", true }, { "perf:cycles == 500", true }, { "perf:cycles > 500", false }, { "context.perf:cycles < 501", true },
	{ "perf:cycles < perf:instructions && perf:instructions - perf:cycles == 100", true }, { "perf:cache-misses > 1", true },
	{ "perf:cycles-1 == 499", true }, { "perf:cpu-migrations == 7 && perf:cache-misses == -1 && irq == 5 && perf:cycles == 500", true },
	{ "perf:bus-cycles || perf:cycles == perf:cycles + 1", false },
};

static void expressions_have_their_values(void)
{
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		check_value(values[i].text, values[i].holds);
}

/* ---- Errors ---- */

static const struct {
	const char *text;
	unsigned int column;
	int status;
	const char *word;	/* in the sentence */
} errors[] = {
	/* The text. */
	{ "", 1, -EINVAL, "complete" }, { "prev_pid ==", 12, -EINVAL, "complete" }, { "prev_pid == == 1", 13, -EINVAL, "" },
	{ "prev_pid 1", 10, -EINVAL, "operator" }, { "(prev_pid", 10, -EINVAL, ")" }, { "prev_pid)", 9, -EINVAL, "operator" },
	{ "prev_pid @ 1", 10, -EINVAL, "" }, { "prev_pid in 1", 13, -EINVAL, "list" }, { "prev_pid in (1 2)", 16, -EINVAL, ")" },
	{ "prev_pid in ()", 14, -EINVAL, "" }, { "1 < prev_pid < 3", 14, -EINVAL, "&&" }, { "flags & 4 == 4", 11, -EINVAL, "(a & b)" },
	{ "prev_pid == 1 & 3", 10, -EINVAL, "(a & b)" }, { "!prev_pid == 1", 1, -EINVAL, "!(a == b)" }, { "!flags & 1", 1, -EINVAL, "!" },
	{ "context.", 9, -EINVAL, "context" }, { "prev_comm == \"x", 14, -EINVAL, "end" }, { "prev_comm == \"\\q\"", 15, -EINVAL, "escape" },
	{ "prev_comm == \"a\\0\"", 14, -EINVAL, "NUL" }, { "flags == ''", 10, -EINVAL, "character" }, { "flags == 'ab'", 10, -EINVAL, "character" },
	/* Numbers. */
	{ "flags == 18446744073709551616", 10, -EINVAL, "64 bits" }, { "flags == 99999999999G", 10, -EINVAL, "64 bits" },
	{ "flags == 4m", 11, -EINVAL, "ms" }, { "flags == 1.5", 11, -EINVAL, "malformed" }, { "flags == 0x", 12, -EINVAL, "malformed" },
	{ "flags == 09", 11, -EINVAL, "malformed" },
	/* Names. */
	{ "nowhere == 1", 1, -ENOENT, "prev_comm" }, { "flags == 1 && nowhere == 1", 15, -ENOENT, "cgroup" },
	{ "context.prev_pid == 1", 1, -ENOENT, "comm" }, { "context.nowhere == 1", 1, -ENOENT, "uid" },
	{ "state == sleeping", 10, -ENOENT, "off-cpu" }, { "state == \"sleeping\"", 10, -EINVAL, "running" }, { "state in (idle, x)", 17, -ENOENT, "idle" },
	{ "running", 1, -ENOENT, "running" }, { "flags == running", 10, -ENOENT, "running" },
	{ "irq == hard", 8, -ENOENT, "softirq_off" }, { "irq == \"hard\"", 8, -EINVAL, "nmi" }, { "off == preempt", 1, -ENOENT, "off" },
	{ "kernel_stack == 1", 1, -ENOENT, "migrate_disable" },
	/* Types. */
	{ "prev_comm == 1", 14, -EINVAL, "string" }, { "prev_pid == \"x\"", 13, -EINVAL, "number" }, { "prev_comm", 1, -EINVAL, "string" },
	{ "prev_comm < \"x\"", 11, -EINVAL, "order" }, { "prev_comm == path", 14, -EINVAL, "quotes" }, { "\"a\" == \"a\"", 8, -EINVAL, "field" },
	{ "prev_comm + 1", 1, -EINVAL, "string" }, { "!prev_comm", 2, -EINVAL, "string" }, { "flags && prev_comm", 10, -EINVAL, "string" },
	{ "\"x\"", 1, -EINVAL, "string" }, { "prev_pid ~ \"x\"", 1, -EINVAL, "~" }, { "state ~ \"idle\"", 1, -EINVAL, "~" }, { "prev_comm ~ path", 13, -EINVAL, "glob" },
	{ "prev_comm ~ 1", 13, -EINVAL, "glob" }, { "\"x\" ~ \"x\"", 1, -EINVAL, "field" }, { "prev_comm ~ \"[a\"", 13, -EINVAL, "glob" },
	{ "prev_comm ~ \"[b-a]\"", 13, -EINVAL, "glob" }, { "prev_comm in (\"a\", 1)", 20, -EINVAL, "quotes" }, { "prev_pid in (1, \"a\")", 17, -EINVAL, "number" },
	{ "perf:nothing", 1, -ENOENT, "perf_cycles" }, { "perf: == 1", 1, -ENOENT, "perf_" },
	{ "perf:cycles + perf:instructions + perf:branches + perf:page-faults + perf:bus-cycles", 0, -E2BIG, "counters" },
	{ "prev_pid in (1, flags)", 17, -EINVAL, "constant" }, { "\"a\" in (\"a\")", 1, -EINVAL, "field" },
	{ "ratio > 1", 1, -EINVAL, "floating" }, { "list == 1", 1, -EINVAL, "array" }, { "data == 1", 1, -EINVAL, "array" },
};

static void errors_have_their_columns(void)
{
	size_t i;

	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		check_error(errors[i].text, errors[i].column, errors[i].status, errors[i].word);
}

/* @times times @part, @middle, @times times @end */
static void check_limit(const char *part, const char *middle, const char *end, unsigned int times, int status)
{
	struct expression_program program;
	struct expression_error error;
	char *text = calloc(1, 20000);
	unsigned int i;
	int got;

	for (i = 0; i < times; i++)
		strcat(text, part);
	strcat(text, middle);
	for (i = 0; i < times; i++)
		strcat(text, end);
	got = event_compile(text, NULL, &program, &error);
	if (got != status) {
		printf("%u times %s: %d: %s\n", times, part, got, got ? error.text : "");
		CU_FAIL("see above");
	}
	if (!got)
		CU_ASSERT_PTR_NULL(check_flow(&program));
	expression_program_free(&program);
	free(text);
}

static void limits_are_errors(void)
{
	check_limit("(", "flags", ")", EXPRESSION_DEPTH_MAX - 1, 0);
	check_limit("(", "flags", ")", EXPRESSION_DEPTH_MAX, -E2BIG);
	check_limit("!", "flags", "", EXPRESSION_DEPTH_MAX, -E2BIG);
	check_limit("-", "flags", "", EXPRESSION_DEPTH_MAX - 1, 0);
	check_limit("flags +", "flags", "", 580, 0);
	check_limit("flags +", "flags", "", 700, -E2BIG);
	check_limit("code||", "code", "", 580, 0);
	check_limit("code*uid+", "code", "", 300, -E2BIG);
	check_limit("flags == 1 || ", "prev_comm ~ \"*a?b*\"", "", 100, 0);
	check_limit("prev_comm ~ \"*a[bc]*\" || ", "flags", "", 150, -E2BIG);
}

static void strings_have_a_longest(void)
{
	char text[600], longest[256] = "";

	memset(longest, 'x', EXPRESSION_STRING_MAX);
	snprintf(text, sizeof(text), "path == \"%s\"", longest);
	check_error(text, 9, -E2BIG, "254");
	longest[EXPRESSION_STRING_MAX - 1] = '\0';
	snprintf(text, sizeof(text), "path != \"%s\"", longest);
	check_value(text, true);
	longest[64] = '\0';
	snprintf(text, sizeof(text), "path ~ \"?%s\"", longest);
	check_error(text, 8, -EINVAL, "glob");
	snprintf(text, sizeof(text), "path !~ \"%s?\"", longest);
	check_value(text, true);
}

/* ---- Scopes ---- */

static void names_of_no_scope_are_found(void)
{
	const struct expression_scope first = { event_fields, 2, NULL, 0, false },
				      second = { event_fields + 2, 6, expression_contexts, 1, false };
	struct expression_bound *bound;
	struct expression_error error;
	struct expression *expression;

	CU_ASSERT_EQUAL(expression_parse("prev_pid == 1 || state == idle || pid == 1 || nowhere", &expression, &error), 0);
	CU_ASSERT_EQUAL(expression_bind(expression, &first, &bound, &error), -ENOENT);
	CU_ASSERT_PTR_NULL(bound);
	CU_ASSERT_TRUE(expression_unknown(expression, &error));
	CU_ASSERT_EQUAL(error.column, 18);
	CU_ASSERT_EQUAL(expression_bind(expression, &second, &bound, &error), -ENOENT);
	CU_ASSERT_EQUAL(error.column, 1);
	CU_ASSERT_TRUE(expression_unknown(expression, &error));
	CU_ASSERT_EQUAL(error.column, 47);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "nowhere"));
	expression_free(expression);
}

static void a_payload_that_is_cut_has_no_value(void)
{
	struct expression_bound *bound = NULL;
	struct expression *expression;
	struct expression_error error;
	size_t size;

	CU_ASSERT_TRUE(event_bind("end && tail == \"\"", &expression, &bound, &error));
	for (size = 0; size < EVENT_PAYLOAD_SIZE; size++) {
		char *copy = malloc(size + !size);

		memcpy(copy, event_payload, size);
		CU_ASSERT_EQUAL(expression_holds_payload(bound, copy, size, event_contexts), -EINVAL);
		free(copy);
	}
	CU_ASSERT_EQUAL(expression_holds_payload(bound, event_payload, EVENT_PAYLOAD_SIZE, event_contexts), 1);
	expression_bound_free(bound);
	expression_free(expression);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(expressions_have_their_values),
		UNIT_TEST(errors_have_their_columns),
		UNIT_TEST(limits_are_errors),
		UNIT_TEST(strings_have_a_longest),
		UNIT_TEST(names_of_no_scope_are_found),
		UNIT_TEST(a_payload_that_is_cut_has_no_value),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
