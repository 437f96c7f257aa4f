// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-control: one table of operations, and the debugfs face of it.
 *
 * Layer: control (last).
 */
#include "control.h"

#include <linux/module.h>

static int __init control_init(void)
{
	int err;

	err = ltt_ops_init(&ltt_debugfs_face);
	if (err)
		return err;
	err = ltt_debugfs_init();
	if (err)
		goto err_debugfs;
	return 0;

err_debugfs:
	ltt_ops_exit(&ltt_debugfs_face);
	return err;
}

static void __exit control_exit(void)
{
	ltt_debugfs_exit();
	ltt_ops_exit(&ltt_debugfs_face);
}

module_init(control_init);
module_exit(control_exit);

MODULE_DESCRIPTION("LTT: control of traces through debugfs");
MODULE_LICENSE("GPL");
