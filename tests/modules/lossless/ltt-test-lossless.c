// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver whose callers, threads and interrupts emit markers on demand, for the
 * test of channels that make writers wait.
 *
 * Test module, of no layer; needs nothing of LTT to load.  Write WHAT N to
 * /proc/ltt-test-lossless to emit N events of:
 *
 *	task N		lossless:task seq, by the caller
 *	hold N		the same; then the caller stays in the kernel until a signal
 *	irq N		lossless:irq seq, in a hard interrupt
 *	thread N	lossless:thread seq, by a kernel thread
 *	patient N	lossless:patient seq, by a kernel thread, at a site that may sleep
 *	caller N	lossless:caller seq, by the caller, at a site that may sleep
 *
 * Each seq begins with 0; events of one kind come from one caller at a time.
 */
#include <ltt/marker.h>

#include <linux/completion.h>
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

/* One caller at a time; guards all below. */
static DEFINE_MUTEX(run_lock);
static unsigned int number;
static DECLARE_COMPLETION(done);

static void emit_task(void)
{
	static u64 seq;

	while (number) {
		trace_mark(lossless, task, "seq %llu", seq++);
		number--;
	}
}

static void emit_irq(struct irq_work *work)
{
	static u64 seq;

	for (; number; number--)
		trace_mark(lossless, irq, "seq %llu", seq++);
	complete(&done);
}

/* Hard: with PREEMPT_RT others run in a thread. */
static struct irq_work interrupt = IRQ_WORK_INIT_HARD(emit_irq);

static int emit_thread(void *unused)
{
	static u64 seq;

	for (; number; number--) {
		trace_mark(lossless, thread, "seq %llu", seq++);
		cond_resched();
	}
	complete(&done);
	return 0;
}

static int emit_patient(void *unused)
{
	static u64 seq;

	for (; number; number--)
		trace_mark_may_sleep(lossless, patient, "seq %llu", seq++);
	complete(&done);
	return 0;
}

static void emit_caller(void)
{
	static u64 seq;

	for (; number; number--)
		trace_mark_may_sleep(lossless, caller, "seq %llu", seq++);
}

static int in_thread(int (*fn)(void *unused))
{
	struct task_struct *thread = kthread_run(fn, NULL, "ltt-test-lossless");

	if (IS_ERR(thread))
		return PTR_ERR(thread);
	wait_for_completion(&done);
	return 0;
}

static int run(const char *what)
{
	reinit_completion(&done);
	if (!strcmp(what, "task") || !strcmp(what, "hold")) {
		emit_task();
		return 0;
	}
	if (!strcmp(what, "caller")) {
		emit_caller();
		return 0;
	}
	if (!strcmp(what, "irq")) {
		irq_work_queue(&interrupt);
		wait_for_completion(&done);
		return 0;
	}
	if (!strcmp(what, "thread"))
		return in_thread(emit_thread);
	if (!strcmp(what, "patient"))
		return in_thread(emit_patient);
	return -EINVAL;
}

static ssize_t lossless_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	char text[32], what[16];
	unsigned int n;
	int err;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	if (sscanf(text, "%15s %u", what, &n) != 2)
		return -EINVAL;
	if (mutex_lock_interruptible(&run_lock))
		return -EINTR;
	number = n;
	err = run(what);
	mutex_unlock(&run_lock);
	if (!err && !strcmp(what, "hold")) {
		while (!signal_pending(current)) {
			set_current_state(TASK_INTERRUPTIBLE);
			if (!signal_pending(current))
				schedule();
		}
		__set_current_state(TASK_RUNNING);
	}
	return err ?: count;
}

static const struct proc_ops lossless_ops = {
	.proc_write = lossless_write,
	.proc_lseek = noop_llseek,
};

static int __init lossless_init(void)
{
	return proc_create("ltt-test-lossless", 0200, NULL, &lossless_ops) ? 0 : -ENOMEM;
}

static void __exit lossless_exit(void)
{
	remove_proc_entry("ltt-test-lossless", NULL);
	irq_work_sync(&interrupt);
}

module_init(lossless_init);
module_exit(lossless_exit);

MODULE_DESCRIPTION("LTT test: writers that wait for the reader");
MODULE_LICENSE("GPL");
