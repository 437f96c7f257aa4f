// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The ring between CPUs: one thread writes and flushes, one reads, one asks for
 * hints and statistics, each as fast as it can.  The ring gets its memory when they
 * look at it already, as a CPU does that first appears.  Under TSan this is the test of
 * the ordering in core/ring.h.
 *
 * Record number n (its context word) has a payload that follows from n.
 */
#include "unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../core/ctf.h"
#include "write-record.h"

#define SB_ORDER	12
#define SB		(1U << SB_ORDER)
#define SETS_MAX	5
#define RUN_MS		700

/* The ASan build of core/ calls this; nothing interrupts here. */
void ltt_test_hook(const char *name)
{
}

void ltt_test_access(void)
{
}

static struct ltt_ring ring;
static u32 nr_order;			/* of the ring to be made */
static bool overwriting;
static pthread_barrier_t all_there;
static u64 now;				/* the writer's */
static bool stopped;			/* set by the writer, seen by the others */

static u64 emitted, refused;		/* the writer's */
static u64 read_records, last_discarded, last_end, next_seq;	/* the reader's */
static const char *wrong;		/* the reader's: what it saw, if anything */

u64 ltt_plat_clock(void)
{
	return now += 5;
}

/* ---- The client: as much of a packet header as is checked ---- */

static void begin(struct ltt_ring *ring, void *header, u64 time, u64 seq)
{
	struct ltt_ctf_packet *packet = header;

	packet->magic = LTT_CTF_MAGIC;
	packet->timestamp_begin = time;
	packet->packet_seq_num = seq;
}

static void end(struct ltt_ring *ring, void *header, const struct ltt_packet_end *end)
{
	struct ltt_ctf_packet *packet = header;

	packet->timestamp_end = end->time;
	packet->content_size = end->content * 8;
	packet->events_discarded = end->refused;
}

static void deliver(struct ltt_ring *ring, u64 at)
{
}

static const struct ltt_ring_ops ops = { .begin = begin, .end = end, .deliver = deliver };

static u32 page_sets(void)
{
	return (1U << nr_order) + overwriting;
}

static void make_ring(void)
{
	u32 i, sets = page_sets();

	ring.slot = calloc(1U << nr_order, sizeof(*ring.slot));
	ring.content = calloc(sets, sizeof(*ring.content));
	ring.page = calloc(sets, sizeof(*ring.page));
	for (i = 0; i < sets; i++)
		ring.page[i] = calloc(1, SB);
	ring.ops = &ops;
	ltt_ring_init(&ring, SB_ORDER, nr_order, sizeof(struct ltt_ctf_packet), overwriting);
}

static void free_ring(void)
{
	u32 i;

	for (i = 0; i < page_sets(); i++)
		free(ring.page[i]);
	free(ring.page);
	free(ring.content);
	free(ring.slot);
}

/* The state before there is a ring. */
static void reset(void)
{
	memset(&ring, 0, sizeof(ring));
	ring.read_limit = 1ULL << 62;
	now = 0;
	stopped = false;
	emitted = 0;
	refused = 0;
	read_records = 0;
	last_discarded = 0;
	last_end = 0;
	next_seq = 0;
	wrong = NULL;
}

/* ---- The writer ---- */

static u32 length_of(u32 n)
{
	return n % 64;
}

static u64 milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ULL + t.tv_nsec / 1000000;
}

static void *writer(void *unused)
{
	u64 until = milliseconds() + RUN_MS;
	u8 payload[64];
	u32 n;

	pthread_barrier_wait(&all_there);
	make_ring();
	for (n = 0; n % 1024 || milliseconds() < until; n++) {
		memset(payload, n * 7 + 1, length_of(n));
		emitted++;
		if (write_record(&ring, n % 50, n, payload, length_of(n))) {
			refused++;
			sched_yield();
		}
		if (n % 200 == 0)
			ltt_ring_flush(&ring, n % 400 == 0);
	}
	__atomic_store_n(&stopped, true, __ATOMIC_RELEASE);
	return NULL;
}

/* ---- The reader ---- */

#define EXPECT(cond) do {						\
	if (!wrong && !(cond))						\
		wrong = #cond;						\
} while (0)

