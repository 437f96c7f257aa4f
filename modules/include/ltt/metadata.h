/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CTF metadata of a trace.
 *
 * Layer: tracer.  Locking: see ltt/trace.h.
 */
#ifndef LTT_METADATA_H
#define LTT_METADATA_H

#include <linux/types.h>

struct ltt_metadata;
struct ltt_trace;

/**
 * ltt_trace_metadata() - get the CTF metadata of a trace
 * @trace: in any state
 *
 * Context: registry lock held, or the caller otherwise keeps the trace from being destroyed.
 * Return: the metadata, with a reference for the caller, see ltt_metadata_put().
 */
struct ltt_metadata *ltt_trace_metadata(struct ltt_trace *trace);

/**
 * ltt_metadata_put() - drop a reference to metadata
 * @metadata: not to be used any more by the caller
 *
 * Context: task.
 */
void ltt_metadata_put(struct ltt_metadata *metadata);

/**
 * ltt_metadata_read() - copy metadata to user memory
 * @metadata: the caller has a reference
 * @to: user memory, @count bytes
 * @count: bytes
 * @pos: offset of the first byte, not negative; moved by the number of bytes copied
 *
 * Context: sleeps.
 * Return: bytes copied, a page at most; 0 at the end of the text so far; -EFAULT; -ENOMEM.
 */
ssize_t ltt_metadata_read(struct ltt_metadata *metadata, char __user *to, size_t count,
			  loff_t *pos);

#endif /* LTT_METADATA_H */
