// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-relay: lockless per-CPU buffers on page arrays, and their readers.
 *
 *   ring.c	the algorithm of a ring (core/ring.c)
 *   buffer.c	the memory of a buffer
 *   channel.c	a buffer for each CPU: creation, hotplug, flush, close
 *   reader.c	the reader's file: read, splice, poll
 *   map.c	a buffer mapped into a program's memory
 *   snapshot.c	copies of packets that stay in their buffer
 *   wait.c	the waits of threads for the reader of a lossless channel
 *   budget.c	charges for memory
 *
 * Layer: relay (after timestamp).
 */
#include "relay.h"

#include <linux/module.h>

static int __init relay_init(void)
{
	return ltt_relay_channel_init();
}

static void __exit relay_exit(void)
{
	ltt_relay_channel_exit();
	ltt_relay_wait_exit();
}

module_init(relay_init);
module_exit(relay_exit);

MODULE_DESCRIPTION("LTT: lockless per-CPU trace buffers");
MODULE_LICENSE("GPL");
