// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Programs in eBPF for tests of filters: good ones, and ones that LTT must refuse.
 *
 *	filter-program pin PROGRAM PATH		load it, and pin it in a file system of bpf
 *	filter-program attach PROGRAM TRACE EVENT LAYOUT EXPRESSION
 *						load it, and attach it by its descriptor
 *	filter-program number NUMBER TRACE EVENT LAYOUT EXPRESSION
 *						the same with any number as the descriptor
 *	filter-program sum PATH			the sum of element 0 of a pinned per-CPU array
 *	filter-program loaded			how many programs the kernel has
 *
 * Exit status: 0; 1 with the text of an errno; 3 if the kernel does not load the program.
 */
#include <linux/bpf.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "device.h"

#define INSN(op, to, from, offset, value) ((struct bpf_insn) {				\
	.code = op, .dst_reg = to, .src_reg = from, .off = offset, .imm = value })
#define SET(to, value)		INSN(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, value)
#define COPY(to, from)		INSN(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0)
#define ADD(to, value)		INSN(BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, value)
#define AND(to, value)		INSN(BPF_ALU64 | BPF_AND | BPF_K, to, 0, 0, value)
#define LOAD(size, to, from, offset)	INSN(BPF_LDX | BPF_MEM | (size), to, from, offset, 0)
#define STORE(size, to, offset, value)	INSN(BPF_ST | BPF_MEM | (size), to, 0, offset, value)
#define CALL(helper)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
#define SKIP_IF_0(reg, nr)	INSN(BPF_JMP | BPF_JEQ | BPF_K, reg, 0, nr, 0)
#define RETURN			INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
#define MAP(to, fd)		INSN(BPF_LD | BPF_DW | BPF_IMM, to, BPF_PSEUDO_MAP_FD, 0, fd), \
				INSN(0, 0, 0, 0, 0)
/* In a hash the element may be missing, so look it up only. */
#define ADD_1_IN_MAP(fd)								\
	STORE(BPF_W, BPF_REG_10, -4, 0), COPY(BPF_REG_2, BPF_REG_10), ADD(BPF_REG_2, -4),	\
	MAP(BPF_REG_1, fd), CALL(BPF_FUNC_map_lookup_elem), SKIP_IF_0(BPF_REG_0, 3),	\
	LOAD(BPF_DW, BPF_REG_1, BPF_REG_0, 0), ADD(BPF_REG_1, 1),			\
	INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_0, BPF_REG_1, 0, 0),			\
	SET(BPF_REG_0, 0), RETURN

static long bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	return 1;
}

/* ---- Maps and programs ---- */

static int map_fd = -1;

static int make_map(int type, unsigned int flags)
{
	union bpf_attr attr = {
		.map_type = type, .key_size = 4, .value_size = 8, .max_entries = 1, .map_flags = flags,
	};

	map_fd = bpf(BPF_MAP_CREATE, &attr);
	return map_fd;
}

static int load(int type, unsigned int flags, const struct bpf_insn *insns, unsigned int nr)
{
	static char log[65536];
	union bpf_attr attr = {
		.prog_type = type, .prog_flags = flags, .insns = (uintptr_t)insns, .insn_cnt = nr,
		.license = (uintptr_t)"GPL", .log_buf = (uintptr_t)log, .log_size = sizeof(log),
		.log_level = 1,
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0)
		fprintf(stderr, "%s", log);
	return fd;
}

#define RAW(...)	load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0,				\
			     (const struct bpf_insn[]){ __VA_ARGS__ },			\
			     sizeof((const struct bpf_insn[]){ __VA_ARGS__ }) / sizeof(struct bpf_insn))

static int with_map(int type, unsigned int flags)
{
	if (make_map(type, flags) < 0)
		return -1;
	return RAW(ADD_1_IN_MAP(map_fd));
}

