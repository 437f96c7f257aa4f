// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the time in which this machine records an event, on a ring of its own.
 *
 * Layer: heartbeat.  Context: task.
 */
#include "heartbeat.h"

#include <linux/gfp.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/slab.h>

#include <ltt/clock.h>

#include "../../core/record.h"

#define SUBBUFS_ORDER	2
#define PAGE_SETS	((1 << SUBBUFS_ORDER) + 1)	/* one spare, as it overwrites */
#define HEADER_SIZE	64
/* Preemption is off for a round: for some microseconds. */
#define EVENTS		250
#define ROUNDS		32

/* A ring and the memory that it uses. */
struct trial {
	struct ltt_ring ring;
	struct ltt_slot slot[1 << SUBBUFS_ORDER];
	void *page[PAGE_SETS];
	u32 content[PAGE_SETS];
};

static void begin(struct ltt_ring *ring, void *header, u64 time, u64 seq)
{
}

static void end(struct ltt_ring *ring, void *header, const struct ltt_packet_end *end)
{
}

static void deliver(struct ltt_ring *ring, u64 at)
{
}

static const struct ltt_ring_ops ops = { .begin = begin, .end = end, .deliver = deliver };

static void free_trial(struct trial *trial)
{
	unsigned int i;

	for (i = 0; trial && i < PAGE_SETS; i++)
		free_page((unsigned long)trial->page[i]);
	kfree(trial);
}

static struct trial *make_trial(void)
{
	struct trial *trial = kzalloc(sizeof(*trial), GFP_KERNEL);
	unsigned int i;

	if (!trial)
		return NULL;
	for (i = 0; i < PAGE_SETS; i++) {
		trial->page[i] = (void *)get_zeroed_page(GFP_KERNEL);
		if (!trial->page[i]) {
			free_trial(trial);
			return NULL;
		}
	}
	trial->ring.slot = trial->slot;
	trial->ring.page = trial->page;
	trial->ring.content = trial->content;
	trial->ring.ops = &ops;
	ltt_ring_init(&trial->ring, PAGE_SHIFT, SUBBUFS_ORDER, HEADER_SIZE, true);
	return trial;
}

static u32 no_thread(void)
{
	return 0;
}

static void write_one(struct ltt_ring *ring)
{
	const u64 payload[2] = {};
	const u32 id = 0;
	u64 at;

	if (ltt_ring_enter(ring)) {
		switch (ltt_record_try(ring, ltt_clock_read, &id, true, no_thread, payload,
				       sizeof(payload), &at)) {
		case LTT_RECORD_DONE:
			break;
		case LTT_RECORD_DELIVER:
			ltt_ring_deliver(ring, at);
			break;
		case LTT_RECORD_FULL:	/* not in overwrite mode */
		case LTT_RECORD_SLOW:
			ltt_record_write_slow(ring, id, 0, payload, sizeof(payload));
			break;
		}
	}
	ltt_ring_leave(ring);
}

/**
 * ltt_event_cost() - measure the least time that recording an event takes here
 *
 * Interrupts may prolong some rounds, so the result is the least of several: the deadman
 * must not overestimate the share of tracing.
 *
 * Context: may sleep.
 * Return: picoseconds, at least 1; 0 if there is no memory for the measurement.
 */
u64 ltt_event_cost(void)
{
	struct trial *trial = make_trial();
	u64 least = U64_MAX, least_read = U64_MAX;
	unsigned int i, round;

	if (!trial)
		return 0;
	for (round = 0; round < ROUNDS; round++) {
		u64 before, started, ended;

		preempt_disable();
		before = ktime_get_ns();
		started = ktime_get_ns();
		for (i = 0; i < EVENTS; i++)
			write_one(&trial->ring);
		ended = ktime_get_ns();
		preempt_enable();
		least_read = min(least_read, started - before);
		least = min(least, ended - started);
	}
	free_trial(trial);
	/* To read a slow clock takes as long as some events do. */
	least -= min(least, least_read);
	/* With a coarse clock the difference may be 0. */
	return max(div_u64(least * 1000, EVENTS), 1ULL);
}
