// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a trace.
 *
 * Layer: tracer.  Context: task, registry lock held.
 */
#include "context.h"
#include "judge.h"
#include "tracer.h"

#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <ltt/metadata.h>

/* All traces of all faces; guarded by the registry lock. */
LIST_HEAD(ltt_traces);

/* Called and changed under the registry lock. */
static RAW_NOTIFIER_HEAD(notifiers);

/* The names of things are few and must not be lost: small, but not tiny. */
static const struct ltt_channel_options state_options = {
	.subbuf_size = SZ_256K,
	.subbuf_count = 4,
};

static const struct ltt_channel_options events_options = {
	.subbuf_size = SZ_1M,
	.subbuf_count = 4,
};

static void free_trace(struct ltt_trace *trace)
{
	unsigned int i;

	for (i = 0; i < trace->nr_channels; i++)
		ltt_channel_destroy(trace->channels[i]);
	ltt_rules_free(trace);
	ltt_context_rules_free(trace);
	ltt_filter_rules_free(trace);
	ltt_gates_free(trace);
	if (!IS_ERR_OR_NULL(trace->metadata))
		ltt_metadata_put(trace->metadata);
	ltt_budget_put(trace->budget);
	kfree(trace->first);
	kfree(trace);
}

static int add_default_channels(struct ltt_trace *trace)
{
	struct ltt_channel *channel = ltt_channel_create(trace, LTT_CHANNEL_STATE,
							 &state_options);

	if (!IS_ERR(channel))
		channel = ltt_channel_create(trace, LTT_CHANNEL_EVENTS, &events_options);
	return PTR_ERR_OR_ZERO(channel);
}

struct ltt_trace *ltt_trace_create(const char *name, const void *face)
{
	struct ltt_trace *trace;
	int err;

	ltt_markers_assert_held();
	if (!ltt_name_valid(name))
		return ERR_PTR(-EINVAL);
	if (ltt_trace_find(name, face))
		return ERR_PTR(-EEXIST);
	trace = kzalloc(sizeof(*trace), GFP_KERNEL_ACCOUNT);
	if (!trace)
		return ERR_PTR(-ENOMEM);
	strscpy(trace->name, name, sizeof(trace->name));
	trace->face = face;
	trace->state = LTT_TRACE_CONFIGURING;
	uuid_gen(&trace->uuid);
	INIT_LIST_HEAD(&trace->rules);
	INIT_LIST_HEAD(&trace->staged);
	INIT_LIST_HEAD(&trace->context_rules);
	INIT_LIST_HEAD(&trace->filter_rules);
	err = ltt_gates_create(trace);
	if (!err) {
		trace->metadata = ltt_metadata_create(trace);
		err = PTR_ERR_OR_ZERO(trace->metadata);
	}
	if (!err)
		err = add_default_channels(trace);
	if (!err)
		err = ltt_state_define(trace);
	if (!err)
		err = ltt_rules_apply(trace);
	if (err) {
		free_trace(trace);
		return ERR_PTR(err);
	}
	list_add_tail(&trace->node, &ltt_traces);
	return trace;
}
EXPORT_SYMBOL_GPL(ltt_trace_create);

struct ltt_trace *ltt_trace_find(const char *name, const void *face)
{
	struct ltt_trace *trace;

	ltt_markers_assert_held();
	list_for_each_entry(trace, &ltt_traces, node)
		if (trace->face == face && !strcmp(trace->name, name))
			return trace;
	return NULL;
}
EXPORT_SYMBOL_GPL(ltt_trace_find);

const void *ltt_trace_face(const struct ltt_trace *trace)
{
	ltt_markers_assert_held();
	return trace->face;
}
EXPORT_SYMBOL_GPL(ltt_trace_face);

void ltt_trace_set_face(struct ltt_trace *trace, const void *face)
{
	ltt_markers_assert_held();
	trace->face = face;
}
EXPORT_SYMBOL_GPL(ltt_trace_set_face);

