/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of two drivers with markers of the same names: ltt-test-twin-a and -b.
 *
 * Test modules, of no layer.  Each defines its letter, TWIN, and then TWIN_FORMAT and TWIN_TYPE,
 * in which the two differ.  While the driver is loaded, a timer fires its markers at every
 * jiffy; with stay=0 it fires twin:loaded and fails to load.
 */
#include <ltt/marker.h>

#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/timer.h>

static bool stay = true;
module_param(stay, bool, 0444);
MODULE_PARM_DESC(stay, "0: fail to load");

static struct timer_list twin_timer;

static void twin_tick(struct timer_list *unused)
{
	trace_mark(twin, same, "twin %c", TWIN);
	trace_mark(twin, format, TWIN_FORMAT, 1);
	trace_mark(twin, types, "n %d", (TWIN_TYPE)1);
	mod_timer(&twin_timer, jiffies + 1);
}

static int __init twin_init(void)
{
	trace_mark(twin, loaded, "twin %c", TWIN);
	if (!stay)
		return -EINVAL;
	timer_setup(&twin_timer, twin_tick, 0);
	mod_timer(&twin_timer, jiffies + 1);
	return 0;
}

static void __exit twin_exit(void)
{
	timer_shutdown_sync(&twin_timer);
}

module_init(twin_init);
module_exit(twin_exit);
MODULE_DESCRIPTION("LTT test: one of two drivers with the same markers");
MODULE_LICENSE("GPL");
