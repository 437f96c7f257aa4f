/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * How one event is written: the fast path.
 *
 * Layer: core.  A record is a header, the context (u32 thread id), the contexts that its
 * event has besides, and the payload; nothing is aligned.  The header: header.h.
 *
 * The rare cases are out of line, in record.c: a sub-buffer's first record, one
 * that does not fit or crosses a page, and a long header.
 */
#ifndef LTT_CORE_RECORD_H
#define LTT_CORE_RECORD_H

#include "header.h"
#include "ring.h"

#define LTT_EVENT_IDS_MAX	65536
#define LTT_CONTEXT_SIZE	4

/**
 * ltt_record_write_slow() - write one event, in any case but the common one
 * @ring: the ring of this CPU, entered
 * @id: below LTT_EVENT_IDS_MAX
 * @tid: the context
 * @payload: @len bytes
 * @len: 0 to 2^31
 *
 * Context: as ltt_record_try().
 * Return: 0 or -enum ltt_refusal (counted in the ring).
 */
int ltt_record_write_slow(struct ltt_ring *ring, u32 id, u32 tid, const void *payload, u32 len);

/**
 * ltt_record_write_context() - the same for an event with more contexts than the thread id
 * @ring: see ltt_record_write_slow()
 * @id: see ltt_record_write_slow()
 * @context: @size bytes: the thread id and the other contexts
 * @size: LTT_CONTEXT_SIZE or more
 * @payload: see ltt_record_write_slow()
 * @len: see ltt_record_write_slow()
 * @at: receives the place of the record in the stream
 *
 * Context: as ltt_record_try().
 * Return: 0 or -enum ltt_refusal (counted in the ring).
 */
int ltt_record_write_context(struct ltt_ring *ring, u32 id, const void *context, u32 size,
			     const void *payload, u32 len, u64 *at);

/**
 * ltt_put_u32() - store 32 bits at any address
 * @p: 4 bytes, not aligned
 * @v: the value, stored in native byte order
 *
 * Context: any.
 */
static __always_inline void ltt_put_u32(void *p, u32 v)
{
	__builtin_memcpy(p, &v, sizeof(v));
}

/**
 * ltt_copy_small() - copy a payload
 * @dst: @len bytes
 * @src: @len bytes, which do not overlap @dst
 * @len: any number, mostly a few words; the compiler does not know it
 *
 * Faster than a call of memcpy(), and far fewer instructions than "rep movsb".
 *
 * Context: any.
 */
static __always_inline void ltt_copy_small(u8 *dst, const u8 *src, size_t len)
{
	u64 word, last;

	/* Two that may overlap; the same for any number of words; few bytes. */
	if (likely(len - 8 <= 8)) {
		__builtin_memcpy(&word, src, 8);
		__builtin_memcpy(&last, src + len - 8, 8);
		__builtin_memcpy(dst, &word, 8);
		__builtin_memcpy(dst + len - 8, &last, 8);
	} else if (!len) {
		return;
	} else if (len > 8) {
		__builtin_memcpy(&last, src + len - 8, 8);
		__builtin_memcpy(dst + len - 8, &last, 8);
		for (; len > 8; len -= 8, src += 8, dst += 8)
			__builtin_memcpy(dst, src, 8);
	} else {
		while (len--)
			*dst++ = *src++;
	}
}

/**
 * enum ltt_record_result - how far ltt_record_try() has come
 * @LTT_RECORD_DONE: the record is written
 * @LTT_RECORD_DELIVER: the same, and ltt_ring_deliver() of @at is due
 * @LTT_RECORD_SLOW: nothing has happened: ltt_record_write_slow() is due
 * @LTT_RECORD_FULL: nothing has happened: ltt_ring_refuse() with LTT_REFUSED_FULL is due
 */
enum ltt_record_result {
	LTT_RECORD_DONE,
	LTT_RECORD_DELIVER,
	LTT_RECORD_SLOW,
	LTT_RECORD_FULL,
};

/**
 * struct ltt_record_more - the contexts of an event besides the thread id
 * @size: their bytes
 * @put: writes them
 * @from: for @put
 */
struct ltt_record_more {
	u32 size;
	void (*put)(u8 *to, const struct ltt_record_more *more);
	const void *from;
};

