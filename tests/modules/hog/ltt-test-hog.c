// SPDX-License-Identifier: GPL-2.0-only
/*
 * An interrupt that keeps a CPU from its tasks for as long as it is traced, to test the deadman.
 *
 * Test module, of no layer.  Write WHAT CPU to /proc/ltt-test-hog:
 *
 *	gaps CPU	the interrupt raises itself again after a break of a twentieth of
 *			the time it has taken, in which tasks run
 *	stall CPU	it raises itself again at once: no task runs, nor does any timer
 *
 * Each time it emits EVENTS markers hog:event seq.  It ends once a round of them has
 * gone by so fast that they cannot have been recorded, or after HOG_SECONDS in any
 * case.  The file reads "running" or "over, N rounds, ended by itself" ("..., gave up").
 */
#include <ltt/marker.h>

#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#define EVENTS		20000
#define HOG_SECONDS	40
/* Of a marker that is off, at most; recorded, one takes many times as much. */
#define OFF_NS		15

static DEFINE_MUTEX(run_lock);	/* one hog at a time */
static bool stalls;		/* constant while it runs */
static u64 begun;
static u64 rounds;		/* the interrupt's, while it runs */
static bool gave_up;
static bool running;		/* set by the starter, cleared by the interrupt */

/* Return: true when there is to be another round, after @break_ns. */
static bool one_round(u64 *break_ns)
{
	static u64 seq;
	u64 started = ktime_get_ns(), took;
	unsigned int i;

	for (i = 0; i < EVENTS; i++)
		trace_mark(hog, event, "seq %llu", seq++);
	took = ktime_get_ns() - started;
	rounds++;
	*break_ns = took / 20;
	gave_up = started - begun > HOG_SECONDS * NSEC_PER_SEC;
	if (took > EVENTS * OFF_NS && !gave_up)
		return true;
	smp_store_release(&running, false);	/* pairs with hog_show() */
	return false;
}

static void round_at_once(struct irq_work *work)
{
	u64 unused;

	if (one_round(&unused))
		irq_work_queue(work);
}

/* Hard: with PREEMPT_RT others run in a thread. */
static struct irq_work at_once = IRQ_WORK_INIT_HARD(round_at_once);

static enum hrtimer_restart round_with_gap(struct hrtimer *timer)
{
	u64 break_ns;

	if (!one_round(&break_ns))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, break_ns);
	return HRTIMER_RESTART;
}

static struct hrtimer with_gaps;

static void begin(void *unused)
{
	if (stalls)
		irq_work_queue(&at_once);
	else
		hrtimer_start(&with_gaps, 0, HRTIMER_MODE_REL_PINNED_HARD);
}

static ssize_t hog_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	char text[32], what[16];
	int cpu, err = -EINVAL;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	if (sscanf(text, "%15s %d", what, &cpu) != 2)
		return -EINVAL;
	mutex_lock(&run_lock);
	if (smp_load_acquire(&running)) {	/* pairs with one_round() */
		mutex_unlock(&run_lock);
		return -EBUSY;
	}
	stalls = !strcmp(what, "stall");
	if (stalls || !strcmp(what, "gaps")) {
		begun = ktime_get_ns();
		rounds = 0;
		WRITE_ONCE(running, true);
		err = smp_call_function_single(cpu, begin, NULL, true);
		if (err)
			WRITE_ONCE(running, false);
	}
	mutex_unlock(&run_lock);
	return err ? err : count;
}

static int hog_show(struct seq_file *s, void *unused)
{
	if (smp_load_acquire(&running))		/* pairs with one_round() */
		seq_puts(s, "running\n");
	else
		seq_printf(s, "over, %llu rounds, %s\n", rounds,
			   gave_up ? "gave up" : "ended by itself");
	return 0;
}

static int hog_open(struct inode *inode, struct file *file)
{
	return single_open(file, hog_show, NULL);
}

static const struct proc_ops hog_ops = {
	.proc_open = hog_open,
	.proc_read = seq_read,
	.proc_write = hog_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init hog_init(void)
{
	hrtimer_setup(&with_gaps, round_with_gap, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	return proc_create("ltt-test-hog", 0600, NULL, &hog_ops) ? 0 : -ENOMEM;
}

static void __exit hog_exit(void)
{
	remove_proc_entry("ltt-test-hog", NULL);
	hrtimer_cancel(&with_gaps);
	irq_work_sync(&at_once);
}

module_init(hog_init);
module_exit(hog_exit);
MODULE_DESCRIPTION("LTT tests: a CPU kept from its tasks by what is traced");
MODULE_LICENSE("GPL");
