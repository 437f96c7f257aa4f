// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-tracer: traces, their channels and events.
 *
 * Layer: tracer (after timestamp, relay and markers).  trace.c is the life of a
 * trace, halt.c its sudden end, channel.c its buffers, event.c and rules.c what is
 * recorded, write.c the data path, metadata.c the CTF text, state.c the task list,
 * filter.c the limits to tasks and CPUs, tasks.h what is about sets of tasks, stats.c
 * the counts, news.c the news of buffers.
 */
#include "tracer.h"

#include <linux/module.h>

#include "follow.h"

static int __init tracer_init(void)
{
	int err = ltt_filter_init();

	if (err)
		return err;
	ltt_halt_init();
	ltt_follow_init();
	err = ltt_rules_init();
	if (err)
		ltt_filter_exit();
	return err;
}

static void __exit tracer_exit(void)
{
	ltt_rules_exit();
	ltt_halt_exit();
	ltt_news_exit();
	ltt_filter_exit();
}

module_init(tracer_init);
module_exit(tracer_exit);

MODULE_DESCRIPTION("LTT: traces, channels, events and their metadata");
MODULE_LICENSE("GPL");
