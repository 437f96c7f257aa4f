// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The ring buffer's slow paths: entering and leaving sub-buffers, flush, and the
 * read side.  ring.h has the theory, the guarantees and the ordering table.
 *
 * Layer: core.  Contents: the slot word; opening and closing; reserve; flush;
 * reader; statistics.
 */
#include "ring.h"

#include "header.h"

/* ---- The slot word: bits 0-31 page base, 32-33 state, 35-63 lap ---- */

#define SLOT_EMPTY	(0ULL << 32)	/* read, or never written; lap is the last one */
#define SLOT_WRITING	(1ULL << 32)
#define SLOT_FULL	(2ULL << 32)	/* delivered and not read */
#define SLOT_STATE	(3ULL << 32)
#define SLOT_LAP_SHIFT	35
#define SLOT_LAP	(~0ULL << SLOT_LAP_SHIFT)
#define SLOT_BASE	0xffffffffULL

/* The lap of @at, in the word's place.  29 bits tell laps apart as long as a
 * reader does not sleep for 2^29 of them between its load and its exchange. */
static u64 lap_bits(const struct ltt_ring *ring, u64 at)
{
	return (at >> ring->buf_order) << SLOT_LAP_SHIFT;
}

static u64 last_lap_bits(const struct ltt_ring *ring, u64 at)
{
	return ((at >> ring->buf_order) - 1) << SLOT_LAP_SHIFT;
}

/* The number of the set of pages that a slot word names. */
static u32 page_set(const struct ltt_ring *ring, u64 word)
{
	return (u32)(word & SLOT_BASE) >> (ring->sb_order - LTT_PAGE_SHIFT);
}

/* Has the CPU's ring got its memory?  O(memory:A): pairs with O(init:A). */
static bool has_memory(const struct ltt_ring *ring)
{
	return ltt_load_acquire(&ring->sb_mask);
}

u64 ltt_ring_refused(const struct ltt_ring *ring)
{
	u64 sum = 0;
	int i;

	for (i = 1; i < LTT_REFUSALS; i++)
		sum += ltt_count_read(&ring->refused[i]);
	return sum;
}

/* ---- Opening and closing sub-buffers (writers) ---- */

enum claim {
	CLAIMED,
	CLAIM_STALE,	/* the offset has moved, or the reader was at it: look again */
	CLAIM_FULL,
	CLAIM_BUSY,	/* an interrupted writer is still in it, a lap behind */
	CLAIM_NEEDLESS,	/* there is nothing to flush */
};

/*
 * Make the slot of @start ours to write before the offset enters it.  WRITING of
 * this lap means that a writer which we interrupted, or which interrupted us, has
 * claimed it already.  A stale offset finds a later lap, never the last
 * one: the slot would have been claimed on the way.
 */
static enum claim claim(struct ltt_ring *ring, u64 start)
{
	struct ltt_slot *slot = ltt_ring_slot(ring, start);
	u64 word = ltt_word_read(&slot->state);
	u64 next = lap_bits(ring, start) | SLOT_WRITING | (word & SLOT_BASE);
	u64 lost = 0;

	if ((word & (SLOT_LAP | SLOT_STATE)) == (next & (SLOT_LAP | SLOT_STATE)))
		return CLAIMED;
	if ((word & SLOT_LAP) != last_lap_bits(ring, start))
		return CLAIM_STALE;
	if ((word & SLOT_STATE) == SLOT_WRITING)
		return CLAIM_BUSY;
	if ((word & SLOT_STATE) == SLOT_FULL) {
		if (!ring->overwrite)
			return CLAIM_FULL;
		lost = ltt_count_read(&slot->commit) >> LTT_COMMIT_RECORD_SHIFT;
	}
	LTT_HOOK("claim");
	/* O(claim:A): the reader is done with the pages before we write them;
	 * pairs with O(put:A) and O(swap:A). */
	if (!ltt_word_cmpxchg(&slot->state, word, next))
		return CLAIM_STALE;
	/* Here, where they go, and not when the sub-buffer is opened: the writer
	 * may find on its second look that it does not need it yet. */
	ltt_count_add(&ring->overwritten, lost);
	return CLAIMED;
}

