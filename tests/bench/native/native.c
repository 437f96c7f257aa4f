// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The cost of an event, natively: core/ as ltt-tracer uses it, beside the floor.
 *
 * The floor is what no tracer with a clock and a buffer per CPU can do without: the
 * time, one compare-and-exchange and one addition that are atomic on one CPU only,
 * and the stores of header, thread and payload.  It checks nothing and has no
 * sub-buffers.
 *
 * Prints "TOOL CASE P10 MEDIAN P90": nanoseconds of this thread's CPU time per
 * event, over chunks of many events.  The chunks of all tools take turns, so that
 * what else the machine does hits all alike.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#include "../../../core/record.h"

#define CHUNKS		200
#define EVENTS		50000
#define SB_ORDER	18
#define NR_ORDER	2
#define BUFFER		(1UL << (SB_ORDER + NR_ORDER))
#define HEADER		64

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

u64 ltt_plat_clock(void)
{
	return __rdtsc();
}

static __always_inline u64 now(void)
{
	return __rdtsc();
}

/* Read anew for each event, as current->pid is. */
static volatile u32 thread = 1234;

static __always_inline u32 tid(void)
{
	return thread;
}

/* ---- The ring ---- */

static void begin(struct ltt_ring *ring, void *header, u64 time, u64 seq)
{
	memcpy(header, &time, sizeof(time));
}

static void end(struct ltt_ring *ring, void *header, const struct ltt_packet_end *end)
{
	memcpy((char *)header + sizeof(end->time), end, sizeof(*end));
}

static void deliver(struct ltt_ring *ring, u64 at)
{
}

static struct ltt_ring ring;
static const u32 event_id = 7;

static void *zeroed(size_t size)
{
	void *p = aligned_alloc(LTT_PAGE_SIZE, size);

	if (!p) {
		fputs("native: there is no memory for the buffer\n", stderr);
		exit(1);
	}
	return memset(p, 0, size);
}

static void make_ring(void)
{
	static const struct ltt_ring_ops ops = { begin, end, deliver };
	/* One more set than there are sub-buffers: the reader's, in overwrite mode. */
	const u32 sets = (1 << NR_ORDER) + 1, pages = sets << (SB_ORDER - LTT_PAGE_SHIFT);
	char *memory = zeroed((size_t)pages * LTT_PAGE_SIZE);
	u32 i;

	ring.ops = &ops;
	ring.slot = zeroed(LTT_PAGE_SIZE);
	ring.content = zeroed(LTT_PAGE_SIZE);
	ring.page = zeroed((pages * sizeof(void *) | LTT_PAGE_MASK) + 1);
	for (i = 0; i < pages; i++)
		ring.page[i] = memory + i * LTT_PAGE_SIZE;
	ltt_ring_init(&ring, SB_ORDER, NR_ORDER, HEADER, true);
}

/* As write_event() in modules/tracer/write.c; a call from the site, as there. */
static noinline void write_ltt(const void *payload, size_t len)
{
	u64 at;

	if (ltt_ring_enter(&ring)) {
		switch (ltt_record_try(&ring, now, &event_id, true, tid, payload, len, &at)) {
		case LTT_RECORD_DONE:
			break;
		case LTT_RECORD_DELIVER:
			ltt_ring_deliver(&ring, at);
			break;
		case LTT_RECORD_FULL:	/* not in overwrite mode */
		case LTT_RECORD_SLOW:
			ltt_record_write_slow(&ring, event_id, tid(), payload, len);
			break;
		}
	}
	ltt_ring_leave(&ring);
}

/* ---- The floor ---- */

static ltt_count floor_offset, floor_commit;
static u8 *floor_buffer;

static noinline void write_floor(const void *payload, size_t len)
{
	u64 old = ltt_count_read(&floor_offset), time = now();
	size_t size = LTT_HEADER_COMPACT + LTT_CONTEXT_SIZE + len;
	u8 *to = floor_buffer + (old & (BUFFER - 1));

	if (ltt_count_cmpxchg(&floor_offset, old, old + size) != old)
		abort();
	ltt_put_u32(to, event_id | (u32)time << 5);
	ltt_put_u32(to + LTT_HEADER_COMPACT, tid());
	ltt_copy_small(to + LTT_HEADER_COMPACT + LTT_CONTEXT_SIZE, payload, len);
	ltt_count_add(&floor_commit, size);
}

static noinline void write_rdtsc(const void *payload, size_t len)
{
	u64 time = now();

	__asm__ __volatile__("" : : "r" (time));	/* compiler: it is wanted */
}

static noinline void write_nothing(const void *payload, size_t len)
{
	barrier();	/* compiler: do not drop the call */
}

/* ---- Sites, as a tracepoint's probe ---- */

typedef void (*write_fn)(const void *payload, size_t len);

static __always_inline void none(write_fn write, u32 i)
{
	write("", 0);
}

static __always_inline void int2(write_fn write, u32 i)
{
	struct { u32 a; u64 b; } __packed payload = { i, i };

	write(&payload, sizeof(payload));
}

static __always_inline void bytes32(write_fn write, u32 i)
{
	u64 payload[4] = { i, 2, 3, 4 };

	write(payload, sizeof(payload));
}

/* ---- Measuring ---- */

static u64 cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

#define CHUNK(site, write)						\
	static noinline u64 site##_##write(void)			\
	{								\
		u64 start = cpu_time();					\
		u32 i;							\
									\
		for (i = 0; i < EVENTS; i++)				\
			site(write, i);					\
		return cpu_time() - start;				\
	}

#define CHUNKS_OF(site)							\
	CHUNK(site, write_ltt)						\
	CHUNK(site, write_floor)					\
	CHUNK(site, write_rdtsc)					\
	CHUNK(site, write_nothing)

CHUNKS_OF(none)
CHUNKS_OF(int2)
CHUNKS_OF(bytes32)

#define ROWS_OF(site)							\
	{ "ltt", #site, site##_write_ltt },				\
	{ "floor", #site, site##_write_floor },				\
	{ "rdtsc", #site, site##_write_rdtsc },				\
	{ "nothing", #site, site##_write_nothing }

static const struct {
	const char *tool;
	const char *site;
	u64 (*chunk)(void);
} rows[] = { ROWS_OF(none), ROWS_OF(int2), ROWS_OF(bytes32) };

static u64 took[COUNT(rows)][CHUNKS];

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static double per_event(size_t row, u32 percent)
{
	return (double)took[row][CHUNKS * percent / 100] / EVENTS;
}

int main(void)
{
	struct ltt_ring_stats stats;
	size_t row;
	u32 i;

	make_ring();
	/* The last record may begin before the end and reach over it. */
	floor_buffer = zeroed(BUFFER + LTT_PAGE_SIZE);
	for (i = 0; i < CHUNKS; i++)
		for (row = 0; row < COUNT(rows); row++)
			took[row][i] = rows[row].chunk();
	for (row = 0; row < COUNT(rows); row++) {
		qsort(took[row], CHUNKS, sizeof(u64), compare);
		printf("%s %s %.2f %.2f %.2f\n", rows[row].tool, rows[row].site,
		       per_event(row, 10), per_event(row, 50), per_event(row, 90));
	}
	ltt_ring_get_stats(&ring, &stats);
	if (stats.refused_total || stats.stored + stats.overwritten != 3ULL * CHUNKS * EVENTS) {
		fputs("native: the ring did not take every event\n", stderr);
		return 1;
	}
	return 0;
}
