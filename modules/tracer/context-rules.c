// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which events have which contexts: those of their channel, or those of the last pattern
 * for contexts that matches them.
 *
 * Layer: tracer.  Context: task, registry lock held.
 *
 * An event never changes its contexts.  When they are to change, another event takes its
 * place, with an id and metadata of its own, so that readers need to know of no change.
 */
#include "context.h"
#include "settings.h"
#include "tracer.h"

#include <linux/module.h>
#include <linux/seq_file.h>

/**
 * ltt_contexts_for() - find the contexts of an event
 * @channel: its channel
 * @marker: its marker
 *
 * Return: the list, without a reference; NULL for none.
 */
struct ltt_contexts *ltt_contexts_for(const struct ltt_channel *channel,
				      const struct ltt_marker *marker)
{
	const struct ltt_setting *setting = ltt_setting_for(&channel->trace->context_rules, marker);

	return setting ? setting->value : channel->contexts;
}

static void put_value(void *value)
{
	ltt_contexts_put(value);
}

/**
 * ltt_context_rules_free() - at the end of a trace
 * @trace: the trace
 */
void ltt_context_rules_free(struct ltt_trace *trace)
{
	ltt_settings_free(&trace->context_rules, put_value);
}

int ltt_channel_set_contexts(struct ltt_channel *channel, struct ltt_contexts *contexts)
{
	struct ltt_contexts *old = channel->contexts;
	int err;

	ltt_markers_assert_held();
	channel->contexts = contexts;
	err = ltt_rules_apply(channel->trace);
	if (err) {
		channel->contexts = old;
		ltt_rules_apply(channel->trace);
		return err;
	}
	ltt_contexts_get(contexts);
	ltt_contexts_put(old);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_channel_set_contexts);

struct ltt_contexts *ltt_channel_contexts(const struct ltt_channel *channel)
{
	ltt_markers_assert_held();
	return channel->contexts;
}
EXPORT_SYMBOL_GPL(ltt_channel_contexts);

int ltt_trace_set_contexts(struct ltt_trace *trace, const char *pattern,
			   struct ltt_contexts *contexts)
{
	void *old;
	int err;

	ltt_markers_assert_held();
	err = ltt_setting_set(trace, &trace->context_rules, pattern, contexts, &old);
	if (err)
		return err;
	ltt_contexts_get(contexts);
	ltt_contexts_put(old);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_trace_set_contexts);

int ltt_trace_unset_contexts(struct ltt_trace *trace, const char *pattern)
{
	void *old;
	int err;

	ltt_markers_assert_held();
	err = ltt_setting_unset(trace, &trace->context_rules, pattern, &old);
	if (!err)
		ltt_contexts_put(old);
	return err;
}
EXPORT_SYMBOL_GPL(ltt_trace_unset_contexts);

void ltt_trace_show_contexts(struct ltt_trace *trace, struct seq_file *s)
{
	const struct ltt_setting *setting;
	unsigned int i;

	ltt_markers_assert_held();
	for (i = 0; i < trace->nr_channels; i++)
		seq_printf(s, "channel %s %s\n", trace->channels[i]->name,
			   ltt_contexts_text(trace->channels[i]->contexts));
	list_for_each_entry(setting, &trace->context_rules, node)
		seq_printf(s, "pattern %s:%s %s\n", setting->group, setting->name,
			   ltt_contexts_text(setting->value));
}
EXPORT_SYMBOL_GPL(ltt_trace_show_contexts);
