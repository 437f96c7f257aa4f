/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * uprobes: older kernels have other functions, and handlers without an argument.
 *
 * Layer: none.
 */
#ifndef LTT_COMPAT_UPROBE_H
#define LTT_COMPAT_UPROBE_H

#include <linux/err.h>
#include <linux/uprobes.h>

/* The last argument of a handler. */
#ifdef LTT_HAVE_UPROBE_DATA
#define LTT_UPROBE_DATA	, __u64 *data
#else
#define LTT_UPROBE_DATA
#endif

#ifdef LTT_HAVE_UPROBE_HANDLE
typedef struct uprobe *ltt_uprobe_handle;
#else
/* Their uprobe_unregister() finds the place again, and waits by itself. */
typedef struct inode *ltt_uprobe_handle;
#endif

/**
 * ltt_uprobe_arm() - register a consumer at a place in a file
 * @inode: the file
 * @offset: of the instruction
 * @semaphore: offset of a counter to raise meanwhile, or 0
 * @consumer: its handlers
 *
 * Return: what ltt_uprobe_disarm() takes; ERR_PTR().
 */
static inline ltt_uprobe_handle ltt_uprobe_arm(struct inode *inode, loff_t offset,
					       loff_t semaphore, struct uprobe_consumer *consumer)
{
#ifdef LTT_HAVE_UPROBE_HANDLE
	return uprobe_register(inode, offset, semaphore, consumer);
#else
	int err = uprobe_register_refctr(inode, offset, semaphore, consumer);

	return err ? ERR_PTR(err) : inode;
#endif
}

/**
 * ltt_uprobe_disarm() - unregister a consumer; no handler runs afterwards
 * @handle: from ltt_uprobe_arm()
 * @offset: as given to it
 * @consumer: as given to it
 */
static inline void ltt_uprobe_disarm(ltt_uprobe_handle handle, loff_t offset,
				     struct uprobe_consumer *consumer)
{
#ifdef LTT_HAVE_UPROBE_HANDLE
	uprobe_unregister_nosync(handle, consumer);
	uprobe_unregister_sync();
#else
	uprobe_unregister(handle, offset, consumer);
#endif
}

#endif /* LTT_COMPAT_UPROBE_H */
