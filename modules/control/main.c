// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-control: one table of operations, and its faces, debugfs and /dev/ltt.
 *
 * Layer: control (last).
 */
#include "device/connection.h"

#include <linux/module.h>

static int __init control_init(void)
{
	int err;

	ltt_op_add_table(ltt_control_ops);
	err = ltt_face_init(&ltt_debugfs_face);
	if (err)
		return err;
	err = ltt_notify_init();
	if (err)
		goto err_notify;
	err = ltt_device_init();
	if (err)
		goto err_device;
	err = ltt_debugfs_init();
	if (err)
		goto err_debugfs;
	ltt_boot();
	/* Last, because users can create traces from now on. */
	err = ltt_debugfs_open();
	if (err)
		goto err_open;
	ltt_device_ready();
	return 0;

err_open:
	ltt_face_destroy_traces(&ltt_debugfs_face);
	ltt_debugfs_exit();
err_debugfs:
	ltt_device_exit();
err_device:
	ltt_notify_exit();
err_notify:
	ltt_face_exit(&ltt_debugfs_face);
	return err;
}

static void __exit control_exit(void)
{
	ltt_device_exit();
	ltt_notify_exit();
	ltt_debugfs_close();
	ltt_debugfs_exit();
	ltt_face_exit(&ltt_debugfs_face);
}

module_init(control_init);
module_exit(control_exit);

MODULE_DESCRIPTION("LTT: control of traces through debugfs and /dev/ltt");
MODULE_LICENSE("GPL");
/* A user who loads the tracer by its name wants the kernel's events, too; no symbol needs them. */
MODULE_SOFTDEP("post: ltt-tracepoints ltt-syscalls");
