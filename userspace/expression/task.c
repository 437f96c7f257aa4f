// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The ways from the kernel's struct task_struct to values, from its own type information (BTF).
 */
#include "emit.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <string.h>

/* As in C; numbers is an array, of which this is the first element. */
static const char *const expressions[TASK_VALUES] = {
	[TASK_COMM] = "comm",
	[TASK_PRIO] = "prio",
	[TASK_PPID] = "real_parent->tgid",
	[TASK_PID_LEVEL] = "thread_pid->level",
	[TASK_PID_NS] = "thread_pid->numbers.ns->ns.inum",
	[TASK_NET_NS] = "nsproxy->net_ns->ns.inum",
	[TASK_MNT_NS] = "nsproxy->mnt_ns->ns.inum",
	[TASK_MIGRATE_DISABLE] = "migration_disabled",
	[TASK_RUN] = "bpf_ctx",
};

/**
 * struct place - a member of a structure
 * @type: its type
 * @offset: its place; -1: there is none of the name
 */
struct place {
	uint32_t type;
	int offset;
};

/* Find the member of a structure, or of an unnamed structure in it, whose name has @len characters. */
static struct place find_member(const struct btf *btf, uint32_t id, const char *name, size_t len)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const struct btf_member *member;
	unsigned int i;

	if (!type || !btf_is_composite(type))
		return (struct place){ .offset = -1 };
	member = btf_members(type);
	for (i = 0; i < btf_vlen(type); i++) {
		const char *found = btf__name_by_offset(btf, member[i].name_off);
		const int offset = btf_member_bit_offset(type, i) / 8;
		struct place inner = { .offset = -1 };

		if (found && strlen(found) == len && !memcmp(found, name, len))
			return (struct place){ member[i].type, offset };
		if (!found || !*found)
			inner = find_member(btf, member[i].type, name, len);
		if (inner.offset >= 0)
			return (struct place){ inner.type, offset + inner.offset };
	}
	return (struct place){ .offset = -1 };
}

/* Return: the structure that a member is, points to or has as elements; 0: none. */
static uint32_t structure_of(const struct btf *btf, uint32_t type)
{
	const int id = btf__resolve_type(btf, type);
	const struct btf_type *found = id > 0 ? btf__type_by_id(btf, id) : NULL;
	int inner = id;

	if (found && btf_is_ptr(found))
		inner = btf__resolve_type(btf, found->type);
	else if (found && btf_is_array(found))
		inner = btf__resolve_type(btf, btf_array(found)->type);
	return inner > 0 ? inner : 0;
}

static struct task_path find_path(const struct btf *btf, uint32_t task, const char *expression)
{
	struct task_path path = { .nr = 0 };
	struct place place = { .type = task };
	const char *name = expression;
	size_t len;

	for (;; name += len + 1) {
		len = strcspn(name, "-.");
		place = find_member(btf, structure_of(btf, place.type), name, len);
		if (place.offset < 0)
			return (struct task_path){ .nr = 0 };
		path.step[path.nr] += place.offset;
		if (!name[len])
			break;
		if (name[len] == '-') {
			path.nr++;
			len++;
		}
	}
	path.nr++;
	path.size = btf__resolve_size(btf, place.type);
	return path;
}

static int print_nothing(enum libbpf_print_level level, const char *format, va_list list)
{
	(void)level;
	(void)format;
	(void)list;
	return 0;
}

static struct task_layout read_layout(void)
{
	struct task_layout layout = { .pointer = 0 };
	libbpf_print_fn_t before = libbpf_set_print(print_nothing);
	struct btf *btf = btf__parse("/sys/kernel/btf/vmlinux", NULL);
	unsigned int i;
	int task, upid;

	libbpf_set_print(before);
	if (libbpf_get_error(btf))
		return layout;
	task = btf__find_by_name_kind(btf, "task_struct", BTF_KIND_STRUCT);
	upid = btf__find_by_name_kind(btf, "upid", BTF_KIND_STRUCT);
	for (i = 0; task > 0 && i < TASK_VALUES; i++)
		layout.path[i] = find_path(btf, task, expressions[i]);
	layout.pointer = btf__pointer_size(btf);
	if (upid > 0)
		layout.upid = btf__resolve_size(btf, upid);
	btf__free(btf);
	return layout;
}

const struct task_layout *task_layout(void)
{
	static struct task_layout layout;
	static bool is_read;

	if (!is_read)
		layout = read_layout();
	is_read = true;
	return &layout;
}
