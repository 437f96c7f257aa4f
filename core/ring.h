/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * One CPU's ring buffer: N sub-buffers of pages, written without locks by
 * contexts that nest (task, softirq, irq, NMI), read by one reader.
 *
 * Layer: core.  The same source is compiled into ltt-relay and into the unit
 * tests.  Context: the write side runs anywhere, NMI included, with preemption
 * off, on the CPU that owns the ring; the read side in one task at a time.
 *
 * How it works
 * ------------
 * A writer reserves space by moving @offset, a free-running byte count, with a
 * compare-and-exchange that only has to be atomic on its own CPU.  A stream offset is a
 * value of @offset: bytes since the ring was made.  The clock is
 * read between the load of @offset and the exchange, so the order of records is
 * the order of their times.  Having copied its record, the writer adds its size
 * to the sub-buffer's commit count; writers finish in any order, and the one
 * whose addition completes the sub-buffer delivers it.
 *
 * The commit count of a sub-buffer: bits 0-29 count bytes, bits 30-63 records,
 * both of the current lap (one addition counts both).  The opener of the next
 * lap subtracts what the last one left, together with adding the packet header.
 * Until then the sub-buffer cannot complete, so the subtraction may come late:
 * nested writers can have added to it before.
 *
 * Each sub-buffer has a slot word { lap, state, page base }:
 *
 *            claim (writer)           deliver (writer)
 *   EMPTY(l-1) --------> WRITING(l) -----------------> FULL(l)
 *        ^                   ^                          |  |
 *        |                   |  claim, overwrite mode   |  |
 *        |              WRITING(l+1) <------------------+  |
 *        +------------------------- get/put (reader) ------+
 *
 * so a full buffer, a sub-buffer still being written a lap ago by an interrupted
 * writer, and a reader that comes too late are all seen in one word.  A slot is
 * claimed before @offset enters it, by the first writer that gets there; a claimer that
 * was interrupted finds the slot claimed.  In overwrite mode the reader exchanges its spare
 * set of pages for the slot's in the same word, so that it never reads what a
 * writer can reach.
 *
 * Guarantees
 * ----------
 * R1  A committed record is read exactly once, or counted as overwritten, or
 *     still in the ring.
 * R2  A record that cannot be stored is counted once, under one cause.
 * R3  The reader sees only delivered sub-buffers: whole ones, which no writer
 *     can reach while they are read.
 * R4  Records lie in the order of their times; time never decreases in a ring.
 * R5  Packets do not overlap in time, and a packet ends no earlier than its last
 *     record.
 * R6  The refused count in packets never decreases from one to the next.
 * R7  A peek returns a whole delivered sub-buffer or nothing.  It changes neither what
 *     the ring holds, nor what it counts, nor what the reader gets.
 *
 * Ordering
 * --------
 *   O(deliver:A) record bytes -> FULL        pairs with  O(get:A) FULL -> bytes
 *   O(put:A)     reader's loads -> EMPTY     pairs with  O(claim:A) EMPTY -> stores
 *   O(swap:A)    reader's loads -> exchange  pairs with  O(claim:A) claimed -> stores
 *   O(peek:A)    copy's loads -> exchange    pairs with  O(claim:A) claimed -> stores
 *   O(init:A)    a ring's memory -> sb_mask  pairs with  O(memory:A) sb_mask -> use
 *   O(room:A)    EMPTY -> read_pos           pairs with  O(full:A) read_pos -> slot word
 *   O(commit:A)  record bytes -> commit add  pairs with  O(deliver:A); for the compiler:
 *                the writer that sees the addition is on the same CPU
 *
 * After the lockless scheme of M. Desnoyers' thesis "Low-Impact Operating System
 * Tracing" (2009), chapter 5; the slot word and the commit count's laps differ.
 */
#ifndef LTT_CORE_RING_H
#define LTT_CORE_RING_H

#include "types.h"
#ifdef __KERNEL__
#include "plat-linux.h"
#else
#include "plat-native.h"
#endif

#define LTT_PAGE_SIZE	(1UL << LTT_PAGE_SHIFT)
#define LTT_PAGE_MASK	(LTT_PAGE_SIZE - 1)

/* One record in the upper part of a commit count: as low as the bytes allow, for
 * the sake of a short constant on the fast path. */
#define LTT_COMMIT_RECORD_SHIFT	30
#define LTT_COMMIT_RECORD	(1ULL << LTT_COMMIT_RECORD_SHIFT)

/* While a lap is being opened the bytes of two can be in the count. */
#define LTT_SB_ORDER_MAX	(LTT_COMMIT_RECORD_SHIFT - 2)

