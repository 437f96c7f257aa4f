// SPDX-License-Identifier: GPL-2.0-only
/*
 * Channels of a trace: options, buffers, and the CTF packet header.
 *
 * Layer: tracer.  Context: task under the registry lock; the packet callbacks
 * run on the writers' slow path, NMI included.
 *
 * The first start of a trace makes the buffers of its channels.  A channel that is added
 * later gets them with its first pattern or event, so that its options can be set before.
 *
 * A channel outlives its trace as long as a reader has one of its buffers open.
 */
#include "context.h"
#include "tracer.h"

#include <linux/err.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

static void packet_begin(struct ltt_relay_buf *buf, void *header, u64 time, u64 seq)
{
	const struct ltt_channel *channel = buf->chan->config.priv;
	struct ltt_ctf_packet *packet = header;

	packet->magic = LTT_CTF_MAGIC;
	memcpy(packet->uuid, channel->uuid.b, sizeof(packet->uuid));
	packet->stream_id = channel->nr;
	packet->timestamp_begin = time;
	packet->packet_seq_num = seq;
	packet->cpu_id = buf->cpu;
}

static void packet_end(struct ltt_relay_buf *buf, void *header, const struct ltt_packet_end *end)
{
	struct ltt_ctf_packet *packet = header;

	packet->timestamp_end = end->time;
	packet->content_size = end->content * 8;
	packet->packet_size = PAGE_ALIGN(end->content) * 8;
	packet->events_discarded = end->refused;
}

static void channel_free(struct kref *ref)
{
	struct ltt_channel *channel = container_of(ref, struct ltt_channel, ref);

	free_percpu(channel->reported);
	free_percpu(channel->filtered);
	kfree(channel);
}

/* The buffers are gone: their last reader has closed. */
static void channel_release(void *priv)
{
	struct ltt_channel *channel = priv;

	kref_put(&channel->ref, channel_free);
}

static void packet_ready(struct ltt_relay_buf *buf)
{
	ltt_news_arrived();
}

static const struct ltt_relay_client client = {
	.owner = THIS_MODULE,
	.begin = packet_begin,
	.end = packet_end,
	.ready = packet_ready,
	.release = channel_release,
};

/**
 * ltt_channel_create() - add a channel to a trace
 * Return: the channel, or ERR_PTR(-ENOMEM).
 */
struct ltt_channel *ltt_channel_create(struct ltt_trace *trace, const char *name,
				       const struct ltt_channel_options *options)
{
	struct ltt_channel *channel = kzalloc(sizeof(*channel), GFP_KERNEL_ACCOUNT);
	int err;

	if (!channel)
		return ERR_PTR(-ENOMEM);
	kref_init(&channel->ref);
	strscpy(channel->name, name, sizeof(channel->name));
	channel->trace = trace;
	channel->nr = trace->nr_channels;
	channel->uuid = trace->uuid;
	channel->options = *options;
	INIT_LIST_HEAD(&channel->events);
	channel->reported = alloc_percpu_gfp(struct ltt_reported, GFP_KERNEL_ACCOUNT);
	channel->filtered = alloc_percpu_gfp(ltt_u64, GFP_KERNEL_ACCOUNT);
	err = channel->reported && channel->filtered ? ltt_metadata_add_stream(channel) : -ENOMEM;
	if (err) {
		kref_put(&channel->ref, channel_free);
		return ERR_PTR(err);
	}
	trace->channels[trace->nr_channels] = channel;
	/* O(channel:A): the channel before its number; pairs with O(channel:B). */
	smp_store_release(&trace->nr_channels, trace->nr_channels + 1);
	return channel;
}

/**
 * ltt_channel_alloc() - make the buffers
 * Return: 0, -ENOMEM, -EINVAL, or what the trace's budget says.
 */
int ltt_channel_alloc(struct ltt_channel *channel)
{
	const struct ltt_relay_config config = {
		.subbuf_size = channel->options.subbuf_size,
		.subbuf_count = channel->options.subbuf_count,
		.overwrite = channel->options.overwrite,
		.wait_ms = channel->options.lossless_ms,
		.header_size = sizeof(struct ltt_ctf_packet),
		.client = &client,
		.priv = channel,
		.budget = channel->trace->budget,
	};
	struct ltt_relay_chan *relay = ltt_relay_create(&config);
	struct ltt_event *event;

	if (IS_ERR(relay))
		return PTR_ERR(relay);
	kref_get(&channel->ref);
	/* O(relay:A): the buffers before the pointer to them; pairs with O(relay:B). */
	smp_store_release(&channel->relay, relay);
	list_for_each_entry(event, &channel->events, node)
		ltt_event_set_path(event);
	return 0;
}

/**
 * ltt_channel_unalloc() - undo ltt_channel_alloc(); nothing was written, and no
 *	event is connected
 */
