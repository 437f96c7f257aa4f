// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * An interpreter of the eBPF that expressions become.
 */
#include "interpret.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../include/uapi/ltt/verdict.h"
#include "../../userspace/expression/emit.h"

#define STEPS_MAX	200000
#define STACK_SIZE	512
#define TASK_SIZE	(1 << 16)
#define OBJECT_SIZE	(1 << 13)
#define OBJECTS		10
#define PID_LEVEL	3

/**
 * struct machine - a program that runs
 * @reg: registers
 * @written: bit i: register i has a value
 * @stack: the stack
 * @stack_written: for each of its bytes, whether it has a value
 * @kernel: what is at the places that programs look at: struct task_struct, and the objects that it leads to
 * @nr_objects: number of objects
 * @why: what the program does that it may not; NULL: nothing
 */
struct machine {
	const struct expression_program *program;
	const char *payload;
	size_t size;
	const struct expression_value *contexts;
	uint64_t reg[11];
	unsigned int written;
	char stack[STACK_SIZE];
	bool stack_written[STACK_SIZE];
	char kernel[TASK_SIZE + OBJECTS * OBJECT_SIZE];
	unsigned int nr_objects;
	const char *why;
};

uint64_t interpret_stack[3];
bool interpret_stack_fails;

static void fault(struct machine *m, const char *why)
{
	if (!m->why)
		m->why = why;
}

static void set(struct machine *m, unsigned int reg, uint64_t value)
{
	m->reg[reg] = value;
	m->written |= 1 << reg;
}

static uint64_t get(struct machine *m, unsigned int reg)
{
	if (!(m->written >> reg & 1))
		fault(m, "reads a register that has no value");
	return m->reg[reg];
}

/* Return: the place on the stack of @size bytes; -1: they are elsewhere. */
static long on_stack(const struct machine *m, uint64_t address, size_t size)
{
	const uint64_t at = address - (uintptr_t)m->stack;

	return at < STACK_SIZE && size <= STACK_SIZE - at ? (long)at : -1;
}

static bool in_kernel(const struct machine *m, uint64_t address, size_t size)
{
	return address - (uintptr_t)m->kernel <= sizeof(m->kernel) - size;
}

static void check_load(struct machine *m, uint64_t address, size_t size)
{
	const long place = on_stack(m, address, size);
	const uint64_t offset = address - (uintptr_t)m->payload;
	size_t i;

	if (place >= 0) {
		for (i = 0; i < size; i++)
			if (!m->stack_written[place + i])
				fault(m, "loads a byte of the stack that has no value");
	} else if (offset < m->size) {
		if (offset % size || offset + size > CONTEXT_MAX || offset + size > m->program->context_bytes)
			fault(m, "loads what the verifier does not allow");
		if (offset + size > m->size)
			fault(m, "loads beyond the payload");
	} else if (!in_kernel(m, address, size)) {
		fault(m, "loads from nowhere");
	}
}

static uint64_t load(struct machine *m, uint64_t address, size_t size)
{
	uint64_t value = 0;

	check_load(m, address, size);
	if (!m->why)
		memcpy(&value, (const void *)(uintptr_t)address, size);
	return value;
}

static char *writable(struct machine *m, uint64_t address, size_t size)
{
	const long place = on_stack(m, address, size);

	if (place < 0) {
		fault(m, "writes elsewhere than to the stack");
		return NULL;
	}
	memset(m->stack_written + place, true, size);
	return m->stack + place;
}

/* ---- Helpers ---- */

static int64_t probe_read(struct machine *m, bool is_string)
{
	const uint64_t from = get(m, R3) - (uintptr_t)m->payload;
	const size_t size = get(m, R2);
	char *to = writable(m, get(m, R1), size);
	size_t len;

	if (!to)
		return -1;
	/* The kernel leaves the rest as it is: a program must not depend on it. */
	memset(to, 0xa5, size);
	if (!is_string && in_kernel(m, get(m, R3), size)) {
		memcpy(to, (const void *)(uintptr_t)get(m, R3), size);
		return 0;
	}
	if (from >= m->size || (!is_string && size > m->size - from)) {
		fault(m, "reads beyond the payload");
		return -1;
	}
	if (!is_string) {
		memcpy(to, m->payload + from, size);
		return 0;
	}
	for (len = 0; len < size - 1 && m->payload[from + len]; len++)
		if (from + len + 1 == m->size) {
			fault(m, "reads a string beyond the payload");
			return -1;
		}
	memcpy(to, m->payload + from, len);
	to[len] = '\0';
	return len + 1;
}