void ltt_ring_deliver(struct ltt_ring *ring, u64 at)
{
	struct ltt_slot *slot = ltt_ring_slot(ring, at);
	u64 word = ltt_word_read(&slot->state);

	/*
	 * A writer that adds, is interrupted before it looks at the sum, and
	 * looks when the sub-buffer has been completed by the interrupt, comes
	 * here second: the first has delivered, and more may have happened.
	 * The first cannot be interrupted by another one: all of the
	 * sub-buffer's records are committed.
	 */
	if ((word & (SLOT_LAP | SLOT_STATE)) != (lap_bits(ring, at) | SLOT_WRITING))
		return;
	LTT_HOOK("deliver");
	/* No other writer changes the commit count of a complete sub-buffer before it is FULL. */
	ltt_count_add(&ring->records, ltt_count_read(&slot->commit) >> LTT_COMMIT_RECORD_SHIFT);
	LTT_HOOK("records");
	/* O(deliver:A): all bytes of the packet before FULL; pairs with O(get:A). */
	ltt_word_set_release(&slot->state, lap_bits(ring, at) | SLOT_FULL | (word & SLOT_BASE));
	LTT_HOOK("delivered");
	ring->ops->deliver(ring, at);
}

/* Commit bytes that are not a record: header or padding. */
static void commit_bytes(struct ltt_ring *ring, u64 at, u64 bytes)
{
	struct ltt_slot *slot = ltt_ring_slot(ring, at);

	barrier();	/* O(commit:A): the bytes before the count; pairs with O(deliver:A) */
	ltt_count_add(&slot->commit, bytes);
	LTT_HOOK("bytes committed");
	if (!(ltt_count_read(&slot->commit) & ring->sb_mask))
		ltt_ring_deliver(ring, at);
}

/*
 * The writer whose exchange moved the offset into the sub-buffer at @start opens
 * it.  @last is its commit count as the last lap left it: no record of this lap
 * had been committed when the exchange succeeded.
 */
static void open_packet(struct ltt_ring *ring, u64 start, u64 time, u64 last)
{
	struct ltt_slot *slot = ltt_ring_slot(ring, start);

	LTT_HOOK("open");
	ring->ops->begin(ring, ltt_ring_address(ring, slot, start), time,
			 start >> ring->sb_order);
	commit_bytes(ring, start, ring->header_size - last);
}

/*
 * The writer whose exchange moved the offset out of the sub-buffer closes it;
 * @end was sampled before the exchange, so it never goes back from one packet to
 * the next (R5, R6).
 */
static void end_packet(struct ltt_ring *ring, u64 at, const struct ltt_packet_end *end)
{
	u64 start = at & ~ring->sb_mask;
	struct ltt_slot *slot = ltt_ring_slot(ring, start);

	LTT_HOOK("end");
	ring->content[page_set(ring, ltt_word_read(&slot->state))] = end->content;
	ring->ops->end(ring, ltt_ring_address(ring, slot, start), end);
	ltt_u64_write(&ring->reported, end->refused);
}

/* The rest of the sub-buffer from @at on is padding, if there is any. */
static void close_packet(struct ltt_ring *ring, u64 at, const struct ltt_packet_end *end)
{
	end_packet(ring, at, end);
	commit_bytes(ring, at, ring->sb_mask + 1 - end->content);
}

/* The clock, held back from going backwards in this ring (R4).  That it never goes
 * back on one CPU is the clock's own promise; this holds for a CPU whose ring is
 * flushed by another while it is offline. */
static u64 ring_time(struct ltt_ring *ring)
{
	u64 last = ltt_u64_read(&ring->last_time);
	u64 now = ltt_plat_clock();

	return (s64)(now - last) < 0 ? last : now;
}

/* ---- Reserve ---- */

/*
 * A writer, or a flush, that has been overtaken so often gives up: something writes
 * whenever it tries, such as a probe on the clock that traces.  Interrupts cannot come
 * so fast for so long.
 */
#define LTT_ATTEMPTS_MAX	64

/* One attempt at a reservation, kept for what follows the exchange. */
struct attempt {
	u64 old;	/* offset before */
	u64 new;	/* offset after */
	u64 start;	/* of the sub-buffer to be opened */
	u64 last;	/* its commit count before */
	u64 read_pos;	/* the reader's position before the look at its slot */
	bool opens;
	struct ltt_packet_end end;
};

