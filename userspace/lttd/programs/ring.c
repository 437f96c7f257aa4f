// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Copy a ring of programs to its data stream.
 *
 * Layer: lttd.  Programs are untrusted and can write to the ring at any time: lttd copies
 * each packet once, and checks the copy.
 */
#include "ring.h"
#include "common/counter.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* How far the counter of another CPU may be ahead, in counts: below 1 ms on x86, 50 ms of a counter of 20 MHz. */
#define AHEAD		1000000
#define TIME_MASK	((1ULL << LTT_TIME_BITS) - 1)
/* lttd walks over so many bytes at a time while they are in the nearest cache. */
#define COPY_AT_ONCE	(32 << 10)

size_t ring_packet_room(uint32_t sb_order)
{
	size_t size = sizeof(struct ltt_ctf_packet) + ((size_t)1 << sb_order);

	return (size + LTT_SHM_PAGE - 1) & ~(size_t)(LTT_SHM_PAGE - 1);
}

void ring_init(struct ring *ring, const struct ltt_shm *shm, uint32_t nr, struct stream *stream)
{
	*ring = (struct ring){ .stream = stream };
	ltt_shm_reader_init(&ring->reader, shm, nr);
	/* lttd is the only reader that there has been.  If the program has stored another tail, it is damage. */
	ring->reader.tail = ring->reader.time = 0;
}

void ring_init_copy(struct ring *copy, const struct ring *ring, struct stream *stream)
{
	*copy = (struct ring){
		.reader = ring->reader, .stream = stream, .next = ring->next,
		.ended = ring->ended, .keeps = true,
	};
}

/* ---- Records ---- */

/* State of a walk over records: position, end, time so far, latest valid time, records. */
struct walk {
	const char *at;
	const char *end;
	uint64_t time;
	uint64_t last;
	uint64_t nr;
};

/* Parse a record's header.  Return: its size; 0 if it is damaged. */
static inline uint32_t walk_header(struct walk *walk, uint32_t *id)
{
	size_t room = walk->end - walk->at;
	uint32_t word, size = LTT_HEADER_COMPACT;
	uint16_t medium;
	uint64_t time;

	if (room < LTT_HEADER_COMPACT)
		return 0;
	memcpy(&word, walk->at, sizeof(word));
	*id = word & LTT_ID_LONG;
	/* The time that has these low bits and is not below that of the last record. */
	time = walk->time + (((word >> LTT_ID_BITS) - walk->time) & TIME_MASK);
	if (*id == LTT_ID_LONG) {
		size = LTT_HEADER_LONG;
		if (room < size)
			return 0;
		memcpy(id, walk->at + 1, sizeof(*id));
		memcpy(&time, walk->at + 5, sizeof(time));
	} else if (*id == LTT_ID_MEDIUM) {
		size = LTT_HEADER_MEDIUM;
		if (room < size)
			return 0;
		memcpy(&medium, walk->at + sizeof(word), sizeof(medium));
		*id = medium;
	}
	if (time < walk->time || time > walk->last)
		return 0;
	walk->time = time;
	return size;
}

/* Walk over records of one event that follow each other, with the short header.  @size: of each
 * record.  The size is known before a record is loaded, and a header is compared with the one before
 * it, not with the time so far: so the CPU looks at several at a time. */
static inline void walk_alike(struct walk *walk, uint32_t id, size_t size)
{
	const char *at = walk->at;
	uint64_t time = walk->time, next, nr = 0;
	uint32_t word, before = (uint32_t)(time << LTT_ID_BITS) | id, ahead;

	for (; (size_t)(walk->end - at) >= size; at += size, nr++) {
		memcpy(&word, at, sizeof(word));
		/* The difference of the times, above that of the ids.  @next cannot overflow: @time is at
		 * most @walk->last, which is not in the future. */
		ahead = word - before;
		next = time + (ahead >> LTT_ID_BITS);
		if (ahead & LTT_ID_LONG || next > walk->last)
			break;
		time = next;
		before = word;
	}
	walk->at = at;
	walk->time = time;
	walk->nr += nr;
}

/* lttd looks at each record here: most have a size that is in a table, and many are like the
 * record before. */
static void walk_records(const struct events *events, struct walk *result)
{
	const uint32_t context = events_fixed_context(events), nr = events->nr, *sizes = events->sizes;
	struct walk walk = *result;
	uint32_t id, header, last = nr;
	size_t size;

	while (walk.at < walk.end && (header = walk_header(&walk, &id)) && id < nr) {
		size_t room = walk.end - walk.at - header;

		size = (size_t)sizes[id] + context;
		if (context == EVENT_VARIES || sizes[id] == EVENT_VARIES) {
			if (!event_size(events, events->event[id], walk.at + header, room, &size))
				break;
		} else if (size > room) {
			break;
		}
		walk.at += header + size;
		walk.nr++;
		if (id == last && header == LTT_HEADER_COMPACT && context != EVENT_VARIES &&
		    sizes[id] != EVENT_VARIES)
			walk_alike(&walk, id, header + size);
		last = id;
	}
	*result = walk;
}