static uint64_t get_stack(struct machine *m)
{
	const size_t size = get(m, R3);
	char *to = writable(m, get(m, R2), size);

	if (get(m, R1) != (uintptr_t)m->payload || get(m, R4))
		fault(m, "asks for another stack");
	if (!to)
		return -1;
	memset(to, 0, size);
	memcpy(to, interpret_stack, sizeof(interpret_stack));
	return interpret_stack_fails ? (uint64_t)-EBUSY : sizeof(interpret_stack);
}

static uint64_t call(struct machine *m, int32_t helper)
{
	const struct expression_value *contexts = m->contexts;
	char *to;

	switch (helper) {
	case BPF_FUNC_probe_read_kernel:
		return probe_read(m, false);
	case BPF_FUNC_probe_read_kernel_str:
		return probe_read(m, true);
	case BPF_FUNC_get_current_pid_tgid:
		return contexts[EXPRESSION_PID].number << 32 | (uint32_t)contexts[EXPRESSION_TID].number;
	case BPF_FUNC_get_current_uid_gid:
		return UINT64_C(77) << 32 | contexts[EXPRESSION_UID].number;
	case BPF_FUNC_get_smp_processor_id:
		return contexts[EXPRESSION_CPU].number;
	case BPF_FUNC_get_current_cgroup_id:
		return contexts[EXPRESSION_CGROUP].number;
	case BPF_FUNC_get_current_task_btf:
		return (uintptr_t)m->kernel;
	case BPF_FUNC_get_stack:
		return get_stack(m);
	case BPF_FUNC_get_current_comm:
		to = writable(m, get(m, R1), get(m, R2));
		if (to)
			memcpy(to, contexts[EXPRESSION_COMM].text, get(m, R2));
		return 0;
	}
	fault(m, "calls an unknown helper");
	return 0;
}

/* ---- Instructions ---- */

static void compute_register(struct machine *m, const struct bpf_insn *insn)
{
	const bool is_wide = BPF_CLASS(insn->code) == BPF_ALU64;
	const uint64_t b = BPF_SRC(insn->code) == BPF_X ? get(m, insn->src_reg) : (uint64_t)(int64_t)insn->imm;
	uint64_t a = BPF_OP(insn->code) == BPF_MOV ? 0 : get(m, insn->dst_reg);
	const bool is_shift = BPF_OP(insn->code) == BPF_LSH || BPF_OP(insn->code) == BPF_RSH ||
			      BPF_OP(insn->code) == BPF_ARSH;

	if (is_shift && b > 63)
		fault(m, "shifts too far");
	switch (BPF_OP(insn->code)) {
	case BPF_MOV: a = b; break;
	case BPF_ADD: a += b; break;
	case BPF_SUB: a -= b; break;
	case BPF_MUL: a *= b; break;
	case BPF_DIV: a = b ? a / b : 0; break;
	case BPF_MOD: a = b ? a % b : a; break;
	case BPF_OR: a |= b; break;
	case BPF_AND: a &= b; break;
	case BPF_XOR: a ^= b; break;
	case BPF_LSH: a <<= b & 63; break;
	case BPF_RSH: a >>= b & 63; break;
	case BPF_ARSH: a = (int64_t)a >> (b & 63); break;
	case BPF_NEG: a = -a; break;
	default: fault(m, "has an unknown operation"); break;
	}
	if (!is_wide && (BPF_OP(insn->code) != BPF_MOV || BPF_SRC(insn->code) != BPF_X))
		fault(m, "has an unknown 32-bit operation");
	set(m, insn->dst_reg, is_wide ? a : (uint32_t)a);
}