static u32 get_u32(const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static void check_packet(const u8 *p)
{
	u32 at = sizeof(struct ltt_ctf_packet), last = 0;
	struct ltt_ctf_packet packet;

	memcpy(&packet, p, sizeof(packet));
	EXPECT(packet.magic == LTT_CTF_MAGIC);
	EXPECT(packet.content_size == ring.read_content * 8ULL);
	EXPECT(packet.timestamp_begin >= last_end);
	EXPECT(packet.timestamp_end >= packet.timestamp_begin);
	EXPECT(packet.events_discarded >= last_discarded);
	EXPECT(packet.packet_seq_num == next_seq ||
	       (ring.overwrite && packet.packet_seq_num > next_seq));
	last_end = packet.timestamp_end;
	last_discarded = packet.events_discarded;
	next_seq = packet.packet_seq_num + 1;
	for (; !wrong && at < ring.read_content; read_records++) {
		u32 id = p[at] & 31, n, i;

		EXPECT(id <= LTT_ID_MEDIUM);
		at += id == LTT_ID_MEDIUM ? LTT_HEADER_MEDIUM : LTT_HEADER_COMPACT;
		n = get_u32(p + at);
		EXPECT(id == (n % 50 < LTT_COMPACT_IDS ? n % 50 : LTT_ID_MEDIUM));
		EXPECT(!last || n > last);
		last = n;
		at += LTT_CONTEXT_SIZE;
		for (i = 0; i < length_of(n); i++)
			EXPECT(p[at + i] == (u8)(n * 7 + 1));
		at += length_of(n);
	}
	EXPECT(at == ring.read_content);
}

static bool read_packet(void)
{
	static u8 copy[SB];
	u8 *page;

	if (!ltt_ring_get(&ring))
		return false;
	page = ring.page[ring.read_base];
	memcpy(copy, page, ring.read_content);
	check_packet(copy);
	if (next_seq % 8 == 0)
		sched_yield();
	EXPECT(!memcmp(copy, page, ring.read_content));
	/* The pages are the reader's own: what is left of this would be seen. */
	memset(page, 0xa5, SB);
	ltt_ring_put(&ring);
	return true;
}

static void *reader(void *unused)
{
	pthread_barrier_wait(&all_there);
	while (!__atomic_load_n(&stopped, __ATOMIC_ACQUIRE) && !wrong)
		if (!read_packet())
			sched_yield();
	return NULL;
}

/* A stranger, who wants to know how it goes. */
static void *watcher(void *unused)
{
	struct ltt_ring_stats stats;
	u64 last = 0;

	pthread_barrier_wait(&all_there);
	while (!__atomic_load_n(&stopped, __ATOMIC_ACQUIRE)) {
		ltt_ring_ready(&ring, false);
		ltt_ring_ready(&ring, true);
		ltt_ring_needs_flush(&ring, true);
		ltt_ring_get_stats(&ring, &stats);
		if (stats.refused_total < last)
			return "refused count went back";
		last = stats.refused_total;
		sched_yield();
	}
	return NULL;
}

static void run(u32 order, bool overwrite)
{
	pthread_t writes, reads, watches;
	struct ltt_ring_stats stats;
	void *watched;

	nr_order = order;
	overwriting = overwrite;
	reset();
	pthread_barrier_init(&all_there, NULL, 3);
	pthread_create(&reads, NULL, reader, NULL);
	pthread_create(&watches, NULL, watcher, NULL);
	pthread_create(&writes, NULL, writer, NULL);
	pthread_join(writes, NULL);
	pthread_join(reads, NULL);
	pthread_join(watches, &watched);
	while (!wrong && (ltt_ring_flush(&ring, true) | read_packet()))
		;
	if (wrong || watched)
		printf("# %s\n", wrong ? wrong : (char *)watched);
	CU_ASSERT(!wrong && !watched);
	/* R1, R2 */
	ltt_ring_get_stats(&ring, &stats);
	printf("# emitted %llu = read %llu + refused %llu + overwritten %llu\n",
	       (unsigned long long)emitted, (unsigned long long)read_records,
	       (unsigned long long)stats.refused_total, (unsigned long long)stats.overwritten);
	CU_ASSERT_EQUAL(emitted, read_records + stats.refused_total + stats.overwritten);
	CU_ASSERT_EQUAL(refused, stats.refused_total);
	CU_ASSERT_EQUAL(read_records, stats.stored);
	CU_ASSERT_EQUAL(last_discarded, refused);
	CU_ASSERT(overwrite ? !refused : !stats.overwritten);
	CU_ASSERT(read_records);
	pthread_barrier_destroy(&all_there);
	free_ring();
}

static void discard(void)
{
	run(2, false);
}

static void overwrite(void)
{
	run(2, true);
}

static void overwrite_of_two(void)
{
	run(1, true);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(discard),
		UNIT_TEST(overwrite),
		UNIT_TEST(overwrite_of_two),
		{ 0 }
	};

	return unit_main(argv[0], tests);
}
