// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver with markers whose names are taken: in debugfs by a file of LTT, or by a
 * tracepoint.
 *
 * Test module, of no layer.  Opening /proc/ltt-test-taken fires all of them.
 */
#include <ltt/marker.h>

#include <linux/module.h>
#include <linux/proc_fs.h>

static int taken_open(struct inode *inode, struct file *file)
{
	trace_mark(wanted, of_taken_group, "n %d", 1);
	trace_mark(taken, enable, "n %d", 2);
	trace_mark(taken, free, "n %d", 3);
	trace_mark(sched, sched_switch, "n %d", 4);
	return 0;
}

static const struct proc_ops taken_proc = {
	.proc_open = taken_open,
};

static int __init taken_init(void)
{
	return proc_create("ltt-test-taken", 0600, NULL, &taken_proc) ? 0 : -ENOMEM;
}

static void __exit taken_exit(void)
{
	remove_proc_entry("ltt-test-taken", NULL);
}

module_init(taken_init);
module_exit(taken_exit);
MODULE_DESCRIPTION("LTT test: markers whose names are taken");
MODULE_LICENSE("GPL");
