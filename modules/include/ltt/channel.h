/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Channels of a trace: their options and buffers, and events that other modules write.
 *
 * Layer: tracer.  Locking: see ltt/trace.h.
 */
#ifndef LTT_CHANNEL_H
#define LTT_CHANNEL_H

#include <linux/types.h>

#include "../../../core/field.h"

struct ltt_channel;
struct ltt_event;
struct ltt_relay_buf;
struct ltt_trace;

#define LTT_CHANNELS_MAX	16	/* of a trace */

/* Channels that every trace has. */
#define LTT_CHANNEL_STATE	"state"
#define LTT_CHANNEL_EVENTS	"events"

/**
 * struct ltt_channel_options - a channel's buffers
 * @subbuf_size: bytes, a power of two, at least a page
 * @subbuf_count: per CPU, a power of two, at least 2
 * @overwrite: flight recorder
 * @lossless_ms: not 0: threads that write faster than the reader reads wait for it,
 *	up to so many milliseconds, where they can; not with @overwrite
 */
struct ltt_channel_options {
	size_t subbuf_size;
	unsigned int subbuf_count;
	bool overwrite;
	unsigned int lossless_ms;
};

/**
 * ltt_trace_may_add_channel() - check whether a channel can be added
 * @trace: in any state
 * @name: of the channel, see ltt_name_valid()
 *
 * Context: registry lock held.
 * Return: 0, or the error that ltt_trace_add_channel() would return, but for -ENOMEM.
 */
int ltt_trace_may_add_channel(const struct ltt_trace *trace, const char *name);

/**
 * ltt_trace_add_channel() - add a channel
 * @trace: in any state
 * @name: of the channel, see ltt_name_valid(); "metadata" and "index" are reserved
 * @options: copied; values that ltt_channel_set_options() accepts
 *
 * Context: may sleep; registry lock held.
 * Return: the channel, which belongs to the trace, or ERR_PTR: -EINVAL bad name; -EEXIST;
 * -ENOSPC LTT_CHANNELS_MAX exist; -ENOMEM.
 */
struct ltt_channel *ltt_trace_add_channel(struct ltt_trace *trace, const char *name,
					  const struct ltt_channel_options *options);

/**
 * ltt_trace_channel() - get a channel by its number
 * @trace: in any state
 * @nr: from 0; the CTF stream id of the channel
 *
 * Context: registry lock held, or the caller otherwise keeps the trace from being destroyed.
 * Return: the channel, or NULL beyond the last.
 */
struct ltt_channel *ltt_trace_channel(const struct ltt_trace *trace, unsigned int nr);

/**
 * ltt_channel_name() - get the name of a channel
 * @channel: the channel
 *
 * Context: any.
 * Return: the name, which does not change, and is valid as long as the channel.
 */
const char *ltt_channel_name(const struct ltt_channel *channel);

/**
 * ltt_channel_get_options() - get the options of a channel
 * @channel: the channel
 * @options: receives them
 *
 * Context: registry lock held.
 */
void ltt_channel_get_options(const struct ltt_channel *channel,
			     struct ltt_channel_options *options);

/**
 * ltt_channel_set_options() - change the options of a channel that has no buffers
 * @channel: the channel
 * @options: copied
 *
 * Context: registry lock held.
 * Return: 0; -EBUSY it has buffers; -EINVAL for values out of range, overwrite and
 * lossless together, or a lossless channel of fewer than 4 sub-buffers.
 */
int ltt_channel_set_options(struct ltt_channel *channel,
			    const struct ltt_channel_options *options);

/**
 * ltt_channel_buf() - get the buffer of a CPU
 * @channel: the channel
 * @cpu: a possible CPU
 *
 * Context: registry lock held, or the caller otherwise keeps the trace from being started
 * and destroyed.
 * Return: the buffer; NULL if it has no memory: the trace was never started, or the CPU was
 * never online.
 */
struct ltt_relay_buf *ltt_channel_buf(struct ltt_channel *channel, int cpu);

/**
 * ltt_channel_has_buffers() - check whether events can be written to a channel
 * @channel: the channel
 *
 * Context: registry lock held.
 * Return: false before the first start, and for a channel that was added later and has had
 * no pattern.
 */
bool ltt_channel_has_buffers(const struct ltt_channel *channel);

/* ---- Events of other modules: without a marker ---- */

/**
 * ltt_channel_add_event() - define an event that the caller writes itself
 * @channel: the channel that receives the records
 * @group: the name of the event in the trace is "group:name"
 * @name: see @group
 * @fields: the fields of the payload; the array must outlive the trace
 * @nr_fields: number of elements in @fields
 *
 * In a trace that has been started it makes the buffers of a channel that has none.
 *
 * Context: may sleep; registry lock held.
 * Return: the event, valid until the trace is destroyed, or ERR_PTR: -ENOMEM,
 * -ENOSPC, or an error of the budget.
 */
struct ltt_event *ltt_channel_add_event(struct ltt_channel *channel, const char *group,
					const char *name, const struct ltt_field *fields,
					unsigned int nr_fields);

/**
 * ltt_event_write() - write one event, if the trace is running
 * @event: from ltt_channel_add_event()
 * @payload: @len bytes, in the layout of the event's fields
 * @len: bytes
 *
 * It belongs to no task: the limits of a trace do not hold it back.
 *
 * Context: any, NMI included.
 */
void ltt_event_write(struct ltt_event *event, const void *payload, size_t len);

#endif /* LTT_CHANNEL_H */