/**
 * ltt_record_try_at() - write one event with contexts, in the common case
 * @ring: see ltt_record_try()
 * @old: the ring's offset, read before.  The record follows it directly, or is not written:
 *	nothing has been written to the ring in between
 * @now: see ltt_record_try()
 * @id: see ltt_record_try()
 * @compact: see ltt_record_try()
 * @tid: see ltt_record_try()
 * @more: the other contexts; NULL if there are none.  Whether it is NULL, and best all of it,
 *	is a constant at each caller
 * @payload: see ltt_record_try()
 * @len: see ltt_record_try()
 * @at: see ltt_record_try()
 *
 * Context: as ltt_record_try().
 * Return: how far it has come.
 */
static __always_inline enum ltt_record_result
ltt_record_try_at(struct ltt_ring *ring, u64 old, u64 (*now)(void), const u32 *id,
		  const bool compact, u32 (*tid)(void), const struct ltt_record_more *more,
		  const void *payload, size_t len, u64 *at)
{
	const u32 header = compact ? LTT_HEADER_COMPACT : LTT_HEADER_MEDIUM;
	const u32 context = LTT_CONTEXT_SIZE + (more ? more->size : 0);
	size_t size = header + context + len;
	u64 new, time;
	u8 *dst;

	new = old + size;
	/* Before the clock, so that a record that a full ring refuses does not pay for it. */
	if (unlikely(new >= ring->window.end))
		return ltt_ring_is_full(ring) ? LTT_RECORD_FULL : LTT_RECORD_SLOW;
	barrier();	/* compiler: the offset before the clock; pairs as in plan(), ring.c */
	time = now();
	/* The last time may be that of a nested writer, or half of it: then the exchange fails. */
	if (unlikely((time - ltt_nested(ring->last_time)) >> LTT_TIME_BITS))
		return LTT_RECORD_SLOW;
	LTT_HOOK("fast reserve");
	if (unlikely(ltt_count_cmpxchg(&ring->offset, old, new) != old))
		return LTT_RECORD_SLOW;
	LTT_HOOK("fast reserved");
	ltt_u64_write(&ring->last_time, time);

	dst = (u8 *)(ring->window.base + (uintptr_t)old);
	ltt_put_u32(dst, (compact ? *id : LTT_ID_MEDIUM) | (u32)time << LTT_ID_BITS);
	if (!compact) {
		u16 medium = *id;

		__builtin_memcpy(dst + 4, &medium, 2);
	}
	ltt_put_u32(dst + header, tid());
	if (more)
		more->put(dst + header + LTT_CONTEXT_SIZE, more);
	ltt_copy_small(dst + header + context, payload, len);
	*at = old;
	return unlikely(ltt_ring_commit_slot(ring, ring->window.slot, size)) ?
	       LTT_RECORD_DELIVER : LTT_RECORD_DONE;
}

/**
 * ltt_record_try() - write one event, in the common case
 * @ring: the ring of this CPU, entered
 * @now: ltt_plat_clock(), passed as a function so that the caller chooses it
 * @id: where the id is, below LTT_EVENT_IDS_MAX; loaded late, to save registers
 * @compact: is it below LTT_COMPACT_IDS (a constant at each caller, which so
 *	has a function for each kind and no test)
 * @tid: gives the context; called late, for the same reason
 * @payload: @len bytes
 * @len: 0 to 2^31
 * @at: where the record lies
 *
 * The common case: it lies in the ring's window, not up to its end, less than
 * 2^LTT_TIME_BITS counts after the last one, and no interrupt writes in between.
 * It makes no call, so that its caller can be a leaf.
 *
 * Context: any, NMI included; preemption off; on the CPU that owns @ring.
 * Return: how far it has come.
 */
static __always_inline enum ltt_record_result
ltt_record_try(struct ltt_ring *ring, u64 (*now)(void), const u32 *id, const bool compact,
	       u32 (*tid)(void), const void *payload, size_t len, u64 *at)
{
	return ltt_record_try_at(ring, ltt_count_read(&ring->offset), now, id, compact, tid, NULL,
				 payload, len, at);
}

#endif /* LTT_CORE_RECORD_H */
