// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps a 32-bit clock right: reads it four times per wrap on every CPU, idle ones
 * included.  So no CPU goes half a wrap without a read, even when a read is late
 * (guarantee C2 of the clock).
 *
 * Layer: heartbeat.  Context: task (a work item).  ltt-timestamp gives the right time to
 * a CPU that comes up.  For a 64-bit clock this file does nothing.
 */
#include "heartbeat.h"

#include <linux/cpu.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include <ltt/clock.h>

static unsigned long period;

static void read_clock(void *unused)
{
	ltt_clock_read();
}

static void keep(struct work_struct *work);
static DECLARE_DELAYED_WORK(keep_work, keep);

static void keep(struct work_struct *work)
{
	/* First, so that a long wait for a CPU does not delay the next reads. */
	queue_delayed_work(system_highpri_wq, &keep_work, period);
	on_each_cpu(read_clock, NULL, true);
}

void __init ltt_keeper_init(void)
{
	struct ltt_clock_info clock;

	ltt_clock_get_info(&clock);
	if (clock.bits >= 64)
		return;
	period = max(1UL, msecs_to_jiffies(div64_u64(1000ULL << clock.bits, clock.freq) / 4));
	ltt_clock_sync();
	queue_delayed_work(system_highpri_wq, &keep_work, 0);
}

void ltt_keeper_exit(void)
{
	if (period)
		cancel_delayed_work_sync(&keep_work);
}
