/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Names of cgroups, which only the kernel that runs knows: for recordings of the same boot.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_KERNEL_NAMES_H
#define LTTCTL_KERNEL_NAMES_H

#include "ltt/ltttrace.h"

#include <stdbool.h>
#include <stdint.h>

/* Return: true if @id, as in /proc/sys/kernel/random/boot_id, is that of this boot. */
bool kernel_is_boot(const char *id);

/* Return: true if the part was recorded since this machine booted. */
bool kernel_is_same_boot(const struct ltttrace_part *part);

/**
 * kernel_cgroup() - find a cgroup of version 2 by its id
 * @id: the id, which is the number of the inode of its directory
 *
 * Return: its path from the root of the hierarchy on; NULL if there is none now.
 */
const char *kernel_cgroup(uint64_t id);

/* Free the names. */
void kernel_names_forget(void);

#endif /* LTTCTL_KERNEL_NAMES_H */