void ltt_channel_unalloc(struct ltt_channel *channel)
{
	struct ltt_event *event;

	list_for_each_entry(event, &channel->events, node)
		event->bufs = NULL;
	ltt_relay_close(channel->relay);
	channel->relay = NULL;
}

/**
 * ltt_channel_begin() - make the buffers of a channel of a trace that has been started
 * @channel: a channel that was added after the first start; nothing happens if it has buffers
 *
 * Return: as ltt_channel_alloc().
 */
int ltt_channel_begin(struct ltt_channel *channel)
{
	struct ltt_trace *trace = channel->trace;
	int err;

	if (channel->relay || trace->state == LTT_TRACE_CONFIGURING)
		return 0;
	err = ltt_channel_alloc(channel);
	if (err)
		return err;
	ltt_relay_set_quiet(channel->relay, trace->state != LTT_TRACE_RUNNING);
	ltt_trace_notify(trace, LTT_TRACE_CHANNEL);
	return 0;
}

/**
 * ltt_channel_destroy() - the trace is done with it; no writer is left
 */
void ltt_channel_destroy(struct ltt_channel *channel)
{
	struct ltt_event *event, *next;

	list_for_each_entry_safe(event, next, &channel->events, node)
		ltt_event_free(event);
	ltt_contexts_put(channel->contexts);
	free_percpu(channel->stack_tags);
	channel->trace = NULL;
	if (channel->relay)
		ltt_relay_close(channel->relay);
	kref_put(&channel->ref, channel_free);
}

int ltt_trace_may_add_channel(const struct ltt_trace *trace, const char *name)
{
	unsigned int i;

	ltt_markers_assert_held();
	if (!ltt_name_valid(name))
		return -EINVAL;
	if (trace->nr_channels == LTT_CHANNELS_MAX)
		return -ENOSPC;
	/* A data file "metadata" or "index" would be taken for something else. */
	if (!strcmp(name, "metadata") || !strcmp(name, "index"))
		return -EINVAL;
	for (i = 0; i < trace->nr_channels; i++)
		if (!strcmp(trace->channels[i]->name, name))
			return -EEXIST;
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_trace_may_add_channel);

struct ltt_channel *ltt_trace_add_channel(struct ltt_trace *trace, const char *name,
					  const struct ltt_channel_options *options)
{
	int err = ltt_trace_may_add_channel(trace, name);

	if (err)
		return ERR_PTR(err);
	return ltt_channel_create(trace, name, options);
}
EXPORT_SYMBOL_GPL(ltt_trace_add_channel);

struct ltt_channel *ltt_trace_channel(const struct ltt_trace *trace, unsigned int nr)
{
	/* O(channel:B): the number before the channel; pairs with O(channel:A). */
	return nr < smp_load_acquire(&trace->nr_channels) ? trace->channels[nr] : NULL;
}
EXPORT_SYMBOL_GPL(ltt_trace_channel);

const char *ltt_channel_name(const struct ltt_channel *channel)
{
	return channel->name;
}
EXPORT_SYMBOL_GPL(ltt_channel_name);

void ltt_channel_get_options(const struct ltt_channel *channel,
			     struct ltt_channel_options *options)
{
	*options = channel->options;
}
EXPORT_SYMBOL_GPL(ltt_channel_get_options);

int ltt_channel_set_options(struct ltt_channel *channel, const struct ltt_channel_options *options)
{
	ltt_markers_assert_held();
	if (channel->relay)
		return -EBUSY;
	if (!is_power_of_2(options->subbuf_size) || options->subbuf_size < PAGE_SIZE ||
	    options->subbuf_size > 1UL << LTT_SB_ORDER_MAX || !is_power_of_2(options->subbuf_count) ||
	    options->subbuf_count < 2 || options->subbuf_count > SZ_1M)
		return -EINVAL;
	if (options->lossless_ms > LTT_RELAY_WAIT_MAX_MS ||
	    (options->lossless_ms && options->overwrite))
		return -EINVAL;
	/* Of two, the one that a reader is done with, but has not moved past yet, is half
	 * of the buffer: writers would wait for the reader, and the reader for them. */
	if (options->lossless_ms && options->subbuf_count < 4)
		return -EINVAL;
	channel->options = *options;
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_channel_set_options);

struct ltt_relay_buf *ltt_channel_buf(struct ltt_channel *channel, int cpu)
{
	if (!channel->relay || !ltt_relay_has_cpu(channel->relay, cpu))
		return NULL;
	return per_cpu_ptr(channel->relay->bufs, cpu);
}
EXPORT_SYMBOL_GPL(ltt_channel_buf);

bool ltt_channel_has_buffers(const struct ltt_channel *channel)
{
	ltt_markers_assert_held();
	return channel->relay;
}
EXPORT_SYMBOL_GPL(ltt_channel_has_buffers);
