// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scenarios: traces, states of a buffer, interrupting actions, and which of these
 * go together.
 */
#include "sweep.h"

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#include <ltt/channel.h>
#include <ltt/limits.h>
#include <ltt/registry.h>
#include <ltt/rules.h>
#include <ltt/trace.h>

#include "../../../core/record.h"

struct sweep_trace *now;

/* ---- Traces ---- */

static struct sweep_trace discard = { .name = "discard", .pages = 1, .subbufs = 2 };
static struct sweep_trace overwrite = { .name = "overwrite", .pages = 1, .subbufs = 2,
					.overwrite = true };
static struct sweep_trace pages = { .name = "pages", .pages = 2, .subbufs = 2 };
static struct sweep_trace medium = { .name = "medium", .pages = 1, .subbufs = 2, .medium = true };
static struct sweep_trace limited = { .name = "limited", .pages = 1, .subbufs = 2,
				      .limited = true };
static struct sweep_trace lossless = { .name = "lossless", .pages = 1, .subbufs = 4,
				       .lossless = true };
static struct sweep_trace lossless_medium = { .name = "lossless-medium", .pages = 1, .subbufs = 4,
					      .lossless = true, .medium = true };
/* The one that does not survive. */
static struct sweep_trace victim = { .name = "victim", .pages = 1, .subbufs = 2 };

static struct sweep_trace *const traces[] = {
	&discard, &overwrite, &pages, &medium, &limited, &lossless, &lossless_medium,
	&victim,
};

static const struct ltt_field fill_fields[] = {
	{ .name = "serial", .type = "u32", .kind = LTT_FIELD_INT, .size = 4, .base = 10 },
	{ .name = "check", .type = "u32", .kind = LTT_FIELD_INT, .size = 4, .base = 10 },
};

static const char face;

static int set_sizes(struct ltt_channel *channel, const struct sweep_trace *t)
{
	const struct ltt_channel_options options = {
		.subbuf_size = t->pages * PAGE_SIZE,
		.subbuf_count = t->subbufs,
		.overwrite = t->overwrite,
		.lossless_ms = t->lossless,
	};

	return ltt_channel_set_options(channel, &options);
}

static int create(struct sweep_trace *t)
{
	struct ltt_channel *channel;
	unsigned int i;
	int err;

	t->trace = ltt_trace_create(t->name, &face);
	if (IS_ERR(t->trace))
		return PTR_ERR(t->trace);
	/* The state channel has no reader. */
	err = set_sizes(ltt_trace_channel(t->trace, 0), &discard);
	channel = ltt_trace_channel(t->trace, 1);
	if (!err)
		err = set_sizes(channel, t);
	for (i = 0; !err && i <= (t->medium ? LTT_COMPACT_IDS : 0); i++) {
		t->fill = ltt_channel_add_event(channel, "sweep", "fill", fill_fields,
						ARRAY_SIZE(fill_fields));
		err = PTR_ERR_OR_ZERO(t->fill);
	}
	if (!err)
		err = ltt_trace_add_rule(t->trace, NULL, "sweep:*", true);
	if (!err && t->limited)
		err = ltt_trace_limit_cpus(t->trace, cpu_possible_mask);
	return err;
}

int sweep_traces_create(void)
{
	unsigned int i;
	int err = 0;

	ltt_markers_lock();
	for (i = 0; !err && i < ARRAY_SIZE(traces); i++)
		err = create(traces[i]);
	ltt_markers_unlock();
	return err;
}

void sweep_traces_destroy(void)
{
	unsigned int i;

	ltt_markers_lock();
	for (i = 0; i < ARRAY_SIZE(traces); i++)
		if (!IS_ERR_OR_NULL(traces[i]->trace))
			ltt_trace_destroy(traces[i]->trace);
	ltt_markers_unlock();
}