/* A ring counts as full when it refuses a record and has less room than this in the
 * packet being written.  With more room than this, a smaller record may still fit. */
#define LTT_FULL_ROOM	512

/* Deeper nesting than task, softirq, irq and NMI is recursion: refused. */
#define LTT_NESTING_MAX	4

/**
 * enum ltt_refusal - why a record was not stored (negated, it is the error of
 *	the write functions)
 * @LTT_REFUSED_FULL: the reader has not freed the next sub-buffer; while the ring
 *	counts as full, this is the cause for a record of any size
 * @LTT_REFUSED_BIG: larger than a sub-buffer holds
 * @LTT_REFUSED_NESTED: nested too deep, or the buffer wrapped round to a
 *	sub-buffer in which an interrupted writer has not finished; also a writer
 *	that others overtake again and again, and a CPU that has no buffer
 */
enum ltt_refusal {
	LTT_REFUSED_FULL = 1,
	LTT_REFUSED_BIG,
	LTT_REFUSED_NESTED,
	LTT_REFUSALS,
};

struct ltt_ring;

/**
 * struct ltt_packet_end - the values that a writer has when it closes a packet
 * @time: of the end
 * @content: bytes from the start of the packet to the end of the last record
 * @refused: records refused by this ring so far
 */
struct ltt_packet_end {
	u64 time;
	u64 content;
	u64 refused;
};

/**
 * struct ltt_ring_ops - functions of the ring's client; only the slow path calls them
 * @begin: fill in the header at @header of packet number @seq, which begins at
 *	@time.  Must not touch what @end writes: @end may have been called
 * @end: fill in the rest of the header.  Both: any context, NMI included
 * @deliver: the sub-buffer around stream offset @at can be read; any context, NMI
 *	included
 *
 * The header lies in the first page of the packet.
 */
struct ltt_ring_ops {
	void (*begin)(struct ltt_ring *ring, void *header, u64 time, u64 seq);
	void (*end)(struct ltt_ring *ring, void *header, const struct ltt_packet_end *end);
	void (*deliver)(struct ltt_ring *ring, u64 at);
};

/**
 * struct ltt_slot - one sub-buffer's place in the ring
 * @state: lap, state and page base, see ring.c; changed by writers and reader
 * @commit: records and bytes committed; changed by writers only
 */
struct ltt_slot {
	ltt_word state;
	ltt_count commit;
};

/* log2 of its size, for ltt_ring_slot() */
#define LTT_SLOT_ORDER	4
_Static_assert(sizeof(struct ltt_slot) == 1 << LTT_SLOT_ORDER, "slots are indexed by shifts");

/**
 * struct ltt_window - where the fast path may write without a look at anything else
 * @end: stream offset of the end of the page that the ring was last seen in; 0 if
 *	it is not known.  Records that end before it lie in that page
 * @base: to be added to an offset to have its address
 * @slot: the sub-buffer's
 *
 * Only a writer that interrupts no other moves it (aim() in ring.c), so it is
 * constant while a writer runs.  It never gets ahead of the ring's @offset; once
 * that has left the page, nothing ends before @end any more.  Up to then the
 * sub-buffer has room and so keeps its lap and its pages.
 */
struct ltt_window {
	u64 end;
	uintptr_t base;
	struct ltt_slot *slot;
};

/**
 * struct ltt_ring - one CPU's buffer
 * @offset: bytes reserved since the ring was made; writers of the owning CPU
 *	change it, anyone may read it as a hint.  It does not wrap: at 10 GB/s
 *	that would take 58 years
 * @last_time: time of a record no later than the last one reserved (an
 *	interrupted writer may set it back; that costs a long header, no more);
 *	written by writers
 * @nesting_left: how many more writers may nest in those that run now; 0 as
 *	long as the ring has no memory
 * @slot_shift: how far to shift the masked offset to index @slot in bytes
 * @sb_mask: sub-buffer size - 1; 0 as long as the ring has no memory, which
 *	sends every writer to the slow path.  Writers load it without an order: as it is less
 *	than 2^32, a half of it is nothing else
 * @window: for the fast path; writers'
 * @slot_mask: the bits of an offset that number the sub-buffer
 * @page_mask: pages of a sub-buffer - 1
 * @slot: one for each sub-buffer
 * @page: the address of each page: page base + page number in the sub-buffer
 * @content: the content size of the packet in each set of pages; written by
 *	closers, read by the reader under O(get:A)
 * @sb_order: log2 of the sub-buffer size
 * @buf_order: log2 of the buffer size
 * @header_size: bytes of a packet header
 * @overwrite: mode
 * @ops: the client's
 * @refused: records refused, by cause; index 0 unused
 * @records: records of all sub-buffers delivered so far, those of past laps included
 * @overwritten: records overwritten before they were read
 * @reported: the refused count in the last closed packet; written by closers
 * @read_pos: stream offset of the sub-buffer to read next; the reader's.  It follows
 *	the release of a sub-buffer: O(room:A)
 * @full_pos: the value of @read_pos at which a writer found the next sub-buffer not
 *	freed.  The ring is full as long as @read_pos keeps that value; written by
 *	writers.  Lies behind @read_pos: see struct ltt_sink_room
 * @read_limit: overwrite mode: the reader stops here
 * @read_base: pages of the packet being read, if @reading; the reader's
 * @read_content: its content size in bytes; the reader's
 * @spare_base: overwrite mode: the reader's spare set of pages
 * @reading: a packet is out; the reader's
 */
