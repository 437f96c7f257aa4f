// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver that emits numbered sequences of markers, for exact accounting.
 *
 * Test module, of no layer; needs nothing of LTT to load.  On each CPU there are
 * four sequences, each with a marker and a number of its own that begins with 0
 * and goes up by one each time that the marker's arguments are evaluated:
 *
 *	test:task	cpu seq		from a thread
 *	test:text	cpu seq text	from the thread; text is the last seq * 7 % 200
 *					characters of a fixed one
 *	test:softirq	cpu seq		from a timer's soft interrupt
 *	test:hardirq	cpu seq		from a timer's hard interrupt
 *
 * The interrupts come every "period_us" with "burst" events each, over whatever
 * the thread is doing.  /proc/ltt-test-markers:
 *
 *	write	N [SEQUENCE...]	emit N events of each of these sequences (without any:
 *				of all but text) on every CPU; returns when all is
 *				done, or with EINTR
 *	read	for each sequence and CPU: SEQUENCE CPU emitted N passed N
 *
 * "emitted" is the next number of the sequence, "passed" counts also when the
 * marker was disabled.
 *
 * Context: see the sequences.  Locking: run_lock makes one run at a time.  A count
 * is written by one CPU in one context, with preemption off.
 */
#include <ltt/marker.h>

#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

static unsigned int period_us = 50;
module_param(period_us, uint, 0644);
MODULE_PARM_DESC(period_us, "microseconds between interrupts");

static unsigned int burst = 4;
module_param(burst, uint, 0644);
MODULE_PARM_DESC(burst, "events of one interrupt");

enum sequence { TASK, TEXT, SOFTIRQ, HARDIRQ, NR_SEQUENCES };
static const char *const sequence_names[NR_SEQUENCES] = { "task", "text", "softirq", "hardirq" };

struct count {
	u64 emitted;
	u64 passed;
};

static DEFINE_PER_CPU(struct count [NR_SEQUENCES], counts);

/**
 * struct ticker - a timer that emits a sequence
 * @timer: it
 * @left: events yet to emit; the timer's own while it runs
 * @done: @left is zero
 */
struct ticker {
	struct hrtimer timer;
	u64 left;
	struct completion done;
};

/**
 * struct worker - what one CPU does in a run
 * @soft: emits test:softirq
 * @hard: emits test:hardirq
 * @done: the thread, and both timers, are
 */
struct worker {
	struct ticker soft;
	struct ticker hard;
	struct completion done;
};

static DEFINE_PER_CPU(struct worker, workers);
static DEFINE_MUTEX(run_lock);

/* Of the run: written before its threads are made; stop also while they run. */
static u64 run_events;
static unsigned int run_sequences;	/* a bit for each */
static bool run_stop;

/* ---- Events ---- */

