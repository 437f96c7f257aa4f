// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Situations, operations and actions; see ring-steps.h.
 */
#include "ring-steps.h"

/* The record that most situations are made for. */
#define LEN	20
#define SIZE	(LEN + FX_OVERHEAD)

/* ---- Situations: what has happened before ---- */

static u32 sub_buffers(const struct ring_fixture *fx)
{
	return 1U << fx->config.nr_order;
}

/* A whole lap, up to where the first one began. */
static void lap(struct ring_fixture *fx)
{
	u32 i;

	for (i = 0; i < sub_buffers(fx); i++)
		fx_fill(fx, 0);
}

static void lap_read(struct ring_fixture *fx)
{
	lap(fx);
	fx_read(fx, ~0U);
}

static void nothing(struct ring_fixture *fx)
{
}

static void in_packet(struct ring_fixture *fx)
{
	fx_write(fx, 1, LEN);
	fx_write(fx, 1, 3);
}

static void no_room(struct ring_fixture *fx)
{
	fx_fill(fx, SIZE - 1);
}

static void exact_room(struct ring_fixture *fx)
{
	fx_fill(fx, SIZE);
}

static void at_boundary(struct ring_fixture *fx)
{
	fx_fill(fx, 0);
}

/* It will cross a page, where a sub-buffer has several. */
static void at_page_end(struct ring_fixture *fx)
{
	fx_fill(fx, LTT_PAGE_SIZE + SIZE / 2);
}

static void later_in_packet(struct ring_fixture *fx)
{
	lap_read(fx);
	in_packet(fx);
}

static void later_no_room(struct ring_fixture *fx)
{
	lap_read(fx);
	no_room(fx);
}

static void later_exact_room(struct ring_fixture *fx)
{
	lap_read(fx);
	exact_room(fx);
}

static void full_no_room(struct ring_fixture *fx)
{
	u32 i;

	for (i = 1; i < sub_buffers(fx); i++)
		fx_fill(fx, 0);
	fx_fill(fx, SIZE - 1);
}

static void full_at_boundary(struct ring_fixture *fx)
{
	lap(fx);
}

/* The reader keeps the oldest one. */
static void full_held(struct ring_fixture *fx)
{
	full_no_room(fx);
	fx_get(fx);
}

/* After a small record there would still be room, but not with a long header. */
static void full_tight(struct ring_fixture *fx)
{
	lap(fx);
	if (!fx->config.overwrite)
		fx_read(fx, 1);
	fx_fill(fx, SIZE + FX_OVERHEAD);
}

static void late(struct ring_fixture *fx)
{
	fx->now += 1ULL << 27;
}

static void late_in_packet(struct ring_fixture *fx)
{
	in_packet(fx);
	late(fx);
}

/* Room for the record, but not with a long header. */
static void late_tight(struct ring_fixture *fx)
{
	full_tight(fx);
	late(fx);
}

/* With a long header it fills the sub-buffer. */
static void late_exact_room(struct ring_fixture *fx)
{
	fx_fill(fx, SIZE + LTT_HEADER_LONG - LTT_HEADER_COMPACT);
	late(fx);
}

static void refused_at_boundary(struct ring_fixture *fx)
{
	at_boundary(fx);
	fx_write(fx, 1, fx_max_len(fx) + 1);
}

/* ---- Operations, and actions that interrupt them ---- */

static void write_one(struct ring_fixture *fx)
{
	fx_write(fx, 1, LEN);
}

static void write_one_slow(struct ring_fixture *fx)
{
	fx_write_slow(fx, 1, LEN);
}

/* A record with a medium header. */
static void write_medium(struct ring_fixture *fx)
{
	fx_write(fx, 300, LEN - 2);
}

static void write_largest(struct ring_fixture *fx)
{
	fx_write(fx, 1, fx_max_len(fx));
}

static void write_too_big(struct ring_fixture *fx)
{
	fx_write(fx, 1, fx_max_len(fx) + 1);
}

