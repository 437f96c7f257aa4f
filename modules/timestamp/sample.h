/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading two clocks at one moment.
 *
 * Layer: timestamp, private.
 */
#ifndef LTT_TIMESTAMP_SAMPLE_H
#define LTT_TIMESTAMP_SAMPLE_H

#include <linux/ktime.h>
#include <linux/types.h>

/**
 * struct ltt_sample - what two clocks said at one moment
 * @clock: the one, in its counts
 * @ns: the other, a clock of the kernel
 * @width: counts between the two readings around @ns: @clock is right to within
 *	half of it
 */
struct ltt_sample {
	u64 clock;
	u64 ns;
	u64 width;
};

void ltt_clock_sample(u64 (*clock)(void), ktime_t (*time)(void), struct ltt_sample *best);

#endif /* LTT_TIMESTAMP_SAMPLE_H */
