/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Read the CPU counter that the kernel's trace clock "tsc" reads.
 */
#ifndef LTT_COUNTER_H
#define LTT_COUNTER_H

#include <stdint.h>

static inline uint64_t ltt_counter(void)
{
#if defined(__x86_64__) || defined(__i386__)
	uint32_t low, high;

	__asm__ __volatile__("rdtsc" : "=a" (low), "=d" (high));
	return low | (uint64_t)high << 32;
#elif defined(__aarch64__)
	uint64_t count;

	__asm__ __volatile__("isb\n\tmrs %0, cntvct_el0" : "=r" (count) : : "memory");
	return count;
#elif defined(__arm__)
	uint64_t count;

	__asm__ __volatile__("isb\n\tmrrc p15, 1, %Q0, %R0, c14" : "=r" (count) : : "memory");
	return count;
#else
#error "there is no code for this machine yet"
#endif
}

/* Return: a number of counts that take up to a millisecond.  x86 counters run at 1 GHz or faster. */
static inline uint64_t ltt_counts_below_ms(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return 1000000;
#elif defined(__aarch64__)
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r" (hz));
	return hz / 1024;
#elif defined(__arm__)
	uint32_t hz;

	__asm__("mrc p15, 0, %0, c14, c0, 0" : "=r" (hz));
	return hz / 1024;
#endif
}

#endif /* LTT_COUNTER_H */
