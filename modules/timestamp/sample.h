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
 * struct ltt_sample - the values of two clocks at one moment
 * @clock: the trace clock, in its counts
 * @ns: a clock of the kernel, in nanoseconds
 * @width: counts between the two reads of the trace clock around @ns; the error of
 *	@clock is at most half of it
 */
struct ltt_sample {
	u64 clock;
	u64 ns;
	u64 width;
};

void ltt_clock_sample(u64 (*clock)(void), ktime_t (*time)(void), struct ltt_sample *best);

#endif /* LTT_TIMESTAMP_SAMPLE_H */
