// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The ring for tests; see ring-fixture.h.  The reader's half is ring-reader.c.
 */
#include "ring-fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "ring-reader.h"
#include "write-record.h"

char fx_scenario[256];
void (*fx_interrupt)(struct ring_fixture *fx, const char *hook);

static struct ring_fixture *active;

/* Shared by all rings in turn, so that a scenario costs no allocation of it. */
static struct fx_record *log_memory;
static u32 log_size;

void fx_fail(struct ring_fixture *fx, const char *file, int line, const char *what)
{
	if (!fx->failed)
		printf("# %s:%d: %s [%s]\n", file, line, what, fx_scenario);
	fx->failed = true;
}

/* ---- What core/ asks of its world ---- */

/* Wherever a writer is, statistics count no record that was not emitted. */
static void check_stats(struct ring_fixture *fx)
{
	void (*interrupt)(struct ring_fixture *fx, const char *hook) = fx_interrupt;
	struct ltt_ring_stats stats;

	fx_interrupt = NULL;
	ltt_ring_get_stats(&fx->ring, &stats);
	fx_interrupt = interrupt;
	FX_CHECK(fx, stats.stored + stats.overwritten + stats.refused_total <= fx->nr_log);
}

void ltt_test_hook(const char *name)
{
	if (!fx_interrupt || !active)
		return;
	check_stats(active);
	fx_interrupt(active, name);
}

void ltt_test_access(void)
{
	if (fx_interrupt && active)
		fx_interrupt(active, NULL);
}

u64 ltt_plat_clock(void)
{
	struct ring_fixture *fx = active;
	u64 now;

	ltt_test_access();
	fx->now += fx->step;
	now = fx->now;
	if (fx->writer != FX_NO_WRITER)
		fx->log[fx->writer].time = now;
	ltt_test_access();
	return now;
}

/* ---- The client ---- */

static void begin(struct ltt_ring *ring, void *header, u64 time, u64 seq)
{
	struct ring_fixture *fx = (struct ring_fixture *)ring;
	struct ltt_ctf_packet *packet = header;

	fx->begun++;
	ltt_test_access();
	packet->magic = LTT_CTF_MAGIC;
	memcpy(packet->uuid, fx_uuid, sizeof(packet->uuid));
	packet->stream_id = FX_STREAM;
	packet->timestamp_begin = time;
	packet->packet_seq_num = seq;
	packet->cpu_id = FX_CPU;
	memset((u8 *)header + FX_HEADER, FX_HEADER_FILL, ring->header_size - FX_HEADER);
	ltt_test_access();
}

static void end(struct ltt_ring *ring, void *header, const struct ltt_packet_end *end)
{
	struct ring_fixture *fx = (struct ring_fixture *)ring;
	struct ltt_ctf_packet *packet = header;

	fx->ended++;
	ltt_test_access();
	packet->timestamp_end = end->time;
	packet->content_size = end->content * 8;
	packet->packet_size = ((end->content + LTT_PAGE_MASK) & ~LTT_PAGE_MASK) * 8;
	packet->events_discarded = end->refused;
	ltt_test_access();
}

static void deliver(struct ltt_ring *ring, u64 at)
{
	struct ring_fixture *fx = (struct ring_fixture *)ring;

	fx->delivered++;
	ltt_test_access();
	if (fx->on_deliver)
		fx->on_deliver(fx);
}

static const struct ltt_ring_ops ops = {
	.begin = begin,
	.end = end,
	.deliver = deliver,
};

/* ---- Making a ring ---- */

/*
 * Put the ring where it would be had it written, and its reader read, @start
 * bytes in packets without records: the slots empty since the last lap, each
 * commit count what that lap left.  The layout of the word is that of ring.c.
 */
static void preset(struct ring_fixture *fx, u64 start)
{
	struct ltt_ring *ring = &fx->ring;
	u64 sb_size = ring->sb_mask + 1, pos = start;
	u64 i, nr = 1ULL << fx->config.nr_order;

	for (i = 0; i < nr; i++, pos += sb_size) {
		struct ltt_slot *slot = ltt_ring_slot(ring, pos);
		u64 last_lap = (pos >> ring->buf_order) - 1;
		u64 base = (slot - ring->slot) << (ring->sb_order - LTT_PAGE_SHIFT);

		ltt_word_set_release(&slot->state, last_lap << 35 | base);
		ltt_count_init(&slot->commit, sb_size);
	}
	ltt_count_init(&ring->offset, start);
	ring->read_pos = start;
	fx->next_seq = start >> ring->sb_order;
}