/*
 * Decide where the record goes.  Everything is loaded before the exchange, whose
 * success says that no other writer came between.
 */
static int plan(struct ltt_ring *ring, u32 size, u32 extra, struct attempt *a,
		struct ltt_reservation *res)
{
	u64 sb_size = ring->sb_mask + 1;
	u64 in_sb;

	a->old = ltt_count_read(&ring->offset);
	/* Compiler: the offset before the clock, or order and time part (R4); pairs with
	 * the exchange of @offset by one that interrupts us. */
	barrier();
	res->time = ring_time(ring);
	res->wide = (res->time - ltt_u64_read(&ring->last_time)) >> LTT_TIME_BITS;
	res->size = size + (res->wide ? extra : 0);
	a->end.time = res->time;
	a->end.refused = ltt_ring_refused(ring);

	in_sb = a->old & ring->sb_mask;
	a->opens = !in_sb || in_sb + res->size > sb_size;
	if (!a->opens) {
		res->at = a->old;
		a->new = a->old + res->size;
		return CLAIMED;
	}
	/* A packet begins with the full time, so its first record needs none. */
	res->wide = false;
	res->size = size;
	a->start = in_sb ? (a->old | ring->sb_mask) + 1 : a->old;
	res->at = a->start + ring->header_size;
	a->new = res->at + size;
	/* O(full:A): the reader's position before the slot word; pairs with O(room:A). */
	a->read_pos = ltt_load_acquire(&ring->read_pos);
	LTT_HOOK("plan");
	return claim(ring, a->start);
}

/*
 * The slot was FULL after @read_pos was loaded, so the reader frees it by moving
 * @read_pos from that value, and only then a writer may claim it.  A writer that
 * interrupted this one can have found a later position; it is lost here, and the next
 * record finds the ring full again the long way.
 */
static void set_full(struct ltt_ring *ring, const struct attempt *a)
{
	u64 in_sb = a->old & ring->sb_mask;

	LTT_HOOK("full");
	if (!in_sb || ring->sb_mask + 1 - in_sb < LTT_FULL_ROOM)
		ltt_u64_write(&ring->full_pos, a->read_pos);
}

/*
 * Move the window to the page that the next record begins in.  @at, the end of a
 * record that is not committed yet, lies inside a sub-buffer, not at its end.
 * Writers that nest in another leave the window alone, lest it be torn.
 */
static void aim(struct ltt_ring *ring, u64 at)
{
	struct ltt_window *window = &ring->window;
	struct ltt_slot *slot;

	if (ltt_nested(ring->nesting_left) != LTT_NESTING_MAX - 1)
		return;
	slot = ltt_ring_slot(ring, at);
	WRITE_ONCE(window->end, 0);
	/* No window, and the new end last.  A nested writer finds the old one, or none, or
	 * the new one; and where 64 bits are stored in two halves, an end that lies no
	 * further than one of these. */
	barrier();	/* compiler: pairs with a nested ltt_record_try(), which reads them */
	WRITE_ONCE(window->slot, slot);
	WRITE_ONCE(window->base, (uintptr_t)ltt_ring_address(ring, slot, at) - (uintptr_t)at);
	barrier();	/* compiler: the same pair */
	WRITE_ONCE(window->end, (at | LTT_PAGE_MASK) + 1);
}

