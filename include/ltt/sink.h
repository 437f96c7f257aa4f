/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sinks: where the events of a marker go.
 *
 * Layer: markers.  What a provider calls, and a driver's site of its own with
 * trace_mark(); registry.h has the rest.
 */
#ifndef LTT_SINK_H
#define LTT_SINK_H

#include <linux/types.h>

/**
 * struct ltt_pause - a promise to wait until a buffer has room again
 * @wait: sleeps, for a bounded time; called once, at a place that may sleep.  What
 *	it needs is kept until then, and not after
 */
struct ltt_pause {
	void (*wait)(struct ltt_pause *pause);
};

/**
 * struct ltt_sink - where the payloads of a marker go
 * @write: called for each event with the sink itself, the packed payload (fields
 *	as core/field.h says) and its length in bytes, or LTT_SINK_TOO_BIG.
 *	Context: whatever the instrumented code runs in, NMI included, with
 *	preemption off: the provider sees to that, since some kernels call its
 *	probes so and some do not.  The payload is valid during the call only.
 * @pause: NULL, or called after @write by a site that may sleep: something to wait
 *	for once preemption is on again, or NULL.  Context: task, preemption off
 *
 * What else a sink needs it has around this structure.  (A pointer in here, to be
 * handed on, would cost each event two instructions.)
 *
 * A sink stays valid from ltt_marker_connect() until
 * ltt_marker_synchronize() has returned after ltt_marker_disconnect().
 */
struct ltt_sink {
	void (*write)(const struct ltt_sink *sink, const void *payload, size_t len);
	struct ltt_pause *(*pause)(const struct ltt_sink *sink);
};

#endif /* LTT_SINK_H */
