// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-sample-events: a small driver with TRACE_EVENT() headers.
 *
 * A number written to /proc/ltt-sample-events is the number of jobs to do.  For N jobs these events
 * happen:
 *
 *	sample_state:sample_state_change	2	busy, and idle again
 *	sample_jobs:sample_job_queue		N	name and sizes of the job
 *	sample_jobs:sample_job_start		N
 *	sample_jobs:sample_job_end		N	the sum of the sizes
 *
 * ftrace, perf and BPF record them as those of any driver.  LTT does, too, because of one line in
 * Kbuild; nothing here is made for LTT, and the driver loads and works without it.
 *
 * Locking: jobs_lock guards the number of jobs.
 */
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#define CREATE_TRACE_POINTS
#include "jobs-trace.h"
#include "state-trace.h"

static DEFINE_MUTEX(jobs_lock);
static u32 nr_jobs;

static void do_job(void)
{
	const u16 sizes[] = { nr_jobs, 2 * nr_jobs, 3 * nr_jobs };
	const u32 id = ++nr_jobs;

	trace_sample_job_queue(id, id % 2 ? "odd" : "even", sizes, id % 4);
	trace_sample_job_start(id, 0);
	trace_sample_job_end(id, -(s64)(sizes[0] + sizes[1] + sizes[2]));
}

static ssize_t jobs_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	unsigned int n, i;
	int err = kstrtouint_from_user(buf, len, 0, &n);

	if (err)
		return err;
	mutex_lock(&jobs_lock);
	trace_sample_state_change(true, n);
	for (i = 0; i < n && !signal_pending(current); i++) {
		do_job();
		cond_resched();
	}
	trace_sample_state_change(false, 0);
	mutex_unlock(&jobs_lock);
	return len;
}

static const struct proc_ops jobs_ops = {
	.proc_write = jobs_write,
};

static int __init sample_init(void)
{
	return proc_create("ltt-sample-events", 0200, NULL, &jobs_ops) ? 0 : -ENOMEM;
}

static void __exit sample_exit(void)
{
	remove_proc_entry("ltt-sample-events", NULL);
}

module_init(sample_init);
module_exit(sample_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A driver with event headers, for trying LTT");
