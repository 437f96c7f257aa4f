// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The values of expressions on one event, in the evaluator and in the program of the emitter, and
 * the columns of errors.
 */
#include "interpret.h"

#include <bpf/btf.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../include/uapi/ltt/verdict.h"
#include "../unit/unit.h"

#define INTEGER(n, bytes, sign, ...) \
	{ .name = n, .kind = LTT_FIELD_INT, .size = bytes, .is_signed = sign, ##__VA_ARGS__ }

static const struct ltt_field fields[] = {
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

static const struct expression_scope scope = {
	fields, sizeof(fields) / sizeof(fields[0]), expression_contexts, EXPRESSION_CONTEXTS, true,
};

static const struct expression_value contexts[EXPRESSION_CONTEXTS] = {
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
static const char payload[] =
	"kworker/0:1\0AAAA" "\x2a\0\0\0" "\x78\0\0\0" "\xfb\xff\xff\xff\xff\xff\xff\xff" "\xff\xff\xff\xff\xff\xff\xff\xff"
	"\x14" "\xfd\xff" "\xfe\xff\xff\xff" "\0\0\0\0\0\0\xf0\x3f" "\1\0\2\0" "abcd" "/usr/bin/cat\0" "\7\0\0\0"
	"\3\0" "\1\1\1\1\2\2\2\2\3\3\3\3" "\0" "\1\2\3\4\5\6\7\x88";
#define PAYLOAD_SIZE (sizeof(payload) - 1)

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

static bool bind(const char *text, struct expression **expression, struct expression_bound **bound, struct expression_error *error)
{
	return !expression_parse(text, expression, error) && !expression_bind(*expression, &scope, bound, error);
}

static void report(const char *text, const char *what)
{
	printf("%s: %s\n", text, what);
	CU_FAIL("see above");
}

static void check_with(const char *text, const struct expression_value *values, bool holds)
{
	struct expression_program program;
	struct expression_bound *bound = NULL;
	struct expression *expression;
	struct expression_error error;
	const char *why;

	if (!bind(text, &expression, &bound, &error) || expression_emit(bound, &program, &error)) {
		report(text, error.text);
	} else {
		if (expression_holds_payload(bound, payload, PAYLOAD_SIZE, values) != holds)
			report(text, "wrong value of the evaluator");
		why = check_flow(&program);
		if (!why && interpret(&program, payload, PAYLOAD_SIZE, values, &why) != holds && !why)
			why = "wrong value of the program";
		if (why)
			report(text, why);
		expression_program_free(&program);
	}
	expression_bound_free(bound);
	expression_free(expression);
}

static void check_value(const char *text, bool holds)
{
	check_with(text, contexts, holds);
}

static void expressions_have_their_values(void)
{
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		check_value(values[i].text, values[i].holds);
}

/* ---- Filters with actions ---- */

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

static void check_verdict(const char *text, unsigned int verdict)
{
	struct expression_program program;
	struct expression_error error;
	const char *why;
	int64_t got;

	if (expression_compile(text, fields, scope.nr_fields, NULL, &program, &error)) {
		report(text, error.text);
		return;
	}
	why = check_flow(&program);
	got = why ? -1 : interpret(&program, payload, PAYLOAD_SIZE, contexts, &why);
	if (why || got != verdict)
		report(text, why ? why : "wrong verdict");
	expression_program_free(&program);
}

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
		status = expression_compile(filter_errors[i].text, fields, scope.nr_fields, NULL, &program, &error);
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

/* Return: the maps of the program of a filter, as bits. */
static unsigned int maps_of(const char *event, const char *text)
{
	const struct expression_maps maps = { event, number_of_map, NULL };
	struct expression_program program;
	struct expression_error error;
	unsigned int bits = 0;
	size_t i;

	if (expression_compile(text, fields, scope.nr_fields, &maps, &program, &error)) {
		report(text, error.text);
		return 0;
	}
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
	const struct expression_maps maps = { "b:b", number_of_map, NULL };
	struct expression_program program;
	struct expression_error error;
	unsigned int nr = 0;
	size_t i;

	if (expression_compile(text, fields, scope.nr_fields, &maps, &program, &error)) {
		report(text, error.text);
		return 0;
	}
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

/* ---- Without the kernel's types ---- */

static bool has_no_btf;

/* The linker has the library call these. */
struct btf *__real_btf__parse(const char *path, struct btf_ext **ext);
struct btf *__wrap_btf__parse(const char *path, struct btf_ext **ext);

struct btf *__wrap_btf__parse(const char *path, struct btf_ext **ext)
{
	if (!has_no_btf)
		return __real_btf__parse(path, ext);
	errno = ENOENT;
	return NULL;
}

static int compile_without_btf(const char *text, struct expression_error *error)
{
	struct expression_program program;
	int status = expression_compile(text, fields, scope.nr_fields, NULL, &program, error);

	expression_program_free(&program);
	return status;
}

static void check_without_btf(void)
{
	static const char *const texts[] = { "comm == \"make\"", "comm ~ \"m?k*\"", "comm in (\"cc1\", \"make\")",
					     "tail == \"\" && comm ~ \"*e\" && tail == \"\"" };
	struct expression_error error;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		check_value(texts[i], true);
	CU_ASSERT_EQUAL(compile_without_btf("prio < 100", &error), -EOPNOTSUPP);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "BTF"));
}

/* In a process of its own, as the types are read once; before any other test reads them. */
static void comm_needs_no_btf(void)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		has_no_btf = true;
		check_without_btf();
		fflush(stdout);
		_exit(CU_get_number_of_failures() != 0);
	}
	waitpid(pid, &status, 0);
	CU_ASSERT_EQUAL(status, 0);
}

