// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading two clocks at one moment, which no instruction does: one is read
 * before and after the other, and the tightest of several such brackets is
 * kept.  An NMI or a hypervisor that comes between can spoil some, not all.
 *
 * Layer: timestamp.  No state, no locking.
 */
#include "sample.h"

#include <linux/irqflags.h>

#define TRIES	16

/**
 * ltt_clock_sample() - read a clock and a clock of the kernel at one moment
 * @clock: the one
 * @time: the other
 * @best: filled in
 *
 * Context: task, or irqs off while the system suspends.
 */
void ltt_clock_sample(u64 (*clock)(void), ktime_t (*time)(void), struct ltt_sample *best)
{
	unsigned long flags;
	u64 before, after;
	ktime_t now;
	int i;

	best->width = U64_MAX;
	for (i = 0; i < TRIES; i++) {
		local_irq_save(flags);
		before = clock();
		now = time();
		after = clock();
		local_irq_restore(flags);

		/* A 32-bit counter that wrapped in between is not the tightest. */
		if (after - before >= best->width)
			continue;
		best->width = after - before;
		best->clock = before + best->width / 2;
		best->ns = ktime_to_ns(now);
	}
}
