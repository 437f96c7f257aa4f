// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The distribution of a value over all occurrences of an event, and a trace of those where it
 * reaches a limit:
 *
 *	outliers EVENT FIELD LIMIT DIRECTORY COMMAND...
 *	outliers block:block_rq_complete nr_sector 256 large sleep 10
 *
 * An example of a filter that is a program of one's own.  It counts each value in a map, by powers of
 * two, and lets LTT record the event only if the value is at least LIMIT.  "lttctl view DIRECTORY"
 * shows what was recorded.  A negative value counts as 0.
 */
#include "device.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <err.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CLASSES		65	/* of the values 0, 1, 2..3, 4..7 and so on */
#define CONTEXT_MAX	96	/* bytes of a payload that the verifier lets a program read */

/* ---- The field ---- */

struct place {
	unsigned int offset, size;
	bool is_signed;
};

/* Find a field in the reply to "info", where each has a line: "field NAME integer s32 ...", or
 * "field NAME text count 16 ..." for an array of characters. */
static struct place find_field(const char *name)
{
	struct place place = { 0 };
	char word[64], sign;
	const char *line;

	for (line = reply_text(); (line = strstr(line, "\nfield ")); line++, place.offset += place.size) {
		if (sscanf(line, "\nfield %63s text count %u", word, &place.size) == 2)
			continue;
		if (sscanf(line, "\nfield %63s integer %c%u", word, &sign, &place.size) != 3)
			break;
		place.is_signed = sign == 's';
		place.size /= 8;
		if (strcmp(word, name))
			continue;
		/* 8 bytes are read as twice 4. */
		if (place.offset + place.size > CONTEXT_MAX || place.offset % (place.size < 4 ? place.size : 4))
			errx(1, "%s is not where a program can read it", name);
		return place;
	}
	errx(1, "%s is not an integer at a fixed place in this event", name);
}

/* ---- The program ---- */

static struct bpf_insn code[96];
static unsigned int nr;

static void emit(int op, int to, int from, int offset, int value)
{
	code[nr++] = (struct bpf_insn){ op, to, from, offset, value };
}

/* R6 = the value.  R1 has the address of the payload. */
static void emit_load(struct place place)
{
	const int sizes[] = { [1] = BPF_B, [2] = BPF_H, [4] = BPF_W };
	const int high = place.offset + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 4 : 0);

	if (place.size == 8) {
		emit(BPF_LDX | BPF_MEM | BPF_W, BPF_REG_6, BPF_REG_1, high, 0);
		emit(BPF_ALU64 | BPF_LSH | BPF_K, BPF_REG_6, 0, 0, 32);
		emit(BPF_LDX | BPF_MEM | BPF_W, BPF_REG_2, BPF_REG_1, 2 * place.offset + 4 - high, 0);
		emit(BPF_ALU64 | BPF_OR | BPF_X, BPF_REG_6, BPF_REG_2, 0, 0);
	} else {
		emit(BPF_LDX | BPF_MEM | sizes[place.size], BPF_REG_6, BPF_REG_1, place.offset, 0);
	}
	if (!place.is_signed)
		return;
	emit(BPF_ALU64 | BPF_LSH | BPF_K, BPF_REG_6, 0, 0, 64 - 8 * place.size);
	emit(BPF_ALU64 | BPF_ARSH | BPF_K, BPF_REG_6, 0, 0, 64 - 8 * place.size);
	emit(BPF_JMP | BPF_JSGE | BPF_K, BPF_REG_6, 0, 1, 0);
	emit(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_6, 0, 0, 0);
}

/* R7 = the number of bits that the value has: its class. */
static void emit_class(void)
{
	emit(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_6, 0, 0);
	emit(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_7, 0, 0, 0);
	for (int bits = 32; bits; bits /= 2) {
		emit(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_1, 0, 0);
		emit(BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_2, 0, 0, bits);
		emit(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_2, 0, 2, 0);
		emit(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_2, 0, 0);
		emit(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_7, 0, 0, bits);
	}
	emit(BPF_ALU64 | BPF_ADD | BPF_X, BPF_REG_7, BPF_REG_1, 0, 0);
}

