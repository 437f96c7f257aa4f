// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-timestamp: the trace clock.
 *
 *   counter.c	the counters it can be made of, and the choice
 *   clock.c	the read path: widening, shift, never backwards
 *   suspend.c	keeping it right over a suspension
 *   info.c	the properties of the clock that go into a trace
 *   sample.c	reading two clocks at one moment
 *
 * Layer: timestamp (first).  Uses the kernel only.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/module.h>
#include <ltt/clock.h>

#include "counter.h"
#include "info.h"
#include "clock.h"
#include "suspend.h"

static char *clock = "auto";
module_param(clock, charp, 0444);
MODULE_PARM_DESC(clock,
		 "trace clock: auto (default), tsc, mono (the kernel's monotonic clock), cycles (the architecture's counter), test32 (for tests)");

static int __init timestamp_init(void)
{
	const struct ltt_counter *counter = ltt_counter_choose(clock);
	int err;

	if (IS_ERR(counter))
		return PTR_ERR(counter);
	ltt_info_begin();
	err = ltt_clock_begin(counter);
	if (err)
		goto err_clock;
	err = ltt_suspend_begin();
	if (err)
		goto err_suspend;
	pr_info("the trace clock is %s, %llu Hz, %u bits\n", counter->name, counter->hz(),
		counter->bits);
	return 0;

err_suspend:
	ltt_clock_end();
err_clock:
	pr_err("the trace clock could not be set up: %pe\n", ERR_PTR(err));
	return err;
}

static void __exit timestamp_exit(void)
{
	ltt_suspend_end();
	ltt_clock_end();
}

module_init(timestamp_init);
module_exit(timestamp_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("LTT trace clock");