/* Make @t the trace that runs, and no other. */
int sweep_trace_use(struct sweep_trace *t)
{
	int err = 0;

	if (t == now)
		return 0;
	ltt_markers_lock();
	if (now)
		ltt_trace_stop(now->trace);
	now = t;
	if (t) {
		err = ltt_trace_start(t->trace);
		t->buf = ltt_channel_buf(ltt_trace_channel(t->trace, 1), 0);
	}
	ltt_markers_unlock();
	return err;
}

/* It may have been halted. */
void sweep_trace_stop(void)
{
	ltt_markers_lock();
	ltt_trace_stop(now->trace);
	ltt_markers_unlock();
}

int sweep_trace_resume(void)
{
	int err;

	ltt_markers_lock();
	err = ltt_trace_start(now->trace);
	ltt_markers_unlock();
	return err;
}

/* ---- States of the buffer, which is empty before ---- */

static struct ltt_ring *ring(void)
{
	return &now->buf->ring;
}

static u32 overhead(void)
{
	return (now->medium ? LTT_HEADER_MEDIUM : LTT_HEADER_COMPACT) + LTT_CONTEXT_SIZE;
}

/* Leave so many bytes of this sub-buffer. */
static void leave(u32 left)
{
	u64 in_use;

	send_fill(8);
	in_use = ltt_count_read(&ring()->offset) & ring()->sb_mask;
	send_fill(ring()->sb_mask + 1 - in_use - left - overhead());
	in_use = ltt_count_read(&ring()->offset) & ring()->sb_mask;
	if (((in_use + left) & ring()->sb_mask))
		fail("%llu bytes are in use where %u were to be left", in_use, left);
}

static void at_boundary(void)
{
}

static void in_packet(void)
{
	send_fill(8);
	send(MARK);
}

/* For the record of a mark. */
static void exact_room(void)
{
	leave(overhead() + 8);
}

static void no_room(void)
{
	leave(overhead() + 7);
}

/* The last sub-buffer that is free has no room any more. */
static void full(void)
{
	unsigned int i;

	for (i = 1; i < now->subbufs; i++)
		leave(0);
	no_room();
}

static void full_at_boundary(void)
{
	unsigned int i;

	for (i = 0; i < now->subbufs; i++)
		leave(0);
}

/* The record of a text will cross it. */
static void at_page_end(void)
{
	leave(PAGE_SIZE + overhead() + TEXT_LEN / 2);
}

/* The next record needs its full time. */
static void late(void)
{
	in_packet();
	ring()->last_time -= 1 << 27;
}

/* And there is no room for that. */
static void late_exact_room(void)
{
	exact_room();
	ring()->last_time -= 1 << 27;
}

/* But for its last three bytes. */
static void at_page_edge(void)
{
	leave(PAGE_SIZE + overhead() + 3);
}

/* A packet has to report it. */
static void refused(void)
{
	op_begin(FILL);
	op_big();
}

/* In a sub-buffer that has room for no more. */
static void within_outer(void)
{
	send_fill(8);
	outer_begins();
	no_room();
}

/* And all others are full. */
static void within_outer_full(void)
{
	unsigned int i;

	outer_begins();
	for (i = 0; i < now->subbufs; i++)
		leave(0);
}

/* Lossless: threads are to wait.  This one has done so for the last event. */
static void half_full(void)
{
	run_task_work();
	leave(0);
	leave(0);
	send_fill(8);
}

/* ---- What interrupts ---- */

static void one_event(void)
{
	send(MARK);
}

static void three_events(void)
{
	send(WORDS);
	send(TEXT);
	send(MARK);
}

/* Far enough for a change of the sub-buffer. */
static void a_subbuf(void)
{
	send_fill(PAGE_SIZE / 2);
	send(MARK);
	send_fill(PAGE_SIZE / 2);
	send(TEXT);
}

/* More than the buffer holds: round to where the interrupted writer is. */
static void a_buffer(void)
{
	unsigned int i;

	for (i = 0; i < 2 * now->subbufs * now->pages + 2; i++)
		send_fill(PAGE_SIZE / 2);
	send(MARK);
}

