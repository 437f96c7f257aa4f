// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of a channel: identity, metadata, connection to their marker.
 *
 * Layer: tracer.  Context: task, registry lock held.
 *
 * An event keeps its id for the life of the trace: disabled and enabled again,
 * or its module unloaded and loaded again, it is the same event as long as its
 * fields are the same.  So a reader never needs more than the metadata so far.
 */
#include "context.h"
#include "judge.h"
#include "tracer.h"

#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../../core/record.h"

/* The tables of stacks that the buffers of a channel have. */
static int make_tags(struct ltt_channel *channel)
{
	if (!channel->stack_tags)
		channel->stack_tags = alloc_percpu_gfp(struct ltt_stack_tags, GFP_KERNEL_ACCOUNT);
	return channel->stack_tags ? 0 : -ENOMEM;
}

/**
 * ltt_event_create() - define an event; it is in the metadata when this returns
 * @contexts: what its records have besides the thread id; the event takes a reference of its
 *	own.  NULL for nothing
 * Return: the event, or ERR_PTR: -ENOMEM, -ENOSPC (out of ids).
 */
struct ltt_event *ltt_event_create(struct ltt_channel *channel, const char *group,
				   const char *name, bool bare, struct ltt_contexts *contexts,
				   const struct ltt_field *fields, unsigned int nr_fields)
{
	struct ltt_event *event;
	int err = -ENOMEM;

	if (channel->next_id == LTT_EVENT_IDS_MAX)
		return ERR_PTR(-ENOSPC);
	if (contexts && ltt_contexts_have_stack(contexts) && make_tags(channel))
		return ERR_PTR(err);
	event = kzalloc(sizeof(*event), GFP_KERNEL_ACCOUNT);
	if (!event)
		return ERR_PTR(err);
	event->refused = alloc_percpu_gfp(struct ltt_event_refused, GFP_KERNEL_ACCOUNT);
	event->layout = ltt_metadata_layout(fields, nr_fields);
	if (!event->refused || !event->layout)
		goto err_free;
	strscpy(event->group, group, sizeof(event->group));
	strscpy(event->name, name, sizeof(event->name));
	event->bare = bare;
	event->channel = channel;
	event->trace = channel->trace;
	event->sink.gate = channel->trace->gate;
	event->id = channel->next_id;
	event->contexts = contexts;
	if (channel->relay)
		ltt_event_set_path(event);
	err = ltt_metadata_add_event(event, fields, nr_fields);
	if (err)
		goto err_free;
	ltt_contexts_get(contexts);
	channel->next_id++;
	list_add_tail(&event->node, &channel->events);
	hash_add(channel->trace->events_by_name, &event->by_name, ltt_event_hash(name));
	return event;

err_free:
	free_percpu(event->refused);
	kfree(event->layout);
	kfree(event);
	return ERR_PTR(err);
}

/* The ways of some lists of contexts that need no loop. */
static void (*const short_ways[LTT_SHAPES])(const struct ltt_sink *sink, const void *payload,
					    size_t len) = {
	[LTT_SHAPE_ANY] = ltt_event_write_any,
	[LTT_SHAPE_PID] = ltt_event_write_pid,
	[LTT_SHAPE_COMM] = ltt_event_write_comm,
	[LTT_SHAPE_PID_COMM] = ltt_event_write_pid_comm,
};

/* An id from LTT_COMPACT_IDS on has another header: the general way. */
static void set_path_with_contexts(struct ltt_event *event)
{
	if (event->channel->relay->config.wait_ms)
		event->sink.write = ltt_event_write_any_lossless;
	else if (event->id < LTT_COMPACT_IDS)
		event->sink.write = short_ways[event->contexts->shape];
	else
		event->sink.write = ltt_event_write_any;
}

/**
 * ltt_event_set_path() - the channel has buffers: say how events get there
 */
void ltt_event_set_path(struct ltt_event *event)
{
	struct ltt_relay_chan *relay = event->channel->relay;

	event->bufs = relay->bufs;
	event->sink.pause = NULL;
	event->sink.refuse = ltt_event_refuse;
	/* A flight recorder is never full. */
	event->sink.room = (void __percpu *)relay->bufs + offsetof(struct ltt_relay_buf,
								    ring.read_pos);
	if (relay->config.wait_ms) {
		event->sink.write = ltt_event_write_lossless;
		event->sink.refuse = ltt_event_refuse_lossless;
		event->sink.pause = ltt_event_pause;
	} else if (event->id < LTT_COMPACT_IDS) {
		event->sink.write = ltt_event_write_compact;
	} else {
		event->sink.write = ltt_event_write_medium;
	}
	if (event->contexts)
		set_path_with_contexts(event);
	if (event->expression)
		ltt_event_set_judged(event);
}

/**
 * ltt_event_free() - at the end of the trace, disconnected and synchronised
 */
