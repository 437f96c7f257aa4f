// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-tracer: traces, their channels and events.
 *
 *   trace.c	the life of a trace
 *   halt.c	stopping a trace in any context
 *   hotplug.c	interrupts that a CPU could not raise before it was online, or dead
 *   channel.c	channels: options, buffers, packet headers
 *   event.c	events and their connections to markers
 *   rules.c	the patterns that enable and disable events
 *   write.c	the data path
 *   settings.c	patterns with values
 *   filter-rules.c	which events have which filters
 *   program.c	programs that can filter events, found and checked
 *   judge.c	the programs of events
 *   context.c	lists of contexts (context-table.c: what there is)
 *   context-rules.c	which events have which contexts
 *   gather.c	contexts of an event, read
 *   stack.c	call stacks
 *   counter.c	counters of perf
 *   metadata.c	the CTF metadata (ctf.c: its text)
 *   state.c	the list of tasks
 *   gates.c	the gates, and the limits to tasks and CPUs
 *   tasks.c	the life of a set of tasks
 *   follow.c	the bits of a set, when tasks change
 *   member.c	one member of a set
 *   stats.c	the counts
 *   news.c	notifications of full sub-buffers and losses
 *
 * Layer: tracer (after timestamp, relay and markers).
 */
#include "tracer.h"

#include <linux/module.h>

#include "context.h"
#include "counter.h"
#include "follow.h"
#include "stack.h"

static int __init tracer_init(void)
{
	int err = ltt_gates_init();

	if (err)
		return err;
	ltt_contexts_init();
	ltt_halt_init();
	ltt_follow_init();
	err = ltt_counter_init();
	if (err)
		goto err_counter;
	err = ltt_hotplug_init();
	if (err)
		goto err_hotplug;
	err = ltt_rules_init();
	if (err)
		goto err_rules;
	return 0;

err_rules:
	ltt_hotplug_exit();
	ltt_halt_exit();
	ltt_news_exit();
err_hotplug:
	ltt_counter_exit();
err_counter:
	ltt_gates_exit();
	return err;
}

static void __exit tracer_exit(void)
{
	ltt_rules_exit();
	ltt_counter_exit();
	ltt_stack_exit();
	ltt_hotplug_exit();
	ltt_halt_exit();
	ltt_news_exit();
	ltt_gates_exit();
}

module_init(tracer_init);
module_exit(tracer_exit);

MODULE_DESCRIPTION("LTT: traces, channels, events and their metadata");
MODULE_LICENSE("GPL");
