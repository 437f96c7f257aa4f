/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * How one event is written: the fast path.
 *
 * Layer: core.  A record is a header, the context (u32 thread id) and the
 * payload; nothing is aligned.  The header, native byte order, after the compact
 * header of lttng (CTF 1.8 metadata that describes it: ctf.c):
 *
 *   id 0-29     u32: id in bits 0-4, low 27 bits of the time in bits 5-31
 *   id 30-65535 u32: 30 in bits 0-4, time as above; then u16 id
 *   any         u8 31; u32 id; u64 time: when 27 bits cannot tell the time
 *
 * What can be rare is out of line, in record.c: a sub-buffer's first record, one
 * that does not fit or crosses a page, and a long header.
 */
#ifndef LTT_CORE_RECORD_H
#define LTT_CORE_RECORD_H

#include "ring.h"

#define LTT_COMPACT_IDS		30
#define LTT_ID_MEDIUM		30
#define LTT_ID_LONG		31
#define LTT_EVENT_IDS_MAX	65536

#define LTT_HEADER_COMPACT	4
#define LTT_HEADER_MEDIUM	6
#define LTT_HEADER_LONG		13
#define LTT_CONTEXT_SIZE	4

/**
 * struct ltt_record - what is to be written
 * @id: the event's id in its channel
 * @tid: the context
 * @payload: @len bytes
 */
struct ltt_record {
	u32 id;
	u32 tid;
	const void *payload;
	u32 len;
};

/* Out of line: the whole of ltt_record_write(), for the rare cases. */
int ltt_record_write_slow(struct ltt_ring *ring, const struct ltt_record *rec);

/* Out of line: fill in a reserved record that crosses a page; commits nothing. */
void ltt_record_fill(struct ltt_ring *ring, const struct ltt_reservation *res,
		     const struct ltt_record *rec);

static __always_inline void ltt_put_u32(void *p, u32 v)
{
	__builtin_memcpy(p, &v, sizeof(v));
}

/* Payloads are mostly a few words, of a size the compiler does not know: faster
 * than a call of memcpy(), and far fewer instructions than "rep movsb". */
static __always_inline void ltt_copy_small(u8 *dst, const u8 *src, u32 len)
{
	u32 i;

	if (len >= 8) {
		for (i = 0; i + 8 < len; i += 8)
			__builtin_memcpy(dst + i, src + i, 8);
		/* The last 8 bytes may overlap what is there already. */
		__builtin_memcpy(dst + len - 8, src + len - 8, 8);
	} else if (len >= 4) {
		__builtin_memcpy(dst, src, 4);
		__builtin_memcpy(dst + len - 4, src + len - 4, 4);
	} else {
		for (i = 0; i < len; i++)
			dst[i] = src[i];
	}
}

/**
 * ltt_record_write() - write one event
 * @ring: the ring of this CPU
 * @id: below LTT_EVENT_IDS_MAX
 * @compact: is @id below LTT_COMPACT_IDS (a constant at each caller, which so
 *	has a function for each kind and no test)
 * @tid: the context
 * @payload: @len bytes
 * @len: 0 to 2^31
 *
 * Context: any, NMI included; preemption off; on the CPU that owns @ring.
 * Return: 0 or -enum ltt_refusal (counted in the ring).
 */
static __always_inline int ltt_record_write(struct ltt_ring *ring, u32 id, const bool compact,
					    u32 tid, const void *payload, u32 len)
{
	const u32 header = compact ? LTT_HEADER_COMPACT : LTT_HEADER_MEDIUM;
	u32 size = header + LTT_CONTEXT_SIZE + len;
	struct ltt_slot *slot;
	u64 old, now, in_sb;
	u8 *dst;
	int err = 0;

	if (unlikely(!ltt_ring_enter(ring))) {
		err = ltt_ring_refuse(ring, LTT_REFUSED_NESTED);
		goto leave;
	}
	old = ltt_count_read(&ring->offset);
	barrier();	/* compiler: the offset before the clock, or order and time part (R4) */
	now = ltt_plat_clock();
	in_sb = old & ring->sb_mask;
	if (unlikely(!in_sb || in_sb + size > ring->sb_mask ||
		     (now - READ_ONCE(ring->last_time)) >> 27))
		goto slow;
	LTT_HOOK("fast reserve");
	if (unlikely(ltt_count_cmpxchg(&ring->offset, old, old + size) != old))
		goto slow;
	LTT_HOOK("fast reserved");
	WRITE_ONCE(ring->last_time, now);

	slot = ltt_ring_slot(ring, old);
	if (unlikely((old & LTT_PAGE_MASK) + size > LTT_PAGE_SIZE)) {
		const struct ltt_reservation res = { .at = old, .time = now, .size = size };
		const struct ltt_record rec = {
			.id = id, .tid = tid, .payload = payload, .len = len,
		};

		ltt_record_fill(ring, &res, &rec);
	} else {
		dst = ltt_ring_address(ring, slot, old);
		ltt_put_u32(dst, (compact ? id : LTT_ID_MEDIUM) | (u32)now << 5);
		if (!compact) {
			dst[4] = ((const u8 *)&id)[0];
			dst[5] = ((const u8 *)&id)[1];
		}
		ltt_put_u32(dst + header, tid);
		ltt_copy_small(dst + header + LTT_CONTEXT_SIZE, payload, len);
	}
	ltt_ring_commit_slot(ring, slot, old, size);
leave:
	ltt_ring_leave(ring);
	return err;
slow:
	{
		const struct ltt_record rec = {
			.id = id, .tid = tid, .payload = payload, .len = len,
		};

		err = ltt_record_write_slow(ring, &rec);
	}
	goto leave;
}

#endif /* LTT_CORE_RECORD_H */
