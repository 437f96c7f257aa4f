/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The first page of a mapped buffer.  It says where in the mapping the packet is that
 * the last read() or pread() took out.  doc/device.md has an example.
 */
#ifndef LTT_MAPPING_H
#define LTT_MAPPING_H

#include <linux/types.h>

/**
 * struct ltt_mapping - at offset 0 of the mapping
 * @size: bytes that can be mapped, including this page
 * @position: offset of the packet that is out in the data stream of the buffer; if no
 *	packet is out, that of the next one
 * @offset: offset of the packet that is out in the mapping; 0 if no packet is out
 * @content: bytes of the packet that hold data
 * @length: bytes of the packet, a multiple of the page size.  The next packet is at
 *	@position + @length
 *
 * Each field is 8 bytes, in native byte order, without padding.  The fields change only
 * inside read(), pread() and mmap() of the mapped descriptor, so a thread that makes
 * these calls sees their effect when they return.
 */
struct ltt_mapping {
	__u64 size;
	__u64 position;
	__u64 offset;
	__u64 content;
	__u64 length;
};

#endif /* LTT_MAPPING_H */
