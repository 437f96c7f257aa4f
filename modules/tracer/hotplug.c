// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events on a CPU that is not online can raise no interrupt (see ltt_raise()). When the CPU is online
 * or dead, this file raises the interrupts of halted traces and of news.
 *
 * Layer: tracer.  Context: task, in the callbacks of CPU hotplug.
 */
#include "tracer.h"

#include <linux/cpuhotplug.h>

static enum cpuhp_state online_state, dead_state;

/* The CPU is online, or dead. */
static int cpu_changed(unsigned int cpu)
{
	ltt_halt_again();
	ltt_news_again();
	return 0;
}

/**
 * ltt_hotplug_init() - begin to take care of CPUs that come and go
 *
 * Return: 0, or an error of the callbacks of CPU hotplug.
 */
int __init ltt_hotplug_init(void)
{
	int state;

	state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "ltt/tracer:dead", NULL, cpu_changed);
	if (state < 0)
		return state;
	dead_state = state;
	state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ltt/tracer:online", cpu_changed, NULL);
	if (state < 0) {
		cpuhp_remove_state_nocalls(dead_state);
		return state;
	}
	online_state = state;
	return 0;
}

/**
 * ltt_hotplug_exit() - end it; ltt_halt_exit() and ltt_news_exit() follow
 */
void ltt_hotplug_exit(void)
{
	cpuhp_remove_state_nocalls(online_state);
	cpuhp_remove_state_nocalls(dead_state);
}
