// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts an event at each of its instructions.
 *
 * Test module, of no layer, for a VM with one CPU.  A scenario (scenario.c) is an operation on a
 * buffer in some state, such as an event, and an interruption, which emits events itself.  The
 * sweep runs it as often as the operation has instructions, interrupted at another one each
 * time; after each run the judge reads the buffer (judge.c).
 *
 * /proc/ltt-test-sweep:
 *
 *	write	"WAY GLOB": sweep the scenarios of these names; the way is "timer",
 *		which needs a VM with -icount (timer.c), "step" or "nmi" (step.c).
 *		EIO when a buffer is not whole
 *	read	for each sweep:
 *			sweep SCENARIO WAY steps N shots N within N: VERDICT
 *		and each instruction that has been reached:
 *			FLAGS FUNCTION+OFFSET/SIZE [MODULE]
 *		the flags are letters: R reached without an interruption, L after one,
 *		U with interrupts off; interrupted by T timer, S step, N NMI
 */
#include "sweep.h"

#include <linux/cpumask.h>
#include <linux/glob.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#define REPORT_SIZE	(1 << 16)

const struct scenario *running;

static char report[REPORT_SIZE];
static size_t report_len;
/* One at a time. */
static DEFINE_MUTEX(lock);

void shot_begin(const struct scenario *s)
{
	judge_begin();
	s->prepare();
	op_begin(s->op_kind);
}

/* Return: false if something is wrong. */
bool shot_end(const struct scenario *s)
{
	bool whole;

	if (s->finish)
		s->finish();
	if (s->stops)
		sweep_trace_stop();
	whole = buffer_is_whole(s);
	if (s->stops && sweep_trace_resume())
		fail("the trace cannot be started again");
	return whole;
}

static bool sweep(const struct scenario *s, const char *way, struct tally *t)
{
	if (sweep_trace_use(s->trace)) {
		fail("the trace cannot be started");
		return false;
	}
	if (!step_reference(s, t))
		return false;
	if (!strcmp(way, "timer"))
		return timer_sweep(s, t);
	return step_sweep(s, !strcmp(way, "nmi"), t);
}

/* Return: 0, or -EIO if the verdict is another one than it should be. */
static int run_scenario(const struct scenario *s, const char *way)
{
	struct tally t = { 0 };
	bool whole;

	why[0] = '\0';
	running = s;
	whole = sweep(s, way, &t);
	running = NULL;
	report_len += scnprintf(report + report_len, sizeof(report) - report_len,
				"sweep %s %s steps %u shots %u within %u: %s\n", s->name, way,
				t.steps, t.shots, t.in_op, whole ? "whole" : why);
	return whole == !s->broken ? 0 : -EIO;
}

static ssize_t sweep_write(struct file *file, const char __user *from, size_t size, loff_t *pos)
{
	char text[80] = "", way[8], glob[64];
	unsigned int i, found = 0;
	ssize_t ret = size;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, size))
		return -EFAULT;
	if (sscanf(text, "%7s %63s", way, glob) != 2 ||
	    (strcmp(way, "timer") && strcmp(way, "step") && strcmp(way, "nmi")))
		return -EINVAL;
	if (mutex_lock_interruptible(&lock))
		return -EINTR;
	for (i = 0; i < nr_scenarios; i++) {
		if (!glob_match(glob, scenarios[i].name))
			continue;
		found++;
		if (run_scenario(&scenarios[i], way))
			ret = -EIO;
	}
	mutex_unlock(&lock);
	return found ? ret : -ENOENT;
}

static int sweep_show(struct seq_file *s, void *unused)
{
	mutex_lock(&lock);
	seq_write(s, report, report_len);
	places_show(s);
	mutex_unlock(&lock);
	return 0;
}

static int sweep_open(struct inode *inode, struct file *file)
{
	return single_open(file, sweep_show, NULL);
}

static const struct proc_ops sweep_ops = {
	.proc_open = sweep_open,
	.proc_read = seq_read,
	.proc_write = sweep_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init sweep_init(void)
{
	int err;

	if (num_online_cpus() != 1)
		return -EINVAL;
	err = judge_init();
	if (err)
		return err;
	err = step_init();
	if (err)
		return err;
	err = sweep_traces_create();
	if (!err && !proc_create("ltt-test-sweep", 0600, NULL, &sweep_ops))
		err = -ENOMEM;
	if (err) {
		sweep_traces_destroy();
		step_exit();
	}
	return err;
}

static void __exit sweep_exit(void)
{
	remove_proc_entry("ltt-test-sweep", NULL);
	sweep_trace_use(NULL);
	sweep_traces_destroy();
	step_exit();
}

module_init(sweep_init);
module_exit(sweep_exit);

MODULE_DESCRIPTION("LTT test: every instruction of the way of an event interrupted");
MODULE_LICENSE("GPL");
