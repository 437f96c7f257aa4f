// SPDX-License-Identifier: GPL-2.0-only
/*
 * The judge reads the whole buffer and compares it with the events that were sent.
 *
 * A buffer is whole if each packet matches its header, each record is one of the events that were
 * sent, byte for byte, once and in the order of time, and if the counts give the exact number of
 * missing events.
 *
 * The judge calls the functions by which ltt-relay's files read.  They are not exported, so kprobes
 * give their addresses.
 */
#include "sweep.h"

#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "../../../core/ctf.h"
#include "../../../core/record.h"

bool (*ring_flush)(struct ltt_ring *ring, bool final);
bool (*ring_get)(struct ltt_ring *ring);
void (*ring_put)(struct ltt_ring *ring);
void (*run_task_work)(void);

char why[256];

static struct ltt_ring_stats before;
static u64 next_seq, last_time, last_end, last_refused;
static u32 nr_read;
static u32 id_of[NR_KINDS][2];	/* as learnt: a kind has two sites */

/* The first thing that is wrong is what counts. */
void fail(const char *format, ...)
{
	va_list args;

	if (*why)
		return;
	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
}

static void *address_of(const char *name)
{
	struct kprobe probe = { .symbol_name = name };
	void *address;

	if (register_kprobe(&probe))
		return NULL;
	address = probe.addr;
	unregister_kprobe(&probe);
	return address;
}

int judge_init(void)
{
	ring_flush = address_of("ltt_ring_flush");
	ring_get = address_of("ltt_ring_get");
	ring_put = address_of("ltt_ring_put");
	run_task_work = address_of("task_work_run");
	return ring_flush && ring_get && ring_put && run_task_work ? 0 : -ENOENT;
}

/* Judge the events that are sent from here on.  The buffer is empty. */
void judge_begin(void)
{
	const struct ltt_ring *ring = &now->buf->ring;

	first_serial += nr_sent;
	nr_sent = 0;
	nr_read = 0;
	ltt_ring_get_stats(ring, &before);
	next_seq = ltt_count_read(&ring->offset) >> ring->sb_order;
	last_refused = before.refused_total;
	last_end = 0;
	last_time = 0;
	memset(id_of, 0xff, sizeof(id_of));
}

/* ---- Reading ---- */

static u8 packet[2 * PAGE_SIZE];

