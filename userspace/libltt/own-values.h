/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The usual record without restartable sequences: an event of values, inside a sub-buffer of the thread's own ring.
 * own.c has all others, and describes the ring.
 */
#ifndef LTT_OWN_VALUES_H
#define LTT_OWN_VALUES_H

#include <string.h>

#include "common/counter.h"
#include "layout.h"
#include "write.h"

#define LTT_OWN_MAX	4	/* a thread can write for so many lttds */

/**
 * struct own - a ring that the thread owns
 * @shm: the buffers of the ring
 * @ring: the ring
 * @reserved: the position of the next record
 * @epoch: as &ltt_shm_ring.epoch
 * @depth: number of unfinished records of the thread and its handlers
 * @orphan: fork() interrupted a record; its rest goes to private memory of the child
 */
struct own {
	const struct ltt_shm *shm;
	struct ltt_shm_ring *ring;
	uint64_t reserved;
	uint64_t epoch;
	unsigned int depth;
	bool orphan;
};

extern __thread struct own ltt_own[LTT_OWN_MAX] __attribute__((tls_model("initial-exec")));

/* Compare and exchange, after all earlier stores.  It is one instruction, so no handler of
 * this thread can interrupt it.  Handlers change @at and, by fork(), the ring; loads of
 * these stay on their side of the exchange. */
static inline bool ltt_own_exchange(uint64_t *at, uint64_t old, uint64_t new)
{
#ifdef __x86_64__
	uint64_t was = old;

	__asm__ __volatile__("cmpxchgq %[new], %[at]" : [at] "+m" (*at), "+a" (was)
			     : [new] "r" (new) : "memory", "cc");
	return was == old;
#elif defined(__i386__)
	bool done;

	__asm__ __volatile__("cmpxchg8b %[at]" : [at] "+m" (*at), "+A" (old), "=@ccz" (done)
			     : "b" ((uint32_t)new), "c" ((uint32_t)(new >> 32)) : "memory");
	return done;
#else
	bool done;

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	done = __atomic_compare_exchange_n(at, &old, new, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return done;
#endif
}

static inline uint64_t ltt_own_load(const uint64_t *at)
{
	return __atomic_load_n(at, __ATOMIC_RELAXED);
}

/* Store each value with bytes before it, the last value first, so that no byte behind the record is written to: a
 * handler may have written its record there. */
static inline __attribute__((always_inline)) void
ltt_own_store(char *at, const struct ltt_layout *layout, uint64_t time, uint64_t context, unsigned int nr,
	      const uint64_t *values)
{
	uint32_t word = (uint32_t)time << LTT_ID_BITS | (uint32_t)layout->header;
	uint16_t medium = layout->header >> 32;
	unsigned int i, end = layout->size;
	uint64_t value;

#pragma GCC unroll 5
	for (i = nr; i > 0; i--) {
		value = values[i - 1] << layout->shift[i - 1];
		memcpy(at + end - sizeof(value), &value, sizeof(value));
		end = layout->at[i];
	}
	/* The bytes before the context are the header's, which comes next. */
	context <<= 8 * (sizeof(context) - LTT_CONTEXT_USUAL_SIZE);
	memcpy(at + layout->at[0] + LTT_CONTEXT_USUAL_SIZE - sizeof(context), &context, sizeof(context));
	if (layout->at[0] == LTT_HEADER_MEDIUM)
		memcpy(at + sizeof(word), &medium, sizeof(medium));
	memcpy(at, &word, sizeof(word));
}

enum ltt_own_result {
	LTT_OWN_STORED,
	LTT_OWN_UNFINISHED,	/* stored, and ltt_own_finish() is due */
	LTT_OWN_FAILED,		/* not stored, and ltt_own_finish() is due */
	LTT_OWN_NONE,		/* not stored: the first ring of the thread is being written to */
};

/**
 * ltt_own_values() - store a record of values inside a sub-buffer of the thread's ring
 * @shm: the channel's buffers
 * @layout: of the record
 * @context: its context
 * @nr: number of its values, at most LTT_VALUES_MAX; a constant
 * @a: the first value; and so on
 *
 * Calls no function, so that its caller saves no registers.  A record that is not stored is not counted either, and
 * ltt_own_write() can store it.
 *
 * Context: any thread, and its signal handlers.  Preserves errno.
 */
static inline __attribute__((always_inline)) enum ltt_own_result
ltt_own_values(const struct ltt_shm *shm, const struct ltt_layout *layout, uint64_t context, unsigned int nr,
	       uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	const uint64_t values[LTT_VALUES_MAX] = { a, b, c, d, e };
	struct own *own = &ltt_own[0];
	uint64_t pos, time, end, before;

	if (__atomic_load_n(&own->depth, __ATOMIC_RELAXED))
		return LTT_OWN_NONE;
	own->depth = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	/* From here on no handler gives this entry to other buffers.  Two loads: one of @orphan and @depth would wait
	 * for the store of @depth to reach the cache. */
	if (own->shm != shm || own->orphan)
		return LTT_OWN_FAILED;
	pos = ltt_own_load(&own->reserved);
	end = pos + layout->size;
	time = ltt_counter();
	if (__builtin_expect(((pos - 1) & shm->sb_mask) + layout->room >= shm->sb_mask ||
			     ltt_own_load(&own->epoch) != time >> LTT_TIME_BITS ||
			     !ltt_own_exchange(&own->reserved, pos, end), 0))
		return LTT_OWN_FAILED;
	ltt_own_store(ltt_shm_at(shm, own->ring, pos), layout, time, context, nr, values);
	/* As publish(), but not for records of handlers that interrupted this one. */
	before = ltt_own_load(&own->ring->head);
	/* A(head:S): the record before @head; pairs with A(head:R). */
	ltt_own_exchange(&own->ring->head, before, end);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	own->depth = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect(ltt_own_load(&own->reserved) != end || (before ^ end) & ~shm->sb_mask, 0))
		return LTT_OWN_UNFINISHED;
	return LTT_OWN_STORED;
}

/**
 * ltt_own_finish() - publish records of handlers, and wake lttd, after ltt_own_values()
 * @result: of it
 *
 * Context: the same thread or handler.  Preserves errno.
 */
void ltt_own_finish(enum ltt_own_result result);

#endif /* LTT_OWN_VALUES_H */
