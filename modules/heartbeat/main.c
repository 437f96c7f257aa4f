// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-heartbeat: the periodic beat of traces, and of a 32-bit clock, and the deadman.
 *
 * Layer: heartbeat (after tracer).
 */
#include "heartbeat.h"

#include <linux/module.h>

static int __init heartbeat_init(void)
{
	int err = ltt_beat_init();

	if (err)
		return err;
	err = ltt_deadman_init();
	if (err) {
		ltt_beat_exit();
		return err;
	}
	ltt_keeper_init();
	return 0;
}

static void __exit heartbeat_exit(void)
{
	ltt_keeper_exit();
	ltt_deadman_exit();
	ltt_beat_exit();
}

module_init(heartbeat_init);
module_exit(heartbeat_exit);

MODULE_DESCRIPTION("LTT: heartbeat");
MODULE_LICENSE("GPL");