#define EMIT(sequence, number, format, ...)						\
	do {										\
		struct count *c;							\
											\
		preempt_disable();							\
		c = this_cpu_ptr(&counts[number]);					\
		trace_mark(test, sequence, format, smp_processor_id(), c->emitted++, ##__VA_ARGS__); \
		c->passed++;								\
		preempt_enable();							\
	} while (0)

static void emit_task(void)
{
	EMIT(task, TASK, "cpu %u seq %llu");
}

static void emit_text(void)
{
	static const char text[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-."
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-."
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-."
		"01234567";
	u64 seq;

	preempt_disable();
	seq = this_cpu_ptr(counts)[TEXT].emitted;
	EMIT(text, TEXT, "cpu %u seq %llu text %s",
	     &text[sizeof(text) - 1 - (unsigned int)(seq % 200) * 7 % 200]);
	preempt_enable();
}

static enum hrtimer_restart tick(struct ticker *t, bool hard)
{
	unsigned int i;

	for (i = 0; i < burst && t->left; i++, t->left--) {
		if (hard)
			EMIT(hardirq, HARDIRQ, "cpu %u seq %llu");
		else
			EMIT(softirq, SOFTIRQ, "cpu %u seq %llu");
	}
	if (!t->left || READ_ONCE(run_stop)) {
		complete(&t->done);
		return HRTIMER_NORESTART;
	}
	hrtimer_forward_now(&t->timer, ns_to_ktime(period_us * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

static enum hrtimer_restart soft_tick(struct hrtimer *timer)
{
	return tick(container_of(timer, struct ticker, timer), false);
}

static enum hrtimer_restart hard_tick(struct hrtimer *timer)
{
	return tick(container_of(timer, struct ticker, timer), true);
}

/* ---- A run ---- */

static void start(struct ticker *t, enum sequence sequence, enum hrtimer_mode mode)
{
	t->left = run_sequences & BIT(sequence) ? run_events : 0;
	if (t->left)
		hrtimer_start(&t->timer, ns_to_ktime(period_us * NSEC_PER_USEC), mode);
	else
		complete(&t->done);
}

static int work(void *data)
{
	struct worker *w = data;
	u64 i;

	/* Tests that run beside it must get on. */
	set_user_nice(current, MAX_NICE);
	start(&w->soft, SOFTIRQ, HRTIMER_MODE_REL_PINNED_SOFT);
	start(&w->hard, HARDIRQ, HRTIMER_MODE_REL_PINNED_HARD);
	for (i = 0; i < run_events && !READ_ONCE(run_stop); i++) {
		if (run_sequences & BIT(TASK))
			emit_task();
		if (run_sequences & BIT(TEXT))
			emit_text();
		cond_resched();
	}
	wait_for_completion(&w->soft.done);
	wait_for_completion(&w->hard.done);
	/* The last tick may not have returned yet. */
	hrtimer_cancel(&w->soft.timer);
	hrtimer_cancel(&w->hard.timer);
	complete(&w->done);
	return 0;
}

static int start_worker(int cpu)
{
	struct worker *w = per_cpu_ptr(&workers, cpu);
	struct task_struct *thread;

	hrtimer_setup(&w->soft.timer, soft_tick, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_SOFT);
	hrtimer_setup(&w->hard.timer, hard_tick, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	init_completion(&w->soft.done);
	init_completion(&w->hard.done);
	init_completion(&w->done);
	thread = kthread_run_on_cpu(work, w, cpu, "ltt-test/%u");
	return PTR_ERR_OR_ZERO(thread);
}

static int finish_worker(int cpu, int ret)
{
	struct worker *w = per_cpu_ptr(&workers, cpu);

	if (!ret && wait_for_completion_interruptible(&w->done))
		ret = -EINTR;
	if (ret) {
		WRITE_ONCE(run_stop, true);
		wait_for_completion(&w->done);
	}
	return ret;
}

/* Threads are made for the CPUs that are there now; these may then go offline. */
static int run(void)
{
	static struct cpumask started;
	int cpu, ret = 0;

	cpumask_clear(&started);
	WRITE_ONCE(run_stop, false);
	for_each_online_cpu(cpu) {
		ret = start_worker(cpu);
		if (ret)
			break;
		cpumask_set_cpu(cpu, &started);
	}
	for_each_cpu(cpu, &started)
		ret = finish_worker(cpu, ret);
	return ret;
}

/* ---- The file ---- */

static int parse(char *text)
{
	char *word = strsep(&text, " ");
	int ret;

	ret = kstrtou64(word, 0, &run_events);
	if (ret)
		return ret;
	run_sequences = text ? 0 : BIT(TASK) | BIT(SOFTIRQ) | BIT(HARDIRQ);
	while ((word = strsep(&text, " "))) {
		ret = match_string(sequence_names, NR_SEQUENCES, word);
		if (ret < 0)
			return ret;
		run_sequences |= BIT(ret);
	}
	return 0;
}

static ssize_t markers_write(struct file *file, const char __user *from, size_t count,
			     loff_t *pos)
{
	char text[64];
	int ret;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	if (mutex_lock_interruptible(&run_lock))
		return -EINTR;
	ret = parse(strim(text)) ?: run();
	mutex_unlock(&run_lock);
	return ret ?: count;
}

static int markers_show(struct seq_file *s, void *unused)
{
	int cpu, i;

	for (i = 0; i < NR_SEQUENCES; i++) {
		for_each_possible_cpu(cpu) {
			struct count *c = &per_cpu(counts, cpu)[i];

			seq_printf(s, "%s %d emitted %llu passed %llu\n", sequence_names[i], cpu,
				   READ_ONCE(c->emitted), READ_ONCE(c->passed));
		}
	}
	return 0;
}

static int markers_open(struct inode *inode, struct file *file)
{
	return single_open(file, markers_show, NULL);
}

static const struct proc_ops markers_proc = {
	.proc_open = markers_open,
	.proc_read = seq_read,
	.proc_write = markers_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init markers_init(void)
{
	return proc_create("ltt-test-markers", 0600, NULL, &markers_proc) ? 0 : -ENOMEM;
}

static void __exit markers_exit(void)
{
	remove_proc_entry("ltt-test-markers", NULL);
}

module_init(markers_init);
module_exit(markers_exit);
MODULE_DESCRIPTION("LTT test: numbered sequences of markers");
MODULE_LICENSE("GPL");