void fx_init(struct ring_fixture *fx, const struct fx_config *config)
{
	u32 pages = 1U << (config->sb_order - LTT_PAGE_SHIFT);
	u32 i, sets = (1U << config->nr_order) + config->overwrite;
	struct ltt_ring *ring = &fx->ring;

	memset(fx, 0, sizeof(*fx));
	fx->config = *config;
	fx->log = log_memory;
	fx->writer = FX_NO_WRITER;
	fx->now = 1000000;
	fx->step = 3;
	fx->held = malloc(1UL << config->sb_order);
	fx->fill = calloc(sets, 1);
	ring->slot = calloc(1U << config->nr_order, sizeof(*ring->slot));
	ring->content = calloc(sets, sizeof(*ring->content));
	ring->page = calloc(sets * pages, sizeof(*ring->page));
	for (i = 0; i < sets * pages; i++)
		ring->page[i] = calloc(1, LTT_PAGE_SIZE);
	ring->ops = &ops;
	ltt_ring_init(ring, config->sb_order, config->nr_order,
		      config->header_size ? config->header_size : FX_HEADER, config->overwrite);
	if (config->start)
		preset(fx, config->start);
	/* As if for ever: most tests read while writers run.  Else it is not used. */
	if (config->overwrite)
		ring->read_limit = config->start + (1ULL << 62);
	active = fx;
}

void fx_free(struct ring_fixture *fx)
{
	u32 i, sets = (1U << fx->config.nr_order) + fx->config.overwrite;
	struct ltt_ring *ring = &fx->ring;

	for (i = 0; i < sets << (fx->config.sb_order - LTT_PAGE_SHIFT); i++)
		free(ring->page[i]);
	free(ring->page);
	free(ring->content);
	free(ring->slot);
	free(fx->fill);
	free(fx->held);
	active = NULL;
}

void fx_done(struct ring_fixture *fx)
{
	fx_finish(fx);
	fx_free(fx);
	CU_ASSERT(!fx->failed);
}

/* ---- Writing ---- */

static u32 log_add(struct ring_fixture *fx, u32 id, u32 len)
{
	u32 serial = fx->nr_log++;

	if (serial == log_size) {
		log_size = log_size ? log_size * 2 : 4096;
		log_memory = realloc(log_memory, log_size * sizeof(*log_memory));
		fx->log = log_memory;
	}
	fx->log[serial] = (struct fx_record){ .id = id, .len = len };
	return serial;
}

static int write_slow(struct ring_fixture *fx, u32 id, u32 serial, const u8 *payload, u32 len)
{
	int err;

	if (ltt_ring_enter(&fx->ring))
		err = ltt_record_write_slow(&fx->ring, id, serial, payload, len);
	else
		err = ltt_ring_refuse(&fx->ring, LTT_REFUSED_NESTED);
	ltt_ring_leave(&fx->ring);
	return err;
}

static int write(struct ring_fixture *fx, u32 id, u32 len, bool slow)
{
	u32 serial = log_add(fx, id, len), interrupted = fx->writer;
	const u8 *payload = fx_payload(serial, len);
	struct fx_record *rec;
	int err;

	fx->writer = serial;
	if (slow)
		err = write_slow(fx, id, serial, payload, len);
	else
		err = write_record(&fx->ring, id, serial, payload, len);
	fx->writer = interrupted;
	rec = &fx->log[serial];
	if (err) {
		FX_CHECK(fx, err < 0 && err > -LTT_REFUSALS && rec->fate == FX_PENDING);
		rec->fate = FX_REFUSED;
		fx->refused[-err]++;
	} else if (rec->fate == FX_PENDING) {
		/* Else it has been read by now. */
		rec->fate = FX_STORED;
	}
	return err;
}

int fx_write(struct ring_fixture *fx, u32 id, u32 len)
{
	return write(fx, id, len, false);
}

int fx_write_slow(struct ring_fixture *fx, u32 id, u32 len)
{
	return write(fx, id, len, true);
}

u32 fx_max_len(const struct ring_fixture *fx)
{
	return fx->ring.sb_mask + 1 - fx->ring.header_size - FX_OVERHEAD;
}

u32 fx_room(const struct ring_fixture *fx)
{
	u64 in_sb = fx->ring.offset.v & fx->ring.sb_mask;

	return in_sb ? fx->ring.sb_mask + 1 - in_sb : 0;
}

void fx_fill(struct ring_fixture *fx, u32 leave)
{
	u32 room = fx_room(fx);

	if (!room)
		room = fx_max_len(fx) + FX_OVERHEAD;
	if (room >= leave + FX_OVERHEAD)
		fx_write(fx, 2, room - leave - FX_OVERHEAD);
}

bool fx_flush(struct ring_fixture *fx, bool final)
{
	u32 interrupted = fx->writer;
	bool ended;

	fx->final_flushes += final;
	fx->writer = FX_NO_WRITER;
	ended = ltt_ring_flush(&fx->ring, final);
	if (!ended)
		fx->final_flushes -= final;
	fx->writer = interrupted;
	return ended;
}

u64 fx_refused_total(const struct ring_fixture *fx)
{
	return fx->refused[LTT_REFUSED_FULL] + fx->refused[LTT_REFUSED_BIG] +
	       fx->refused[LTT_REFUSED_NESTED];
}
