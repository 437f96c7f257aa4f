/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A security module of one hook: a BPF program that denies a capability.
 */
#ifndef DENY_CAPABILITY_H
#define DENY_CAPABILITY_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* Bytes behind a type's struct btf_type. */
static inline size_t btf_extra(const struct btf_type *type)
{
	unsigned int nr = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return nr * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return nr * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return nr * 12;
	case BTF_KIND_FUNC_PROTO:
		return nr * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return nr * sizeof(struct btf_var_secinfo);
	}
	return 0;
}

/* The number of a function in the BTF of the kernel, or -errno. */
static inline int btf_function(const char *name)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC), id, found = -ENOENT;
	const struct btf_header *header;
	const char *at, *end, *names;
	struct stat st;
	char *btf;
	ssize_t n;
	size_t have = 0;

	if (fd < 0 || fstat(fd, &st))
		return -errno;
	btf = malloc(st.st_size);
	while (btf && (n = read(fd, btf + have, st.st_size - have)) > 0)
		have += n;
	close(fd);
	if (!btf || have != (size_t)st.st_size)
		return -EIO;
	header = (const void *)btf;
	names = btf + header->hdr_len + header->str_off;
	at = btf + header->hdr_len + header->type_off;
	end = at + header->type_len;
	for (id = 1; at < end; id++) {
		const struct btf_type *type = (const void *)at;

		if (BTF_INFO_KIND(type->info) == BTF_KIND_FUNC && !strcmp(names + type->name_off, name)) {
			found = id;
			break;
		}
		at += sizeof(*type) + btf_extra(type);
	}
	free(btf);
	return found;
}

/* Deny a capability in this process as long as the returned descriptor is open; or
 * -errno. */
static inline int deny_capability(int cap)
{
	const struct bpf_insn program[] = {
		/* r7 = what the other modules return; r8 = the capability */
		{ BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_7, BPF_REG_1, 32, 0 },
		{ BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_8, BPF_REG_1, 16, 0 },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_current_pid_tgid },
		{ BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_0, 0, 0, 32 },
		{ BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 2, getpid() },
		{ BPF_JMP | BPF_JNE | BPF_K, BPF_REG_8, 0, 1, cap },
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_7, 0, 0, -EPERM },
		{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_0, BPF_REG_7, 0, 0 },
		{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	};
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_LSM,
		.expected_attach_type = BPF_LSM_MAC,
		.insns = (uintptr_t)program,
		.insn_cnt = sizeof(program) / sizeof(program[0]),
		.license = (uintptr_t)"GPL",
	}, attach = {};
	int id = btf_function("bpf_lsm_capable"), fd;

	if (id < 0)
		return id;
	load.attach_btf_id = id;
	attach.raw_tracepoint.prog_fd = syscall(SYS_bpf, BPF_PROG_LOAD, &load, sizeof(load));
	if ((int)attach.raw_tracepoint.prog_fd < 0)
		return -errno;
	fd = syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attach, sizeof(attach));
	if (fd < 0)
		fd = -errno;
	close(attach.raw_tracepoint.prog_fd);
	return fd;
}

#endif /* DENY_CAPABILITY_H */
