// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Places in the kernel's struct task_struct, from its own type information (BTF).
 */
#include "emit.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <string.h>

/* Return: the place of a member of a structure, or of an unnamed structure in it; -1: there is none. */
static int find_member(const struct btf *btf, uint32_t id, const char *name)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const struct btf_member *member;
	unsigned int i;
	int inner;

	if (!type || !btf_is_composite(type))
		return -1;
	member = btf_members(type);
	for (i = 0; i < btf_vlen(type); i++) {
		const char *found = btf__name_by_offset(btf, member[i].name_off);
		const int place = btf_member_bit_offset(type, i) / 8;

		if (found && !strcmp(found, name))
			return place;
		inner = found && *found ? -1 : find_member(btf, member[i].type, name);
		if (inner >= 0)
			return place + inner;
	}
	return -1;
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
	struct task_layout layout = { -1, -1 };
	libbpf_print_fn_t before = libbpf_set_print(print_nothing);
	struct btf *btf = btf__parse("/sys/kernel/btf/vmlinux", NULL);
	int id;

	libbpf_set_print(before);
	if (libbpf_get_error(btf))
		return layout;
	id = btf__find_by_name_kind(btf, "task_struct", BTF_KIND_STRUCT);
	if (id > 0) {
		layout.comm = find_member(btf, id, "comm");
		layout.prio = find_member(btf, id, "prio");
	}
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