static bool jumps(struct machine *m, const struct bpf_insn *insn)
{
	uint64_t a = get(m, insn->dst_reg);
	uint64_t b = BPF_SRC(insn->code) == BPF_X ? get(m, insn->src_reg) : (uint64_t)(int64_t)insn->imm;
	int64_t sa = a, sb = b;

	if (BPF_CLASS(insn->code) == BPF_JMP32) {
		a = (uint32_t)a;
		b = (uint32_t)b;
		sa = (int32_t)a;
		sb = (int32_t)b;
	}
	switch (BPF_OP(insn->code)) {
	case BPF_JEQ: return a == b;
	case BPF_JNE: return a != b;
	case BPF_JGT: return a > b;
	case BPF_JGE: return a >= b;
	case BPF_JLT: return a < b;
	case BPF_JLE: return a <= b;
	case BPF_JSGT: return sa > sb;
	case BPF_JSGE: return sa >= sb;
	case BPF_JSLT: return sa < sb;
	case BPF_JSLE: return sa <= sb;
	}
	fault(m, "has an unknown jump");
	return false;
}

static size_t size_of(const struct bpf_insn *insn)
{
	static const size_t sizes[] = { [BPF_W >> 3] = 4, [BPF_H >> 3] = 2, [BPF_B >> 3] = 1, [BPF_DW >> 3] = 8 };

	return sizes[BPF_SIZE(insn->code) >> 3];
}

static void store(struct machine *m, const struct bpf_insn *insn)
{
	const uint64_t value = get(m, insn->src_reg);
	char *to = writable(m, get(m, insn->dst_reg) + insn->off, size_of(insn));

	if (to)
		memcpy(to, &value, size_of(insn));
}

/* Return: the number of the next instruction. */
static size_t step(struct machine *m, size_t at)
{
	const struct bpf_insn *insn = &m->program->insns[at];
	uint64_t value;

	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		compute_register(m, insn);
		return at + 1;
	case BPF_LD:
		value = (uint64_t)(uint32_t)insn[1].imm << 32 | (uint32_t)insn->imm;
		set(m, insn->dst_reg, value);
		return at + 2;
	case BPF_LDX:
		set(m, insn->dst_reg, load(m, get(m, insn->src_reg) + insn->off, size_of(insn)));
		return at + 1;
	case BPF_STX:
		store(m, insn);
		return at + 1;
	default:
		break;
	}
	if (BPF_OP(insn->code) == BPF_CALL) {
		set(m, R0, call(m, insn->imm));
		m->written &= ~0x3eu;
		return at + 1;
	}
	if (BPF_OP(insn->code) == BPF_JA)
		return at + 1 + insn->off;
	return at + 1 + (jumps(m, insn) ? insn->off : 0);
}

/* ---- The kernel's memory ---- */

/* Return: the object that a pointer leads to; the pointer is made if there is none. */
static char *follow(struct machine *m, char *pointer)
{
	uint64_t address;

	memcpy(&address, pointer, sizeof(address));
	if (!in_kernel(m, address, OBJECT_SIZE)) {
		address = (uintptr_t)m->kernel + TASK_SIZE + m->nr_objects++ * OBJECT_SIZE;
		memcpy(pointer, &address, sizeof(address));
	}
	return (char *)(uintptr_t)address;
}

static void set_value(struct machine *m, enum task_value value, uint64_t number)
{
	const struct task_path *path = &task_layout()->path[value];
	char *at = m->kernel;
	unsigned int i;

	if (!path->nr)
		return;
	for (i = 0; i + 1 < path->nr; i++)
		at = follow(m, at + path->step[i]);
	memcpy(at + path->step[i], &number, path->size);
}

/* The numbers of a process in PID namespaces. */
static void set_pid_ns(struct machine *m)
{
	const struct task_layout *layout = task_layout();
	const struct task_path *path = &layout->path[TASK_PID_NS];
	char *pid;

	set_value(m, TASK_PID_LEVEL, PID_LEVEL);
	if (!path->nr)
		return;
	pid = follow(m, m->kernel + path->step[0]);
	memcpy(follow(m, pid + path->step[1] + PID_LEVEL * layout->upid) + path->step[2],
	       &m->contexts[EXPRESSION_PID_NS].number, path->size);
}

/* The tracer leaves the counts of a list before the address @end. */
static void set_counters(const struct machine *m, const char *list, char *end)
{
	char name[32];
	size_t len, i;

	for (; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		memcpy(name, list, len);
		name[len] = '\0';
		for (i = 0; i < len; i++)
			name[i] = strchr(":-", name[i]) ? '_' : name[i];
		for (i = EXPRESSION_COUNTERS; strcmp(expression_contexts[i].name, name); )
			i++;
		end -= sizeof(uint64_t);
		memcpy(end, &m->contexts[i].number, sizeof(uint64_t));
	}
}

