// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data path: from a marker's sink to the record in the buffer.
 *
 * Layer: tracer.  Context: any, NMI included.  Markers call their sinks with
 * preemption off, for events that pass the gate of the trace (gates.c);
 * ltt_event_write() turns it off itself.
 *
 * Each way exists twice, so that the size of the header is a constant in each.
 * Lossless channels have a sink of their own, so that the others need no test.  Events with
 * contexts have sinks of their own, too: one for each of some short lists, so that these need
 * no loop, and one for all others.
 */
#include "context.h"
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

/* ---- Events without contexts ---- */

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

/* @more, the contexts, and @slow, which writes them in any case, are constants. */
static __always_inline void
write_event(struct ltt_event *event, u64 (*now)(void), const bool compact,
	    const struct ltt_record_more *more,
	    void (*slow)(struct ltt_event *event, const void *payload, size_t len),
	    const void *payload, size_t len)
{
	struct ltt_ring *ring;
	u64 at;

	ring = &this_cpu_ptr(event->bufs)->ring;
	if (unlikely(!ltt_ring_enter(ring))) {
		refuse_nested(event);
		return;
	}
	switch (ltt_record_try_at(ring, ltt_count_read(&ring->offset), now, &event->id, compact,
				  current_tid, more, payload, len, &at)) {
	case LTT_RECORD_DONE:
		ltt_ring_leave(ring);
		break;
	case LTT_RECORD_DELIVER:
		deliver(event, at);
		break;
	case LTT_RECORD_SLOW:
		slow(event, payload, len);
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
		write_event(event, ltt_clock_read_slow, true, NULL, write_slow, payload, len);
	else
		write_event(event, ltt_clock_read_slow, false, NULL, write_slow, payload, len);
}

/* Two ways, the common one without a call. */
static __always_inline void choose(struct ltt_event *event, const bool compact,
				   const void *payload, size_t len)
{
	if (ltt_clock_is_inline())
		write_event(event, ltt_clock_read_raw, compact, NULL, write_slow, payload, len);
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

/* ---- Events with contexts ---- */

/* Kernels that zero all variables on the stack would spend more on these than on a context. */
#if __has_attribute(uninitialized)
#define NOT_ZEROED	__attribute__((uninitialized))
#else
#define NOT_ZEROED
#endif

#define ROOM	(LTT_CONTEXT_FIXED_MAX + LTT_STACKS_MAX * LTT_STACK_HEAD)

static_assert(ROOM - LTT_STACKS_MAX * LTT_STACK_HEAD <= 256, "see struct ltt_stack_scratch");

/* Write it wherever it comes to lie, so with the addresses of its stacks; ends what was begun. */
static noinline notrace void write_complete(struct ltt_event *event, const void *payload,
					    size_t len, unsigned long site)
{
	struct ltt_ring *ring = &this_cpu_ptr(event->bufs)->ring;
	struct ltt_gathered gathered NOT_ZEROED;
	u8 room[ROOM] NOT_ZEROED;
	u64 at = 0;
	int err;

	ltt_gather(&gathered, event, room, 0, true, site);
	err = ltt_record_write_context(ring, event->id, gathered.bytes, gathered.size, payload,
				       len, &at);
	ltt_gather_end(&gathered, at >> ring->sb_order, !err);
	if (err) {
		ltt_cpu_inc(event->refused->by_cause[-err]);
		ltt_news_arrived();
	}
	ltt_ring_leave(ring);
}

/* For lists without stacks. */
static noinline notrace void write_short_slow(struct ltt_event *event, const void *payload,
					      size_t len)
{
	write_complete(event, payload, len, 0);
}

static __always_inline void add_pid(u8 *to, const struct ltt_record_more *unused)
{
	ltt_put_u32(to, current->tgid);
}

static __always_inline void add_comm(u8 *to, const struct ltt_record_more *unused)
{
	/* Another thread may be writing a new name: the bytes are of both then. */
	data_race(__builtin_memcpy(to, current->comm, TASK_COMM_LEN));
}

static __always_inline void add_pid_comm(u8 *to, const struct ltt_record_more *unused)
{
	add_pid(to, NULL);
	add_comm(to + sizeof(u32), NULL);
}

/* Static constants, which the compiler knows the contents of: so it makes no calls of them. */
static const struct ltt_record_more more_pid = {
	.size = sizeof(u32), .put = add_pid,
};

static const struct ltt_record_more more_comm = {
	.size = TASK_COMM_LEN, .put = add_comm,
};

static const struct ltt_record_more more_pid_comm = {
	.size = sizeof(u32) + TASK_COMM_LEN, .put = add_pid_comm,
};

static __always_inline void choose_short(const struct ltt_sink *sink,
					 const struct ltt_record_more *more, const void *payload,
					 size_t len)
{
	struct ltt_event *event = container_of(sink, struct ltt_event, sink);

	if (ltt_clock_is_inline())
		write_event(event, ltt_clock_read_raw, true, more, write_short_slow, payload, len);
	else
		ltt_event_write_any(sink, payload, len);
}

/**
 * ltt_event_write_pid() - the sink of events with ids below LTT_COMPACT_IDS and the context pid
 * @sink: the event's
 * @payload: @len bytes
 * @len: bytes
 */
void ltt_event_write_pid(const struct ltt_sink *sink, const void *payload, size_t len)
{
	choose_short(sink, &more_pid, payload, len);
}

/**
 * ltt_event_write_comm() - the same for the context comm
 * @sink: the event's
 * @payload: @len bytes
 * @len: bytes
 */
void ltt_event_write_comm(const struct ltt_sink *sink, const void *payload, size_t len)
{
	choose_short(sink, &more_comm, payload, len);
}

/**
 * ltt_event_write_pid_comm() - the same for both
 * @sink: the event's
 * @payload: @len bytes
 * @len: bytes
 */
void ltt_event_write_pid_comm(const struct ltt_sink *sink, const void *payload, size_t len)
{
	choose_short(sink, &more_pid_comm, payload, len);
}

static __always_inline void add_gathered(u8 *to, const struct ltt_record_more *more)
{
	ltt_copy_small(to, more->from, more->size);
}

/* Try it where the ring is now, @old; end what was begun unless that is to be done slowly. */
static bool try_any(struct ltt_event *event, struct ltt_ring *ring, u64 old,
		    const void *payload, size_t len, unsigned long site)
{
	struct ltt_record_more more = { .put = add_gathered };
	struct ltt_gathered gathered NOT_ZEROED;
	enum ltt_record_result result;
	u8 room[ROOM] NOT_ZEROED;
	u64 at;

	ltt_gather(&gathered, event, room, old >> ring->sb_order, false, site);
	more.from = gathered.bytes + LTT_CONTEXT_SIZE;
	more.size = gathered.size - LTT_CONTEXT_SIZE;
	result = ltt_record_try_at(ring, old, ltt_clock_read, &event->id,
				   event->id < LTT_COMPACT_IDS, current_tid, &more, payload, len,
				   &at);
	ltt_gather_end(&gathered, old >> ring->sb_order, result == LTT_RECORD_DONE ||
		       result == LTT_RECORD_DELIVER);
	switch (result) {
	case LTT_RECORD_DONE:
		ltt_ring_leave(ring);
		break;
	case LTT_RECORD_DELIVER:
		deliver(event, at);
		break;
	case LTT_RECORD_SLOW:
		return false;
	case LTT_RECORD_FULL:
		refuse(event, ring, LTT_REFUSED_FULL);
		break;
	}
	return true;
}

/* The exchange of the offset in ltt_record_try_at() fails if anything was written to the ring
 * since @old was read: so what is known of the stacks of this packet still holds then. */
static __always_inline void write_any(const struct ltt_sink *sink, const void *payload,
				      size_t len, unsigned long site)
{
	struct ltt_event *event = container_of(sink, struct ltt_event, sink);
	struct ltt_ring *ring = &this_cpu_ptr(event->bufs)->ring;
	u64 old;

	if (unlikely(!ltt_ring_enter(ring))) {
		refuse_nested(event);
		return;
	}
	/* Before the contexts, so that an event that a full ring refuses does not pay for them. */
	if (unlikely(ltt_ring_is_full(ring))) {
		refuse(event, ring, LTT_REFUSED_FULL);
		return;
	}
	old = ltt_count_read(&ring->offset);
	if (!try_any(event, ring, old, payload, len, site))
		write_complete(event, payload, len, site);
}

/**
 * ltt_event_write_any() - the sink of all other events with contexts
 * @sink: the event's
 * @payload: @len bytes
 * @len: bytes
 */
void ltt_event_write_any(const struct ltt_sink *sink, const void *payload, size_t len)
{
	write_any(sink, payload, len, (unsigned long)__builtin_return_address(0));
}

/**
 * ltt_event_write_any_lossless() - the same for events of lossless channels
 * @sink: the event's
 * @payload: @len bytes
 * @len: bytes
 */
void ltt_event_write_any_lossless(const struct ltt_sink *sink, const void *payload, size_t len)
{
	struct ltt_relay_buf *buf;

	write_any(sink, payload, len, (unsigned long)__builtin_return_address(0));
	buf = pressed_buf(container_of(sink, struct ltt_event, sink));
	if (buf)
		ltt_relay_ask_to_wait(buf);
}

/* ---- Events that are refused, and waits ---- */

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
