// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data path: from a marker's sink to the record in the buffer.
 *
 * Layer: tracer.  Context: any, NMI included.  Markers call their sinks with
 * preemption off, for events that pass the gate of the trace (filter.c);
 * ltt_event_write() turns it off itself.
 *
 * Each way exists twice, so that the size of the header is a constant in each.
 * Lossless channels have a sink of their own, so that the others need no test.
 */
#include "tracer.h"

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "../../core/record.h"

/* A provider reads both as a struct ltt_sink_room. */
static_assert(offsetof(struct ltt_ring, full_pos) - offsetof(struct ltt_ring, read_pos) ==
	      offsetof(struct ltt_sink_room, full_at) - offsetof(struct ltt_sink_room, freed));

static __always_inline void count_refused(struct ltt_event *event, struct ltt_ring *ring,
					  enum ltt_refusal why)
{
	ltt_ring_refuse(ring, why);
	ltt_cpu_inc(event->refused->by_cause[why]);
}

/* Count a refused record, and end what write_event() began. */
static __always_inline void refuse(struct ltt_event *event, struct ltt_ring *ring,
				   enum ltt_refusal why)
{
	count_refused(event, ring, why);
	ltt_ring_leave(ring);
	ltt_news_arrived();
}

/* The rare cases are functions of their own, so that the common case needs no stack.
 * All three end what write_event() began.  They find the ring anew, so that the common
 * case can leave the event in the register in which it came. */
static noinline notrace void write_slow(struct ltt_event *event, const void *payload, size_t len)
{
	struct ltt_ring *ring = &this_cpu_ptr(event->bufs)->ring;
	int err = ltt_record_write_slow(ring, event->id, current->pid, payload, len);

	if (err) {
		ltt_cpu_inc(event->refused->by_cause[-err]);
		ltt_news_arrived();
	}
	ltt_ring_leave(ring);
}

static noinline notrace void deliver(struct ltt_event *event, u64 at)
{
	struct ltt_ring *ring = &this_cpu_ptr(event->bufs)->ring;

	ltt_ring_deliver(ring, at);
	ltt_ring_leave(ring);
}

static noinline notrace void refuse_nested(struct ltt_event *event)
{
	refuse(event, &this_cpu_ptr(event->bufs)->ring, LTT_REFUSED_NESTED);
}

static __always_inline u32 current_tid(void)
{
	return current->pid;
}

static __always_inline void write_event(struct ltt_event *event, u64 (*now)(void),
					const bool compact, const void *payload, size_t len)
{
	struct ltt_ring *ring;
	u64 at;

	ring = &this_cpu_ptr(event->bufs)->ring;
	if (unlikely(!ltt_ring_enter(ring))) {
		refuse_nested(event);
		return;
	}
	switch (ltt_record_try(ring, now, &event->id, compact, current_tid, payload, len, &at)) {
	case LTT_RECORD_DONE:
		ltt_ring_leave(ring);
		break;
	case LTT_RECORD_DELIVER:
		deliver(event, at);
		break;
	case LTT_RECORD_SLOW:
		write_slow(event, payload, len);
		break;
	case LTT_RECORD_FULL:
		refuse(event, ring, LTT_REFUSED_FULL);
		break;
	}
}

/* Every clock but the raw one is a call, and keeps a stack frame. */
static noinline notrace void write_called_clock(struct ltt_event *event, const void *payload,
						size_t len)
{
	if (event->id < LTT_COMPACT_IDS)
		write_event(event, ltt_clock_read_slow, true, payload, len);
	else
		write_event(event, ltt_clock_read_slow, false, payload, len);
}

/* Two ways, the common one without a call. */
static __always_inline void choose(struct ltt_event *event, const bool compact,
				   const void *payload, size_t len)
{
	if (ltt_clock_is_inline())
		write_event(event, ltt_clock_read_raw, compact, payload, len);
	else
		write_called_clock(event, payload, len);
}

/**
 * ltt_event_write_compact() - the sink of events with ids below LTT_COMPACT_IDS
 * @sink: the event's
 * @payload: @len bytes
 * @len: bytes
 */
void ltt_event_write_compact(const struct ltt_sink *sink, const void *payload, size_t len)
{
	choose(container_of(sink, struct ltt_event, sink), true, payload, len);
}

/**
 * ltt_event_write_medium() - the sink of all other events
 * @sink: the event's
 * @payload: @len bytes
 * @len: bytes
 */
void ltt_event_write_medium(const struct ltt_sink *sink, const void *payload, size_t len)
{
	choose(container_of(sink, struct ltt_event, sink), false, payload, len);
}

/* The event's buffer on this CPU, if a thread that writes there should wait for room. */
static struct ltt_relay_buf *pressed_buf(const struct ltt_event *event)
{
	struct ltt_relay_buf *buf = this_cpu_ptr(event->bufs);

	return unlikely(ltt_relay_pressed(buf)) ? buf : NULL;
}

/**
 * ltt_event_write_lossless() - the sink of events of lossless channels
 * @sink: the event's
 * @payload: @len bytes
 * @len: bytes
 */
void ltt_event_write_lossless(const struct ltt_sink *sink, const void *payload, size_t len)
{
	struct ltt_event *event = container_of(sink, struct ltt_event, sink);
	struct ltt_relay_buf *buf;

	if (event->id < LTT_COMPACT_IDS)
		choose(event, true, payload, len);
	else
		choose(event, false, payload, len);
	buf = pressed_buf(event);
	if (buf)
		ltt_relay_ask_to_wait(buf);
}

/**
 * ltt_event_refuse() - count an event that a full buffer refuses
 * @sink: the event's
 *
 * The reader may have freed a sub-buffer since the provider asked.  The event is refused all
 * the same: its payload was not built.  It does not enter the ring, to which it writes nothing.
 */
void ltt_event_refuse(const struct ltt_sink *sink)
{
	struct ltt_event *event = container_of(sink, struct ltt_event, sink);

	count_refused(event, &this_cpu_ptr(event->bufs)->ring, LTT_REFUSED_FULL);
	ltt_news_arrived();
}

/**
 * ltt_event_refuse_lossless() - the same for events of lossless channels
 * @sink: the event's
 */
void ltt_event_refuse_lossless(const struct ltt_sink *sink)
{
	struct ltt_relay_buf *buf;

	ltt_event_refuse(sink);
	buf = pressed_buf(container_of(sink, struct ltt_event, sink));
	if (buf)
		ltt_relay_ask_to_wait(buf);
}

/**
 * ltt_event_pause() - see struct ltt_sink
 */
struct ltt_pause *ltt_event_pause(const struct ltt_sink *sink)
{
	struct ltt_relay_buf *buf = pressed_buf(container_of(sink, struct ltt_event, sink));

	return buf ? ltt_relay_pause(buf) : NULL;
}

void ltt_event_write(struct ltt_event *event, const void *payload, size_t len)
{
	preempt_disable_notrace();
	/* Lockless: written by ltt_trace_start(), _stop() and _halt(). */
	if (READ_ONCE(event->trace->active))
		write_called_clock(event, payload, len);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(ltt_event_write);
