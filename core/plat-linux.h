/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The platform of core/ring.h, in the kernel.
 *
 * Layer: core.  plat-native.h gives the same names in user space.
 *
 * Two kinds of shared word exist.  An ltt_count is changed by one CPU only, by
 * contexts that nest on it, so its operations need be atomic against interrupts
 * and NMIs but not against other CPUs (no LOCK prefix on x86).  An ltt_word is
 * changed by the writers' CPU and by the reader's.  An ltt_u64 is a u64 that one context
 * stores while others load it.
 *
 * Each is read and changed in one piece, also by 32-bit machines.  There, the kernel's
 * atomic64_t has one instruction or a loop for it: cmpxchg8b on x86, ldrexd and strexd on
 * ARM.  An NMI between these makes the loop turn once more.
 */
#ifndef LTT_CORE_PLAT_LINUX_H
#define LTT_CORE_PLAT_LINUX_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <asm/local64.h>

/* Such a kernel takes a lock for 64 bits, which an NMI would wait for for ever.  (Kernels after
 * 6.12 call the option X86_CX8.) */
#if defined(CONFIG_GENERIC_ATOMIC64) || \
	(defined(CONFIG_X86_32) && !defined(CONFIG_X86_CMPXCHG64) && !defined(CONFIG_X86_CX8))
#error "This kernel is not built to exchange 64 bits without a lock: LTT cannot record on it"
#endif

#define LTT_PAGE_SHIFT	PAGE_SHIFT

typedef local64_t ltt_count;

/**
 * ltt_count_read() - read a count
 * @c: the count
 *
 * Context: any, on any CPU.
 * Return: its value; on another CPU than the one that changes it, a recent one.
 */
static __always_inline u64 ltt_count_read(const ltt_count *c)
{
	return local64_read(c);
}

/**
 * ltt_count_add() - add to a count
 * @c: a count of this CPU
 * @n: what to add, modulo 2^64
 *
 * Context: any, NMI included; preemption off.  No barrier.
 */
static __always_inline void ltt_count_add(ltt_count *c, u64 n)
{
	local64_add(n, c);
}

/**
 * ltt_count_cmpxchg() - exchange a count if it has a value
 * @c: a count of this CPU
 * @old: the value that it must have
 * @new: the value to store
 *
 * Context: any, NMI included; preemption off.  No barrier against other CPUs.
 * Return: the value before; @old if @new was stored.
 */
static __always_inline u64 ltt_count_cmpxchg(ltt_count *c, u64 old, u64 new)
{
	return local64_cmpxchg(c, old, new);
}

/**
 * ltt_count_init() - set a count
 * @c: a count of a ring that no writer uses yet
 * @n: its value
 *
 * Context: any.
 */
static inline void ltt_count_init(ltt_count *c, u64 n)
{
	local64_set(c, n);
}

typedef atomic64_t ltt_word;

/**
 * ltt_word_read() - read a word without an order
 * @w: the word
 *
 * Context: any.
 * Return: its value.
 */
static __always_inline u64 ltt_word_read(const ltt_word *w)
{
	return atomic64_read(w);
}

/**
 * ltt_word_read_low() - read the lower 32 bits of a word without an order
 * @w: the word
 *
 * Context: any.
 * Return: the bits; on 32-bit machines one load, which is atomic.
 */
static __always_inline u32 ltt_word_read_low(const ltt_word *w)
{
#ifdef __LITTLE_ENDIAN
	return READ_ONCE(*(const u32 *)&w->counter);
#else
	return atomic64_read(w);
#endif
}

/**
 * ltt_word_read_acquire() - read a word before all later accesses
 * @w: the word
 *
 * Context: any.
 * Return: its value.
 */
static __always_inline u64 ltt_word_read_acquire(const ltt_word *w)
{
	return atomic64_read_acquire(w);
}

/**
 * ltt_word_set_release() - store a word after all earlier accesses
 * @w: the word
 * @v: its value
 *
 * Context: any.
 */
static __always_inline void ltt_word_set_release(ltt_word *w, u64 v)
{
	atomic64_set_release(w, v);
}

/**
 * ltt_word_cmpxchg() - exchange a word if it has a value
 * @w: the word
 * @old: the value that it must have
 * @new: the value to store
 *
 * Context: any.  A full barrier on success.
 * Return: true if @new was stored.
 */
static __always_inline bool ltt_word_cmpxchg(ltt_word *w, u64 old, u64 new)
{
	return atomic64_cmpxchg(w, old, new) == old;
}

/**
 * ltt_plat_clock() - read the trace clock, on the slow paths
 *
 * The source file that compiles ring.c defines it.
 *
 * Context: any, NMI included.
 * Return: the time in counts; it does not decrease on one CPU.
 */
u64 ltt_plat_clock(void);

/*
 * A plain access that contexts nesting on this CPU may come between, or have come
 * between; each has a comment why that does no harm.  Not READ_ONCE(), which the compiler
 * cannot join with the instruction that uses the value.  This informs KCSAN.
 */
#define ltt_nested(access)	data_race(access)

/* Aligned as atomic64_t is. */
typedef u64 ltt_u64 __aligned(8);

/*
 * ltt_u64_read(p) and ltt_u64_write(p, v): without an order; ltt_load_acquire(p): before all
 * later accesses; ltt_store_release(p, v): after all earlier ones.  @p points to an ltt_u64.
 */
#ifdef CONFIG_64BIT
#define ltt_u64_read(p)		READ_ONCE(*(p))
#define ltt_u64_write(p, v)	WRITE_ONCE(*(p), v)
#define ltt_load_acquire(p)	smp_load_acquire(p)
#define ltt_store_release(p, v)	smp_store_release(p, v)
#else
#define ltt_u64_read(p)		((u64)atomic64_read(ltt_as_atomic(p)))
#define ltt_u64_write(p, v)	atomic64_set(ltt_as_atomic(p), v)
#define ltt_load_acquire(p)	((u64)atomic64_read_acquire(ltt_as_atomic(p)))
#define ltt_store_release(p, v)	atomic64_set_release(ltt_as_atomic(p), v)

static __always_inline atomic64_t *ltt_as_atomic(const ltt_u64 *p)
{
	return (atomic64_t *)p;
}
#endif

/**
 * ltt_cpu_inc() - add 1 to a number of this CPU
 * @n: an ltt_u64 in per-CPU memory, which this CPU alone changes
 *
 * Context: any, NMI included; preemption off.
 */
#ifdef CONFIG_64BIT
#define ltt_cpu_inc(n)		this_cpu_inc(n)
#else
/* The kernel's own would only hold interrupts off, not NMIs. */
#define ltt_cpu_inc(n)		atomic64_inc(ltt_as_atomic(this_cpu_ptr(&(n))))
#endif

/**
 * ltt_div_u64() - divide, also on 32-bit kernels, which have no operator for it
 * @n: the dividend
 * @by: the divisor, not 0
 * @rest: receives the remainder
 *
 * Context: any.
 * Return: the quotient, rounded down.
 */
static inline u64 ltt_div_u64(u64 n, u32 by, u32 *rest)
{
	return div_u64_rem(n, by, rest);
}

/* The unit tests run a nested writer at each of these places. */
#define LTT_HOOK(name)	do { } while (0)

#endif /* LTT_CORE_PLAT_LINUX_H */