void ltt_event_free(struct ltt_event *event)
{
	list_del(&event->node);
	hash_del(&event->by_name);
	ltt_event_free_judge(event);
	ltt_contexts_put(event->contexts);
	free_percpu(event->refused);
	kfree(event->layout);
	kfree(event);
}

/**
 * ltt_event_has_contexts() - check whether an event has the contexts that it is to have
 * @event: the event
 * @contexts: the list; NULL for none
 */
bool ltt_event_has_contexts(const struct ltt_event *event, const struct ltt_contexts *contexts)
{
	return event->contexts == contexts ||
	       !strcmp(ltt_contexts_text(event->contexts), ltt_contexts_text(contexts));
}

/**
 * ltt_event_for_marker() - the event of a marker in a channel, new if need be
 * @contexts: the contexts that it is to have; NULL for none
 * Return: the event, or ERR_PTR as ltt_event_create().
 */
struct ltt_event *ltt_event_for_marker(struct ltt_channel *channel, struct ltt_marker *marker,
				       struct ltt_contexts *contexts)
{
	bool bare = marker->flags & LTT_MARKER_BARE;
	struct ltt_event *event;
	char *layout;

	layout = ltt_metadata_layout(marker->fields, marker->nr_fields);
	if (!layout)
		return ERR_PTR(-ENOMEM);
	hash_for_each_possible(channel->trace->events_by_name, event, by_name,
			       ltt_event_hash(marker->name))
		if (event->channel == channel &&
		    !strcmp(event->name, marker->name) && !strcmp(event->group, marker->group) &&
		    !strcmp(event->layout, layout) && event->bare == bare &&
		    ltt_event_has_contexts(event, contexts) &&
		    (!event->marker || event->marker == marker))
			goto found;
	event = ltt_event_create(channel, marker->group, marker->name, bare, contexts,
				 marker->fields, marker->nr_fields);
found:
	kfree(layout);
	if (!IS_ERR(event))
		event->marker = marker;
	return event;
}

static u64 provider_missed(const struct ltt_event *event)
{
	return event->marker->ops->missed ? event->marker->ops->missed(event->marker) : 0;
}

/**
 * ltt_event_missed() - events that the provider lost while the event was connected
 */
u64 ltt_event_missed(const struct ltt_event *event)
{
	return event->missed + (event->connected ? provider_missed(event) - event->missed_before : 0);
}

/**
 * ltt_event_connect() - let the marker write to us, unless the event waits for a program
 * Return: 0 or the marker's error.
 */
int ltt_event_connect(struct ltt_event *event)
{
	int err;

	if (event->connected || !event->marker || ltt_event_waits(event))
		return 0;
	event->sink.gate = ltt_event_begins(event) ? event->trace->first_gate : event->trace->gate;
	event->missed_before = provider_missed(event);
	err = ltt_marker_connect(event->marker, &event->sink);
	event->connected = !err;
	return err;
}

/**
 * ltt_event_disconnect() - undo it; calls end with ltt_marker_synchronize()
 * Return: true if it was connected.
 */
bool ltt_event_disconnect(struct ltt_event *event)
{
	bool was = event->connected;

	if (was) {
		event->missed = ltt_event_missed(event);
		ltt_marker_disconnect(event->marker, &event->sink);
	}
	event->connected = false;
	return was;
}

/**
 * ltt_events_disconnect() - all of a trace
 * Return: true if any was connected.
 */
bool ltt_events_disconnect(struct ltt_trace *trace)
{
	struct ltt_event *event;
	bool any = false;
	unsigned int i;

	for (i = 0; i < trace->nr_channels; i++)
		list_for_each_entry(event, &trace->channels[i]->events, node)
			any |= ltt_event_disconnect(event);
	return any;
}

/**
 * ltt_events_connect() - all of a trace that are enabled
 * Return: 0, or the first error with none connected.
 */
int ltt_events_connect(struct ltt_trace *trace)
{
	struct ltt_event *event;
	unsigned int i;
	int err;

	for (i = 0; i < trace->nr_channels; i++) {
		list_for_each_entry(event, &trace->channels[i]->events, node) {
			if (!event->enabled)
				continue;
			err = ltt_event_connect(event);
			if (err) {
				ltt_events_disconnect(trace);
				return err;
			}
		}
	}
	return 0;
}

struct ltt_event *ltt_channel_add_event(struct ltt_channel *channel, const char *group,
					const char *name, const struct ltt_field *fields,
					unsigned int nr_fields)
{
	int err;

	ltt_markers_assert_held();
	/* It can be written from now on. */
	err = ltt_channel_begin(channel);
	if (err)
		return ERR_PTR(err);
	return ltt_event_create(channel, group, name, false, NULL, fields, nr_fields);
}
EXPORT_SYMBOL_GPL(ltt_channel_add_event);
