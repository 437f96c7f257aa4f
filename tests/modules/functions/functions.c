// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions to trace, and what tracing them costs in counts of the TSC: instructions, in a VM
 * that runs with -icount shift=0.
 *
 * Writing "PLACE COUNT" to /sys/kernel/debug/ltt-test-functions calls ltt_test_outer() COUNT
 * times, and that calls ltt_test_inner(): in PLACE task or irq.  "fault 0" puts ftrace out of order, as
 * a fault that it finds in itself does.
 *
 * A read calls ltt_test_inner(), and its twin that ftrace cannot trace, and prints how many counts
 * more the former takes, in tenths: the median of batches of ten.
 *
 * Test module, of no layer.
 */
#include <linux/debugfs.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/timex.h>
#include <linux/uaccess.h>

#define BATCH	10
#define BATCHES	500

/* Global, and declared, so that the compiler neither clones nor renames them. */
void ltt_test_inner(unsigned int i);
void ltt_test_outer(unsigned int i);

noinline void ltt_test_inner(unsigned int i)
{
	barrier();	/* compiler: do not drop the call */
}

noinline void ltt_test_outer(unsigned int i)
{
	ltt_test_inner(i);
	barrier();	/* compiler: call it, do not jump there */
}

static noinline notrace void untraced_twin(unsigned int i)
{
	barrier();	/* compiler: do not drop the call */
}

/* ---- Calls ---- */

static unsigned int wanted;

static void call(void)
{
	unsigned int i;

	for (i = 0; i < wanted; i++)
		ltt_test_outer(i);
}

static void call_in_irq(struct irq_work *work)
{
	call();
}

static struct irq_work work = IRQ_WORK_INIT_HARD(call_in_irq);

/* The kernel does not export the function, but finds it for a kprobe; behind an ENDBR, so not for a CPU with IBT. */
static int put_out_of_order(void)
{
	struct kprobe found = { .symbol_name = "ftrace_kill" };
	int err = register_kprobe(&found);

	if (err)
		return err;
	unregister_kprobe(&found);
	((void (*)(void))found.addr)();
	return 0;
}

static ssize_t functions_write(struct file *file, const char __user *from, size_t size, loff_t *pos)
{
	char text[32] = "", place[16];
	int err;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, size))
		return -EFAULT;
	if (sscanf(text, "%15s %u", place, &wanted) != 2)
		return -EINVAL;
	if (!strcmp(place, "task")) {
		call();
	} else if (!strcmp(place, "irq")) {
		irq_work_queue(&work);
		irq_work_sync(&work);
	} else if (!strcmp(place, "fault")) {
		err = put_out_of_order();
		if (err)
			return err;
	} else {
		return -EINVAL;
	}
	return size;
}

/* ---- Cost ---- */

static int compare(const void *a, const void *b)
{
	return *(const u32 *)a < *(const u32 *)b ? -1 : *(const u32 *)a > *(const u32 *)b;
}

static u32 measure(void (*fn)(unsigned int i))
{
	static u32 took[BATCHES];
	unsigned int i, batch;

	for (batch = 0; batch < BATCHES; batch++) {
		unsigned long flags;
		u64 start;

		/* With a reschedule pending, each event would end with a call for it, in vain. */
		cond_resched();
		local_irq_save(flags);
		start = get_cycles();
		for (i = 0; i < BATCH; i++)
			fn(i);
		took[batch] = get_cycles() - start;
		local_irq_restore(flags);
	}
	sort(took, BATCHES, sizeof(took[0]), compare, NULL);
	return took[BATCHES / 2];
}

static int functions_show(struct seq_file *s, void *unused)
{
	u32 twin = measure(untraced_twin);

	seq_printf(s, "%u\n", measure(ltt_test_inner) - twin);
	return 0;
}

static int functions_open(struct inode *inode, struct file *file)
{
	return single_open(file, functions_show, NULL);
}

static const struct file_operations fops = {
	.owner = THIS_MODULE,
	.open = functions_open,
	.read = seq_read,
	.write = functions_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static struct dentry *file;

static int __init test_init(void)
{
	file = debugfs_create_file("ltt-test-functions", 0600, NULL, NULL, &fops);
	return PTR_ERR_OR_ZERO(file);
}

static void __exit test_exit(void)
{
	debugfs_remove(file);
}

module_init(test_init);
module_exit(test_exit);

MODULE_DESCRIPTION("LTT test: functions to trace");
MODULE_LICENSE("GPL");
