// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/* Filters with actions: their verdicts, errors and maps. */
#include "event.h"

#include <errno.h>
#include <linux/filter.h>
#include <stdio.h>
#include <string.h>

#include "../../include/uapi/ltt/verdict.h"
#include "../unit/unit.h"
#include "interpret.h"

#define REPORT(slot) (LTT_VERDICT_RECORD | LTT_VERDICT_REPORT(slot))
#define STOP (LTT_VERDICT_RECORD | LTT_VERDICT_STOP)
#define BEGIN LTT_VERDICT_BEGIN

static const struct {
	const char *text;
	unsigned int verdict;
} verdicts[] = {
	{ "1; stop", STOP }, { "0; stop", STOP }, { "0; stop 0", 0 }, { "1 ; stop pid == 1", LTT_VERDICT_RECORD },
	{ "prev_pid == 1;stop prev_pid != 1", STOP }, { "prev_pid == 1; stop prev_pid == 1", 0 },
	{ "0; report 0; report 7 pid == 1000; report 3 pid == 1", REPORT(0) | REPORT(7) }, { "1; begin", LTT_VERDICT_RECORD_BEGUN | BEGIN },
	{ "1; begin pid == 1", LTT_VERDICT_RECORD_BEGUN }, { "0; begin pid == 1; report 1", REPORT(1) },
	{ "1; begin; stop", LTT_VERDICT_RECORD_BEGUN | BEGIN | STOP },
	{ "path ~ \"*cat\"; stop tail == \"\" && path ~ \"/usr*\"; report 2 path ~ \"*x\" || uid == uid", STOP | REPORT(2) },
	{ "uid + tid == uid + 1001; report 4 uid - tid == uid - 1001; report 5 uid == uid + 1", REPORT(4) },
};

static void filters_have_their_verdicts(void)
{
	size_t i;

	for (i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++)
		check_verdict(verdicts[i].text, verdicts[i].verdict);
}

static const struct {
	const char *text;
	unsigned int column;
	int status;
	const char *word;
} filter_errors[] = {
	{ "1;", 3, -EINVAL, "action" }, { "; stop", 1, -EINVAL, "name" }, { "1; halt", 4, -EINVAL, "stop" }, { "1; report", 10, -EINVAL, "slot" },
	{ "1; report 8", 11, -EINVAL, "slot" }, { "1; report pid", 11, -EINVAL, "slot" }, { "1; stop stop stop", 14, -EINVAL, "operator" },
	{ "1; stop nowhere == 1", 9, -ENOENT, "nowhere" }, { "1; stop prev_comm", 9, -EINVAL, "string" }, { "1 stop", 3, -EINVAL, "operator" },
	{ "since(a, 0) > 1", 7, -EINVAL, "GROUP:NAME" }, { "since(a:b)", 10, -EINVAL, "comma" }, { "since(a:b, )", 12, -EINVAL, "name" },
	{ "since(a:b, 0", 13, -EINVAL, ")" }, { "since(a:b, pid = path) > 1", 18, -EINVAL, "string" }, { "since(a:b, nowhere)", 12, -ENOENT, "nowhere" },
	{ "between(a:b, 0)", 14, -EINVAL, "GROUP:NAME" }, { "between(a:b, c:d)", 17, -EINVAL, "comma" }, { "since == 1", 1, -ENOENT, "since" },
	{ "since(a:b, 0) > 1", 1, -EOPNOTSUPP, "trace" }, { "1; note pid", 12, -EINVAL, "note KEY for" }, { "1; note for a:b", 13, -EINVAL, "note KEY for" },
	{ "1; forget pid for a:b", 15, -EINVAL, "forget KEY from" }, { "1; note pid for a:b", 4, -EOPNOTSUPP, "trace" },
};

static void filters_have_their_errors(void)
{
	struct expression_program program;
	struct expression_error error;
	struct expression *expression;
	size_t i;
	int status;

	for (i = 0; i < sizeof(filter_errors) / sizeof(filter_errors[0]); i++) {
		status = event_compile(filter_errors[i].text, NULL, &program, &error);
		if (status != filter_errors[i].status || error.column != filter_errors[i].column ||
		    !strstr(error.text, filter_errors[i].word)) {
			printf("%d, column %u, %s\n", status, error.column, status ? error.text : "");
			report(filter_errors[i].text, "another error");
		}
	}
	CU_ASSERT_EQUAL(expression_parse("1; stop", &expression, &error), -EINVAL);
	CU_ASSERT_EQUAL(expression_parse("since(a:b, 0)", &expression, &error), -EINVAL);
}

/* A map for each name, in the order in which they are asked for. */
static char map_names[8][16];

static int number_of_map(const char *name, void *data, struct expression_error *error)
{
	int i;

	(void)data;
	(void)error;
	for (i = 0; map_names[i][0] && strcmp(map_names[i], name); )
		i++;
	strcpy(map_names[i], name);
	return i;
}

/* Return: false, and the test fails, if the filter of the event does not compile. */
static bool compile_with_maps(const char *event, const char *text, struct expression_program *program)
{
	const struct expression_maps maps = { event, number_of_map, NULL };
	struct expression_error error;
	int status = event_compile(text, &maps, program, &error);

	if (status)
		report(text, error.text);
	return !status;
}

