// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of the kernel's eBPF that can filter events: finding them, and checking what they do.
 *
 * Layer: tracer.  Context: task.  judge.c attaches and runs them.
 */
#include "judge.h"

#include <linux/bpf.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include <ltt/filter.h>

/* The verifier rounds a stack up to 16 bytes, and one of 64 may be put into memory of the CPU (BPF_PRIV_STACK_MIN_SIZE of the
 * kernel): a nested run would write to it. */
#define STACK_MAX	48

/* Kernels have few kinds of maps whose helpers work in each context in which an event can happen. */
static bool is_safe(const struct bpf_map *map)
{
	switch (map->map_type) {
	case BPF_MAP_TYPE_ARRAY:
	case BPF_MAP_TYPE_PERCPU_ARRAY:
		return true;
	case BPF_MAP_TYPE_HASH:
	case BPF_MAP_TYPE_PERCPU_HASH:
		/* Others allocate memory when an element is added. */
		return !(map->map_flags & BPF_F_NO_PREALLOC);
	case BPF_MAP_TYPE_STACK_TRACE:
		return true;
	default:
		return false;
	}
}

static bool all_maps(struct bpf_prog_aux *aux, bool (*check)(const struct bpf_map *map))
{
	bool all = true;
	u32 i;

	mutex_lock(&aux->used_maps_mutex);
	for (i = 0; i < aux->used_map_cnt; i++)
		all &= check(aux->used_maps[i]);
	mutex_unlock(&aux->used_maps_mutex);
	return all;
}

static int check_program(struct bpf_prog *program, char *why, size_t size)
{
	if (bpf_prog_is_sleepable(program)) {
		scnprintf(why, size, "the program may sleep, and events happen where nothing may");
		return -EINVAL;
	}
	if (!all_maps(program->aux, is_safe)) {
		scnprintf(why, size,
			  "the program uses a map other than arrays, hashes allocated in advance and stacks");
		return -EINVAL;
	}
	return 0;
}

/* "NUMBER", a descriptor of this process, or "/PATH" of a pinned program. */
static struct bpf_prog *open_program(const char *text)
{
	u32 fd;

	if (*text == '/')
		return bpf_prog_get_type_path(text, BPF_PROG_TYPE_RAW_TRACEPOINT);
	if (kstrtou32(text, 10, &fd))
		return ERR_PTR(-EINVAL);
	return bpf_prog_get_type_dev(fd, BPF_PROG_TYPE_RAW_TRACEPOINT, false);
}

struct bpf_prog *ltt_program_get(const char *text, char *why, size_t size)
{
	struct bpf_prog *program = open_program(text);
	int err = PTR_ERR_OR_ZERO(program);

	if (err == -EOPNOTSUPP)
		scnprintf(why, size, "this kernel has no eBPF, which filters need: filter when you look at the trace");
	else if (err)
		scnprintf(why, size, "\"%.100s\" is not a program of the type raw_tracepoint: name a descriptor, or the path of a pinned program",
			  text);
	if (err)
		return program;
	err = check_program(program, why, size);
	if (err) {
		bpf_prog_put(program);
		return ERR_PTR(err);
	}
	return program;
}
EXPORT_SYMBOL_GPL(ltt_program_get);

void ltt_program_put(struct bpf_prog *program)
{
	bpf_prog_put(program);
}
EXPORT_SYMBOL_GPL(ltt_program_put);

/* The helpers of arrays only find an element: what a program does with it is its own affair. */
static bool is_array(const struct bpf_map *map)
{
	return map->map_type == BPF_MAP_TYPE_ARRAY || map->map_type == BPF_MAP_TYPE_PERCPU_ARRAY;
}

/**
 * ltt_program_is_alone() - check whether a nested run of a program would break what it keeps
 * @program: from ltt_program_get()
 *
 * Context: may sleep.
 * Return: true if it must not be nested.
 */
bool ltt_program_is_alone(const struct bpf_prog *program)
{
	struct bpf_prog_aux *aux = program->aux;

	return !all_maps(aux, is_array) || aux->func_cnt > 1 || aux->stack_depth > STACK_MAX ||
	       bpf_prog_has_private_stack(program);
}