static void set_run_values(struct machine *m)
{
	const struct ltt_run_values values = {
		.preempt = m->contexts[EXPRESSION_PREEMPT].number,
		.irq = m->contexts[EXPRESSION_IRQ].number,
		.need_resched = m->contexts[EXPRESSION_NEED_RESCHED].number,
	};
	const uint64_t behind = (uintptr_t)m->kernel + TASK_SIZE + ++m->nr_objects * OBJECT_SIZE;

	memcpy((char *)(uintptr_t)behind - sizeof(values), &values, sizeof(values));
	set_counters(m, m->program->counters, (char *)(uintptr_t)behind - sizeof(values));
	set_value(m, TASK_RUN, behind);
}

static void set_kernel(struct machine *m)
{
	const struct task_path *comm = &task_layout()->path[TASK_COMM];

	memset(m->kernel, 0x5a, sizeof(m->kernel));
	if (comm->nr)
		memcpy(m->kernel + comm->step[0], m->contexts[EXPRESSION_COMM].text, 16);
	set_value(m, TASK_PRIO, m->contexts[EXPRESSION_PRIO].number);
	set_value(m, TASK_PPID, m->contexts[EXPRESSION_PPID].number);
	set_value(m, TASK_NET_NS, m->contexts[EXPRESSION_NET_NS].number);
	set_value(m, TASK_MNT_NS, m->contexts[EXPRESSION_MNT_NS].number);
	set_value(m, TASK_MIGRATE_DISABLE, m->contexts[EXPRESSION_MIGRATE_DISABLE].number);
	set_pid_ns(m);
	set_run_values(m);
}

int64_t interpret(const struct expression_program *program, const void *payload, size_t size,
		  const struct expression_value contexts[EXPRESSION_CONTEXTS], const char **why)
{
	struct machine *m = calloc(1, sizeof(*m));
	unsigned int steps = 0;
	int64_t result;
	size_t at = 0;

	*m = (struct machine){ .program = program, .payload = payload, .size = size, .contexts = contexts };
	set_kernel(m);
	set(m, R1, (uintptr_t)payload);
	set(m, FRAME, (uintptr_t)m->stack + STACK_SIZE);
	while (!m->why && at < program->nr && program->insns[at].code != (BPF_JMP | BPF_EXIT)) {
		at = step(m, at);
		if (++steps > STEPS_MAX)
			fault(m, "has no end");
	}
	if (at >= program->nr)
		fault(m, "runs beyond its end");
	result = get(m, R0);
	*why = m->why;
	free(m);
	return *why ? -1 : result;
}

/* ---- Flow ---- */

const char *check_flow(const struct expression_program *program)
{
	const size_t nr = program->nr;
	bool *reached = calloc(nr + 2, sizeof(*reached)), *inner = calloc(nr + 2, sizeof(*inner));
	const struct bpf_insn *insn;
	const char *why = NULL;
	bool changed = true;
	size_t i, to;

	reached[0] = true;
	while (changed) {
		changed = false;
		for (i = 0; i < nr; i++) {
			insn = &program->insns[i];
			if (!reached[i] || insn->code == (BPF_JMP | BPF_EXIT))
				continue;
			inner[i + 1] = insn->code == (BPF_LD | BPF_DW | BPF_IMM);
			to = i + 1 + inner[i + 1];
			if (insn->code != (BPF_JMP | BPF_JA) && !reached[to])
				reached[to] = changed = true;
			if ((BPF_CLASS(insn->code) != BPF_JMP && BPF_CLASS(insn->code) != BPF_JMP32) ||
			    BPF_OP(insn->code) == BPF_CALL)
				continue;
			to = i + 1 + insn->off;
			if (to >= nr)
				why = "jumps outside";
			else if (!reached[to])
				reached[to] = changed = true;
		}
	}
	for (i = 0; i < nr && !why; i++)
		if (reached[i] == inner[i])
			why = reached[i] ? "jumps into an instruction" : "has an instruction that is never reached";
	if (reached[nr])
		why = "runs beyond its end";
	free(reached);
	free(inner);
	return why;
}
