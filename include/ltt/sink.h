/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sinks: the functions that receive the events of a marker.
 *
 * Layer: markers.  Providers and the sites of trace_mark() in drivers call sinks;
 * ltt/registry.h connects them.
 */
#ifndef LTT_SINK_H
#define LTT_SINK_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "pause.h"

/*
 * A length that stands for an event whose payload did not fit into the provider's
 * memory; the payload is NULL.  The length exceeds that of any buffer, so a sink that
 * compares lengths before it reads the payload counts the event as refused.
 */
#define LTT_SINK_TOO_BIG	(1UL << 30)

/**
 * struct ltt_gate - which events a sink takes; one on each CPU
 * @tids: NULL for all.  Else a bit for each thread id: the sink takes the events of
 *	threads whose bit is set.  The owner of the sink changes this at any time, and keeps
 *	former bits until ltt_marker_synchronize()
 *
 * One word has all there is to know, so an event needs no barrier, and what passes
 * every event pays for no limit.
 */
struct ltt_gate {
	const unsigned long *tids;
};

/**
 * struct ltt_sink_room - whether the buffer of a sink has room; one on each CPU
 * @freed: the position up to which the reader has freed the buffer
 * @full_at: the value of @freed at which a writer found the buffer full.  The buffer is
 *	full as long as @freed has this value
 */
struct ltt_sink_room {
	u64 freed;
	u64 full_at;
};

/**
 * struct ltt_sink - receives the payloads of a marker
 * @gate: which events the sink takes.  Providers call no function of the sink for an
 *	event that ltt_sink_wants() refuses
 * @write: called for each event with the sink itself, the packed payload (see
 *	core/field.h) and its length in bytes, or with NULL and LTT_SINK_TOO_BIG.  The
 *	payload is valid during the call only.
 *	Context: that of the instrumented code, NMI included; the provider has turned
 *	preemption off
 * @pause: NULL, or called after @write or @refuse by a site that may sleep.  Returns NULL
 *	or something to wait for when preemption is on again.
 *	Context: task, preemption off
 * @room: shows on each CPU whether the buffer has room, see ltt_sink_has_room()
 * @refuse: called in place of @write, in the same context, for an event that a full buffer
 *	refuses; counts it.  NULL if @room never shows a full buffer
 *
 * The owner embeds this structure in one of its own, which has what else the sink needs.
 * (A pointer to it in here would cost each event two instructions.)
 *
 * The owner keeps a sink valid from ltt_marker_connect() until ltt_marker_synchronize()
 * has returned after ltt_marker_disconnect().
 */
struct ltt_sink {
	struct ltt_gate __percpu *gate;
	void (*write)(const struct ltt_sink *sink, const void *payload, size_t len);
	struct ltt_pause *(*pause)(const struct ltt_sink *sink);
	struct ltt_sink_room __percpu *room;
	void (*refuse)(const struct ltt_sink *sink);
};

/**
 * ltt_sink_wants() - check whether a sink takes the event that happens now
 * @sink: the sink
 *
 * Call it before the payload is built: an event that is not wanted then costs little.
 *
 * Context: that of the event, NMI included; preemption off.
 * Return: true if the provider is to call @sink->write.
 */
static __always_inline bool ltt_sink_wants(const struct ltt_sink *sink)
{
	/* The bits are read by an address dependency on the pointer to them. */
	const unsigned long *tids = this_cpu_read(sink->gate->tids);

	return likely(!tids) || test_bit(current->pid, tids);
}

/**
 * ltt_sink_has_room() - check whether the buffer of a sink may have room for an event
 * @sink: the sink; it wants the event
 *
 * For a provider whose payload is costly to build.  @sink->write refuses events by itself.
 *
 * Context: as ltt_sink_wants().
 * Return: false if the provider is to call @sink->refuse in place of @sink->write.
 */
static __always_inline bool ltt_sink_has_room(const struct ltt_sink *sink)
{
	/* A 32-bit machine may load half of an old position and half of a new one, every 4 GiB.
	 * If the ring was full at such a position once, one record is refused, and counted. */
	return likely(this_cpu_read(sink->room->freed) != this_cpu_read(sink->room->full_at));
}

#endif /* LTT_SINK_H */