/* ---- Packets ---- */

/* Read a count of the ring.  Ignore a value that decreases or jumps. */
static void count(uint64_t *known, const uint64_t *of_ring)
{
	uint64_t value = __atomic_load_n(of_ring, __ATOMIC_RELAXED);

	if (value > *known && value - *known < UINT32_MAX)
		*known = value;
}

static void count_dropped(struct ring *ring)
{
	count(&ring->lost, &ring->reader.ring->lost);
	count(&ring->filtered, &ring->reader.ring->filtered);
}

/* Leave a gap in the sequence numbers for overwritten sub-buffers. */
static void count_overwritten(struct ring *ring, uint64_t sub)
{
	uint64_t nr = sub - ring->next;

	/* More cannot be: a program has damaged the position. */
	if (sub > ring->next && nr > UINT32_MAX)
		ring->damaged++;
	else if (sub > ring->next) {
		ring->stream->sequence += nr;
		ring->stream->overwritten += nr;
	}
	ring->next = sub;
}

/* Replace times in the future, which a program has damaged: readers could not convert them
 * to dates, and the records of the next process in this stream would be before them.  Return: the
 * latest valid time of a record. */
static uint64_t check_times(const struct ring *ring, struct ltt_shm_packet *packet)
{
	uint64_t now = ring->ended ? ring->ended : ltt_counter() + AHEAD;

	if (packet->begin > now)
		packet->begin = ring->reader.time;
	if (packet->end > now)
		packet->end = LTT_SHM_LAST_RECORD;
	return packet->end < now ? packet->end : now;
}

/* Copy the records of a packet once, and look at the copy.  A record that ends in the next part
 * is looked at again with it, but a longer one only at the end: each look may search all of it
 * for a NUL.  @last: latest valid time.  Return: the walk's end. */
static struct walk copy_records(struct ring_trace *trace, const struct ltt_shm_packet *packet, uint64_t last)
{
	char *content = trace->packet + sizeof(struct ltt_ctf_packet);
	struct walk walk = { content, content, packet->begin, last, 0 };
	size_t done, part;

	for (done = 0; done < packet->size; done += part) {
		part = packet->size - done < COPY_AT_ONCE ? packet->size - done : COPY_AT_ONCE;
		memcpy(content + done, packet->data + done, part);
		walk.end += part;
		if (walk.end - walk.at <= 2 * COPY_AT_ONCE || done + part == packet->size)
			walk_records(&trace->events, &walk);
	}
	return walk;
}

/* The time of the first record of the packet in &ring_trace.packet. */
static uint64_t first_time(const struct ring_trace *trace, const struct ltt_shm_packet *packet)
{
	const char *content = trace->packet + sizeof(struct ltt_ctf_packet);
	struct walk walk = { content, content + packet->size, packet->begin, UINT64_MAX, 0 };
	uint32_t id;

	walk_header(&walk, &id);
	return walk.time;
}

static int put_packet(struct ring *ring, struct ring_trace *trace, struct ltt_shm_packet *packet,
		      const struct walk *walk)
{
	struct stream *stream = ring->stream;
	uint64_t end, lost;

	end = packet->end == LTT_SHM_LAST_RECORD ? walk->time : packet->end;
	ring->damaged += walk->end - walk->at;
	/* Events lost while the buffer was full were lost before this packet. */
	lost = packet->lost <= ring->lost ? stream->lost + packet->lost + !!ring->damaged : 0;
	/* See stream_put_first(): the next packet reports this packet's damage. */
	if (!stream->sequence)
		lost = 0;
	/* babeltrace2 puts the packets of several pieces in the order of their begins, in nanoseconds.
	 * The packet before may have one record only. */
	if (packet->begin == stream->begin && walk->nr)
		packet->begin = first_time(trace, packet);
	/* Readers that follow know already that there is nothing before the beacon. */
	if (packet->begin < trace->beacon)
		packet->begin = walk->nr ? first_time(trace, packet) : end;
	if (stream_put(stream, trace, packet->begin, end, walk->at - trace->packet,
		       lost > stream->reported ? lost : stream->reported))
		return -1;
	packet->end = end;
	stream->stored += walk->nr;
	return 0;
}

