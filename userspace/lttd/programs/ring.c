// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Copy a ring of programs to its file.
 *
 * Layer: lttd.  Programs are untrusted and can write to the ring at any time: lttd copies
 * each packet once, and checks the copy.
 */
#include "ring.h"
#include "lttd/disk.h"
#include "lttd/log.h"
#include "common/counter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PAGE		4096
#define CHANNEL		"events"
#define STREAM_ID	0

/* How far another CPU's counter may be ahead, in counts: well below a millisecond. */
#define AHEAD		1000000
#define TIME_MASK	((1ULL << LTT_TIME_BITS) - 1)

static size_t whole_pages(size_t size)
{
	return (size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

size_t ring_packet_room(const struct ltt_shm *shm)
{
	return whole_pages(sizeof(struct ltt_ctf_packet) + ltt_shm_sb_size(shm));
}

void ring_name(const struct ring *ring, char *name)
{
	snprintf(name, 32, CHANNEL "_%u", ring->cpu);
}

void ring_init(struct ring *ring, const struct ring_trace *trace, uint32_t cpu)
{
	*ring = (struct ring){ .cpu = cpu, .out = -1 };
	ltt_shm_reader_init(&ring->reader, &trace->shm, cpu);
}

void ring_init_copy(struct ring *copy, const struct ring *ring)
{
	*copy = (struct ring){
		.reader = ring->reader, .cpu = ring->cpu, .out = -1, .next = ring->next, .keeps = true,
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

/* lttd looks at each record here: most have a size that is in a table. */
static void walk_records(const struct events *events, struct walk *result)
{
	const uint32_t context = events_fixed_context(events), nr = events->nr, *sizes = events->sizes;
	struct walk walk = *result;
	uint32_t id, header;
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
	}
	*result = walk;
}

/* ---- Packets ---- */

static int open_file(struct ring *ring, int dir)
{
	char name[32];

	if (ring->out >= 0)
		return 0;
	ring_name(ring, name);
	ring->out = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	return ring->out < 0 ? fail("cannot create %s: %s", name, strerror(errno)) : 0;
}

/* Append the packet to the file; on failure cut the file back. */
static int write_packet(struct ring *ring, const char *packet, size_t size)
{
	size_t done = 0;
	ssize_t part;
	char name[32];
	int err;

	while (done < size) {
		part = pwrite(ring->out, packet + done, size - done, ring->size + done);
		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0)
			break;
		done += part;
	}
	if (done == size) {
		ring->size += size;
		return 0;
	}
	err = errno;
	ring_name(ring, name);
	if (ftruncate(ring->out, ring->size))
		notice("cannot cut %s back to %lld bytes: %s", name, (long long)ring->size,
		       strerror(errno));
	return fail("cannot write %s: %s; it ends after its last whole packet, at %lld bytes", name,
		    strerror(err), (long long)ring->size);
}

/* Read the ring's count of lost events.  Ignore a value that decreases or jumps. */
static void count_lost(struct ring *ring)
{
	uint64_t lost = __atomic_load_n(&ring->reader.ring->lost, __ATOMIC_RELAXED);

	if (lost > ring->lost && lost - ring->lost < UINT32_MAX)
		ring->lost = lost;
}

static void count_damaged(struct ring *ring, size_t damaged)
{
	if (damaged && !ring->damaged)
		notice("a program has overwritten the buffer of CPU %u: events are lost there", ring->cpu);
	ring->damaged += damaged;
}

/* Leave a gap in the sequence numbers for overwritten sub-buffers. */
static void count_overwritten(struct ring *ring, uint64_t sub)
{
	if (sub > ring->next) {
		ring->sequence += sub - ring->next;
		ring->overwritten += sub - ring->next;
	}
	ring->next = sub;
}

/* Replace times in the future, which a program has damaged: readers could not convert them
 * to dates.  Return: the latest valid time of a record. */
static uint64_t check_times(const struct ring *ring, struct ltt_shm_packet *packet)
{
	uint64_t now = ltt_counter() + AHEAD;

	if (packet->begin > now)
		packet->begin = ring->reader.time;
	if (packet->end > now)
		packet->end = LTT_SHM_LAST_RECORD;
	return packet->end < now ? packet->end : now;
}

/* Write the packet in trace->packet: @size bytes, the header included. */
static int put(struct ring *ring, struct ring_trace *trace, uint64_t begin, uint64_t end, size_t size,
	       uint64_t lost)
{
	size_t padded = whole_pages(size);
	struct ltt_ctf_packet header = {
		.magic = LTT_CTF_MAGIC,
		.stream_id = STREAM_ID,
		.timestamp_begin = begin,
		.timestamp_end = end,
		.content_size = size * 8,
		.packet_size = padded * 8,
		.packet_seq_num = ring->sequence,
		.events_discarded = lost,
		.cpu_id = ring->cpu,
	};

	memcpy(header.uuid, trace->uuid, sizeof(header.uuid));
	memcpy(trace->packet, &header, sizeof(header));
	memset(trace->packet + size, 0, padded - size);
	if (write_packet(ring, trace->packet, padded))
		return -1;
	ring->sequence++;
	ring->reported = lost;
	return 0;
}

/* Damage counts as one lost event, as the number is unknown. */
static uint64_t all_lost(const struct ring *ring)
{
	return ring->lost + !!ring->damaged;
}

static int put_packet(struct ring *ring, struct ring_trace *trace, struct ltt_shm_packet *packet,
		      uint64_t last)
{
	char *content = trace->packet + sizeof(struct ltt_ctf_packet);
	struct walk walk = { content, content + packet->size, packet->begin, last, 0 };
	uint64_t end, lost;

	walk_records(&trace->events, &walk);
	end = packet->end == LTT_SHM_LAST_RECORD ? walk.time : packet->end;
	count_damaged(ring, walk.end - walk.at);
	/* Events lost while the buffer was full were lost before this packet. */
	lost = packet->lost <= ring->lost ? packet->lost + !!ring->damaged : 0;
	/* See put_first(): the next packet reports this packet's damage. */
	if (!ring->size)
		lost = 0;
	if (put(ring, trace, packet->begin, end, walk.at - trace->packet, lost > ring->reported ? lost : ring->reported))
		return -1;
	packet->end = end;
	ring->stored += walk.nr;
	return 0;
}

static int put_empty(struct ring *ring, struct ring_trace *trace, uint64_t time, uint64_t lost)
{
	if (open_file(ring, trace->dir) || put(ring, trace, time, time, sizeof(struct ltt_ctf_packet), lost))
		return -1;
	/* The next packet must not begin earlier, whatever a program writes. */
	ring->reader.time = time;
	return 0;
}

/* Readers count losses by the difference between two packets, so the first packet must
 * report none: if events are lost before it, write an empty one first. */
static int put_first(struct ring *ring, struct ring_trace *trace, uint64_t lost, uint64_t time)
{
	return ring->size || !lost ? 0 : put_empty(ring, trace, time, 0);
}

int ring_report_losses(struct ring *ring, struct ring_trace *trace)
{
	uint64_t now = ltt_counter();

	if (all_lost(ring) == ring->reported)
		return 0;
	if (now < ring->reader.time)
		now = ring->reader.time;
	return put_first(ring, trace, all_lost(ring), now) ? -1 : put_empty(ring, trace, now, all_lost(ring));
}

/* Return: 1, 0 when there is none, -1. */
static int take_packet(struct ring *ring, struct ring_trace *trace, bool partial)
{
	struct ltt_shm_packet packet;
	uint64_t last;
	int err = ltt_shm_peek(&ring->reader, partial, &packet);

	count_lost(ring);
	if (err == -EPROTO) {
		if (!ring->damaged++)
			notice("a program has overwritten the buffer of CPU %u: the rest of the buffer is lost",
			       ring->cpu);
		return 0;
	}
	if (err)
		return 0;
	/* Also for a packet without records: the next one begins at its end. */
	last = check_times(ring, &packet);
	if (packet.size) {
		/* Check before put_first(), which uses the packet's times. */
		if (!ltt_shm_survived(&ring->reader, &packet))
			return 1;
		if (put_first(ring, trace, packet.lost, packet.begin))
			return -1;
		memcpy(trace->packet + sizeof(struct ltt_ctf_packet), packet.data, packet.size);
		if (!ltt_shm_survived(&ring->reader, &packet))
			return 1;
		count_overwritten(ring, ring->reader.tail >> trace->shm.sb_order);
		if (open_file(ring, trace->dir) || put_packet(ring, trace, &packet, last))
			return -1;
	}
	if (ring->keeps)
		ltt_shm_pass(&ring->reader, &packet);
	else
		ltt_shm_take(&ring->reader, &packet);
	ring->next = ring->reader.tail >> trace->shm.sb_order;
	return 1;
}

bool ring_prepare(struct ring *ring, const struct ring_trace *trace)
{
	ring->reader.prepared = ltt_shm_prepare(&trace->shm, ring->reader.ring, ring->reader.prepared);
	return ring->reader.prepared == (uint64_t)trace->shm.nr_sb << trace->shm.sb_order;
}

int ring_take(struct ring *ring, struct ring_trace *trace, bool partial, unsigned int max)
{
	int ret = 1;

	while (ret > 0 && max--)
		ret = take_packet(ring, trace, partial);
	ring_prepare(ring, trace);
	return ret < 0 ? ret : 0;
}

int ring_end(struct ring *ring)
{
	char name[32];
	int err;

	if (ring->out < 0)
		return 0;
	err = disk_sync(ring->out);
	close(ring->out);
	ring->out = -1;
	ring_name(ring, name);
	return err ? fail("cannot write %s: %s; the content on the disk is unknown", name,
			  strerror(err)) : 0;
}