/* Return: the maps of the program of a filter, as bits. */
static unsigned int maps_of(const char *event, const char *text)
{
	struct expression_program program;
	unsigned int bits = 0;
	size_t i;

	if (!compile_with_maps(event, text, &program))
		return 0;
	if (check_flow(&program))
		report(text, check_flow(&program));
	for (i = 0; i < program.nr; i++)
		if (program.insns[i].code == (BPF_LD | BPF_DW | BPF_IMM) && program.insns[i].src_reg == BPF_PSEUDO_MAP_FD)
			bits |= 1U << program.insns[i].imm;
	expression_program_free(&program);
	return bits;
}

static void events_share_their_maps(void)
{
	unsigned int since = maps_of("b:b", "since(a:a, pid = tid) > 1"), between;

	CU_ASSERT_EQUAL(since, 1);
	CU_ASSERT_EQUAL(maps_of("a:a", "1; note pid for b:b"), since);
	CU_ASSERT_EQUAL(maps_of("a:a", "1; note pid for c:c") & since, 0);
	CU_ASSERT_EQUAL(maps_of("a:a", "1; note tid for b:b") & since, 0);
	CU_ASSERT_EQUAL(maps_of("c:c", "since(a:a, pid) > 1") & since, 0);
	CU_ASSERT_EQUAL(maps_of("b:b", "since(a:a, pid = 1) > 1 && since(a:a, pid = 1) < 5"), since);
	between = maps_of("x:x", "between(a:a, b:b, pid)");
	CU_ASSERT_EQUAL(between & since, 0);
	CU_ASSERT_EQUAL(maps_of("y:y", "prev_pid && between(a:a, b:b, pid)"), between);
	CU_ASSERT_EQUAL(maps_of("a:a", "0; note pid until b:b"), between);
	CU_ASSERT_EQUAL(maps_of("b:b", "0; forget pid from a:a"), between);
	CU_ASSERT_EQUAL(maps_of("b:b", "0 && between(a:a, b:b, pid = path == \"x\" || tid == 1)"), between);
}

/* Return: how often the program of a filter takes a note out. */
static unsigned int takes(const char *text)
{
	struct expression_program program;
	unsigned int nr = 0;
	size_t i;

	if (!compile_with_maps("b:b", text, &program))
		return 0;
	for (i = 0; i < program.nr; i++)
		nr += program.insns[i].code == (BPF_JMP | BPF_CALL) && program.insns[i].imm == BPF_FUNC_map_delete_elem;
	expression_program_free(&program);
	return nr;
}

static void a_note_is_taken_out_once_for_each_key(void)
{
	CU_ASSERT_EQUAL(takes("since(a:a, pid) > 1 && since(a:a, pid) < 5"), 1);
	CU_ASSERT_EQUAL(takes("since(a:a, pid = uid * 2) > 1 && since(a:a, pid = uid * 2) < 5"), 1);
	CU_ASSERT_EQUAL(takes("since(a:a, pid = path ~ \"*x\") > 1 && since(a:a, pid = path ~ \"*x\") < 5"), 1);
	CU_ASSERT_EQUAL(takes("since(a:a, pid) > 1 && since(a:a, pid = tid) < 5"), 2);
	CU_ASSERT_EQUAL(takes("since(a:a, pid = uid * 2) > 1 && since(a:a, pid = uid * 3) < 5"), 2);
	CU_ASSERT_EQUAL(takes("since(a:a, pid = uid * 2) > 1 && since(a:a, pid = uid + 2) < 5"), 2);
	CU_ASSERT_EQUAL(takes("since(a:a, pid = uid) > 1 && since(a:a, pid = context.uid) < 5"), 2);
	CU_ASSERT_EQUAL(takes("since(a:a, pid = path ~ \"*x\") > 1 && since(a:a, pid = path ~ \"*y\") < 5"), 2);
	CU_ASSERT_EQUAL(takes("since(a:a, pid = uid in (1, 2)) > 1 && since(a:a, pid = uid in (1, 3)) < 5"), 2);
	CU_ASSERT_EQUAL(takes("since(a:a, pid = uid in (1, 2)) > 1 && since(a:a, pid = uid in (1, 2, 3)) < 5"), 2);
	CU_ASSERT_EQUAL(takes("since(a:a, pid = path == \"x\") > 1 && since(a:a, pid = path != \"x\") < 5"), 2);
	CU_ASSERT_EQUAL(takes("since(a:a, pid = since(c:c, uid)) > 1 && since(a:a, pid = since(c:c, uid)) < 5"), 2);
	CU_ASSERT_EQUAL(takes("since(a:a, pid = since(c:c, uid)) > 1 && since(a:a, pid = since(c:c, uid = 1)) < 5"), 4);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(filters_have_their_verdicts),
		UNIT_TEST(filters_have_their_errors),
		UNIT_TEST(events_share_their_maps),
		UNIT_TEST(a_note_is_taken_out_once_for_each_key),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
