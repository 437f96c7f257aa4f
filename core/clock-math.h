/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The arithmetic of the trace clock: widening a 32-bit counter, converting
 * between counts and nanoseconds, placing the clock on the Unix epoch, and
 * deciding what a suspension did to the counter.
 *
 * Layer: core.  Pure functions of their arguments: any context, no locking.
 */
#ifndef LTT_CORE_CLOCK_MATH_H
#define LTT_CORE_CLOCK_MATH_H

#include "types.h"

#define LTT_NS_PER_S	1000000000ull

/* Counter steps from here on, modulo 2^32, are steps back. */
#define LTT_CLOCK32_BACK	0xe0000000u

/**
 * ltt_clock32_extend() - widen a reading of a 32-bit counter
 * @last: an earlier time of the same CPU, 64 bits, read before the counter was
 * @count: the counter
 *
 * A CPU reads its counter once per half wrap; that up to 7/8 of a wrap is right
 * here is the margin for a read that comes late.  A larger difference is a
 * counter that stepped back (some do, by a little, when read in an NMI) and
 * holds the time at @last.
 *
 * @last must be read first: were the counter read first, an interrupt between
 * the two could move @last past it, and the time would be held back without
 * need.
 *
 * Context: any.
 * Return: the time, 64 bits; never before @last.
 */
static inline u64 ltt_clock32_extend(u64 last, u32 count)
{
	u32 ahead = count - (u32)last;

	return ahead < LTT_CLOCK32_BACK ? last + ahead : last;
}

/**
 * ltt_clock32_near() - the time nearest to a guess that a 32-bit counter allows
 * @guess: about the time, to less than half a wrap
 * @count: the counter
 *
 * Context: any.
 * Return: the time, 64 bits.
 */
static inline u64 ltt_clock32_near(u64 guess, u32 count)
{
	u32 ahead = count - (u32)guess;

	return ahead < 0x80000000u ? guess + ahead : guess - (u32)-ahead;
}

/**
 * ltt_ns_to_counts() - nanoseconds in counts of a clock, rounded down
 * @ns: nanoseconds
 * @freq: counts per second
 *
 * Context: any.
 * Return: the exact result wherever it fits in 64 bits: both factors are split
 * at 10^9, so that no product overflows.
 */
static inline u64 ltt_ns_to_counts(u64 ns, u64 freq)
{
	u64 s, rest, ghz, hz, ignored;

	s = div64_u64_rem(ns, LTT_NS_PER_S, &rest);
	ghz = div64_u64_rem(freq, LTT_NS_PER_S, &hz);
	return s * freq + rest * ghz + div64_u64_rem(rest * hz, LTT_NS_PER_S, &ignored);
}

/**
 * struct ltt_epoch - the time of value 0 of a clock, after the Unix epoch
 * @s: whole seconds
 * @counts: the rest in counts, less than one second
 */
struct ltt_epoch {
	u64 s;
	u64 counts;
};

/**
 * ltt_epoch_of() - place a clock on the Unix epoch
 * @clock: a value of the clock
 * @real_ns: the Unix time at that value, in nanoseconds
 * @freq: counts per second of the clock, not 0
 *
 * Context: any.
 * Return: the place of clock value 0.  A clock that has run for longer than the
 * Unix time (the date was never set) is placed at 0.
 */
static inline struct ltt_epoch ltt_epoch_of(u64 clock, u64 real_ns, u64 freq)
{
	struct ltt_epoch epoch;
	u64 clock_s, clock_rest, real_rest_ns, real_rest;

	clock_s = div64_u64_rem(clock, freq, &clock_rest);
	epoch.s = div64_u64_rem(real_ns, LTT_NS_PER_S, &real_rest_ns);
	real_rest = ltt_ns_to_counts(real_rest_ns, freq);
	if (real_rest < clock_rest) {
		clock_s++;
		real_rest += freq;
	}
	if (epoch.s < clock_s)
		return (struct ltt_epoch){ 0, 0 };
	epoch.s -= clock_s;
	epoch.counts = real_rest - clock_rest;
	return epoch;
}

/**
 * ltt_clock_repair() - how far to move a clock after a suspension
 * @before: its time before
 * @elapsed_ns: real time that went by since, as measured by the kernel
 * @now: its time now, not repaired
 * @freq: counts per second
 * @slack_ns: how exact @elapsed_ns is
 *
 * A counter that went on by itself is the better measure and is left alone: it
 * may differ from @elapsed_ns by @slack_ns and by 1/1024, more than any crystal.
 * One that stopped, was reset or was set shows a larger
 * difference, or has gone backwards.
 *
 * Context: any.
 * Return: what to add, modulo 2^64, so that the clock says @before plus
 * @elapsed_ns; 0 to leave it alone.
 */
static inline u64 ltt_clock_repair(u64 before, u64 elapsed_ns, u64 now, u64 freq, u64 slack_ns)
{
	u64 elapsed = ltt_ns_to_counts(elapsed_ns, freq);
	u64 due = before + elapsed;
	u64 slack = ltt_ns_to_counts(slack_ns, freq) + (elapsed >> 10);
	u64 off = now > due ? now - due : due - now;

	return now >= before && off <= slack ? 0 : due - now;
}

#endif /* LTT_CORE_CLOCK_MATH_H */
