// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists the tracepoints of the running kernel and of its modules.
 *
 * Test module, of no layer; needs no other.  A read of /proc/ltt-test-tracepoints prints a line "NAME
 * [MODULE]" for each, "[kernel]" for those of the kernel itself.
 *
 * Context: a process.  Locking: a mutex keeps readers apart, because the notifier has only a
 * global variable to know the reader by.
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/tracepoint.h>

static DEFINE_MUTEX(reader_lock);
static struct seq_file *reader;

static void show_kernel(struct tracepoint *tp, void *s)
{
	seq_printf(s, "%s [kernel]\n", tp->name);
}

/* The kernel calls it for each module that is loaded when it is registered. */
static int show_module(struct notifier_block *nb, unsigned long action, void *data)
{
	struct module *mod = ((struct tp_module *)data)->mod;
	unsigned int i;

	for (i = 0; action == MODULE_STATE_COMING && i < mod->num_tracepoints; i++)
		seq_printf(reader, "%s [%s]\n", tracepoint_ptr_deref(&mod->tracepoints_ptrs[i])->name,
			   mod->name);
	return NOTIFY_OK;
}

static struct notifier_block module_nb = {
	.notifier_call = show_module,
};

static int show(struct seq_file *s, void *v)
{
	int err;

	for_each_kernel_tracepoint(show_kernel, s);
	mutex_lock(&reader_lock);
	reader = s;
	err = register_tracepoint_module_notifier(&module_nb);
	if (!err)
		unregister_tracepoint_module_notifier(&module_nb);
	mutex_unlock(&reader_lock);
	return err;
}

static int __init list_init(void)
{
	return proc_create_single("ltt-test-tracepoints", 0400, NULL, show) ? 0 : -ENOMEM;
}

static void __exit list_exit(void)
{
	remove_proc_entry("ltt-test-tracepoints", NULL);
}

module_init(list_init);
module_exit(list_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("LTT test: lists all tracepoints");
