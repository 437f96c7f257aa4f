/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The trace clock: the API of ltt-timestamp.
 *
 * Layer: timestamp (first).  Used by every layer that stamps a record.
 */
#ifndef LTT_CLOCK_H
#define LTT_CLOCK_H

#include <linux/jump_label.h>
#include <linux/types.h>
#include <linux/uuid.h>
#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif

DECLARE_STATIC_KEY_FALSE(ltt_clock_is_raw);

/**
 * ltt_clock_read_slow() - ltt_clock_read() for any clock, by a call
 *
 * Context: any, NMI included.
 * Return: the time.
 */
u64 ltt_clock_read_slow(void);

/*
 * C1  A read that starts on a CPU after another has ended there does not return
 *     an earlier time, not even over a suspension.
 * C2  The time goes on by freq counts per second, also over a suspension and
 *     over the wraps of a counter of 32 bits, as long as each CPU reads it once
 *     per half wrap (2^31 / freq seconds).
 */

/**
 * ltt_clock_is_inline() - check whether the clock is the bare counter now
 *
 * Context: any, NMI included.
 * Return: true if it is; the state of a patched branch.
 */
static __always_inline bool ltt_clock_is_inline(void)
{
#ifdef CONFIG_X86_64
	return static_branch_likely(&ltt_clock_is_raw);
#else
	return false;
#endif
}

/**
 * ltt_clock_read_raw() - ltt_clock_read() for a caller that found ltt_clock_is_inline() true
 *
 * Context: any, NMI included.
 * Return: the time.
 */
static __always_inline u64 ltt_clock_read_raw(void)
{
#ifdef CONFIG_X86_64
	return rdtsc();
#else
	return ltt_clock_read_slow();
#endif
}

/**
 * ltt_clock_read() - read the trace clock
 *
 * With the raw counter it costs the counter's own instruction; any other clock
 * is a call.
 *
 * Context: any, NMI included.
 * Return: the time in units of 1 / ltt_clock_info.freq second, 64 bits always.
 */
static __always_inline u64 ltt_clock_read(void)
{
	return ltt_clock_is_inline() ? ltt_clock_read_raw() : ltt_clock_read_slow();
}

/**
 * struct ltt_clock_info - the properties that convert the clock to real time
 * @name: "tsc", "monotonic", ...; a C identifier
 * @description: one sentence for people
 * @uuid: the same for all traces of one boot (the boot id)
 * @freq: counts per second
 * @offset_s: clock value 0: whole seconds after the Unix epoch
 * @offset: clock value 0: the rest in counts, 0 to freq - 1
 * @bits: width of the hardware counter: 64, or 32 when it is extended here and
 *	so must be read once per half wrap on each CPU (ltt-heartbeat does)
 */
struct ltt_clock_info {
	const char *name;
	const char *description;
	uuid_t uuid;
	u64 freq;
	u64 offset_s;
	u64 offset;
	unsigned int bits;
};

/**
 * ltt_clock_get_info() - describe the clock as it runs now
 * @info: filled in
 *
 * The offset is sampled anew at every call (it moves with suspend and with
 * settimeofday).
 *
 * Context: may sleep.
 */
void ltt_clock_get_info(struct ltt_clock_info *info);

/**
 * ltt_clock_sync() - make all CPUs agree on the upper half of a 32-bit counter
 *
 * CPUs that did not read the clock for more than half a wrap have missed wraps,
 * each its own number.  A module that begins to read the clock on every CPU in time
 * (ltt-heartbeat) calls this first.  Does nothing when the counter has 64 bits.
 * ltt-timestamp sets the time of a CPU that comes online.
 *
 * Context: may sleep.
 */
void ltt_clock_sync(void);

#endif /* LTT_CLOCK_H */