static void a_flush(void)
{
	send(TEXT);
	ring_flush(ring(), false);
	send(MARK);
}

/* Events that are sent to the trace after that are neither recorded nor lost. */
static void a_halt(void)
{
	send(MARK);
	ltt_trace_halt(now->trace, "a shot");
	send_in_vain();
}

/* ---- Which go together ---- */

#define SCENARIO(n, t, p, o, a, k, ...)	\
	{ .name = n, .trace = &t, .prepare = p, .op = o, .act = a, .op_kind = k, ##__VA_ARGS__ }

struct scenario scenarios[] = {
	SCENARIO("fast-one", discard, in_packet, op_mark, one_event, MARK),
	SCENARIO("fast-three", discard, in_packet, op_mark, three_events, MARK),
	SCENARIO("fast-subbuf", discard, in_packet, op_mark, a_subbuf, MARK),
	SCENARIO("fast-buffer", discard, in_packet, op_mark, a_buffer, MARK),
	SCENARIO("fast-flush", discard, in_packet, op_mark, a_flush, MARK),
	SCENARIO("halt-fast", discard, in_packet, op_mark, a_halt, MARK, .stops = true),
	SCENARIO("text-one", discard, in_packet, op_text, one_event, TEXT),
	SCENARIO("words-subbuf", discard, in_packet, op_words, a_subbuf, WORDS),
	SCENARIO("clock-subbuf", discard, in_packet, op_fill, a_subbuf, FILL),
	SCENARIO("first-one", discard, at_boundary, op_mark, one_event, MARK),
	SCENARIO("first-buffer", discard, at_boundary, op_mark, a_buffer, MARK),
	SCENARIO("switch-one", discard, no_room, op_mark, one_event, MARK),
	SCENARIO("switch-subbuf", discard, no_room, op_mark, a_subbuf, MARK),
	SCENARIO("switch-buffer", discard, no_room, op_mark, a_buffer, MARK),
	SCENARIO("switch-flush", discard, no_room, op_mark, a_flush, MARK),
	SCENARIO("halt-switch", discard, no_room, op_mark, a_halt, MARK, .stops = true),
	SCENARIO("exact-one", discard, exact_room, op_mark, one_event, MARK),
	SCENARIO("exact-subbuf", discard, exact_room, op_mark, a_subbuf, MARK),
	SCENARIO("exact-flush", discard, exact_room, op_mark, a_flush, MARK),
	SCENARIO("full-one", discard, full, op_mark, one_event, MARK),
	SCENARIO("full-boundary", discard, full_at_boundary, op_mark, one_event, MARK),
	SCENARIO("too-big", discard, in_packet, op_big, one_event, FILL),
	SCENARIO("late-one", discard, late, op_mark, one_event, MARK),
	SCENARIO("late-exact", discard, late_exact_room, op_mark, a_subbuf, MARK),
	SCENARIO("flush-one", discard, in_packet, op_flush, one_event, NO_EVENT),
	SCENARIO("flush-buffer", discard, in_packet, op_flush, a_buffer, NO_EVENT),
	SCENARIO("flush-nothing", discard, at_boundary, op_flush, one_event, NO_EVENT),
	SCENARIO("flush-report", discard, refused, op_final_flush, one_event, NO_EVENT),
	SCENARIO("flush-report-subbuf", discard, refused, op_final_flush, a_subbuf, NO_EVENT),
	SCENARIO("nested-switch", discard, within_outer, op_mark, one_event, MARK,
		 .finish = outer_ends),
	SCENARIO("nested-busy", discard, within_outer_full, op_mark, one_event, MARK,
		 .finish = outer_ends),
	SCENARIO("page-edge", pages, at_page_edge, op_text, one_event, TEXT),
	SCENARIO("page-one", pages, at_page_end, op_text, one_event, TEXT),
	SCENARIO("page-subbuf", pages, at_page_end, op_text, a_subbuf, TEXT),
	SCENARIO("page-buffer", pages, at_page_end, op_text, a_buffer, TEXT),
	SCENARIO("overwrite-one", overwrite, full, op_mark, one_event, MARK),
	SCENARIO("overwrite-subbuf", overwrite, full, op_mark, a_subbuf, MARK),
	SCENARIO("overwrite-buffer", overwrite, full, op_mark, a_buffer, MARK),
	SCENARIO("overwrite-fast-buffer", overwrite, in_packet, op_mark, a_buffer, MARK),
	SCENARIO("overwrite-exact", overwrite, exact_room, op_mark, a_buffer, MARK),
	SCENARIO("overwrite-nested-busy", overwrite, within_outer_full, op_mark, a_subbuf, MARK,
		 .finish = outer_ends),
	SCENARIO("overwrite-flush", overwrite, in_packet, op_flush, a_buffer, NO_EVENT),
	SCENARIO("medium-one", medium, in_packet, op_mark, one_event, MARK),
	SCENARIO("medium-clock", medium, in_packet, op_fill, a_subbuf, FILL),
	SCENARIO("limited-one", limited, in_packet, op_mark, one_event, MARK),
	SCENARIO("limited-switch", limited, no_room, op_mark, a_subbuf, MARK),
	SCENARIO("lossless-one", lossless, in_packet, op_mark, one_event, MARK),
	SCENARIO("lossless-pressed", lossless, half_full, op_mark, a_subbuf, MARK),
	/* The other lengths, and what is too deep, in each of the ways to write. */
	SCENARIO("short-one", discard, in_packet, op_short, one_event, SHORT),
	SCENARIO("clock-short", discard, in_packet, op_fill_short, one_event, FILL_SHORT),
	SCENARIO("clock-words", discard, in_packet, op_fill_words, one_event, FILL_WORDS),
	SCENARIO("medium-short", medium, in_packet, op_short, one_event, SHORT),
	SCENARIO("medium-words", medium, in_packet, op_words, one_event, WORDS),
	SCENARIO("medium-subbuf", medium, in_packet, op_mark, a_subbuf, MARK),
	SCENARIO("medium-clock-short", medium, in_packet, op_fill_short, one_event, FILL_SHORT),
	SCENARIO("medium-clock-words", medium, in_packet, op_fill_words, one_event, FILL_WORDS),
	SCENARIO("limited-short", limited, in_packet, op_short, one_event, SHORT),
	SCENARIO("limited-words", limited, in_packet, op_words, one_event, WORDS),
	SCENARIO("limited-subbuf", limited, in_packet, op_mark, a_subbuf, MARK),
	SCENARIO("lossless-short", lossless, in_packet, op_short, one_event, SHORT),
	SCENARIO("lossless-words", lossless, in_packet, op_words, one_event, WORDS),
	SCENARIO("lossless-medium-one", lossless_medium, in_packet, op_mark, one_event, MARK),
	SCENARIO("lossless-medium-short", lossless_medium, in_packet, op_short, one_event, SHORT),
	SCENARIO("lossless-medium-words", lossless_medium, in_packet, op_words, one_event, WORDS),
	SCENARIO("deep-mark", discard, in_packet, op_deep, one_event, MARK),
	SCENARIO("deep-clock", discard, in_packet, op_fill_deep, one_event, FILL),
	SCENARIO("deep-medium", medium, in_packet, op_deep, one_event, MARK),
	SCENARIO("deep-limited", limited, in_packet, op_deep, one_event, MARK),
	SCENARIO("deep-lossless", lossless, in_packet, op_deep, one_event, MARK),
	SCENARIO("broken", victim, in_packet, op_broken, one_event, FILL, .broken = true),
};
const unsigned int nr_scenarios = ARRAY_SIZE(scenarios);