static u32 get_u32(const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* A kind of event has an id of its own where the operation sends it, and another one
 * where others do. */
static bool is_id_of(enum kind kind, u32 id)
{
	u32 *known = id_of[kind];

	if (known[0] == ~0U || known[0] == id) {
		known[0] = id;
		return true;
	}
	if (known[1] == ~0U)
		known[1] = id;
	return known[1] == id;
}

static u32 header_of(const u8 *p, u32 *id, u64 *time)
{
	*id = p[0] & 31;
	if (*id == LTT_ID_LONG) {
		*id = get_u32(p + 1);
		memcpy(time, p + 5, sizeof(*time));
		return LTT_HEADER_LONG;
	}
	/* The next time with these 27 bits after the last one. */
	*time = (last_time & ~0x7ffffffULL) | get_u32(p) >> 5;
	if (*time < last_time)
		*time += 1 << 27;
	if (*id != LTT_ID_MEDIUM)
		return LTT_HEADER_COMPACT;
	*id = p[4] | p[5] << 8;
	return LTT_HEADER_MEDIUM;
}

/* Return: the size of the record at @at, or 0 if it is none. */
static u32 read_record(u32 at, u32 content)
{
	static u8 expected[PAYLOAD_MAX];
	const u8 *p = packet + at;
	struct sent *event;
	u32 id, len, serial;
	u64 time;

	len = header_of(p, &id, &time);
	if (at + len + LTT_CONTEXT_SIZE + 4 > content) {
		fail("there is half a record at the end of a packet");
		return 0;
	}
	if (get_u32(p + len) != current->pid)
		fail("a record has thread id %u", get_u32(p + len));
	p += len + LTT_CONTEXT_SIZE;
	serial = get_u32(p);
	if (serial - first_serial >= nr_sent) {
		fail("a record has number %u, of %u..%u", serial, first_serial,
		     first_serial + nr_sent - 1);
		return 0;
	}
	event = &sent[serial - first_serial];
	if (event->seen)
		fail("event %u is there twice", serial - first_serial);
	event->seen = true;
	if (time < last_time)
		fail("the time goes back at event %u", serial - first_serial);
	last_time = time;
	if (!is_id_of(event->kind, id))
		fail("event %u has id %u", serial - first_serial, id);
	len += LTT_CONTEXT_SIZE + event->len;
	event_payload(event->kind, serial, event->len, expected);
	if (at + len > content || memcmp(p, expected, event->len))
		fail("event %u has another payload", serial - first_serial);
	nr_read++;
	return len;
}

static void check_header(const struct ltt_ring *ring, const struct ltt_ctf_packet *header)
{
	if (header->magic != LTT_CTF_MAGIC || header->cpu_id != smp_processor_id() ||
	    header->content_size != ring->read_content * 8ULL ||
	    header->packet_size != PAGE_ALIGN(ring->read_content) * 8ULL)
		fail("a packet's header is none");
	if (header->packet_seq_num < next_seq ||
	    (header->packet_seq_num > next_seq && !ring->overwrite))
		fail("packet %llu where %llu is due", header->packet_seq_num, next_seq);
	if (header->timestamp_begin < last_end || header->timestamp_end < header->timestamp_begin)
		fail("packet %llu has its times in disorder", header->packet_seq_num);
	if (header->events_discarded < last_refused)
		fail("packet %llu forgets refused records", header->packet_seq_num);
}

static void read_packet(const struct ltt_ring *ring)
{
	const struct ltt_ctf_packet *header = (void *)packet;
	u32 at, size, content = ring->read_content;

	if (content < sizeof(*header) || content > ring->sb_mask + 1) {
		fail("a packet of %u bytes", content);
		return;
	}
	for (at = 0; at < content; at += PAGE_SIZE)
		memcpy(packet + at, ring->page[ring->read_base + at / PAGE_SIZE], PAGE_SIZE);
	check_header(ring, header);
	last_time = header->timestamp_begin;
	for (at = sizeof(*header); at < content; at += size) {
		size = read_record(at, content);
		if (!size)
			return;
	}
	if (header->timestamp_end < last_time)
		fail("packet %llu ends before its last record", header->packet_seq_num);
	next_seq = header->packet_seq_num + 1;
	last_end = header->timestamp_end;
	last_refused = header->events_discarded;
}

/* Read as a reader that drains a buffer without writers. */
static void read_all(struct ltt_ring *ring)
{
	bool ended, got;

	do {
		preempt_disable();
		ended = ring_flush(ring, true);
		preempt_enable();
		if (ring->overwrite)
			WRITE_ONCE(ring->read_limit,
				   ltt_count_read(&ring->offset) & ~ring->sb_mask);
		for (got = false; !*why && ring_get(ring); got = true) {
			preempt_disable();
			read_packet(ring);
			preempt_enable();
			ring_put(ring);
		}
	} while (!*why && (ended || got));
}

/* ---- The account ---- */

/* The oldest events are overwritten.  The operation's own event is the one whose
 * place in the order is open. */
static void check_order_of_loss(void)
{
	u32 i;
	bool any = false;

	for (i = 0; i < nr_sent; i++) {
		if (i == op_event)
			continue;
		if (any && !sent[i].seen)
			fail("event %u is missing, and an earlier one is there", i);
		any |= sent[i].seen;
	}
}

static void check_counts(const struct scenario *s, const struct ltt_ring *ring)
{
	u32 missing = 0, i;
	struct ltt_ring_stats after;
	u64 lost, stored;

	for (i = 0; i < nr_sent; i++)
		missing += !sent[i].seen && !(s->stops && i == op_event);
	ltt_ring_get_stats(ring, &after);
	lost = after.refused_total - before.refused_total + after.overwritten - before.overwritten;
	stored = after.stored - before.stored;
	if (nr_read != stored)
		fail("%u records are there, and %llu were counted", nr_read, stored);
	if (lost != missing)
		fail("%u of %u events are missing, and %llu were counted", missing, nr_sent, lost);
	if (!ring->overwrite && after.overwritten)
		fail("%llu records overwritten", after.overwritten);
	if (after.refused_total != last_refused && !ring->overwrite)
		fail("%llu records were refused, and the last packet counts %llu",
		     after.refused_total, last_refused);
	if (ring->overwrite && after.refused_total == before.refused_total)
		check_order_of_loss();
}

/* Leaves the buffer empty. */
bool buffer_is_whole(const struct scenario *s)
{
	struct ltt_ring *ring = &now->buf->ring;

	read_all(ring);
	if (!*why)
		check_counts(s, ring);
	if (ring->nesting_left != LTT_NESTING_MAX)
		fail("%d writers have not left", LTT_NESTING_MAX - ring->nesting_left);
	return !*why;
}
