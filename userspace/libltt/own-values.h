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

/* The outermost record publishes itself and those of its handlers.  A handler that reserves
 * after the load of @reserved publishes its own.  A child that a handler forks just here
 * may still use the parent's ring: the exchange fails if the parent has moved @head. */
static inline void ltt_own_publish(struct own *own, uint64_t reserved)
{
	uint64_t first = ltt_own_load(&own->ring->head), before = first, published;

	do {
		/* A(head:S): all records before it; pairs with A(head:R). */
		ltt_own_exchange(&own->ring->head, before, reserved);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		own->depth = 0;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		published = reserved;
		if (__builtin_expect(ltt_own_load(&own->reserved) == published, 1))
			break;
		own->depth = 1;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		before = ltt_own_load(&own->ring->head);
		reserved = ltt_own_load(&own->reserved);
	} while (true);
	if ((first ^ published) & ~own->shm->sb_mask)
		ltt_shm_wake(own->shm);
}

/* Store each value with bytes before it, the last value first, so that no byte behind the record is written to: a
 * handler may have written its record there. */
static inline void ltt_own_store(char *at, const struct ltt_layout *layout, uint64_t time, uint64_t context,
				 const uint64_t *words, unsigned int nr)
{
	uint32_t word = (uint32_t)time << LTT_ID_BITS | (uint32_t)layout->header;
	uint16_t medium = layout->header >> 32;
	unsigned int i, end = layout->size;
	uint64_t value;

#pragma GCC unroll 5
	for (i = nr; i > 0; i--) {
		value = words[i - 1] << layout->shift[i - 1];
		memcpy(at + end - sizeof(value), &value, sizeof(value));
		end = layout->at[i];
	}
	memcpy(at + layout->at[0], &context, sizeof(context));
	if (layout->at[0] == LTT_HEADER_MEDIUM)
		memcpy(at + sizeof(word), &medium, sizeof(medium));
	memcpy(at, &word, sizeof(word));
}

/**
 * ltt_own_values() - store a record of values inside a sub-buffer of the thread's ring
 * @shm: the channel's buffers
 * @layout: of the record
 * @context: its context
 * @words: its values
 * @nr: how many, at most LTT_VALUES_MAX
 *
 * Context: any thread, and its signal handlers.  Preserves errno.
 * Return: true; false: nothing is stored or counted, and ltt_own_write() can store the record.
 */
static inline bool ltt_own_values(const struct ltt_shm *shm, const struct ltt_layout *layout, uint64_t context,
				  const uint64_t *words, unsigned int nr)
{
	struct own *own = &ltt_own[0];
	uint64_t pos, time;

	/* Two loads: one of both members would wait for the last store of @depth to reach the cache. */
	if (own->shm != shm || own->orphan || __atomic_load_n(&own->depth, __ATOMIC_RELAXED))
		return false;
	own->depth = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	pos = ltt_own_load(&own->reserved);
	time = ltt_counter();
	if (__builtin_expect(((pos - 1) & shm->sb_mask) + layout->room >= shm->sb_mask ||
			     ltt_own_load(&own->epoch) != time >> LTT_TIME_BITS ||
			     !ltt_own_exchange(&own->reserved, pos, pos + layout->size), 0)) {
		ltt_own_publish(own, ltt_own_load(&own->reserved));
		return false;
	}
	ltt_own_store(ltt_shm_at(shm, own->ring, pos), layout, time, context, words, nr);
	ltt_own_publish(own, pos + layout->size);
	return true;
}

#endif /* LTT_OWN_VALUES_H */