struct ltt_ring {
	ltt_count offset;
	ltt_u64 last_time;
	s32 nesting_left;
	u32 slot_shift;
	ltt_u64 sb_mask;
	struct ltt_window window;
	u64 slot_mask;
	u64 page_mask;
	struct ltt_slot *slot;
	void **page;

	u32 *content;
	u32 sb_order;
	u32 buf_order;
	u32 header_size;
	bool overwrite;
	const struct ltt_ring_ops *ops;
	ltt_count refused[LTT_REFUSALS];
	ltt_count records;
	ltt_count overwritten;
	ltt_u64 reported;

	ltt_u64 read_pos;
	ltt_u64 full_pos;
	ltt_u64 read_limit;
	u32 read_base;
	u32 read_content;
	u32 spare_base;
	bool reading;
};

/**
 * struct ltt_reservation - space for one record
 * @at: its stream offset
 * @time: its time
 * @size: its bytes
 * @wide: the caller must write the full time (see @extra of the reserve)
 */
struct ltt_reservation {
	u64 at;
	u64 time;
	u32 size;
	bool wide;
};

/**
 * ltt_ring_reserve() - reserve space for a record (the general way in)
 * @ring: the ring of this CPU
 * @size: bytes of the record when LTT_TIME_BITS bits of time are enough
 * @extra: bytes more when the full time must be written
 * @res: filled in
 *
 * On success the caller copies the record with ltt_ring_copy() and must call
 * ltt_ring_commit().  The caller holds off recursion with ltt_ring_enter().
 *
 * Context: any, preemption off, on the CPU that owns the ring.
 * Return: 0 or -enum ltt_refusal (counted).
 */
int ltt_ring_reserve(struct ltt_ring *ring, u32 size, u32 extra, struct ltt_reservation *res);

/**
 * ltt_ring_copy() - copy bytes to a place in the ring, across pages if need be
 * @ring: the ring
 * @at: stream offset in space the caller has reserved
 * @src: @len bytes
 * @len: may be 0
 *
 * Context: as ltt_ring_reserve().
 */
void ltt_ring_copy(struct ltt_ring *ring, u64 at, const void *src, size_t len);

/**
 * ltt_ring_deliver() - hand a completed sub-buffer to the reader
 * @ring: the ring
 * @at: any place in the sub-buffer
 *
 * For ltt_ring_commit().  Does nothing when an interrupt has delivered it
 * already.
 *
 * Context: as ltt_ring_reserve().
 */
void ltt_ring_deliver(struct ltt_ring *ring, u64 at);

/**
 * ltt_ring_flush() - end the packet being written, so that it can be read
 * @ring: the ring
 * @final: also end a packet without records if refused records have not been
 *	reported in a packet yet
 *
 * Context: any, on the CPU that owns the ring, or on another when that one is
 * offline.
 * Return: true if a packet was ended; false also when writers overtook it again and
 * again.
 */
bool ltt_ring_flush(struct ltt_ring *ring, bool final);

/**
 * ltt_ring_needs_flush() - would ltt_ring_flush() do anything?
 * @ring: the ring
 * @final: as for ltt_ring_flush()
 *
 * Context: any CPU; a hint while writers run.
 * Return: true if there is a packet to end.
 */
bool ltt_ring_needs_flush(const struct ltt_ring *ring, bool final);

/**
 * ltt_ring_settled() - have all packets before a position been delivered?
 * @ring: the ring
 * @end: stream offset of the start of a sub-buffer, not after the one in @offset
 *
 * They have not while a writer that a flush interrupted is still committing its record.
 *
 * Context: any CPU.
 * Return: false if a packet before @end is still being written.
 */