void ltt_trace_set_budget(struct ltt_trace *trace, struct ltt_budget *budget)
{
	ltt_markers_assert_held();
	ltt_budget_put(trace->budget);
	trace->budget = ltt_budget_get(budget);
}
EXPORT_SYMBOL_GPL(ltt_trace_set_budget);

static void unalloc_channels(struct ltt_trace *trace, unsigned int nr)
{
	while (nr--)
		ltt_channel_unalloc(trace->channels[nr]);
}

/* All or none: after an error the options can be changed and tried again. */
static int alloc_channels(struct ltt_trace *trace)
{
	unsigned int i;
	int err;

	for (i = 0; i < trace->nr_channels; i++) {
		err = ltt_channel_alloc(trace->channels[i]);
		if (err) {
			unalloc_channels(trace, i);
			return err;
		}
	}
	return 0;
}

/* A channel that was added after the first start may have no buffers. */
static void set_quiet(struct ltt_trace *trace, bool quiet)
{
	unsigned int i;

	for (i = 0; i < trace->nr_channels; i++)
		if (trace->channels[i]->relay)
			ltt_relay_set_quiet(trace->channels[i]->relay, quiet);
}

int ltt_trace_start(struct ltt_trace *trace)
{
	bool first = trace->state == LTT_TRACE_CONFIGURING;
	int err;

	ltt_markers_assert_held();
	if (trace->state == LTT_TRACE_RUNNING)
		return -EALREADY;
	if (first) {
		err = alloc_channels(trace);
		if (err)
			return err;
	}
	err = ltt_events_connect(trace);
	if (err)
		goto err_connect;
	err = notifier_to_errno(raw_notifier_call_chain_robust(&notifiers, LTT_TRACE_STARTING,
							       LTT_TRACE_NOT_STARTED, trace));
	if (err)
		goto err_notify;
	trace->why[0] = '\0';
	trace->is_triggered = false;
	trace->state = LTT_TRACE_RUNNING;
	set_quiet(trace, false);
	WRITE_ONCE(trace->active, 1);
	ltt_gates_open(trace);
	ltt_state_begin(trace);
	raw_notifier_call_chain(&notifiers, LTT_TRACE_STARTED, trace);
	return 0;

err_notify:
	ltt_events_disconnect(trace);
	/* Callees of the start notification may be looking at the channels. */
	synchronize_rcu();
err_connect:
	/* Those that were connected may be looking at the gates. */
	ltt_marker_synchronize();
	if (first)
		unalloc_channels(trace, trace->nr_channels);
	return err;
}
EXPORT_SYMBOL_GPL(ltt_trace_start);

int ltt_trace_stop(struct ltt_trace *trace)
{
	ltt_markers_assert_held();
	if (trace->state != LTT_TRACE_RUNNING)
		return -EALREADY;
	ltt_state_finish(trace);
	/* The names that the trace began with may have been overwritten. */
	if (trace->channels[0]->options.overwrite)
		ltt_trace_list_tasks(trace);
	raw_notifier_call_chain(&notifiers, LTT_TRACE_STOPPING, trace);
	WRITE_ONCE(trace->active, 0);
	ltt_gates_shut(trace);
	ltt_events_disconnect(trace);
	/* Writers that came before: in probes, and in ltt_event_write(). */
	ltt_marker_synchronize();
	synchronize_rcu();
	trace->state = LTT_TRACE_STOPPED;
	WRITE_ONCE(trace->armed, LTT_BEGUN);
	set_quiet(trace, true);
	if (trace->why[0] && !trace->is_triggered)
		pr_warn("ltt: trace %s was stopped: %s\n", trace->name, trace->why);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_trace_stop);

void ltt_trace_destroy(struct ltt_trace *trace)
{
	ltt_markers_assert_held();
	ltt_trace_stop(trace);
	raw_notifier_call_chain(&notifiers, LTT_TRACE_GOING, trace);
	list_del(&trace->node);
	free_trace(trace);
}
EXPORT_SYMBOL_GPL(ltt_trace_destroy);