int ltt_ring_reserve(struct ltt_ring *ring, u32 size, u32 extra, struct ltt_reservation *res)
{
	unsigned int attempts = 0;
	struct attempt a;

	/* @sb_mask is 0 as long as this CPU has no memory. */
	if (unlikely(!READ_ONCE(ring->sb_mask)))
		return ltt_ring_refuse(ring, LTT_REFUSED_NESTED);
	if (unlikely((u64)size + ring->header_size > ring->sb_mask + 1))
		return ltt_ring_refuse(ring, LTT_REFUSED_BIG);
	for (;;) {
		if (unlikely(++attempts > LTT_ATTEMPTS_MAX))
			return ltt_ring_refuse(ring, LTT_REFUSED_NESTED);
		switch (plan(ring, size, extra, &a, res)) {
		case CLAIM_STALE:
			continue;
		case CLAIM_FULL:
			set_full(ring, &a);
			return ltt_ring_refuse(ring, LTT_REFUSED_FULL);
		case CLAIM_BUSY:
			return ltt_ring_refuse(ring, LTT_REFUSED_NESTED);
		}
		if (a.opens)
			a.last = ltt_count_read(&ltt_ring_slot(ring, a.start)->commit);
		LTT_HOOK("reserve");
		if (ltt_count_cmpxchg(&ring->offset, a.old, a.new) == a.old)
			break;
	}
	LTT_HOOK("reserved");
	ltt_u64_write(&ring->last_time, res->time);
	if (a.opens) {
		a.end.content = a.old & ring->sb_mask;
		if (a.end.content)
			close_packet(ring, a.old, &a.end);
		open_packet(ring, a.start, res->time, a.last);
	}
	if (!(a.new & ring->sb_mask)) {
		/* It fills the sub-buffer to the last byte: no other writer will end it. */
		a.end.content = ring->sb_mask + 1;
		end_packet(ring, res->at, &a.end);
	} else {
		aim(ring, a.new);
	}
	return 0;
}

void ltt_ring_copy(struct ltt_ring *ring, u64 at, const void *src, size_t len)
{
	const struct ltt_slot *slot = ltt_ring_slot(ring, at);

	while (len) {
		size_t room = LTT_PAGE_SIZE - (at & LTT_PAGE_MASK);
		size_t n = len < room ? len : room;

		memcpy(ltt_ring_address(ring, slot, at), src, n);
		at += n;
		src += n;
		len -= n;
	}
}

/* ---- Flush ---- */

static bool needs_flush(const struct ltt_ring *ring, u64 offset, bool final)
{
	if ((offset & ring->sb_mask) > ring->header_size)
		return true;
	return final && ltt_ring_refused(ring) != ltt_u64_read(&ring->reported);
}

bool ltt_ring_needs_flush(const struct ltt_ring *ring, bool final)
{
	return has_memory(ring) &&
	       needs_flush(ring, ltt_count_read(&ring->offset), final);
}

/*
 * State sampled before a flush's exchange.  A sub-buffer that the offset
 * has not entered is claimed, to report refused records in a packet of nothing
 * but its header.
 */
static enum claim plan_flush(struct ltt_ring *ring, bool final, struct attempt *a)
{
	enum claim claimed = CLAIMED;

	a->old = ltt_count_read(&ring->offset);
	if (!needs_flush(ring, a->old, final))
		return CLAIM_NEEDLESS;
	barrier();	/* compiler: the offset before the clock; pairs as in plan() */
	a->end.time = ring_time(ring);
	a->end.refused = ltt_ring_refused(ring);
	a->end.content = a->old & ring->sb_mask;
	a->start = a->old - a->end.content;
	a->new = a->start + ring->sb_mask + 1;
	a->opens = !a->end.content;
	if (a->opens) {
		claimed = claim(ring, a->start);
		a->last = ltt_count_read(&ltt_ring_slot(ring, a->start)->commit);
	}
	return claimed;
}

bool ltt_ring_flush(struct ltt_ring *ring, bool final)
{
	unsigned int attempts = 0;
	struct attempt a;

	if (!has_memory(ring))
		return false;
	do {
		enum claim claimed;

		do {
			if (++attempts > LTT_ATTEMPTS_MAX)
				return false;
			claimed = plan_flush(ring, final, &a);
			if (claimed != CLAIMED && claimed != CLAIM_STALE)
				return false;
		} while (claimed == CLAIM_STALE);
		LTT_HOOK("flush");
	} while (ltt_count_cmpxchg(&ring->offset, a.old, a.new) != a.old);
	LTT_HOOK("flushed");
	ltt_u64_write(&ring->last_time, a.end.time);
	if (a.opens) {
		a.end.content = ring->header_size;
		open_packet(ring, a.start, a.end.time, a.last);
	}
	close_packet(ring, a.start + a.end.content, &a.end);
	return true;
}