/* ---- The names of a kernel ---- */

static const char *symbols_path;	/* NULL: those of this machine */
static const char *cgroup_root;
static const char *cgroup_type;

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);

FILE *__wrap_fopen(const char *path, const char *mode)
{
	return __real_fopen(symbols_path && !strcmp(path, "/proc/kallsyms") ? symbols_path : path, mode);
}

FILE *__real_setmntent(const char *path, const char *mode);
FILE *__wrap_setmntent(const char *path, const char *mode);

FILE *__wrap_setmntent(const char *path, const char *mode)
{
	static char text[200];

	if (!cgroup_root)
		return __real_setmntent(path, mode);
	snprintf(text, sizeof(text), "cgroup /else cgroup rw 0 0\ncgroup %s %s rw 0 0\n", cgroup_root, cgroup_type);
	return fmemopen(text, strlen(text), "r");
}

/* Return: the number of the cgroup. */
static uint64_t make_cgroup(const char *path)
{
	char name[300];
	struct stat st;

	snprintf(name, sizeof(name), "%s%s", cgroup_root, path);
	CU_ASSERT_EQUAL(mkdir(name, 0700), 0);
	CU_ASSERT_EQUAL(stat(name, &st), 0);
	return st.st_ino;
}

static void make_link(const char *path, const char *to)
{
	char name[300];

	snprintf(name, sizeof(name), "%s%s", cgroup_root, path);
	CU_ASSERT_EQUAL(symlink(to, name), 0);
}

static void remove_tree(const char *path)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -r %s", path);
	CU_ASSERT_EQUAL(system(command), 0);
}

static void check_in_cgroup(const char *text, uint64_t cgroup, bool holds)
{
	struct expression_value values[EXPRESSION_CONTEXTS];

	memcpy(values, contexts, sizeof(values));
	values[EXPRESSION_CGROUP].number = cgroup;
	check_with(text, values, holds);
}

static void check_error(const char *text, unsigned int column, int status, const char *word);