/* Count the class.  Atomic, as an interrupt can run the program meanwhile, on the same element. */
static void emit_count(int map)
{
	emit(BPF_STX | BPF_MEM | BPF_W, BPF_REG_10, BPF_REG_7, -4, 0);
	emit(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0);
	emit(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -4);
	emit(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, map);
	emit(0, 0, 0, 0, 0);
	emit(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem);
	emit(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 2, 0);
	emit(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_1, 0, 0, 1);
	emit(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_0, BPF_REG_1, 0, BPF_ADD);
}

/* Return 1, for "record", if the value is at least the limit. */
static void emit_verdict(unsigned long long limit)
{
	emit(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, 0, 0, (int)limit);
	emit(0, 0, 0, 0, (int)(limit >> 32));
	emit(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 1);
	emit(BPF_JMP | BPF_JGE | BPF_X, BPF_REG_6, BPF_REG_1, 1, 0);
	emit(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0);
	emit(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static int load(struct place place, unsigned long long limit, int map)
{
	static char log[1 << 16];
	LIBBPF_OPTS(bpf_prog_load_opts, options, .log_buf = log, .log_size = sizeof(log), .log_level = 1);
	int program;

	emit_load(place);
	emit_class();
	emit_count(map);
	emit_verdict(limit);
	program = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "outliers", "GPL", code, nr, &options);
	if (program < 0)
		err(1, "%sload the program", log);
	return program;
}

/* ---- The result ---- */

static void print_counts(int map, const char *field)
{
	const int cpus = libbpf_num_possible_cpus();
	unsigned long long counts[cpus];

	printf("%20s %12s\n", field, "events");
	for (__u32 class = 0; class < CLASSES; class++) {
		unsigned long long sum = 0;

		if (bpf_map_lookup_elem(map, &class, counts))
			err(1, "read the map");
		for (int cpu = 0; cpu < cpus; cpu++)
			sum += counts[cpu];
		if (sum)
			printf("%18llu.. %12llu\n", class ? 1ULL << (class - 1) : 0, sum);
	}
}

/* The line of the last reply that begins with a word. */
static void print_line(const char *word)
{
	const char *line = reply_text();

	while (strncmp(line, word, strlen(word)) && (line = strchr(line, '\n')))
		line++;
	if (line)
		printf("%.*s\n", (int)strcspn(line, "\n"), line);
}

/* ---- The run ---- */

static void attach(const char *event, const char *field, unsigned long long limit, int map)
{
	const int group_len = strcspn(event, ":");
	char layout[17];
	int program;

	call("info\n%.*s\n%s", group_len, event, event + group_len + !!event[group_len]);
	sscanf(strstr(reply_text(), "\nlayout "), "\nlayout %16s", layout);
	program = load(find_field(field), limit, map);
	call("create\nt");
	/* The text of the filter is what "filters" shows. */
	call("filter\nt\n%s\n%s >= %llu", event, field, limit);
	call("enable\nt\n%s", event);
	call("filter-attach\nt\n%s\n%s\n%d\n%s >= %llu", event, layout, program, field, limit);
}

static void run(char *const command[])
{
	pid_t pid = fork();

	if (!pid) {
		execvp(*command, command);
		err(127, "%s", *command);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) < 0)
		err(1, "run %s", *command);
}

int main(int argc, char *argv[])
{
	unsigned long long limit;
	char *end;
	int map;

	if (argc < 6)
		errx(2, "usage: outliers EVENT FIELD LIMIT DIRECTORY COMMAND...");
	limit = strtoull(argv[3], &end, 0);
	if (*end || !*argv[3])
		errx(2, "%s is not a number", argv[3]);
	connect_device();
	map = bpf_map_create(BPF_MAP_TYPE_PERCPU_ARRAY, "outliers", sizeof(__u32), sizeof(__u64), CLASSES, NULL);
	if (map < 0)
		err(1, "make the map");
	attach(argv[1], argv[2], limit, map);
	call("start\nt");
	run(argv + 5);
	call("stop\nt");
	print_counts(map, argv[2]);
	call("filters\nt");
	print_line("event");
	call("stats\nt");
	print_line("total");
	save_trace("t", argv[4]);
	return 0;
}
