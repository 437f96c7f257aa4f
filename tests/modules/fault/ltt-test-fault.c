// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does wrong what its parameter says, as it is loaded: the proof that the VM
 * harness notices. Test module, of no layer; task context, no locks.
 */
#include <linux/bug.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/slab.h>

static char *fault = "";
module_param(fault, charp, 0444);
MODULE_PARM_DESC(fault, "warn, oops, overflow or lockup");

static void overflow(void)
{
	char *object = kmalloc(32, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(object);
	if (object)
		object[32] = 'x';
	kfree(object);
}

static int __init fault_init(void)
{
	if (!strcmp(fault, "warn")) {
		WARN(1, "a warning that was asked for\n");
	} else if (!strcmp(fault, "oops")) {
		WRITE_ONCE(*(int *)0, 1);
	} else if (!strcmp(fault, "overflow")) {
		overflow();
	} else if (!strcmp(fault, "lockup")) {
		local_irq_disable();
		for (;;)
			cpu_relax();
	} else {
		pr_err("ltt-test-fault: there is no fault \"%s\"\n", fault);
		return -EINVAL;
	}
	return 0;
}

static void __exit fault_exit(void)
{
}

module_init(fault_init);
module_exit(fault_exit);
MODULE_DESCRIPTION("LTT test: faults on request");
MODULE_LICENSE("GPL");