static void cgroups_have_paths(void)
{
	uint64_t root, a, b, c, many[EXPRESSION_CGROUPS_MAX + 1];
	char template[] = "/tmp/ltt-cgroups-XXXXXX";
	struct stat st;
	char path[40];
	size_t i;

	cgroup_root = mkdtemp(template);
	CU_ASSERT_EQUAL(stat(cgroup_root, &st), 0);
	root = st.st_ino;
	cgroup_type = "cgroup";
	check_error("cgroup == \"/\"", 11, -EINVAL, "cgroup2");
	cgroup_type = "cgroup2";
	a = make_cgroup("/a.slice");
	b = make_cgroup("/a.slice/b.service");
	c = make_cgroup("/c");
	check_in_cgroup("cgroup == \"/\"", root, true);
	check_in_cgroup("cgroup == \"/a.slice\"", a, true);
	check_in_cgroup("cgroup == \"/a.slice\"", b, false);
	check_in_cgroup("\"/a.slice/b.service\" == cgroup", b, true);
	check_in_cgroup("cgroup != \"/a.slice\"", a, false);
	check_in_cgroup("cgroup != \"/a.slice\" && pid == 1000", b, true);
	check_in_cgroup("!(cgroup ~ \"/a*\")", b, false);
	check_in_cgroup("cgroup ~ \"/a.slice/*\"", a, false);
	check_in_cgroup("cgroup ~ \"/a.slice/*\"", b, true);
	check_in_cgroup("cgroup ~ \"*\"", root, true);
	check_in_cgroup("cgroup ~ \"[/]?\"", c, true);
	check_in_cgroup("cgroup ~ \"*.service\"", b, true);
	check_in_cgroup("cgroup !~ \"*.service\"", b, false);
	check_in_cgroup("cgroup !~ \"*.service\"", c, true);
	check_in_cgroup("context.cgroup in (\"/c\", \"/a.slice\")", c, true);
	check_in_cgroup("cgroup in (\"/c\", \"/a.slice\")", b, false);
	check_in_cgroup("cgroup == 7 || cgroup == \"/c\"", 7, true);
	check_error("cgroup == \"/nowhere\"", 11, -EINVAL, "/nowhere");
	check_error("cgroup ~ \"/nowhere*\"", 10, -EINVAL, "matches");
	check_error("cgroup in (\"/c\", \"/d\")", 18, -EINVAL, "/d");
	check_error("cgroup in (\"/c\", 4)", 18, -EINVAL, "path");
	check_error("cgroup == \"c\"", 11, -EINVAL, "begins with /");
	check_error("cgroup ~ \"/[a\"", 10, -EINVAL, "glob");
	check_error("cgroup < \"/c\"", 8, -EINVAL, "order");
	check_error("pid == \"/c\"", 8, -EINVAL, "number");
	/* Other file systems have no cgroups. */
	make_link("/c/other", "/proc");
	check_error("cgroup == \"/c/other\"", 11, -EINVAL, "/c/other");
	check_error("cgroup ~ \"/c/other/*\"", 10, -EINVAL, "matches");
	check_error("cgroup == \"/../../proc\"", 11, -EINVAL, "/proc");
	for (i = 0; i <= EXPRESSION_CGROUPS_MAX; i++) {
		snprintf(path, sizeof(path), "/c/%03zu", i);
		many[i] = make_cgroup(path);
	}
	check_error("cgroup ~ \"/c/*\"", 10, -EINVAL, "256");
	for (i = 0; i <= 99; i++) {
		check_in_cgroup("cgroup ~ \"/c/0*\"", many[i], true);
		check_in_cgroup("cgroup !~ \"/c/0*\"", many[100 + i], true);
	}
	remove_tree(cgroup_root);
	cgroup_root = NULL;
}

static void check_stack(const char *text, bool holds)
{
	check_verdict(text, holds ? LTT_VERDICT_RECORD : 0);
}

/* Functions of the kernel and of a module, one of them in two parts, on the stack or not. */
static void functions_are_on_the_stack(void)
{
	char path[] = "/tmp/ltt-kallsyms-XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	int i;

	fprintf(file, "0000000000000010 A fixed\nffffffff81000000 T tcp_sendmsg\nffffffff81000000 T tcp_alias\nffffffff81000100 t other\n"
		"ffffffff81000200 t tcp_sendmsg.cold\nffffffff81000220 T tcp_sendmsg_locked\nffffffff81000300 D tcp_data\n"
		"ffffffffc0000200 t in_module\t[m]\nffffffffc0000280 t behind\t[m]\nffffffffc0000240 t between\t[m]\n");
	for (i = 0; i <= EXPRESSION_PLACES_MAX; i++)
		fprintf(file, "ffffffffc10%05x t often\t[m]\n", i * 16);
	fclose(file);
	symbols_path = path;
	memcpy(interpret_stack, (uint64_t[]){ 0xffffffffc0000230, 0xffffffff81000210, 0xffffffff81000050 }, sizeof(interpret_stack));
	check_stack("on_stack(\"tcp_sendmsg\")", true);
	check_stack("!on_stack(\"tcp_sendmsg\")", false);
	check_stack("on_stack(\"tcp_alias\")", true);
	check_stack("on_stack(\"other\")", false);
	check_stack("on_stack(\"other\", \"in_module\") && pid == 1000", true);
	check_stack("pid == 1 || !on_stack(\"other\")", true);
	check_stack("on_stack(\"between\")", false);
	check_stack("path ~ \"*cat\" && on_stack(\"in_module\") && path ~ \"/usr*\"", true);
	check_stack("(on_stack(\"in_module\") + on_stack(\"other\")) == 1", true);
	interpret_stack_fails = true;
	check_stack("on_stack(\"tcp_sendmsg\")", false);
	check_stack("!on_stack(\"tcp_sendmsg\")", true);
	interpret_stack_fails = false;
	/* A return address is behind the call. */
	memcpy(interpret_stack, (uint64_t[]){ 0xffffffff81000100, 0, 0xffffffff81000150 }, sizeof(interpret_stack));
	check_stack("on_stack(\"tcp_sendmsg\")", true);
	check_stack("on_stack(\"other\")", false);
	check_error("on_stack(\"nowhere\")", 10, -EINVAL, "nowhere");
	check_error("on_stack(\"tcp_data\")", 10, -EINVAL, "tcp_data");
	check_error("on_stack(\"other\", \"often\")", 19, -EINVAL, "places");
	check_error("on_stack(\"often\")", 10, -EINVAL, "16");
	check_error("on_stack(\"\")", 10, -EINVAL, "quotes");
	check_error("on_stack(1)", 10, -EINVAL, "quotes");
	check_error("on_stack()", 10, -EINVAL, "quotes");
	check_error("on_stack(\"other\" 1)", 18, -EINVAL, ")");
	check_error("on_stack == 1", 1, -ENOENT, "on_stack");
	symbols_path = NULL;
	remove_tree(path);
}