bool ltt_ring_settled(const struct ltt_ring *ring, u64 end);

/**
 * ltt_ring_get() - take the next packet for reading
 * @ring: the ring
 *
 * Then @read_base is the index of its first page in @page, and @read_content its
 * size without padding.  The packet stays
 * out, over any number of calls, until ltt_ring_put().
 *
 * Context: one reader at a time.
 * Return: true if a packet is out.
 */
bool ltt_ring_get(struct ltt_ring *ring);

/**
 * ltt_ring_ready() - would ltt_ring_get() succeed?
 * @ring: the ring
 * @next: ask it for the time after the packet that is out has been put
 *
 * Context: any; a hint for poll.
 * Return: true if there is a packet.
 */
bool ltt_ring_ready(const struct ltt_ring *ring, bool next);

/**
 * ltt_ring_put() - free the packet that is out
 * @ring: the ring; ltt_ring_get() has succeeded
 *
 * Context: one reader at a time.
 */
void ltt_ring_put(struct ltt_ring *ring);

/**
 * enum ltt_peek - what ltt_ring_peek() found at a position
 * @LTT_PEEKED: a packet, which it copied
 * @LTT_PEEK_BUSY: a writer is still committing records there; try again
 * @LTT_PEEK_GONE: nothing: the packet was overwritten or freed
 */
enum ltt_peek {
	LTT_PEEKED,
	LTT_PEEK_BUSY,
	LTT_PEEK_GONE,
};

/**
 * ltt_ring_peek() - copy a packet without taking it (R7)
 * @ring: a ring that has its memory
 * @at: stream offset of the sub-buffer, a multiple of its size below @offset
 * @to: room for a sub-buffer
 * @content: receives the size of the packet without padding, in bytes
 *
 * The copy is as a reader would have got it; after the content, it is undefined.
 *
 * Context: task; any number at once, while writers run.  The caller sees to it that
 * @page does not change meanwhile.
 * Return: see enum ltt_peek.
 */
enum ltt_peek ltt_ring_peek(struct ltt_ring *ring, u64 at, void *to, u32 *content);

/**
 * struct ltt_ring_stats - exact when no writer runs
 * @stored: records committed and not overwritten
 * @overwritten: records overwritten before they were read
 * @refused: by cause
 * @refused_total: their sum
 */
struct ltt_ring_stats {
	u64 stored;
	u64 overwritten;
	u64 refused[LTT_REFUSALS];
	u64 refused_total;
};

/**
 * ltt_ring_get_stats() - count the records of a ring
 * @ring: the ring
 * @stats: filled in
 *
 * Takes the same time whatever the number of sub-buffers.  While a writer runs, the
 * records of a sub-buffer that it is about to open or to deliver may be missing, and
 * those of a sub-buffer that it was interrupted in while others filled
 * LTT_NESTING_MAX more.
 *
 * Context: any CPU.
 */
void ltt_ring_get_stats(const struct ltt_ring *ring, struct ltt_ring_stats *stats);

/**
 * ltt_ring_refused() - count the refused records, of all causes
 * @ring: the ring
 *
 * Context: any CPU; a hint while writers run.
 * Return: the number since ltt_ring_init().
 */
u64 ltt_ring_refused(const struct ltt_ring *ring);

/**
 * ltt_ring_init() - make a ring out of memory that the caller has allocated
 * @ring: zeroed; @slot, @page (zeroed pages), @content and @ops set; there are
 *	as many sets of pages and contents as sub-buffers, and one more in
 *	overwrite mode
 * @sb_order: log2 of the sub-buffer size, LTT_PAGE_SHIFT to LTT_SB_ORDER_MAX
 * @nr_order: log2 of the number of sub-buffers, at least 1
 * @header_size: bytes of the packet header, at most a page
 * @overwrite: mode
 *
 * Writers on other CPUs may find the ring at any time: it accepts records from
 * the moment that this function, last of all, sets @sb_mask.
 *
 * Context: any; may be called once.
 */
void ltt_ring_init(struct ltt_ring *ring, u32 sb_order, u32 nr_order, u32 header_size,
		   bool overwrite);

/**
 * ltt_ring_enter() - enter the write side
 * @ring: the ring of this CPU
 *
 * Context: any, preemption off.
 * Return: false when nested too deep; ltt_ring_leave() is due either way.
 */
