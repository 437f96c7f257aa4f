// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-relay: lockless per-CPU buffers on page arrays, and their readers.
 *
 * Layer: relay (after timestamp).  ring.c is the algorithm, buffer.c the memory,
 * channel.c the CPUs, reader.c the file, wait.c what makes a channel lossless.
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
