/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * <linux/btf.h> as in Linux 7, whose header of BTF is longer than that which older kernels and compilers write.
 */
#ifndef NEWER_LINUX_BTF_H
#define NEWER_LINUX_BTF_H

#define btf_header shorter_btf_header
#include_next <linux/btf.h>
#undef btf_header

struct btf_header {
	__u16 magic;
	__u8 version;
	__u8 flags;
	__u32 hdr_len;
	__u32 type_off;
	__u32 type_len;
	__u32 str_off;
	__u32 str_len;
	__u32 layout_off;
	__u32 layout_len;
};

#endif /* NEWER_LINUX_BTF_H */