void ring_punch(char *sub, uint64_t from, uint64_t to)
{
	uintptr_t page = sysconf(_SC_PAGESIZE), begin = (uintptr_t)sub;
	uintptr_t at = (begin + from) & ~(page - 1), end = (begin + to) & ~(page - 1);

	if (at < begin)
		at += page;
	/* madvise() rounds a length up.  A failure only costs memory. */
	if (at < end)
		madvise((void *)at, end - at, MADV_REMOVE);
}

/* Punch a hole for all pages that the reader has passed.  Before the new tail is published, no
 * writer uses them; but the writers of a flight recorder do not look at it. */
static void give_back(const struct ring *ring, uint64_t next)
{
	const struct ltt_shm *shm = ring->reader.shm;
	uint64_t tail = ring->reader.tail, sub = tail & ~(ltt_shm_sb_size(shm) - 1);

	ring_punch(ltt_shm_at(shm, ring->reader.ring, sub), tail - sub, next - sub);
}

static void leave(struct ring *ring, const struct ltt_shm_packet *packet, const struct ring_how *how)
{
	if (ring->keeps) {
		ltt_shm_pass(&ring->reader, packet);
	} else {
		if (how->give_back)
			give_back(ring, packet->next);
		ltt_shm_take(&ring->reader, packet);
	}
	ring->next = ring->reader.tail >> ring->reader.shm->sb_order;
}

static void skip_damage(struct ring *ring)
{
	ring->damaged++;
	ltt_shm_resume(&ring->reader);
	if (!ring->keeps)
		ltt_shm_publish(&ring->reader);
	ring->next = ring->reader.tail >> ring->reader.shm->sb_order;
}

/* Return: 1, 0 when there is none, -1. */
static int take_packet(struct ring *ring, struct ring_trace *trace, const struct ring_how *how)
{
	struct ltt_shm_packet packet;
	struct walk walk;
	uint64_t last;
	int err;

	/* The stream's last packet may be of another ring, or an empty one. */
	if (ring->reader.time < ring->stream->time)
		ring->reader.time = ring->stream->time;
	err = ltt_shm_peek(&ring->reader, how->partial, &packet);
	count_dropped(ring);
	if (err == -EPROTO)
		skip_damage(ring);
	if (err)
		return err == -EPROTO;
	/* Also for a packet without records: the next one begins at its end. */
	last = check_times(ring, &packet);
	if (packet.size) {
		/* Check before stream_put_first(), which uses the packet's times. */
		if (!ltt_shm_survived(&ring->reader, &packet))
			return 1;
		if (stream_put_first(ring->stream, trace, ring->stream->lost + packet.lost, packet.begin))
			return -1;
		walk = copy_records(trace, &packet, last);
		if (!ltt_shm_survived(&ring->reader, &packet))
			return 1;
		count_overwritten(ring, ring->reader.tail >> ring->reader.shm->sb_order);
		if (put_packet(ring, trace, &packet, &walk))
			return -1;
	}
	leave(ring, &packet, how);
	return 1;
}

/* A program that has filled a sub-buffer since the last look is fast: it will need the next ones.
 * This is first, as the program goes on while lttd writes what is there. */
static void prepare(struct ring *ring)
{
	struct ltt_shm_reader *reader = &ring->reader;
	uint64_t head = __atomic_load_n(&reader->ring->head, __ATOMIC_RELAXED);

	if (!ring->keeps && !reader->shm->overwrite && head - reader->tail >= ltt_shm_sb_size(reader->shm))
		reader->prepared = ltt_shm_prepare(reader->shm, reader->ring, reader->prepared);
}

int ring_take(struct ring *ring, struct ring_trace *trace, const struct ring_how *how)
{
	unsigned int left = how->max;
	int ret = 1;

	while (ret > 0 && left--) {
		if (!how->give_back)
			prepare(ring);
		ret = take_packet(ring, trace, how);
	}
	return ret < 0 ? ret : 0;
}

bool ring_passes(struct ring *ring)
{
	bool passes = !ring->reader.thread && (int64_t)(ring->reader.tail - ring->mark) >= 0;

	/* Writers store it last. */
	ring->mark = __atomic_load_n(&ring->reader.ring->head, __ATOMIC_ACQUIRE);
	return passes;
}

void ring_end(struct ring *ring)
{
	ring->stream->lost += ring_lost(ring);
	ring->stream->filtered += ring->filtered;
}

void ring_drop(struct ring *ring)
{
	struct ltt_shm_packet packet;

	while (!ltt_shm_peek(&ring->reader, true, &packet)) {
		ltt_shm_pass(&ring->reader, &packet);
		count_overwritten(ring, ring->reader.tail >> ring->reader.shm->sb_order);
	}
	count_dropped(ring);
	ring_end(ring);
}
