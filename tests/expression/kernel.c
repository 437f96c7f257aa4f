// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Random expressions on random events: the evaluator and the program, which the kernel verifies and
 * runs, have the same result.
 *
 *   expression-kernel SEED COUNT CGROUP
 *   expression-kernel load EXPRESSION
 *
 * CGROUP is the number of the cgroup that it runs in.  A test run has nothing that only the tracer has for an
 * event, and a context of at most 96 bytes.
 * So payloads of other layouts are the value of a map, and the program is changed to begin with its
 * address.
 *
 * The second form loads the program of an expression on an integer "number" and a string "text".  It
 * prints the sentence of an error, and exits with its number.
 */
#include "random.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAYLOADS	6
#define CONTEXT_SIZE	96
#define FAULTS_MAX	20

static struct expression_value contexts[EXPRESSION_CONTEXTS];
static char comm[16] = "aab*b";
static unsigned long held, runs, too_complex, too_long;
static unsigned int faults;

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(__NR_bpf, command, attr, sizeof(*attr));
}

static void complain(const char *what, const char *text)
{
	printf("# %s: %.900s\n", what, text);
	if (++faults < FAULTS_MAX)
		return;
	printf("not ok evaluator and kernel agree\n");
	exit(1);
}

static void give_up(const char *what)
{
	printf("not ok %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Return: the memory of the map's only value. */
static char *make_map(int *fd)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = PAYLOAD_MAX, .max_entries = 1,
		.map_flags = BPF_F_MMAPABLE,
	};
	char *memory;

	*fd = bpf(BPF_MAP_CREATE, &attr);
	if (*fd < 0)
		give_up("make a map");
	memory = mmap(NULL, PAYLOAD_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (memory == MAP_FAILED)
		give_up("map the map");
	return memory;
}

/* Return: the number of a namespace of this process. */
static uint64_t namespace_of(const char *name)
{
	char path[32];
	struct stat stat_of;

	snprintf(path, sizeof(path), "/proc/self/ns/%s", name);
	if (stat(path, &stat_of))
		give_up(path);
	return stat_of.st_ino;
}

static void set_contexts(uint64_t cgroup)
{
	cpu_set_t cpus;
	int cpu = sched_getcpu();

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || prctl(PR_SET_NAME, comm))
		give_up("set the CPU and the name");
	contexts[EXPRESSION_PID].number = getpid();
	contexts[EXPRESSION_TID].number = gettid();
	contexts[EXPRESSION_COMM] = (struct expression_value){ .text = comm, .size = sizeof(comm) };
	contexts[EXPRESSION_CPU].number = cpu;
	contexts[EXPRESSION_CGROUP].number = cgroup;
	contexts[EXPRESSION_PRIO].number = 120 + getpriority(PRIO_PROCESS, 0);
	contexts[EXPRESSION_UID].number = getuid();
	contexts[EXPRESSION_PPID].number = getppid();
	contexts[EXPRESSION_PID_NS].number = namespace_of("pid");
	contexts[EXPRESSION_NET_NS].number = namespace_of("net");
	contexts[EXPRESSION_MNT_NS].number = namespace_of("mnt");
}

static int run(int fd, const char *context)
{
	union bpf_attr attr = { .test = {
		.prog_fd = fd, .ctx_in = (uintptr_t)context, .ctx_size_in = CONTEXT_SIZE,
	} };

	if (bpf(BPF_PROG_TEST_RUN, &attr))
		give_up("run a program");
	runs++;
	return attr.test.retval;
}

/* Return: a descriptor of the program; -1 if the kernel rejects it. */
static int load(const struct expression_program *program, const char *text)
{
	struct expression_error error;
	int fd = expression_load(program, "test", &error);

	if (fd >= 0)
		return fd;
	if (fd == -E2BIG)	/* the verifier's limit of what it follows, which is not ours */
		too_complex++;
	else
		complain(error.text, text);
	return -1;
}

/* The same program for a payload in the map: instead of "R6 = R1", "R6 = address of the value". */
static int load_for_map(const struct expression_program *program, int map, const char *text)
{
	struct expression_program changed = { .nr = program->nr + 1 };
	int fd;

	changed.insns = calloc(changed.nr, sizeof(*changed.insns));
	if (!changed.insns)
		give_up("allocate");
	memcpy(changed.insns + 1, program->insns, program->nr * sizeof(*program->insns));
	changed.insns[0] = (struct bpf_insn){ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = BPF_REG_6,
					      .src_reg = BPF_PSEUDO_MAP_VALUE, .imm = map };
	changed.insns[1] = (struct bpf_insn){ 0 };
	fd = load(&changed, text);
	free(changed.insns);
	return fd;
}

