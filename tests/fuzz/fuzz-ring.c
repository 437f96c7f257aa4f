// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Invariants of lttd's files for any content of a program's buffers, for libFuzzer.
 *
 * A case is a byte that chooses, then steps: each writes bytes somewhere in a ring, then lttd reads
 * the ring.  The file then has whole packets, in the order of their numbers and times, with
 * records that match their events.
 */
#include "must.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include "../../userspace/common/counter.h"
#include "../../userspace/lttd/log.h"
#include "../../userspace/lttd/programs/ring.h"

#define SB_ORDER 12
#define NR_SB 2
#define STEPS_MAX 16
#define STACK_DEPTH 3U

static char folder[256];
static struct ring_trace trace;
static struct ltt_shm shm;
static int memfd;
static struct event_share share;

int fail(const char *fmt, ...)
{
	(void)fmt;
	MUST(!"lttd gives up");
	return -1;
}

void notice(const char *fmt, ...)
{
	(void)fmt;
}

static void add_event(const char *name, const char *format, unsigned int nr, int kind)
{
	struct marker marker = { .group = "g", .name = name, .format = format, .nr_args = nr };
	const char *why;
	uint32_t number;
	unsigned int i;

	for (i = 0; i < nr; i++)
		marker.args[i] = (struct ltt_mark_arg){ kind, 8, 0, 0 };
	MUST(!events_number(&trace.events, &share, &marker, &number, &why));
}

/* An event with each kind of field: 17 bytes and two sequences and a text. */
static void add_fields(void)
{
	struct marker marker = {
		.group = "g", .name = "fields", .format = "a %*pA h %*ph d %g b %4ph s %.*s", .nr_args = 8,
		.args = { { LTT_MARK_INT, 4, 1, 0 }, { LTT_MARK_POINTER, 8, 0, LTT_MARK_UINT },
			  { LTT_MARK_INT, 4, 1, 0 }, { LTT_MARK_POINTER, 8, 0, 0 }, { LTT_MARK_DOUBLE, 8, 0, 0 },
			  { LTT_MARK_POINTER, 8, 0, 0 }, { LTT_MARK_INT, 4, 1, 0 }, { LTT_MARK_STRING, 8, 0, 0 } },
	};
	const char *why;
	uint32_t number;

	MUST(!events_number(&trace.events, &share, &marker, &number, &why) && number == 3);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	make_folder(folder, sizeof(folder));
	trace.dir = open(folder, O_RDONLY | O_DIRECTORY);
	memfd = memfd_create("case", MFD_ALLOW_SEALING);
	MUST(!ftruncate(memfd, ltt_shm_size(2, NR_SB, SB_ORDER)));
	MUST(!fcntl(memfd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW));
	MUST(!ltt_shm_map(&shm, memfd, 1, 2, NR_SB, SB_ORDER));
	trace.packet = malloc(ring_packet_room(SB_ORDER));
	add_event("none", "", 0, 0);
	add_event("int", "a %lu", 1, LTT_MARK_LONG);
	add_event("text", "a %s b %s", 2, LTT_MARK_STRING);
	add_fields();
	return 0;
}

/* ---- What the file has ---- */

/* Of event 3.  Return: the offset behind it. */
static size_t fields(const char *at, size_t size, size_t room)
{
	uint16_t count;
	size_t element;

	for (element = 4; element; element = element == 4 ? 1 : 0) {
		MUST(size + 2 <= room);
		memcpy(&count, at + size, 2);
		size += 2 + count * element;
	}
	size += 8 + 4;
	MUST(size < room);
	return size + strnlen(at + size, room - size) + 1;
}

/* Return: the length of the payload, or of nothing that could be one. */
static size_t text(const char *at, size_t size, size_t room)
{
	MUST(size < room);
	return size + strnlen(at + size, room - size) + 1;
}

static size_t stack(const char *at, size_t size, size_t room)
{
	uint16_t nr;

	MUST(size + sizeof(nr) <= room);
	memcpy(&nr, at + size, sizeof(nr));
	MUST(nr <= STACK_DEPTH);
	return size + sizeof(nr) + nr * 8;
}

static size_t payload(uint32_t id, const char *at, size_t room)
{
	size_t size = 0, i;

	if (trace.events.context & LTT_CONTEXT_TID)
		size += LTT_TASK_ID_SIZE;
	if (trace.events.context & LTT_CONTEXT_PID)
		size += LTT_TASK_ID_SIZE;
	if (trace.events.context & LTT_CONTEXT_NAME)
		size = text(at, size, room);
	if (trace.events.context & LTT_CONTEXT_STACK)
		size = stack(at, size, room);
	size += __builtin_popcount(trace.events.context & LTT_CONTEXT_PERF) * sizeof(uint64_t);
	for (i = 0; i < (id == 2 ? 2U : 0U); i++)
		size = text(at, size, room);
	size += id == 1 ? 8 : 0;
	if (id == 3)
		size = fields(at, size, room);
	MUST(size <= room);
	return size;
}