/* A recording and a program have no such names. */
static void other_kernels_have_no_names(void)
{
	struct expression_scope elsewhere = scope;
	struct expression_bound *bound;
	struct expression_error error;
	struct expression *expression;

	elsewhere.knows_kernel = false;
	CU_ASSERT_EQUAL(expression_parse("cgroup == \"/\"", &expression, &error), 0);
	CU_ASSERT_EQUAL(expression_bind(expression, &elsewhere, &bound, &error), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "number"));
	expression_free(expression);
	CU_ASSERT_EQUAL(expression_parse("on_stack(\"vfs_read\")", &expression, &error), 0);
	CU_ASSERT_EQUAL(expression_bind(expression, &elsewhere, &bound, &error), -EINVAL);
	elsewhere.knows_kernel = true;
	elsewhere.contexts = expression_program_contexts;
	elsewhere.nr_contexts = EXPRESSION_PROGRAM_CONTEXTS;
	CU_ASSERT_EQUAL(expression_bind(expression, &elsewhere, &bound, &error), -EINVAL);
	expression_free(expression);
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

static void check_error(const char *text, unsigned int column, int status, const char *word)
{
	struct expression_error error = { 0 };
	struct expression_program program;
	int got = expression_compile(text, fields, scope.nr_fields, NULL, &program, &error);

	if (got != status || error.column != column || !strstr(error.text, word) || program.insns) {
		printf("%s: %d at column %u: %s\n", text, got, error.column, error.text);
		CU_FAIL("see above");
	}
	expression_program_free(&program);
}

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
	got = expression_compile(text, fields, scope.nr_fields, NULL, &program, &error);
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
	const struct expression_scope first = { fields, 2, NULL, 0, false },
				      second = { fields + 2, 6, expression_contexts, 1, false };
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

	CU_ASSERT_TRUE(bind("end && tail == \"\"", &expression, &bound, &error));
	for (size = 0; size < PAYLOAD_SIZE; size++) {
		char *copy = malloc(size + !size);

		memcpy(copy, payload, size);
		CU_ASSERT_EQUAL(expression_holds_payload(bound, copy, size, contexts), -EINVAL);
		free(copy);
	}
	CU_ASSERT_EQUAL(expression_holds_payload(bound, payload, PAYLOAD_SIZE, contexts), 1);
	expression_bound_free(bound);
	expression_free(expression);
}

/* ---- Programs ---- */

/* The most instructions, and the bytes of the context: what an event costs. */
static const struct {
	const char *text;
	size_t most;
	unsigned int context_bytes;
} costs[] = {
	{ "prev_pid == 42", 7, 20 }, { "prev_pid == 42 && prev_prio < 100", 9, 24 }, { "prev_comm ~ \"kworker*\"", 12, 8 },
	{ "bytes > 4k", 7, 40 }, { "flags & 4", 8, 41 }, { "prev_pid in (1, 2, 3)", 11, 20 }, { "prev_comm == \"make\"", 12, 8 },
	{ "pid == 7", 11, 0 }, { "1", 2, 0 }, { "pid == 7 && (pid == 8 || tid == 9) && pid == 10", 22, 0 },
	{ "uid == 1", 40, 0 },
};

