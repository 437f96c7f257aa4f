// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packing events with arrays or text that a site does not pack itself.
 *
 * Layer: markers.  A site calls fire() by its address, in the kernel's walk of the site's
 * probes: in any context, NMI included, with preemption off.  A probe keeps this module
 * loaded.
 *
 * A payload does not fit on the kernel's stack.  Each CPU has one buffer for each level of
 * nesting: an event of a softirq may interrupt one of a task, an event of an interrupt that
 * one, and an event of an NMI that one.  An interrupted level resumes after the inner one has
 * ended, so the level is a plain counter, and only its own CPU uses it.  The buffers are
 * allocated for the first marker that needs them, and stay.
 *
 * Text and arrays are read with ordinary loads, each byte once: they may change meanwhile.
 */
#include <ltt/marker.h>
#include <ltt/marker-string.h>
#include <ltt/registry.h>

#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "../../core/mark-format.h"
#include "../../core/mark-pack.h"
#include "markers.h"

#define LEVELS	4

/* ltt_mark_put() stores 8 bytes of any value. */
#define BUFFER_SIZE	ALIGN(LTT_MARK_PAYLOAD_MAX + sizeof(u64), L1_CACHE_BYTES)

/**
 * struct level - the buffers of a CPU
 * @buffers: LEVELS times BUFFER_SIZE bytes
 * @nr: of the buffers in use
 */
struct level {
	u8 *buffers;
	unsigned int nr;
};

static DEFINE_PER_CPU(struct level, level);

/* A text of @most bytes, its NUL included, is at @to.  If it goes on at @next, mark that. */
static notrace noinline u8 *cut_text(u8 *to, long most, const char *next)
{
	u8 *end = to + most;

	if (!READ_ONCE(*next))
		return end;
	end = to + ltt_mark_whole_characters((const char *)to, most - LTT_MARK_TEXT_LEAST);
	memcpy(end, LTT_MARK_CUT, LTT_MARK_CUT_SIZE + 1);
	return end + LTT_MARK_CUT_SIZE + 1;
}

static __always_inline u8 *put_text(u8 *to, u64 word, long most)
{
	const char *from = ltt_mark_text(word);
	u8 *end = (u8 *)ltt_copy_text((char *)to, from, (char *)to + most - 1);

	return likely(end - to < most) ? end : cut_text(to, most, from + most - 1);
}

/* A text that ends after @limit bytes, where it need not have a NUL. */
static notrace noinline u8 *put_limited_text(u8 *to, u64 word, u64 limit, long most)
{
	const char *from = ltt_mark_text(word);
	long i, len = limit < most ? limit : most - 1;

	if (limit == ~0ULL || ltt_mark_is_bad(word))
		return put_text(to, word, most);
	for (i = 0; i < len; i++) {
		to[i] = READ_ONCE(from[i]);
		if (!to[i])
			return to + i + 1;
	}
	to[i] = '\0';
	return limit < most ? to + i + 1 : cut_text(to, most, from + i);
}

static notrace noinline u8 *put_array(u8 *to, const struct ltt_mark_step *step, const u64 *words,
				      unsigned int i)
{
	u16 nr = ltt_mark_elements(step, words, i);

	if (step[i].how == LTT_MARK_SEQUENCE) {
		memcpy(to, &nr, sizeof(nr));
		to += sizeof(nr);
	}
	if (words[i])
		memcpy(to, (const void *)(unsigned long)words[i], nr * step[i].size);
	else
		memset(to, 0, nr * step[i].size);
	return to + nr * step[i].size;
}

/* Take the room of sequences off; forget pointers that cannot point to an array. */
static notrace noinline long room_with_arrays(const struct ltt_mark_site *site, u64 *words)
{
	unsigned int i;

	for (i = 0; i < site->nr_args; i++)
		if (site->steps[i].how >= LTT_MARK_ARRAY && ltt_mark_is_bad(words[i]))
			words[i] = 0;
	return ltt_mark_room(site->steps, words, site->nr_args);
}

