// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does what the last events of a CPU asked for, when that CPU is dead: see ltt_raise().
 *
 * Layer: tracer.  Context: task, in the callbacks of CPU hotplug.
 */
#include "tracer.h"

#include <linux/cpuhotplug.h>

static enum cpuhp_state hotplug_state;

/* On another CPU.  It is not known whether the CPU asked for anything. */
static int cpu_dead(unsigned int cpu)
{
	ltt_halt_again();
	ltt_news_again();
	return 0;
}

/**
 * ltt_dead_init() - begin to take care of CPUs that go
 *
 * Return: 0, or an error of the callbacks of CPU hotplug.
 */
int __init ltt_dead_init(void)
{
	int state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "ltt/tracer:dead", NULL, cpu_dead);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

/**
 * ltt_dead_exit() - end it; ltt_halt_exit() and ltt_news_exit() follow
 */
void ltt_dead_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
}
