/* SPDX-License-Identifier: GPL-2.0-only */
/* Layer: none; part of ltt-btf. */
#ifndef LTT_BTF_SYSTEMS_H
#define LTT_BTF_SYSTEMS_H

#include "btf.h"
#include "elf.h"
#include "text.h"

/**
 * systems_find() - find the group of each event of a kernel, which its BTF does not have
 * @vmlinux: the kernel, an ELF file
 * @b: its types
 * @list: receives "EVENT SYSTEM" lines
 */
void systems_find(const struct file *vmlinux, const struct btf *b, struct text *list);

#endif /* LTT_BTF_SYSTEMS_H */