bool ltt_ring_settled(const struct ltt_ring *ring, u64 end)
{
	u64 i;

	if (!has_memory(ring))
		return true;
	/* No more than the writers that can have been interrupted, in a sub-buffer each. */
	for (i = 1; i <= LTT_NESTING_MAX; i++) {
		u64 at = end - (i << ring->sb_order);

		if ((ltt_word_read(&ltt_ring_slot(ring, at)->state) & (SLOT_LAP | SLOT_STATE)) ==
		    (lap_bits(ring, at) | SLOT_WRITING))
			return false;
	}
	return true;
}

/* ---- The reader ---- */

/* The reader's position was overwritten: go to the oldest place that can still
 * hold a packet of the lap that it belongs to. */
static void skip_overwritten(struct ltt_ring *ring)
{
	u64 sb_size = ring->sb_mask + 1;
	u64 offset = ltt_count_read(&ring->offset);
	u64 oldest = (offset & ~ring->sb_mask) - (1ULL << ring->buf_order);
	u64 next = ring->read_pos + sb_size;

	ltt_u64_write(&ring->read_pos, (s64)(oldest - next) > 0 ? oldest : next);
}

static bool beyond_limit(const struct ltt_ring *ring, u64 pos)
{
	return ring->overwrite && (s64)(pos - ltt_u64_read(&ring->read_limit)) >= 0;
}

bool ltt_ring_get(struct ltt_ring *ring)
{
	while (!ring->reading && has_memory(ring) && !beyond_limit(ring, ring->read_pos)) {
		struct ltt_slot *slot = ltt_ring_slot(ring, ring->read_pos);
		/* O(get:A): FULL before the packet's bytes; pairs with O(deliver:A). */
		u64 word = ltt_word_read_acquire(&slot->state);
		u64 lap = lap_bits(ring, ring->read_pos);

		if ((word & (SLOT_LAP | SLOT_STATE)) == (lap | SLOT_FULL)) {
			/* O(swap:A): we are done with the spare pages before writers
			 * get them; pairs with O(claim:A). */
			if (ring->overwrite &&
			    !ltt_word_cmpxchg(&slot->state, word,
					      lap | SLOT_EMPTY | ring->spare_base))
				continue;
			ring->read_base = word & SLOT_BASE;
			ring->read_content = ring->content[page_set(ring, word)];
			WRITE_ONCE(ring->reading, true);
		} else if ((s64)((word & SLOT_LAP) - lap) > 0) {
			skip_overwritten(ring);
		} else {
			break;
		}
	}
	return ring->reading;
}

bool ltt_ring_ready(const struct ltt_ring *ring, bool next)
{
	u64 pos = ltt_u64_read(&ring->read_pos);
	u64 word;

	if (READ_ONCE(ring->reading)) {
		if (!next)
			return true;
		pos += ring->sb_mask + 1;
	}
	if (!has_memory(ring) || beyond_limit(ring, pos))
		return false;
	word = ltt_word_read(&ltt_ring_slot(ring, pos)->state);
	/* A later lap: the position was overwritten, something newer is there. */
	return (word & (SLOT_LAP | SLOT_STATE)) == (lap_bits(ring, pos) | SLOT_FULL) ||
	       (s64)((word & SLOT_LAP) - lap_bits(ring, pos)) > 0;
}

void ltt_ring_put(struct ltt_ring *ring)
{
	struct ltt_slot *slot = ltt_ring_slot(ring, ring->read_pos);

	if (ring->overwrite)
		ring->spare_base = ring->read_base;
	else
		/* O(put:A): our loads of the packet before EMPTY; pairs with O(claim:A). */
		ltt_word_set_release(&slot->state, lap_bits(ring, ring->read_pos) |
						   SLOT_EMPTY | ring->read_base);
	/* O(room:A): EMPTY before the new position; pairs with O(full:A). */
	ltt_store_release(&ring->read_pos, ring->read_pos + ring->sb_mask + 1);
	WRITE_ONCE(ring->reading, false);
}

/* Copy the pages with the first @size bytes of the sub-buffer whose first page is @base. */
static void copy_pages(const struct ltt_ring *ring, u32 base, void *to, u32 size)
{
	u32 done;

	/* A writer may be storing there: the caller drops the copy then. */
	for (done = 0; done < size; done += LTT_PAGE_SIZE)
		ltt_nested(memcpy(to + done, ring->page[base + (done >> LTT_PAGE_SHIFT)],
				  LTT_PAGE_SIZE));
}