static __always_inline bool ltt_ring_enter(struct ltt_ring *ring)
{
	/* Only contexts that nest on this CPU change it, and they restore it. */
	if (unlikely(ltt_nested(--ring->nesting_left) < 0))
		return false;
	barrier();	/* compiler: nested writers must see it; pairs with ltt_ring_leave() */
	return true;
}

/**
 * ltt_ring_leave() - leave the write side
 * @ring: the ring that ltt_ring_enter() was given
 *
 * Context: as ltt_ring_enter().
 */
static __always_inline void ltt_ring_leave(struct ltt_ring *ring)
{
	barrier();	/* compiler: pairs with ltt_ring_enter() */
	ltt_nested(ring->nesting_left++);
}

/**
 * ltt_ring_refuse() - count a record that is not stored
 * @ring: the ring of this CPU
 * @why: the cause
 *
 * Context: any, NMI included; preemption off; on the CPU that owns @ring.
 * Return: -@why.
 */
static __always_inline int ltt_ring_refuse(struct ltt_ring *ring, enum ltt_refusal why)
{
	ltt_count_add(&ring->refused[why], 1);
	return -(int)why;
}

/**
 * ltt_ring_is_full() - does the ring refuse every record until its reader frees one
 *	sub-buffer?
 * @ring: the ring of this CPU
 *
 * A ring becomes full when ltt_ring_reserve() refuses a record as LTT_REFUSED_FULL and
 * the packet being written has room for less than LTT_FULL_ROOM bytes.
 *
 * Context: any, NMI included.
 * Return: true if the caller may call ltt_ring_refuse() with LTT_REFUSED_FULL in place
 * of ltt_ring_reserve().
 */
static __always_inline bool ltt_ring_is_full(const struct ltt_ring *ring)
{
	/* No order needed: a stale position refuses one record more, as a stale slot
	 * word does.  @full_pos: a nested writer that changes it leaves a true value, and
	 * one that comes between two halves of the load has just found the ring full. */
	return ltt_u64_read(&ring->read_pos) == ltt_nested(ring->full_pos);
}

/**
 * ltt_ring_slot() - find the slot of a sub-buffer
 * @ring: the ring
 * @at: a stream offset in the sub-buffer
 *
 * Context: any.
 * Return: the slot.
 */
static __always_inline struct ltt_slot *ltt_ring_slot(const struct ltt_ring *ring, u64 at)
{
	/* The number of the sub-buffer, times the size of a slot. */
	return (void *)ring->slot + ((at & ring->slot_mask) >> ring->slot_shift);
}

/**
 * ltt_ring_address() - find a record in memory
 * @ring: the ring
 * @slot: of its sub-buffer
 * @at: stream offset of a reserved place that is not committed yet
 *
 * Context: as ltt_ring_reserve().
 * Return: the address, valid up to the end of that page.
 */
static __always_inline void *ltt_ring_address(const struct ltt_ring *ring,
					      const struct ltt_slot *slot, u64 at)
{
	/* The low half of the word, the page base, is stable: a slot that
	 * holds an uncommitted record changes neither lap nor pages. */
	return ring->page[ltt_word_read_low(&slot->state) +
			  (at >> LTT_PAGE_SHIFT & ring->page_mask)] + (at & LTT_PAGE_MASK);
}

/**
 * ltt_ring_commit_slot() - count the bytes of a record as written
 * @ring: the ring
 * @slot: of the sub-buffer
 * @size: bytes of the record
 *
 * Context: as ltt_ring_reserve().
 * Return: true when that completed the sub-buffer: ltt_ring_deliver() is due.
 */
static __always_inline bool ltt_ring_commit_slot(struct ltt_ring *ring, struct ltt_slot *slot,
						 u64 size)
{
	barrier();	/* O(commit:A): the bytes before the count; pairs with O(deliver:A) */
	LTT_HOOK("commit");
	ltt_count_add(&slot->commit, LTT_COMMIT_RECORD + size);
	LTT_HOOK("committed");
	/* A lap's bytes are a whole sub-buffer exactly when it is complete. */
	return !(ltt_count_read(&slot->commit) & ring->sb_mask);
}

/**
 * ltt_ring_commit() - the record is written
 * @ring: the ring
 * @res: what ltt_ring_reserve() gave
 *
 * Context: as ltt_ring_reserve().
 */
static __always_inline void ltt_ring_commit(struct ltt_ring *ring,
					    const struct ltt_reservation *res)
{
	if (ltt_ring_commit_slot(ring, ltt_ring_slot(ring, res->at), res->size))
		ltt_ring_deliver(ring, res->at);
}

#endif /* LTT_CORE_RING_H */
