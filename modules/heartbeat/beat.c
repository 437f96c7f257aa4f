// SPDX-License-Identifier: GPL-2.0-only
/*
 * The beat of a trace: every period, on every CPU, an event "ltt:heartbeat" in
 * each channel, and a flush, so that live readers progress and see that the
 * tracer is alive.
 *
 * Layer: heartbeat.  Context: task (a work item), and an interrupt on each CPU.
 *
 * Locking: the registry lock guards the list of beats.  The work item does not take
 * it: it runs only between STARTED and STOPPING, when the trace's channels and the
 * beat's events do not change.
 */
#include "heartbeat.h"

#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include <ltt/channel.h>
#include <ltt/flush.h>
#include <ltt/heartbeat.h>
#include <ltt/registry.h>
#include <ltt/trace.h>

struct beat_payload {
	u64 count;
	u32 period_ms;
} __packed;

static const struct ltt_field beat_fields[] = {
	{ .name = "count", .type = "u64", .kind = LTT_FIELD_INT, .size = 8, .base = 10 },
	{ .name = "period_ms", .type = "u32", .kind = LTT_FIELD_INT, .size = 4, .base = 10 },
};

/**
 * struct beat - the beat of one trace
 * @trace: the trace
 * @ms: period in milliseconds, 0 for none
 * @count: beats so far
 * @event: the heartbeat event of each channel that has buffers; NULL for others
 * @work: runs do_beat()
 * @node: in the list of beats
 */
struct beat {
	struct ltt_trace *trace;
	unsigned int ms;
	u64 count;
	struct ltt_event *event[LTT_CHANNELS_MAX];
	struct delayed_work work;
	struct list_head node;
};

static LIST_HEAD(beats);

static struct beat *find(const struct ltt_trace *trace)
{
	struct beat *beat;

	list_for_each_entry(beat, &beats, node)
		if (beat->trace == trace)
			return beat;
	return NULL;
}

static void beat_here(void *arg)
{
	const struct beat *beat = arg;
	const struct beat_payload payload = { .count = beat->count, .period_ms = beat->ms };
	struct ltt_event *event;
	unsigned int i;

	for (i = 0; i < LTT_CHANNELS_MAX; i++) {
		/* O(beat:B): the pointer before the event; pairs with O(beat:A). */
		event = smp_load_acquire(&beat->event[i]);
		if (event)
			ltt_event_write(event, &payload, sizeof(payload));
	}
}

static void do_beat(struct work_struct *work)
{
	struct beat *beat = container_of(work, struct beat, work.work);

	beat->count++;
	on_each_cpu(beat_here, beat, true);
	ltt_trace_flush(beat->trace);
	queue_delayed_work(system_dfl_wq, &beat->work, msecs_to_jiffies(beat->ms));
}

static int define_events(struct beat *beat)
{
	struct ltt_channel *channel;
	unsigned int i;

	for (i = 0; (channel = ltt_trace_channel(beat->trace, i)); i++) {
		struct ltt_event *event;

		if (beat->event[i] || !ltt_channel_has_buffers(channel))
			continue;
		event = ltt_channel_add_event(channel, "ltt", "heartbeat", beat_fields,
					      ARRAY_SIZE(beat_fields));
		if (IS_ERR(event))
			return PTR_ERR(event);
		/* O(beat:A): the event before the pointer, for a channel that comes while the
		 * trace runs; pairs with O(beat:B). */
		smp_store_release(&beat->event[i], event);
	}
	return 0;
}

static void begin(struct beat *beat)
{
	queue_delayed_work(system_dfl_wq, &beat->work, msecs_to_jiffies(beat->ms));
}

int ltt_heartbeat_set_period(struct ltt_trace *trace, unsigned int ms)
{
	bool running = ltt_trace_get_state(trace) == LTT_TRACE_RUNNING;
	struct beat *beat = find(trace);
	int err;

	ltt_markers_assert_held();
	if (ms > LTT_HEARTBEAT_MS_MAX)
		return -EINVAL;
	if (!beat) {
		beat = kzalloc(sizeof(*beat), GFP_KERNEL_ACCOUNT);
		if (!beat)
			return -ENOMEM;
		beat->trace = trace;
		INIT_DELAYED_WORK(&beat->work, do_beat);
		list_add(&beat->node, &beats);
	}
	if (ms && running) {
		err = define_events(beat);
		if (err)
			return err;
	}
	cancel_delayed_work_sync(&beat->work);
	beat->ms = ms;
	if (ms && running)
		begin(beat);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_heartbeat_set_period);

unsigned int ltt_heartbeat_get_period(struct ltt_trace *trace)
{
	struct beat *beat = find(trace);

	ltt_markers_assert_held();
	return beat ? beat->ms : 0;
}
EXPORT_SYMBOL_GPL(ltt_heartbeat_get_period);

static int trace_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct beat *beat = find(data);

	if (!beat)
		return NOTIFY_DONE;
	switch (action) {
	case LTT_TRACE_STARTING:
		/* The metadata must have the events before the first beat. */
		return notifier_from_errno(beat->ms ? define_events(beat) : 0);
	case LTT_TRACE_STARTED:
		if (beat->ms)
			begin(beat);
		break;
	case LTT_TRACE_CHANNEL:
		/* Without memory the channel has no beat, no more. */
		if (beat->ms)
			define_events(beat);
		break;
	case LTT_TRACE_STOPPING:
		cancel_delayed_work_sync(&beat->work);
		break;
	case LTT_TRACE_GOING:
		list_del(&beat->node);
		kfree(beat);
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block trace_notifier = { .notifier_call = trace_notify };

int __init ltt_beat_init(void)
{
	int err;

	ltt_markers_lock();
	err = ltt_trace_notifier_register(&trace_notifier);
	ltt_markers_unlock();
	return err;
}

/* A trace that exists when this module is unloaded loses its beat.  (Faces use this
 * module, so none is loaded then.) */
void ltt_beat_exit(void)
{
	struct beat *beat, *next;

	ltt_markers_lock();
	ltt_trace_notifier_unregister(&trace_notifier);
	list_for_each_entry_safe(beat, next, &beats, node) {
		cancel_delayed_work_sync(&beat->work);
		kfree(beat);
	}
	ltt_markers_unlock();
}