enum ltt_peek ltt_ring_peek(struct ltt_ring *ring, u64 at, void *to, u32 *content)
{
	struct ltt_slot *slot = ltt_ring_slot(ring, at);
	/* O(get:A): FULL before the packet's bytes; pairs with O(deliver:A). */
	u64 word = ltt_word_read_acquire(&slot->state);
	u64 lap = lap_bits(ring, at);

	if ((word & (SLOT_LAP | SLOT_STATE)) == (lap | SLOT_WRITING))
		return LTT_PEEK_BUSY;
	if ((word & (SLOT_LAP | SLOT_STATE)) != (lap | SLOT_FULL))
		return LTT_PEEK_GONE;
	*content = READ_ONCE(ring->content[page_set(ring, word)]);
	copy_pages(ring, word & SLOT_BASE, to, *content);
	/* O(peek:A): the copy's loads before the exchange of the word for itself, which
	 * fails when a writer has claimed the slot; pairs with O(claim:A). */
	return ltt_word_cmpxchg(&slot->state, word, word) ? LTT_PEEKED : LTT_PEEK_GONE;
}

/* ---- Statistics and set-up ---- */

/*
 * Records in sub-buffers that are not delivered: the one that writers are in, and those
 * just before it, in which interrupted writers may be.  A commit count of a whole
 * sub-buffer or more is left out: it still has the last lap's records, or is complete
 * and about to be added to @records.
 */
static u64 undelivered_records(const struct ltt_ring *ring)
{
	u64 at = ltt_count_read(&ring->offset), records = 0;
	u32 i;

	for (i = 0; i < LTT_NESTING_MAX; i++) {
		const struct ltt_slot *slot = ltt_ring_slot(ring, --at);
		u64 word = ltt_word_read(&slot->state), commit = ltt_count_read(&slot->commit);

		if ((word & (SLOT_LAP | SLOT_STATE)) == (lap_bits(ring, at) | SLOT_WRITING) &&
		    (commit & (LTT_COMMIT_RECORD - 1)) <= ring->sb_mask)
			records += commit >> LTT_COMMIT_RECORD_SHIFT;
		at &= ~ring->sb_mask;
	}
	return records;
}

void ltt_ring_get_stats(const struct ltt_ring *ring, struct ltt_ring_stats *stats)
{
	u64 records = ltt_count_read(&ring->records);
	u64 i;

	memset(stats, 0, sizeof(*stats));
	if (has_memory(ring))
		records += undelivered_records(ring);
	stats->overwritten = ltt_count_read(&ring->overwritten);
	stats->stored = records - stats->overwritten;
	for (i = 1; i < LTT_REFUSALS; i++)
		stats->refused[i] = ltt_count_read(&ring->refused[i]);
	stats->refused_total = ltt_ring_refused(ring);
}

void ltt_ring_init(struct ltt_ring *ring, u32 sb_order, u32 nr_order, u32 header_size,
		   bool overwrite)
{
	u32 pages_order = sb_order - LTT_PAGE_SHIFT;
	u64 i, sb_mask = (1ULL << sb_order) - 1;

	ring->sb_order = sb_order;
	ring->buf_order = sb_order + nr_order;
	ring->slot_mask = ((1ULL << ring->buf_order) - 1) & ~sb_mask;
	ring->slot_shift = sb_order - LTT_SLOT_ORDER;
	ring->page_mask = sb_mask >> LTT_PAGE_SHIFT;
	ring->header_size = header_size;
	ring->overwrite = overwrite;
	ring->nesting_left = LTT_NESTING_MAX;
	/* No position: positions are multiples of the sub-buffer size. */
	ring->full_pos = ~0ULL;
	for (i = 0; i < 1ULL << nr_order; i++) {
		ltt_count_init(&ring->slot[i].commit, 0);
		/* Empty since the lap before the first. */
		ltt_word_set_release(&ring->slot[i].state,
				     SLOT_LAP | SLOT_EMPTY | (i << pages_order));
	}
	ring->spare_base = i << pages_order;
	/* O(init:A): all of the above before the mask, for readers that look at a
	 * CPU's first appearance; pairs with O(memory:A).  Writers come later. */
	ltt_store_release(&ring->sb_mask, sb_mask);
}
