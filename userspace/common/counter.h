/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Read the CPU counter that the kernel's trace clock "tsc" reads.
 */
#ifndef LTT_COUNTER_H
#define LTT_COUNTER_H

#include <stdint.h>

static inline uint64_t ltt_counter(void)
{
#if defined(__x86_64__)
	uint32_t low, high;

	__asm__ __volatile__("rdtsc" : "=a" (low), "=d" (high));
	return low | (uint64_t)high << 32;
#elif defined(__aarch64__)
	uint64_t count;

	__asm__ __volatile__("isb\n\tmrs %0, cntvct_el0" : "=r" (count) : : "memory");
	return count;
#endif
}

/* Return: a number of counts that take up to a millisecond.  x86 counters run at 1 GHz or faster. */
static inline uint64_t ltt_counts_below_ms(void)
{
#if defined(__x86_64__)
	return 1000000;
#elif defined(__aarch64__)
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r" (hz));
	return hz / 1024;
#endif
}

#endif /* LTT_COUNTER_H */