enum ltt_trace_state ltt_trace_get_state(const struct ltt_trace *trace)
{
	return trace->state;
}
EXPORT_SYMBOL_GPL(ltt_trace_get_state);

const char *ltt_trace_name(const struct ltt_trace *trace)
{
	return trace->name;
}
EXPORT_SYMBOL_GPL(ltt_trace_name);

const uuid_t *ltt_trace_uuid(const struct ltt_trace *trace)
{
	return &trace->uuid;
}
EXPORT_SYMBOL_GPL(ltt_trace_uuid);

const struct ltt_clock_info *ltt_trace_clock(const struct ltt_trace *trace)
{
	return &trace->clock;
}
EXPORT_SYMBOL_GPL(ltt_trace_clock);

void ltt_trace_flush(struct ltt_trace *trace)
{
	struct ltt_channel *channel;
	struct ltt_relay_chan *relay;
	unsigned int i;

	for (i = 0; (channel = ltt_trace_channel(trace, i)); i++) {
		/* O(relay:B): the pointer before the buffers; pairs with O(relay:A). */
		relay = smp_load_acquire(&channel->relay);
		if (relay && !channel->options.overwrite)
			ltt_relay_flush(relay);
	}
}
EXPORT_SYMBOL_GPL(ltt_trace_flush);

u64 ltt_trace_try_flush(struct ltt_trace *trace, u64 asked)
{
	u64 now = ktime_get_ns();

	ltt_markers_assert_held();
	if (trace->flushed > asked)
		return 0;
	if (trace->flushed && now - trace->flushed < LTT_FLUSH_INTERVAL_NS)
		return LTT_FLUSH_INTERVAL_NS - (now - trace->flushed);
	trace->flushed = now;
	ltt_trace_flush(trace);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_trace_try_flush);

int ltt_trace_snapshot(struct ltt_trace *trace)
{
	bool any = false;
	unsigned int i;

	ltt_markers_assert_held();
	if (trace->state == LTT_TRACE_CONFIGURING)
		return -EINVAL;
	ltt_state_finish(trace);
	for (i = 0; i < trace->nr_channels; i++) {
		if (!trace->channels[i]->options.overwrite || !trace->channels[i]->relay)
			continue;
		ltt_relay_snapshot(trace->channels[i]->relay);
		any = true;
	}
	/* The state channel's names belong to what was just taken. */
	ltt_trace_flush(trace);
	return any ? 0 : -ENOENT;
}
EXPORT_SYMBOL_GPL(ltt_trace_snapshot);

/**
 * ltt_trace_notify() - notify of something that cannot be refused
 * @trace: the trace
 * @action: LTT_TRACE_CHANNEL
 */
void ltt_trace_notify(struct ltt_trace *trace, unsigned long action)
{
	raw_notifier_call_chain(&notifiers, action, trace);
}

int ltt_trace_notifier_register(struct notifier_block *nb)
{
	ltt_markers_assert_held();
	return raw_notifier_chain_register(&notifiers, nb);
}
EXPORT_SYMBOL_GPL(ltt_trace_notifier_register);

int ltt_trace_notifier_unregister(struct notifier_block *nb)
{
	ltt_markers_assert_held();
	return raw_notifier_chain_unregister(&notifiers, nb);
}
EXPORT_SYMBOL_GPL(ltt_trace_notifier_unregister);

int ltt_trace_for_each(int (*fn)(struct ltt_trace *trace, void *arg), void *arg)
{
	struct ltt_trace *trace;
	int ret = 0;

	ltt_markers_assert_held();
	list_for_each_entry(trace, &ltt_traces, node) {
		ret = fn(trace, arg);
		if (ret)
			break;
	}
	return ret;
}
EXPORT_SYMBOL_GPL(ltt_trace_for_each);