static uint64_t check_records(const char *at, const char *end, uint64_t time, uint64_t last)
{
	uint64_t nr = 0, mask = (1ULL << LTT_TIME_BITS) - 1, whole;
	uint32_t word, id;
	uint16_t medium;

	for (; at < end; nr++) {
		MUST(end - at >= 4);
		memcpy(&word, at, 4);
		if ((word & 31) == 31) {
			MUST(end - at >= 13);
			memcpy(&id, at + 1, 4);
			memcpy(&whole, at + 5, 8);
			at += 13;
		} else {
			id = word & 31;
			whole = (time & ~mask) + (word >> 5);
			whole += whole < time ? mask + 1 : 0;
			at += 4;
			if (id == 30) {
				MUST(end - at >= 2);
				memcpy(&medium, at, 2);
				id = medium;
				at += 2;
			}
		}
		MUST(id < trace.events.nr && whole >= time && whole <= last);
		time = whole;
		at += payload(id, at, end - at);
	}
	return nr;
}

static void check_file(const char *file, size_t size, const struct ring *ring)
{
	struct ltt_ctf_packet header;
	uint64_t time = 0, sequence = 0, lost = 0, nr = 0, bytes = 0, now = ltt_counter() + 10000000;
	size_t at;

	for (at = 0; at < size; at += header.packet_size / 8) {
		MUST(size - at >= sizeof(header));
		memcpy(&header, file + at, sizeof(header));
		MUST(header.magic == LTT_CTF_MAGIC && header.content_size <= header.packet_size);
		MUST(header.packet_size / 8 <= size - at && header.packet_size % (4096 * 8) == 0);
		MUST(header.timestamp_begin >= time && header.timestamp_end >= header.timestamp_begin);
		MUST(header.timestamp_end <= now);
		MUST(!at || header.packet_seq_num > sequence);
		MUST(header.events_discarded >= lost && (at || !header.events_discarded));
		nr += check_records(file + at + sizeof(header), file + at + header.content_size / 8,
				    header.timestamp_begin, header.timestamp_end);
		bytes += header.content_size / 8 - sizeof(header);
		time = header.timestamp_end;
		sequence = header.packet_seq_num;
		lost = header.events_discarded;
	}
	MUST(lost == ring_lost(ring) && lost == ring->stream->lost);
	MUST(nr == ring->stream->stored);
	/* No more than there was: the first position is 0, unless damage was skipped. */
	MUST(bytes <= ring->reader.tail || ring->damaged);
	/* Bytes: a record beyond the end of its packet makes this negative. */
	MUST(ring->damaged < 1 << 30);
}

/* ---- A case ---- */

static void check_output(struct ring *ring)
{
	struct stream *stream = ring->stream;
	struct stat st = { 0 };
	char name[32], *file;
	int fd;

	if (stream->out < 0) {
		MUST(!ring->lost && !ring->damaged);
		return;
	}
	stream_name(stream, name);
	MUST(!fstatat(trace.dir, name, &st, 0) && st.st_size == stream->size);
	file = malloc(st.st_size + 1);
	fd = openat(trace.dir, name, O_RDONLY);
	MUST(file && pread(fd, file, st.st_size, 0) == st.st_size);
	check_file(file, st.st_size, ring);
	free(file);
	close(fd);
	MUST(!stream_end(stream, &trace) && !trace.nr_open && !trace.oldest && !trace.newest);
	unlinkat(trace.dir, name, 0);
}

/* Where it hurts: the words that are shared, the sub-buffers' ends, and the records. */
static void lay(struct ltt_shm_ring *ring, struct rest *rest)
{
	char *const places[] = { (char *)&ring->head, (char *)&ring->last, (char *)&ring->lost,
				 (char *)&ring->tail, (char *)&ring->sub[0], (char *)&ring->sub[1],
				 (char *)ring + shm.data, (char *)ring + shm.data + 4096 };
	size_t place = take_byte(rest) % 8, len = take_byte(rest);
	char *bytes;

	len = len < rest->left ? len : rest->left;
	bytes = take_text(rest, len);
	memcpy(places[place], bytes, len);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rest rest = { data, size };
	uint8_t choice = take_byte(&rest);
	uint32_t nr = choice & 1;
	struct ltt_shm_ring *shared = ltt_shm_ring(&shm, nr);
	struct stream stream = STREAM_NEW(choice >> 5 & 1, nr);
	struct ring_how how = { .max = NR_SB + 1 };
	unsigned int steps = 0;
	struct ring ring;
	uint8_t step;

	memset(shm.base, 0, shm.size);
	shm.overwrite = choice & 2;
	trace.events.context = choice >> 2 & 7;
	if (choice & 64)
		trace.events.context |= LTT_CONTEXT_STACK | STACK_DEPTH << LTT_CONTEXT_DEPTH;
	if (choice & 128)
		trace.events.context |= 5U << LTT_CONTEXT_PERF_SHIFT;
	ring_init(&ring, &shm, nr, &stream);
	while (rest.left && steps++ < STEPS_MAX) {
		step = take_byte(&rest);
		how.partial = step & 2;
		how.give_back = step & 4;
		if (step & 1)
			MUST(!ring_take(&ring, &trace, &how));
		else
			lay(shared, &rest);
	}
	how.partial = true;
	MUST(!ring_take(&ring, &trace, &how));
	ring_end(&ring);
	MUST(!stream_report_losses(&stream, &trace));
	check_output(&ring);
	return 0;
}
