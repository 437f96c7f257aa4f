// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Loading a program into the kernel.
 */
#include "tree.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOG_SIZE (1 << 16)

/* BPF_LOG_STATS of the kernel: what is wrong and some figures, without each instruction, for which the log is too small. */
#define LOG_LEVEL 4

static const char instead[] = "record without a filter, and use \"lttctl view -f\"";

static int bpf_load(union bpf_attr *attr)
{
	int fd = syscall(__NR_bpf, BPF_PROG_LOAD, attr, sizeof(*attr));

	return fd < 0 ? -errno : fd;
}

/* The kernel's bpf_obj_name_cpy() allows no other characters. */
static void set_name(char to[BPF_OBJ_NAME_LEN], const char *name)
{
	size_t i;

	for (i = 0; i < BPF_OBJ_NAME_LEN - 1 && name[i]; i++)
		to[i] = isalnum((unsigned char)name[i]) || name[i] == '.' ? name[i] : '_';
}

static bool is_confidential(void)
{
	char text[64] = "";
	FILE *file = fopen("/sys/kernel/security/lockdown", "re");

	if (!file)
		return false;
	if (!fgets(text, sizeof(text), file))
		*text = '\0';
	fclose(file);
	return strstr(text, "[confidentiality]");
}

/* Return: the last line that the verifier wrote, but for its figures. */
static const char *last_line(char *log)
{
	char *figures = strstr(log, "\nverification time "), *line;
	size_t len;

	if (figures)
		*figures = '\0';
	len = strlen(log);
	while (len && log[len - 1] == '\n')
		log[--len] = '\0';
	line = strrchr(log, '\n');
	return line ? line + 1 : log;
}

/* The verifier rejected the program: ask it why. */
static int fail_with_log(union bpf_attr *attr, int status, struct expression_error *error)
{
	char *log = calloc(1, LOG_SIZE);
	int fd;

	if (!log)
		return fail_at(error, -ENOMEM, 0, "out of memory");
	attr->log_buf = (uintptr_t)log;
	attr->log_size = LOG_SIZE;
	attr->log_level = LOG_LEVEL;
	fd = bpf_load(attr);
	if (fd >= 0)	/* it was rejected for something that has passed */
		status = fd;
	else if (is_confidential())
		fail_at(error, status, 0, "the kernel is locked down (confidentiality) and lets no program read strings, "
			"or fields behind them; %s", instead);
	else
		fail_at(error, status, 0, "the kernel's verifier rejected the program: %s",
			*log ? last_line(log) : strerror(-status));
	free(log);
	return status;
}

int expression_check_tracer(const struct expression_program *program, struct expression_error *error)
{
	/* The modules have this parameter since they leave the values. */
	if (!program->asks || !access("/sys/module/ltt_control/parameters/boot", F_OK))
		return 0;
	return fail_at(error, -EOPNOTSUPP, 0, "preempt, irq, need_resched: the tracer that is loaded is of an earlier version, "
		       "and has no values of these for filters: load the modules of this version");
}

int expression_load(const struct expression_program *program, const char *name, struct expression_error *error)
{
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = (uintptr_t)program->insns,
		.insn_cnt = program->nr,
		.license = (uintptr_t)"GPL",
	};
	int fd;

	set_name(attr.prog_name, name);
	fd = bpf_load(&attr);
	if (fd >= 0)
		return fd;
	if (fd == -ENOSYS)
		return fail_at(error, -EOPNOTSUPP, 0, "this kernel has no eBPF (CONFIG_BPF_SYSCALL); %s", instead);
	if (fd == -EPERM)
		return fail_at(error, fd, 0, "loading eBPF programs needs root, or the capabilities CAP_BPF and CAP_PERFMON; %s",
			       instead);
	/* EFAULT: it has too many jumps. */
	if (fd == -EINVAL || fd == -EACCES || fd == -E2BIG || fd == -EFAULT)
		return fail_with_log(&attr, fd, error);
	return fail_at(error, fd, 0, "cannot load the eBPF program: %s", strerror(-fd));
}
