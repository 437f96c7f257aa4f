/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The integer types core/ is written with, in the kernel and in user space.
 *
 * Layer: core.  No other file of core/ includes a kernel or libc header but
 * this one and the two platform headers (plat-linux.h, plat-native.h).
 */
#ifndef LTT_CORE_TYPES_H
#define LTT_CORE_TYPES_H

#ifdef __KERNEL__
#include <linux/math64.h>
#include <linux/stddef.h>
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

/**
 * div64_u64_rem() - divide 64-bit numbers
 * @dividend: any number
 * @divisor: not 0
 * @remainder: receives the remainder
 *
 * The kernel has a function of this name, which core/ calls, because 32-bit kernels cannot
 * divide 64 bits with an operator.
 *
 * Context: any.
 * Return: the quotient.
 */
static inline u64 div64_u64_rem(u64 dividend, u64 divisor, u64 *remainder)
{
	*remainder = dividend % divisor;
	return dividend / divisor;
}
#endif

#endif /* LTT_CORE_TYPES_H */