static void compare(const struct expression_bound *bound, const struct expression_program *program,
		    const struct layout *layout, uint64_t *state, const char *text, int map, char *value)
{
	/* A constant has no use for the payload. */
	const bool uses_map = !layout->is_short && program->nr > 2;
	int fd = -1, result, expected, i;
	size_t size;

	/* Verifying takes most of the time: some programs are loaded both ways. */
	if (!uses_map || !draw(state, 4))
		fd = load(program, text);
	if (uses_map) {
		if (fd >= 0)
			close(fd);
		fd = load_for_map(program, map, text);
	}
	if (fd < 0)
		return;
	for (i = 0; i < PAYLOADS; i++) {
		size = draw_payload(state, layout, value);
		expected = expression_holds_payload(bound, value, size, contexts);
		result = run(fd, value);
		held += expected == 1;
		if (result != expected)
			complain("evaluator and kernel differ", text);
	}
	close(fd);
}

static void test_one(uint64_t *state, int map, char *value)
{
	static char text[EXPRESSION_TEXT_MAX];
	struct expression_program program;
	struct expression *expression;
	struct expression_bound *bound = NULL;
	struct expression_error error;
	struct layout layout;

	draw_layout(state, &layout);
	draw_expression(state, &layout, CONTEXTS_OF_TASKS, text);
	if (expression_parse(text, &expression, &error) ||
	    expression_bind(expression, &(struct expression_scope){ layout.field, layout.nr, expression_contexts,
								    EXPRESSION_CONTEXTS, false }, &bound, &error)) {
		complain(error.text, text);
	} else if (expression_emit(bound, &program, &error)) {
		too_long++;
	} else {
		compare(bound, &program, &layout, state, text, map, value);
		expression_program_free(&program);
	}
	expression_bound_free(bound);
	expression_free(expression);
}

static int load_one(const char *text)
{
	static const struct ltt_field fields[] = {
		{ .name = "number", .kind = LTT_FIELD_INT, .size = 4 },
		{ .name = "text", .kind = LTT_FIELD_STRING, .size = 1 },
	};
	struct expression_program program;
	struct expression_error error;
	int result = expression_compile(text, fields, 2, NULL, &program, &error);

	if (!result)
		result = expression_load(&program, "sched:switch test", &error);
	expression_program_free(&program);
	if (result >= 0)
		return 0;
	printf("%s\n", error.text);
	return -result;
}

/* A program that the verifier rejects: it sets no result. */
static void check_rejection(void)
{
	struct bpf_insn exit_only = { .code = BPF_JMP | BPF_EXIT };
	struct expression_program program = { .insns = &exit_only, .nr = 1 };
	struct expression_error error;
	int status = expression_load(&program, "test", &error);

	printf("%s a program that the verifier rejects has its sentence: %s\n",
	       status == -EACCES && strstr(error.text, "R0") ? "ok" : "not ok", error.text);
}

int main(int argc, char **argv)
{
	uint64_t seed = strtoull(argc > 1 ? argv[1] : "1", NULL, 0), state = seed;
	unsigned long count = strtoul(argc > 2 ? argv[2] : "10000", NULL, 0), i;
	char *value;
	int map;

	if (argc == 3 && !strcmp(argv[1], "load"))
		return load_one(argv[2]);
	check_rejection();
	value = make_map(&map);
	set_contexts(strtoull(argc > 3 ? argv[3] : "1", NULL, 0));
	for (i = 0; i < count; i++)
		test_one(&state, map, value);
	printf("# seed %llu: %lu expressions, %lu runs, true in %lu; left out: %lu too long, %lu too complex for the verifier\n",
	       (unsigned long long)seed, count, runs, held, too_long, too_complex);
	/* Comparisons that never hold, or programs that are not run, prove nothing. */
	printf("%s most expressions run, and hold for some payloads\n",
	       too_long + too_complex < count / 50 && held > runs / 4 && held < runs / 4 * 3 ? "ok" : "not ok");
	printf("%s evaluator and kernel agree\n", faults ? "not ok" : "ok");
	return faults != 0;
}
