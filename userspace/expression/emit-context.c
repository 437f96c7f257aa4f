// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The values of contexts in a program.
 *
 * A helper of the kernel has some.  Others are found from the current task on (task.c), as the tracer does for a
 * context that is recorded.  The rest are changed by the run of a program, or are counters of the tracer: the tracer reads
 * them before, and leaves them for the program (ltt/verdict.h).
 */
#include "emit.h"

#include <errno.h>

/* More than the levels of PID namespaces that the kernel allows (MAX_PID_NS_LEVEL). */
#define PID_LEVELS	64

/* Return: the way to a value from the current task on. */
static const struct task_path *path_to(struct emitter *e, int number)
{
	static const enum task_value values[EXPRESSION_COUNTERS] = {
		[EXPRESSION_PRIO] = TASK_PRIO, [EXPRESSION_PPID] = TASK_PPID, [EXPRESSION_PID_NS] = TASK_PID_NS,
		[EXPRESSION_NET_NS] = TASK_NET_NS, [EXPRESSION_MNT_NS] = TASK_MNT_NS, [EXPRESSION_PREEMPT] = TASK_RUN,
		[EXPRESSION_IRQ] = TASK_RUN, [EXPRESSION_NEED_RESCHED] = TASK_RUN,
		[EXPRESSION_MIGRATE_DISABLE] = TASK_MIGRATE_DISABLE,
	};
	const enum task_value value = number < EXPRESSION_COUNTERS ? values[number] : TASK_RUN;
	const struct task_path *path = &task_layout()->path[value];

	if (!path->nr && !e->status)
		e->status = fail_at(e->error, -EOPNOTSUPP, 0, "%s: this kernel does not have it, or has no type "
				    "information (BTF) to find it with", expression_contexts[number].name);
	return path;
}

/* The verifier knows the types of all pointers on the way.  Where one is NULL, the kernel makes each load 0. */
static void emit_task_value(struct emitter *e, int number)
{
	const struct task_path *path = path_to(e, number);
	unsigned int i;

	emit_call(e, BPF_FUNC_get_current_task_btf);
	for (i = 0; i < path->nr; i++)
		emit_load(e, i + 1 < path->nr ? task_layout()->pointer : path->size, R0, R0, path->step[i]);
}

/* Read @size bytes at the address R3 + @offset to @place on the stack; zeros if nothing is there. */
static void emit_peek(struct emitter *e, long offset, unsigned int size, int place)
{
	emit_with_number(e, BPF_ADD, R3, offset);
	emit_address(e, R1, place);
	emit_number(e, R2, size);
	emit_call(e, BPF_FUNC_probe_read_kernel);
}

/* A process has a number for each level of namespaces, and the last is that of its own.  The verifier lets no program
 * load from an array without a constant length. */
static void emit_pid_ns(struct emitter *e)
{
	const struct task_layout *layout = task_layout();
	const struct task_path *path = path_to(e, EXPRESSION_PID_NS), *level = &layout->path[TASK_PID_LEVEL];

	emit_call(e, BPF_FUNC_get_current_task_btf);
	emit_load(e, layout->pointer, R3, R0, path->step[0]);
	emit_load(e, level->size, R1, R3, level->step[1]);
	emit_with_number(e, BPF_AND, R1, PID_LEVELS - 1);
	emit_with_number(e, BPF_MUL, R1, layout->upid);
	emit(e, BPF_ALU64 | BPF_ADD | BPF_X, R3, R1, 0, 0);
	emit_peek(e, path->step[1], layout->pointer, STACK_NUMBER);
	emit_load(e, layout->pointer, R3, FRAME, STACK_NUMBER);
	emit_peek(e, path->step[2], path->size, STACK_NUMBER);
	emit_load(e, path->size, R0, FRAME, STACK_NUMBER);
}

/* Load a context from the 8 bytes that lie @before bytes before the end of what the tracer leaves, at @offset. */
static void emit_left(struct emitter *e, int number, long before, size_t offset)
{
	const struct task_path *path = path_to(e, number);

	emit_call(e, BPF_FUNC_get_current_task_btf);
	emit_load(e, task_layout()->pointer, R3, R0, path->step[0]);
	emit_peek(e, -before, 8, STACK_RUN);
	emit_load(e, expression_contexts[number].size, R0, FRAME, STACK_RUN + offset);
}

/* A member of the struct ltt_run_values. */
static void emit_run_value(struct emitter *e, int number, size_t offset)
{
	_Static_assert(sizeof(struct ltt_run_values) == 8, "read at once");
	e->asks = true;
	emit_left(e, number, sizeof(struct ltt_run_values), offset);
}

/* The counters lie before the struct ltt_run_values, the first one that was asked for last. */
static void emit_counter(struct emitter *e, int number)
{
	unsigned int i = 0;

	while (i < e->nr_counters && e->counters[i] != number)
		i++;
	if (i == LTT_RUN_COUNTERS) {
		if (!e->status)
			e->status = fail_at(e->error, -E2BIG, 0, "a filter can have at most %d counters of perf", LTT_RUN_COUNTERS);
		return;
	}
	e->counters[i] = number;
	e->nr_counters += i == e->nr_counters;
	emit_left(e, number, sizeof(struct ltt_run_values) + (i + 1) * sizeof(uint64_t), 0);
}

void emit_context(struct emitter *e, int number)
{
	switch (number) {
	case EXPRESSION_PID:
		emit_call(e, BPF_FUNC_get_current_pid_tgid);
		emit_with_number(e, BPF_RSH, R0, 32);
		break;
	case EXPRESSION_TID:
		emit_call(e, BPF_FUNC_get_current_pid_tgid);
		emit(e, BPF_ALU | BPF_MOV | BPF_X, R0, R0, 0, 0);
		break;
	case EXPRESSION_UID:
		emit_call(e, BPF_FUNC_get_current_uid_gid);
		emit(e, BPF_ALU | BPF_MOV | BPF_X, R0, R0, 0, 0);
		break;
	case EXPRESSION_CPU:
		emit_call(e, BPF_FUNC_get_smp_processor_id);
		break;
	case EXPRESSION_CGROUP:
		emit_call(e, BPF_FUNC_get_current_cgroup_id);
		break;
	case EXPRESSION_PID_NS:
		emit_pid_ns(e);
		break;
	case EXPRESSION_PREEMPT:
		emit_run_value(e, number, offsetof(struct ltt_run_values, preempt));
		break;
	case EXPRESSION_IRQ:
		emit_run_value(e, number, offsetof(struct ltt_run_values, irq));
		break;
	case EXPRESSION_NEED_RESCHED:
		emit_run_value(e, number, offsetof(struct ltt_run_values, need_resched));
		break;
	default:
		if (number >= EXPRESSION_COUNTERS)
			emit_counter(e, number);
		else
			emit_task_value(e, number);
		break;
	}
}
