// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the trace clock right over a suspension, during which a counter may continue,
 * stop, or start again from zero.
 *
 * Layer: timestamp.
 *
 * The steps, in order:
 *  - The notifier switches the raw clock off before the kernel suspends anything: from
 *    here on each read can be shifted, and none goes backwards on its CPU.
 *  - The last step before the machine sleeps (syscore suspend) samples the trace clock
 *    and the kernel's time that includes sleep (boottime).
 *  - The first step after it (syscore resume), when no other CPU runs yet, shifts the
 *    clock to the right time, unless the counter kept it.
 *  - When all is resumed, the notifier does the same again, for kinds of suspension
 *    without such a first step (suspend-to-idle), and for machines that find out only
 *    now how long they slept.  It then switches the raw clock on again, if the clock has
 *    never been shifted.
 *
 * Locking: none.  The notifier and the two steps run one after the other, and the kernel
 * suspends once at a time.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "suspend.h"

#include <linux/notifier.h>
#include <linux/smp.h>
#include <linux/suspend.h>
#include <linux/syscore_ops.h>
#include <linux/timekeeping.h>
#include <ltt/clock.h>

#include "clock.h"
#include "sample.h"
#include "../../core/clock-math.h"

/* The last moment at which the trace clock was right. */
static struct ltt_sample known;

static void note_time(void)
{
	ltt_clock_sample(ltt_clock_read, ktime_get_boottime, &known);
}

/* Moves the clock if it must be; returns the earliest right time. */
static u64 correct_shift(void)
{
	const struct ltt_counter *counter = ltt_clock_counter();
	u64 hz = counter->hz();
	struct ltt_sample now;
	u64 elapsed_ns, by;

	ltt_clock_sample(ltt_clock_count, ktime_get_boottime, &now);
	elapsed_ns = now.ns - known.ns;
	if (counter->bits == 32)
		now.clock = ltt_clock32_near(known.clock + ltt_ns_to_counts(elapsed_ns, hz),
					     now.clock);
	by = ltt_clock_repair(known.clock, elapsed_ns, now.clock, hz, counter->slack_ns);
	if (by) {
		ltt_clock_shift(by);
		pr_info("the counter of clock %s did not go on during the suspension; the clock was set right\n",
			counter->name);
	}
	return now.clock + by;
}

static int last_step(void)
{
	note_time();
	return 0;
}

static void first_step(void)
{
	u64 now = correct_shift();

	ltt_clock_advance(&now);
	note_time();
}

DEFINE_SYSCORE(steps, last_step, first_step);

static int on_suspend(struct notifier_block *nb, unsigned long what, void *data)
{
	u64 now;

	switch (what) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		ltt_clock_raw_off();
		note_time();
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		now = correct_shift();
		on_each_cpu(ltt_clock_advance, &now, true);
		ltt_clock_raw_on();
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block suspend_notifier = {
	.notifier_call = on_suspend,
};

/**
 * ltt_suspend_begin() - follow suspensions
 * Return: 0 or -errno.
 */
int ltt_suspend_begin(void)
{
	int err = register_pm_notifier(&suspend_notifier);

	if (!err)
		register_syscore(&steps);
	return err;
}

/**
 * ltt_suspend_end() - undo ltt_suspend_begin()
 */
void ltt_suspend_end(void)
{
	unregister_syscore(&steps);
	unregister_pm_notifier(&suspend_notifier);
}
