// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/* The programs of the emitter: without the types of the kernel, their size, their needs, and loading. */
#include "event.h"

#include <bpf/btf.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/unit.h"

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
	int status = event_compile(text, NULL, &program, error);

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

/* ---- Size and counters ---- */

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
		CU_ASSERT_EQUAL(event_compile(costs[i].text, NULL, &program, &error), 0);
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

	CU_ASSERT_EQUAL(event_compile(text, NULL, &program, &error), 0);
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
		if (!make_bpf_fail(err) || event_compile("flags", NULL, &program, &error))
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
	int status = event_compile(text, NULL, &program, &error);

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
		UNIT_TEST(programs_are_short),
		UNIT_TEST(programs_name_their_counters),
		UNIT_TEST(loading_reports_the_reason),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
