// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data path: from a marker's sink to the record in the buffer.
 *
 * Layer: tracer.  Context: any, NMI included.  Markers call their sinks with
 * preemption off; ltt_event_write() turns it off itself.
 *
 * Two functions, so that the size of the header is a constant in each; a third for
 * lossless channels, so that the others need not ask.
 */
#include "tracer.h"
#include "tasks.h"

#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "../../core/record.h"

/* Rare cases are in functions of their own, so that the common case needs no stack.
 * All three end what write_event() began. */
static noinline notrace void write_slow(struct ltt_event *event, const void *payload, size_t len)
{
	struct ltt_ring *ring = &this_cpu_ptr(event->bufs)->ring;
	int err = ltt_record_write_slow(ring, event->id, current->pid, payload, len);

	if (err) {
		this_cpu_inc(event->refused->by_cause[-err]);
		ltt_news_arrived();
	}
	ltt_ring_leave(ring);
}

static noinline notrace void deliver(struct ltt_ring *ring, u64 at)
{
	ltt_ring_deliver(ring, at);
	ltt_ring_leave(ring);
}

static noinline notrace void refuse_nested(struct ltt_event *event, struct ltt_ring *ring)
{
	int err = ltt_ring_refuse(ring, LTT_REFUSED_NESTED);

	this_cpu_inc(event->refused->by_cause[-err]);
	ltt_news_arrived();
	ltt_ring_leave(ring);
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
		refuse_nested(event, ring);
		return;
	}
	switch (ltt_record_try(ring, now, &event->id, compact, current_tid, payload, len, &at)) {
	case LTT_RECORD_DONE:
		ltt_ring_leave(ring);
		break;
	case LTT_RECORD_DELIVER:
		deliver(ring, at);
		break;
	case LTT_RECORD_SLOW:
		write_slow(event, payload, len);
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

/* Is the event within the limits?  Preemption is off: the CPU is the one of the event.
 * No RCU: a thread that exchanges a limit waits for all probes, also where RCU does not watch. */
static __always_inline bool passes(const struct ltt_trace *trace)
{
	const struct cpumask *cpus;
	const struct ltt_tasks *tasks;

	/* O(limits:A): active before the limits; pairs with O(limits:B), O(limits:C). */
	smp_rmb();
	/* Lockless: written by ltt_trace_limit_tasks() and _cpus(). */
	tasks = READ_ONCE(trace->tasks);
	if (tasks && !test_bit(current->pid, tasks->tids))
		return false;
	cpus = READ_ONCE(trace->cpus);
	return !cpus || cpumask_test_cpu(raw_smp_processor_id(), cpus);
}

/* An event outside the limits needs no stack; one inside needs one more call. */
static noinline notrace void write_filtered(struct ltt_event *event, const void *payload,
					    size_t len)
{
	/* One look: a second could see the flag of another time, with no limit. */
	u32 active = READ_ONCE(*event->active);

	if (active == LTT_INACTIVE || (active == LTT_ACTIVE_FILTERED && !passes(event->trace)))
		return;
	if (ltt_clock_is_inline() && event->id < LTT_COMPACT_IDS)
		write_event(event, ltt_clock_read_raw, true, payload, len);
	else
		write_called_clock(event, payload, len);
}

/* Three ways, the common one without a call. */
static __always_inline void choose(struct ltt_event *event, const bool compact,
				   const void *payload, size_t len)
{
	/* Lockless: written by ltt_trace_start(), _stop() and _halt(). */
	if (unlikely(READ_ONCE(*event->active) != LTT_ACTIVE))
		write_filtered(event, payload, len);
	else if (ltt_clock_is_inline())
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

/* A thread that writes nothing need not wait for those that do. */
static bool is_recorded(const struct ltt_event *event)
{
	switch (READ_ONCE(*event->active)) {
	case LTT_INACTIVE:
		return false;
	case LTT_ACTIVE_FILTERED:
		return passes(event->trace);
	}
	return true;
}

/* Its buffer on this CPU, when a thread that writes there should wait for room. */
static struct ltt_relay_buf *pressed_buf(const struct ltt_event *event)
{
	struct ltt_relay_buf *buf = this_cpu_ptr(event->bufs);

	return unlikely(ltt_relay_pressed(buf)) && is_recorded(event) ? buf : NULL;
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
	if (READ_ONCE(*event->active) != LTT_INACTIVE)
		write_called_clock(event, payload, len);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(ltt_event_write);