static void write_empty(struct ring_fixture *fx)
{
	fx_write(fx, 1, 0);
}

/* So that the interrupted record, though it fitted, does not any more. */
static void fill_but_little(struct ring_fixture *fx)
{
	fx_fill(fx, SIZE - 1);
}

static void fill(struct ring_fixture *fx)
{
	fx_fill(fx, 0);
}

static void fill_and_go_on(struct ring_fixture *fx)
{
	fx_fill(fx, 0);
	fx_write(fx, 1, LEN);
}

/* Into the sub-buffer after the next. */
static void two_switches(struct ring_fixture *fx)
{
	fx_fill(fx, 5);
	fx_fill(fx, 5);
	fx_write(fx, 1, LEN);
}

static void wrap(struct ring_fixture *fx)
{
	u32 i;

	for (i = 0; i <= 2 * sub_buffers(fx); i++)
		fx_write(fx, 1, fx_max_len(fx) - i);
	fx_write(fx, 1, LEN);
}

/* Wraps in discard mode too. */
static void wrap_and_read(struct ring_fixture *fx)
{
	u32 i;

	for (i = 0; i <= sub_buffers(fx); i++) {
		fx_write(fx, 1, fx_max_len(fx) - i);
		fx_read(fx, ~0U);
	}
}

static void write_late(struct ring_fixture *fx)
{
	late(fx);
	fx_write(fx, 1, 4);
}

static void flush(struct ring_fixture *fx)
{
	fx_flush(fx, false);
}

static void flush_final(struct ring_fixture *fx)
{
	fx_flush(fx, true);
}

static void refuse_and_flush(struct ring_fixture *fx)
{
	write_too_big(fx);
	fx_flush(fx, true);
}

static void read_all(struct ring_fixture *fx)
{
	fx_read(fx, ~0U);
}

/* Take a packet, or free the one that is out. */
static void take_or_free(struct ring_fixture *fx)
{
	if (fx->ring.reading)
		fx_put(fx);
	else
		fx_get(fx);
}

/* ---- The tables ---- */

const struct step situations[] = {
	{ "nothing yet", nothing, false },
	{ "in packet", in_packet, false },
	{ "no room", no_room, true },
	{ "exact room", exact_room, true },
	{ "at boundary", at_boundary, false },
	{ "at page end", at_page_end, true },
	{ "later, in packet", later_in_packet, false },
	{ "later, no room", later_no_room, false },
	{ "later, exact room", later_exact_room, false },
	{ "full, no room", full_no_room, true },
	{ "full, at boundary", full_at_boundary, true },
	{ "full, held", full_held, true },
	{ "full, tight", full_tight, false },
	{ "late, in packet", late_in_packet, false },
	{ "late, tight", late_tight, false },
	{ "late, exact room", late_exact_room, false },
	{ "refused, at boundary", refused_at_boundary, false },
};
const unsigned int nr_situations = sizeof(situations) / sizeof(situations[0]);

const struct step operations[] = {
	{ "write", write_one, true },
	{ "write slow", write_one_slow, false },
	{ "write medium", write_medium, false },
	{ "write largest", write_largest, false },
	{ "flush", flush, false },
	{ "flush final", flush_final, true },
	{ "read all", read_all, true },
};
const unsigned int nr_operations = sizeof(operations) / sizeof(operations[0]);

const struct step actions[] = {
	{ "write", write_one, false },
	{ "write empty", write_empty, true },
	{ "write too big", write_too_big, false },
	{ "write late", write_late, false },
	{ "fill but little", fill_but_little, false },
	{ "fill", fill, true },
	{ "fill and go on", fill_and_go_on, false },
	{ "two switches", two_switches, false },
	{ "wrap", wrap, true },
	{ "wrap and read", wrap_and_read, false },
	{ "flush", flush, false },
	{ "refuse and flush", refuse_and_flush, true },
	{ "read all", read_all, true },
	{ "take or free", take_or_free, false },
	{ "late", late, false },
};
const unsigned int nr_actions = sizeof(actions) / sizeof(actions[0]);
