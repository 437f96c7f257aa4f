/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The first page of a mapped buffer: where in the mapping the packet lies that the
 * last read() took out.  For programs; doc/device.md tells how to use it.
 */
#ifndef LTT_MAPPING_H
#define LTT_MAPPING_H

#include <linux/types.h>

/**
 * struct ltt_mapping - at offset 0 of the mapping
 * @size: bytes that can be mapped, this page included
 * @position: of the packet that is out, in the stream; when none is, of the next
 * @offset: of that packet in the mapping; 0 when none is out
 * @content: bytes of it that mean something
 * @length: bytes of it, whole pages: the next one is at @position + @length
 *
 * It changes only inside read() and pread() of the mapped descriptor (and in mmap()
 * itself), so whoever makes these calls sees what they did when they return.
 */
struct ltt_mapping {
	__u64 size;
	__u64 position;
	__u64 offset;
	__u64 content;
	__u64 length;
};

#endif /* LTT_MAPPING_H */
