/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For <trace/events/kmem.h>: the kernel does not export ptr_to_hashval(), with
 * which the event rss_stat distinguishes address spaces.
 *
 * Layer: instrument.  Context: a probe's.
 */
#include <linux/hash.h>
#include <linux/string.h>

/* Another hash than the kernel's, hence not what "%p" prints, to the same end. */
static inline int ltt_ptr_to_hashval(const void *ptr, unsigned long *hash)
{
	*hash = hash_ptr(ptr, 32);
	return 0;
}

#define ptr_to_hashval(ptr, hash) ltt_ptr_to_hashval(ptr, hash)
