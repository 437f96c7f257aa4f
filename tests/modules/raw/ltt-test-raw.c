// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver whose markers are raw tracepoints, too.
 *
 * Test module, of no layer; needs nothing of LTT to load.  Each number N from 1 to that written to
 * /proc/ltt-test-raw fires, in this order,
 *
 *	raw:none
 *	raw:one		number N, signed and negative: its evaluation is counted
 *	raw:text	number N, text "text N"
 *	raw:twelve	twelve integers, N to N + 11
 *	raw:sleeper	number N, by trace_mark_may_sleep()
 *
 * Reading the file shows how often the argument of raw:one was evaluated.
 */
#include <ltt/marker.h>

#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

/* Guards the number. */
static DEFINE_MUTEX(lock);
static unsigned int evaluated;

static int evaluate(int number)
{
	evaluated++;
	return number;
}

static void fire(int n)
{
	char text[16];

	snprintf(text, sizeof(text), "text %d", n);
	trace_mark(raw, none, "");
	trace_mark(raw, one, "number %d", evaluate(-n));
	trace_mark(raw, text, "number %d text %s", n, text);
	trace_mark(raw, twelve, "a %d b %d c %d d %d e %d f %d g %d h %d i %d j %d k %d l %d", n, n + 1,
		   n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11);
	trace_mark_may_sleep(raw, sleeper, "number %d", n);
}

static ssize_t raw_write(struct file *file, const char __user *text, size_t count, loff_t *pos)
{
	unsigned int number, n;
	int err = kstrtouint_from_user(text, count, 0, &number);

	if (err)
		return err;
	mutex_lock(&lock);
	for (n = 1; n <= number; n++)
		fire(n);
	mutex_unlock(&lock);
	return count;
}

static int show(struct seq_file *s, void *unused)
{
	seq_printf(s, "%u\n", evaluated);
	return 0;
}

static int raw_open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static const struct proc_ops raw_proc = {
	.proc_open = raw_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = raw_write,
};

static int __init raw_init(void)
{
	return proc_create("ltt-test-raw", 0600, NULL, &raw_proc) ? 0 : -ENOMEM;
}

static void __exit raw_exit(void)
{
	remove_proc_entry("ltt-test-raw", NULL);
}

module_init(raw_init);
module_exit(raw_exit);

MODULE_DESCRIPTION("Markers that are raw tracepoints, for tests");
MODULE_LICENSE("GPL");