/* Return: the end of the payload; NULL if it would be too large. */
static __always_inline u8 *pack(u8 *to, const struct ltt_mark_site *site, u64 *words)
{
	const struct ltt_mark_step *step = site->steps;
	long room = site->room;
	unsigned int i;

	if (unlikely(room < 0)) {
		room = room_with_arrays(site, words);
		if (room < 0)
			return NULL;
	}
	for (i = 0; i < site->nr_args; i++) {
		long most = ltt_mark_text_most(room);
		u8 *at = to;

		if (step[i].how == LTT_MARK_VALUE) {
			to = ltt_mark_put(to, words[i], step[i].size);
			continue;
		}
		if (step[i].how == LTT_MARK_LENGTH)
			continue;
		if (step[i].how >= LTT_MARK_ARRAY) {
			to = put_array(to, step, words, i);
			continue;
		}
		if (likely(step[i].how == LTT_MARK_TEXT && !step[i].count))
			to = put_text(to, words[i], most);
		else
			to = put_limited_text(to, words[i], ltt_mark_limit(step, words, i), most);
		room -= to - at - LTT_MARK_TEXT_LEAST;
	}
	return to;
}

/* A ltt_mark_fire_fn. */
static notrace void fire(struct ltt_mark_site *site, u64 *words, struct tracepoint_func *probe,
			 struct ltt_pause **pause)
{
	unsigned int nr = this_cpu_read(level.nr);
	u8 *payload = this_cpu_read(level.buffers) + nr * BUFFER_SIZE, *end = NULL;

	if (likely(nr < LEVELS)) {
		this_cpu_write(level.nr, nr + 1);
		barrier();	/* compiler: taken before it is written; pairs with the one below */
		end = pack(payload, site, words);
	}
	if (likely(end))
		ltt_mark_call_all(probe, payload, end - payload, pause);
	else
		ltt_mark_call_all(probe, NULL, LTT_SINK_TOO_BIG, pause);
	barrier();	/* compiler: read before it is given back; pairs with the one above */
	this_cpu_write(level.nr, nr);
}

/**
 * ltt_pack_prepare() - set up the packing of a marker's sites
 * @fields: the marker's
 *
 * Allocates the buffers of all CPUs, if that is the first marker that needs them.
 *
 * Context: task, may sleep; registry lock held.
 * Return: 0 or -ENOMEM.
 */
int ltt_pack_prepare(const struct ltt_mark_fields *fields)
{
	int cpu;

	if (fields->by_value)
		return 0;
	for_each_possible_cpu(cpu) {
		u8 **buffers = &per_cpu(level, cpu).buffers;

		if (!*buffers)
			*buffers = kvmalloc_node(LEVELS * BUFFER_SIZE, GFP_KERNEL, cpu_to_node(cpu));
		if (!*buffers)
			return -ENOMEM;
	}
	return 0;
}

/**
 * ltt_pack_site() - tell a site how its events are packed
 * @site: the site, which no probe is connected to
 * @fields: those of its marker, after ltt_pack_prepare()
 *
 * Nothing undoes this: an event that has begun may look at its site after the last probe was
 * disconnected.
 *
 * Context: task; registry lock held.
 */
void ltt_pack_site(struct ltt_mark_site *site, const struct ltt_mark_fields *fields)
{
	static const u64 nothing[LTT_MARK_MAX_ARGS];
	unsigned int i, texts = 0;

	site->may_be_short = true;
	if (fields->by_value)
		return;
	memcpy(site->steps, fields->step, site->nr_args * sizeof(fields->step[0]));
	site->room = ltt_mark_room(site->steps, nothing, site->nr_args);
	for (i = 0; i < site->nr_args; i++) {
		if (site->steps[i].how >= LTT_MARK_ARRAY)
			site->room = -1;	/* depends on the arguments */
		texts += site->steps[i].how == LTT_MARK_TEXT;
		if (site->steps[i].count ||
		    (site->steps[i].how != LTT_MARK_TEXT && site->steps[i].how != LTT_MARK_VALUE))
			site->may_be_short = false;
	}
	if (texts > LTT_MARK_SHORT_TEXTS)
		site->may_be_short = false;
	site->fire = fire;
}

/**
 * ltt_pack_exit() - free the buffers; no event runs any more
 */
void ltt_pack_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kvfree(per_cpu(level, cpu).buffers);
}
