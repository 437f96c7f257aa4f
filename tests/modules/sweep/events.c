// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events that are sent: the number of each determines its payload.
 */
#include "sweep.h"

#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>

#include <ltt/channel.h>
#include <ltt/clock.h>
#include <ltt/marker.h>

#include "../../../core/record.h"

struct sent sent[SENT_MAX];
u32 nr_sent, first_serial;

/* The number and the check of the event that the operation sends. */
u32 op_event;
static u32 op_serial, op_check;
static char op_string[TEXT_LEN + 1];

static u32 check_of(u32 serial)
{
	return serial * 2654435761U;
}

/* Text without NUL. */
static void put_text(u32 serial, char *to, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		to[i] = 'A' + (serial + i) % 61;
}

u32 event_add(enum kind kind, u32 len)
{
	if (nr_sent == SENT_MAX)
		panic("ltt-test-sweep: more events than it has room to note");
	sent[nr_sent] = (struct sent){ .kind = kind, .len = len };
	return first_serial + nr_sent++;
}

static u32 len_of(enum kind kind)
{
	switch (kind) {
	case TEXT:	return 4 + TEXT_LEN + 1;
	case WORDS:	return 6 * 4;
	case FILL_WORDS: return 6 * 4;
	case SHORT:
	case FILL_SHORT: return 4;
	default:	return 2 * 4;
	}
}

/* The expected payload of an event. */
void event_payload(enum kind kind, u32 serial, u32 len, u8 *to)
{
	u32 words[] = { serial, check_of(serial), ~serial, serial, ~serial, check_of(serial) };

	/* A record that fills: its own check, over and over. */
	memset(to, kind == TEXT ? '\0' : check_of(serial) >> 24, len);
	memcpy(to, words, min_t(size_t, len, sizeof(words)));
	if (kind == TEXT)
		put_text(serial, to + 4, TEXT_LEN);
}

static u8 filling[PAYLOAD_MAX];

/* A record of any length.  Those who send it do not interrupt each other. */
void send_fill(u32 len)
{
	event_payload(FILL, event_add(FILL, len), len, filling);
	ltt_event_write(now->fill, filling, len);
}

/* When the trace has been stopped. */
void send_in_vain(void)
{
	trace_mark(sweep, other_mark, "serial %u check %u", ~0U, ~0U);
}

/* Others than those of the operation: an interrupt has sites of its own. */
void send(enum kind kind)
{
	u32 serial = event_add(kind, len_of(kind));
	char text[TEXT_LEN + 1];

	switch (kind) {
	case MARK:
		trace_mark(sweep, other_mark, "serial %u check %u", serial, check_of(serial));
		break;
	case TEXT:
		put_text(serial, text, TEXT_LEN);
		text[TEXT_LEN] = '\0';
		trace_mark(sweep, other_text, "serial %u text %s", serial, (const char *)text);
		break;
	default:
		trace_mark(sweep, other_words, "serial %u check %u c %u d %u e %u f %u", serial,
			   check_of(serial), ~serial, serial, ~serial, check_of(serial));
	}
}

/* ---- Operations ---- */

void op_begin(enum kind kind)
{
	op_event = ~0U;
	if (kind == NO_EVENT)
		return;
	op_event = nr_sent;
	op_serial = event_add(kind, len_of(kind));
	op_check = check_of(op_serial);
	put_text(op_serial, op_string, TEXT_LEN);
}

noinline void op_mark(void)
{
	trace_mark(sweep, mark, "serial %u check %u", op_serial, op_check);
}

noinline void op_text(void)
{
	trace_mark(sweep, text, "serial %u text %s", op_serial, (const char *)op_string);
}

noinline void op_words(void)
{
	trace_mark(sweep, words, "serial %u check %u c %u d %u e %u f %u", op_serial, op_check,
		   ~op_serial, op_serial, ~op_serial, op_check);
}

noinline void op_short(void)
{
	trace_mark(sweep, short, "serial %u", op_serial);
}

/* As modules write their own events: by the clock as a function. */
noinline void op_fill(void)
{
	u32 payload[2] = { op_serial, op_check };

	ltt_event_write(now->fill, payload, sizeof(payload));
}

noinline void op_fill_short(void)
{
	ltt_event_write(now->fill, &op_serial, sizeof(op_serial));
}

noinline void op_fill_words(void)
{
	u32 payload[6] = { op_serial, op_check, ~op_serial, op_serial, ~op_serial, op_check };

	ltt_event_write(now->fill, payload, sizeof(payload));
}

/* Where as many writers are at work as may be: refused. */
noinline void op_deep(void)
{
	now->buf->ring.nesting_left -= LTT_NESTING_MAX;
	op_mark();
	now->buf->ring.nesting_left += LTT_NESTING_MAX;
}

noinline void op_fill_deep(void)
{
	now->buf->ring.nesting_left -= LTT_NESTING_MAX;
	op_fill();
	now->buf->ring.nesting_left += LTT_NESTING_MAX;
}

/* Larger than a sub-buffer: always refused. */
noinline void op_big(void)
{
	ltt_event_write(now->fill, filling, now->pages * PAGE_SIZE);
}

noinline void op_flush(void)
{
	ring_flush(&now->buf->ring, false);
}

noinline void op_final_flush(void)
{
	ring_flush(&now->buf->ring, true);
}

/* ---- A writer that has been interrupted, by the operation ---- */

static struct ltt_reservation outer;
static u32 outer_serial;

void outer_begins(void)
{
	outer_serial = event_add(OUTER, 8);
	preempt_disable();
	ltt_ring_enter(&now->buf->ring);
	if (ltt_ring_reserve(&now->buf->ring, 16, 9, &outer))
		fail("there is no room for the interrupted writer");
}

void outer_ends(void)
{
	u32 record[4] = { FILL_ID | (u32)outer.time << 5, current->pid, outer_serial,
			  check_of(outer_serial) };

	ltt_ring_copy(&now->buf->ring, outer.at, record, sizeof(record));
	ltt_ring_commit(&now->buf->ring, &outer);
	ltt_ring_leave(&now->buf->ring);
	preempt_enable();
}

/*
 * The positive control: a writer like any other, but for the offset, which it changes
 * by a load and a store.  A writer that comes between writes to the same place.
 */
noinline void op_broken(void)
{
	struct ltt_ring *ring = &now->buf->ring;
	u32 record[4] = { FILL_ID, current->pid, op_serial, op_check };
	u64 at;

	preempt_disable();
	ltt_ring_enter(ring);
	at = ltt_count_read(&ring->offset);
	record[0] |= (u32)ltt_clock_read() << 5;
	ltt_count_init(&ring->offset, at + sizeof(record));
	ltt_ring_copy(ring, at, record, sizeof(record));
	ltt_ring_commit_slot(ring, ltt_ring_slot(ring, at), sizeof(record));
	ltt_ring_leave(ring);
	preempt_enable();
}
