// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data path: from a marker's sink to the record in the buffer.
 *
 * Layer: tracer.  Context: any, NMI included; the caller may be preemptible
 * (kernels from 7 on call tracepoint probes so).
 *
 * Two functions, so that the size of the header is a constant in each.
 */
#include "tracer.h"

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "../../core/record.h"

static noinline void count_refused(struct ltt_event *event, int why)
{
	this_cpu_inc(event->refused->by_cause[why]);
}

static __always_inline void write_event(struct ltt_event *event, const bool compact,
					const void *payload, size_t len)
{
	/* Lockless: written by ltt_trace_start(), _stop() and _halt(). */
	u32 active = READ_ONCE(*event->active);
	int err;

	if (unlikely(active != LTT_ACTIVE) &&
	    (active == LTT_INACTIVE || !ltt_filter_passes(event->trace)))
		return;
	preempt_disable_notrace();
	err = ltt_record_write(&this_cpu_ptr(event->bufs)->ring, event->id, compact,
			       current->pid, payload, len);
	if (unlikely(err))
		count_refused(event, -err);
	preempt_enable_notrace();
}

/**
 * ltt_event_write_compact() - the sink of events with ids below LTT_COMPACT_IDS
 * @priv: the event
 * @payload: @len bytes
 * @len: bytes
 */
void ltt_event_write_compact(void *priv, const void *payload, size_t len)
{
	write_event(priv, true, payload, len);
}

/**
 * ltt_event_write_medium() - the sink of all other events
 * @priv: the event
 * @payload: @len bytes
 * @len: bytes
 */
void ltt_event_write_medium(void *priv, const void *payload, size_t len)
{
	write_event(priv, false, payload, len);
}

void ltt_event_write(struct ltt_event *event, const void *payload, size_t len)
{
	event->sink.write(event, payload, len);
}
EXPORT_SYMBOL_GPL(ltt_event_write);
