/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The processes that a recording of programs is limited to: one and its descendants.
 *
 * Layer: lttd.
 */
#ifndef LTTD_FAMILY_H
#define LTTD_FAMILY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct family - a process, whose descendants are members
 * @root: its process id; 0: all processes are members
 * @started: when it started: another process may have this id later
 */
struct family {
	pid_t root;
	uint64_t started;
};

/**
 * typedef family_fn - find out if a process is known as a member
 * @pid: the process, which runs
 * @arg: see family_has()
 */
typedef bool family_fn(pid_t pid, void *arg);

/**
 * family_open() - describe the family of a process
 * @family: receives the description
 * @root: the process id
 *
 * Return: 0, or -errno: -ESRCH if there is no such process.
 */
int family_open(struct family *family, pid_t root);

/**
 * family_has() - find out if a process is a member
 * @family: the family; its @root is not 0
 * @pid: the process
 * @known: called for the process's ancestors
 * @arg: for @known
 *
 * Return: true if @pid, or one of its ancestors, is the root or known as a member.
 */
bool family_has(const struct family *family, pid_t pid, family_fn *known, void *arg);

#endif /* LTTD_FAMILY_H */
