// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Attach a program to a raw tracepoint while a command runs:
 *
 *	raw-tracepoint NAME ARGUMENTS COMMAND...
 *
 * The program counts the events, and adds up each of the first ARGUMENTS arguments, as signed numbers
 * of 32 bits.  It prints a line: the number of events, and the sums.
 *
 * Exit status: 0; 1 with the text of an errno; 3 if the kernel does not attach the program.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGUMENTS_MAX	13	/* one more than markers have */

static struct bpf_insn code[256];
static unsigned int nr;

static int fail(const char *what, int status)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	return status;
}

static void emit(int op, int to, int from, int offset, int value)
{
	code[nr++] = (struct bpf_insn){ op, to, from, offset, value };
}

/* Add R7 to an element of the map. */
static void emit_add(int map, int element)
{
	emit(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, -4, element);
	emit(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0);
	emit(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -4);
	emit(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, map);
	emit(0, 0, 0, 0, 0);
	emit(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem);
	emit(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 1, 0);
	emit(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_0, BPF_REG_7, 0, BPF_ADD);
}

static int load(int map, int arguments)
{
	int i;

	emit(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_6, BPF_REG_1, 0, 0);
	emit(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_7, 0, 0, 1);
	emit_add(map, 0);
	for (i = 0; i < arguments; i++) {
		emit(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_7, BPF_REG_6, 8 * i, 0);
		emit(BPF_ALU64 | BPF_LSH | BPF_K, BPF_REG_7, 0, 0, 32);
		emit(BPF_ALU64 | BPF_ARSH | BPF_K, BPF_REG_7, 0, 0, 32);
		emit_add(map, 1 + i);
	}
	emit(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0);
	emit(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "raw", "GPL", code, nr, NULL);
}

static int run(char *const command[])
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execvp(*command, command);
		_exit(127);
	}
	return pid < 0 || waitpid(pid, &status, 0) < 0 ? -1 : status;
}

int main(int argc, char *argv[])
{
	const int arguments = argc > 2 ? atoi(argv[2]) : -1;
	int map, program, link, i;
	long long value;

	if (argc < 4 || arguments < 0 || arguments > ARGUMENTS_MAX)
		return 2;
	map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "raw", 4, 8, 1 + arguments, NULL);
	if (map < 0)
		return fail("make the map", 1);
	program = load(map, arguments);
	if (program < 0)
		return fail("load the program", 1);
	link = bpf_raw_tracepoint_open(argv[1], program);
	if (link < 0)
		return fail(argv[1], 3);
	if (run(argv + 3))
		return fail("the command fails", 1);
	close(link);
	for (i = 0; i <= arguments; i++) {
		if (bpf_map_lookup_elem(map, &i, &value))
			return fail("read the map", 1);
		printf("%s%lld", i ? " " : "", value);
	}
	printf("\n");
	return 0;
}
