/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The platform of core/ring.h, in user space.
 *
 * Layer: core.  plat-linux.h gives the same names in the kernel, and describes them.  Here
 * both kinds of word are C11 atomics (through the compiler's builtins), which have no form
 * that is atomic on one CPU only: where that matters, operations on an ltt_count are written
 * by hand.  ThreadSanitizer would not understand that.
 */
#ifndef LTT_CORE_PLAT_NATIVE_H
#define LTT_CORE_PLAT_NATIVE_H

#include <string.h>

#include "types.h"

#define LTT_PAGE_SHIFT	12

#ifndef __always_inline
#define __always_inline	inline __attribute__((always_inline))
#endif
#ifndef noinline
#define noinline	__attribute__((noinline))
#endif
#ifndef __packed
#define __packed	__attribute__((packed))
#endif
#define notrace
#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define barrier()	__asm__ __volatile__("" ::: "memory")	/* compiler only; its users name the pair */
#define READ_ONCE(x)	__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), (v), __ATOMIC_RELAXED)

typedef struct {
	u64 v __attribute__((aligned(8)));
} ltt_count;

static inline u64 ltt_count_read(const ltt_count *c)
{
	return __atomic_load_n(&c->v, __ATOMIC_RELAXED);
}

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
static inline void ltt_count_add(ltt_count *c, u64 n)
{
	__asm__ __volatile__("addq %1, %0" : "+m" (c->v) : "er" (n));
}

static inline u64 ltt_count_cmpxchg(ltt_count *c, u64 old, u64 new)
{
	__asm__ __volatile__("cmpxchgq %2, %1" : "+a" (old), "+m" (c->v) : "r" (new));
	return old;
}
#else
static inline void ltt_count_add(ltt_count *c, u64 n)
{
	__atomic_fetch_add(&c->v, n, __ATOMIC_RELAXED);
}

static inline u64 ltt_count_cmpxchg(ltt_count *c, u64 old, u64 new)
{
	__atomic_compare_exchange_n(&c->v, &old, new, false,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return old;
}
#endif

static inline void ltt_count_init(ltt_count *c, u64 n)
{
	c->v = n;
}

typedef struct {
	u64 v __attribute__((aligned(8)));
} ltt_word;

static inline u64 ltt_word_read(const ltt_word *w)
{
	return __atomic_load_n(&w->v, __ATOMIC_RELAXED);
}

static inline u32 ltt_word_read_low(const ltt_word *w)
{
	return ltt_word_read(w);
}

static inline u64 ltt_word_read_acquire(const ltt_word *w)
{
	return __atomic_load_n(&w->v, __ATOMIC_ACQUIRE);
}

static inline void ltt_word_set_release(ltt_word *w, u64 v)
{
	__atomic_store_n(&w->v, v, __ATOMIC_RELEASE);
}

static inline bool ltt_word_cmpxchg(ltt_word *w, u64 old, u64 new)
{
	return __atomic_compare_exchange_n(&w->v, &old, new, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#define ltt_nested(access)	(access)

typedef u64 ltt_u64 __attribute__((aligned(8)));

#define ltt_u64_read(p)		READ_ONCE(*(p))
#define ltt_u64_write(p, v)	WRITE_ONCE(*(p), v)
#define ltt_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)
#define ltt_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)

static inline u64 ltt_div_u64(u64 n, u32 by, u32 *rest)
{
	*rest = n % by;
	return n / by;
}

/* The program that links core/ supplies the clock. */
u64 ltt_plat_clock(void);

/* The unit tests run a nested writer at each of these places. */
#ifdef LTT_TEST_HOOKS
void ltt_test_hook(const char *name);
#define LTT_HOOK(name)	ltt_test_hook(name)
#else
#define LTT_HOOK(name)	do { } while (0)
#endif

#endif /* LTT_CORE_PLAT_NATIVE_H */