static void programs_are_short(void)
{
	struct expression_program program;
	struct expression_error error;
	size_t i;

	for (i = 0; i < sizeof(costs) / sizeof(costs[0]); i++) {
		CU_ASSERT_EQUAL(expression_compile(costs[i].text, fields, scope.nr_fields, NULL, &program, &error), 0);
		if (program.nr > costs[i].most || program.context_bytes != costs[i].context_bytes) {
			printf("%s: %zu instructions, %u bytes\n", costs[i].text, program.nr, program.context_bytes);
			CU_FAIL("see above");
		}
		expression_program_free(&program);
	}
}

static void check_counters(const char *text, const char *counters)
{
	struct expression_program program;
	struct expression_error error;

	CU_ASSERT_EQUAL(expression_compile(text, fields, scope.nr_fields, NULL, &program, &error), 0);
	CU_ASSERT_STRING_EQUAL(program.counters, counters);
	expression_program_free(&program);
}

static void programs_name_their_counters(void)
{
	check_counters("irq == off", "");
	check_counters("perf:cache-misses > 1 && (perf_cycles || perf_cache_misses)", "perf:cache-misses,perf:cycles");
	check_counters("perf:context-switches && perf:cache-references && perf:cpu-migrations && perf:instructions",
		       "perf:context-switches,perf:cache-references,perf:cpu-migrations,perf:instructions");
}

/* ---- Loading ---- */

/* From now on, bpf(2) fails in this process. */
static bool make_bpf_fail(int err)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_bpf, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof(insns) / sizeof(insns[0]), insns };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static void check_load(int err, int status, const char *word)
{
	struct expression_program program;
	struct expression_error error;
	int result;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (!make_bpf_fail(err) || expression_compile("flags", fields, scope.nr_fields, NULL, &program, &error))
			_exit(2);
		result = expression_load(&program, "name", &error);
		expression_program_free(&program);
		_exit(result != status || error.column || !strstr(error.text, word));
	}
	waitpid(pid, &result, 0);
	CU_ASSERT_EQUAL(result, 0);
}

/* Return: the status of the check of a program. */
static int check_tracer(const char *text, bool asks)
{
	struct expression_program program;
	struct expression_error error;
	int status = expression_compile(text, fields, scope.nr_fields, NULL, &program, &error);

	CU_ASSERT_EQUAL(status, 0);
	CU_ASSERT_EQUAL(program.asks, asks);
	status = expression_check_tracer(&program, &error);
	expression_program_free(&program);
	return status;
}

/* Programs ask for what tracers of earlier versions do not leave. */
static void a_program_that_asks_needs_the_tracer(void)
{
	bool is_loaded = !access("/sys/module/ltt_control/parameters/boot", F_OK);

	CU_ASSERT_EQUAL(check_tracer("prio < 3", false), 0);
	CU_ASSERT_EQUAL(check_tracer("preempt > 0", true), is_loaded ? 0 : -EOPNOTSUPP);
	CU_ASSERT_EQUAL(check_tracer("prio < 3 && irq == off", true), is_loaded ? 0 : -EOPNOTSUPP);
	CU_ASSERT_EQUAL(check_tracer("need_resched", true), is_loaded ? 0 : -EOPNOTSUPP);
}

static void loading_reports_the_reason(void)
{
	check_load(ENOSYS, -EOPNOTSUPP, "CONFIG_BPF_SYSCALL");
	check_load(EPERM, -EPERM, "CAP_BPF");
	check_load(EINVAL, -EINVAL, "verifier");
	check_load(EFAULT, -EFAULT, "verifier");
	check_load(EMFILE, -EMFILE, "open files");
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(comm_needs_no_btf),
		UNIT_TEST(a_program_that_asks_needs_the_tracer),
		UNIT_TEST(expressions_have_their_values),
		UNIT_TEST(filters_have_their_verdicts),
		UNIT_TEST(filters_have_their_errors),
		UNIT_TEST(events_share_their_maps),
		UNIT_TEST(a_note_is_taken_out_once_for_each_key),
		UNIT_TEST(cgroups_have_paths),
		UNIT_TEST(functions_are_on_the_stack),
		UNIT_TEST(other_kernels_have_no_names),
		UNIT_TEST(programs_name_their_counters),
		UNIT_TEST(errors_have_their_columns),
		UNIT_TEST(limits_are_errors),
		UNIT_TEST(strings_have_a_longest),
		UNIT_TEST(names_of_no_scope_are_found),
		UNIT_TEST(a_payload_that_is_cut_has_no_value),
		UNIT_TEST(programs_are_short),
		UNIT_TEST(loading_reports_the_reason),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