static int load_by_name(const char *name)
{
	const struct bpf_insn ret[] = { SET(BPF_REG_0, 0), RETURN };

	if (!strcmp(name, "true"))
		return RAW(SET(BPF_REG_0, 1), RETURN);
	if (!strcmp(name, "false"))
		return RAW(SET(BPF_REG_0, 0), RETURN);
	/* Reserved bits, which do not record. */
	if (!strcmp(name, "reserved"))
		return RAW(SET(BPF_REG_0, -2), RETURN);
	/* Of a payload of u32 and u64: is the second number odd? */
	if (!strcmp(name, "odd"))
		return RAW(LOAD(BPF_W, BPF_REG_0, BPF_REG_1, 4), AND(BPF_REG_0, 1), RETURN);
	/* An address that the kernel does not map: page faults, in a program. */
	if (!strcmp(name, "fault"))
		return RAW(COPY(BPF_REG_1, BPF_REG_10), ADD(BPF_REG_1, -8), SET(BPF_REG_2, 8),
			   SET(BPF_REG_3, 4096), CALL(BPF_FUNC_probe_read_user),
			   SET(BPF_REG_0, 0), RETURN);
	/* The same, but it keeps a random number in 56 bytes of stack during the fault, and returns 1 if another run wrote there. */
	if (!strcmp(name, "stack"))
		return RAW(CALL(BPF_FUNC_get_prandom_u32), COPY(BPF_REG_6, BPF_REG_0),
			   INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_6, -56, 0),
			   COPY(BPF_REG_1, BPF_REG_10), ADD(BPF_REG_1, -8), SET(BPF_REG_2, 8),
			   SET(BPF_REG_3, 4096), CALL(BPF_FUNC_probe_read_user),
			   LOAD(BPF_DW, BPF_REG_0, BPF_REG_10, -56),
			   INSN(BPF_ALU64 | BPF_XOR | BPF_X, BPF_REG_0, BPF_REG_6, 0, 0),
			   SKIP_IF_0(BPF_REG_0, 1), SET(BPF_REG_0, 1), RETURN);
	if (!strcmp(name, "count"))
		return with_map(BPF_MAP_TYPE_PERCPU_ARRAY, 0);
	if (!strcmp(name, "map-hash"))
		return with_map(BPF_MAP_TYPE_HASH, 0);
	if (!strcmp(name, "map-hash-allocates"))
		return with_map(BPF_MAP_TYPE_HASH, BPF_F_NO_PREALLOC);
	if (!strcmp(name, "map-lru"))
		return with_map(BPF_MAP_TYPE_LRU_HASH, 0);
	if (!strcmp(name, "far"))
		return RAW(LOAD(BPF_DW, BPF_REG_0, BPF_REG_1, 88), RETURN);
	if (!strcmp(name, "type"))
		return load(BPF_PROG_TYPE_KPROBE, 0, ret, 2);
	if (!strcmp(name, "sleepable"))
		return load(BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_F_SLEEPABLE, ret, 2);
	fprintf(stderr, "there is no program %s\n", name);
	exit(2);
}

/* ---- Uses ---- */

static int pin(int fd, const char *path)
{
	union bpf_attr attr = { .pathname = (uintptr_t)path, .bpf_fd = fd };

	return bpf(BPF_OBJ_PIN, &attr) ? fail(path) : 0;
}

static int pin_program(int fd, const char *path)
{
	char map[4096];

	if (map_fd < 0)
		return pin(fd, path);
	snprintf(map, sizeof(map), "%s-map", path);
	return pin(fd, path) || pin(map_fd, map);
}

/* Of the traces that all see. */
static int attach(int fd, char *const argv[])
{
	struct ltt_message_arg call = { .kind = LTT_BLOB };
	char text[8192];

	call.word = snprintf(text, sizeof(text), "filter-attach\n%s\n%s\n%s\n%d\n%s", argv[0],
			     argv[1], argv[2], fd, argv[3]);
	call.blob = text;
	errno = ask(device(0), encode(LTT_MESSAGE_CALL_SHARED, 1, 1, &call));
	if (!errno)
		return 0;
	fprintf(stderr, "%s\n", reply.text);
	return fail("filter-attach");
}

static int sum(const char *path)
{
	uint64_t values[4096] = {}, total = 0;
	union bpf_attr attr = { .pathname = (uintptr_t)path };
	uint32_t key = 0;
	size_t i;

	attr.map_fd = bpf(BPF_OBJ_GET, &attr);
	if ((int)attr.map_fd < 0)
		return fail(path);
	attr = (union bpf_attr){
		.map_fd = attr.map_fd, .key = (uintptr_t)&key, .value = (uintptr_t)values,
	};
	if (bpf(BPF_MAP_LOOKUP_ELEM, &attr))
		return fail(path);
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		total += values[i];
	printf("%llu\n", (unsigned long long)total);
	return 0;
}

static int count_loaded(void)
{
	union bpf_attr attr = {};
	unsigned int nr = 0;

	while (!bpf(BPF_PROG_GET_NEXT_ID, &attr)) {
		attr.start_id = attr.next_id;
		nr++;
	}
	printf("%u\n", nr);
	return 0;
}

int main(int argc, char *argv[])
{
	int fd;

	if (argc == 2 && !strcmp(argv[1], "loaded"))
		return count_loaded();
	if (argc == 3 && !strcmp(argv[1], "sum"))
		return sum(argv[2]);
	if (argc == 7 && !strcmp(argv[1], "number"))
		return attach(atoi(argv[2]), argv + 3);
	if (argc < 3)
		return 2;
	fd = load_by_name(argv[2]);
	if (fd < 0) {
		perror(argv[2]);
		return 3;
	}
	if (argc == 4 && !strcmp(argv[1], "pin"))
		return pin_program(fd, argv[3]);
	if (argc == 7 && !strcmp(argv[1], "attach"))
		return attach(fd, argv + 3);
	return 2;
}
