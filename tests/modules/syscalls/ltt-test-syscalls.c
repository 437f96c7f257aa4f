// SPDX-License-Identifier: GPL-2.0-only
/*
 * While it is loaded, probes that do nothing are on the tracepoints of system calls: to see what
 * the kernel's own way to a probe costs.
 *
 * Test module, of no layer.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

struct pt_regs;

static struct tracepoint *enter_tp, *exit_tp;

static notrace void empty_probe(void *unused, struct pt_regs *regs, long value)
{
}

static void find(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sys_enter"))
		enter_tp = tp;
	else if (!strcmp(tp->name, "sys_exit"))
		exit_tp = tp;
}

static int __init test_init(void)
{
	int err;

	for_each_kernel_tracepoint(find, NULL);
	if (!enter_tp || !exit_tp)
		return -EOPNOTSUPP;
	err = tracepoint_probe_register(enter_tp, empty_probe, NULL);
	if (err)
		return err;
	err = tracepoint_probe_register(exit_tp, empty_probe, NULL);
	if (err)
		tracepoint_probe_unregister(enter_tp, empty_probe, NULL);
	return err;
}

static void __exit test_exit(void)
{
	tracepoint_probe_unregister(exit_tp, empty_probe, NULL);
	tracepoint_probe_unregister(enter_tp, empty_probe, NULL);
	tracepoint_synchronize_unregister();
}

module_init(test_init);
module_exit(test_exit);

MODULE_DESCRIPTION("LTT test: empty probes on system calls");
MODULE_LICENSE("GPL");
