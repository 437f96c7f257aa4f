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
#include "tracer.h"

#include <linux/err.h>
#include <linux/glob.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

/**
 * struct ltt_context_rule - the contexts of the events that a pattern matches
 * @node: in the trace's list, in the order of the commands
 * @contexts: the list, with a reference; NULL for none
 * @group: glob of groups
 * @name: glob of names
 */
struct ltt_context_rule {
	struct list_head node;
	struct ltt_contexts *contexts;
	char group[LTT_PATTERN_MAX];
	char name[LTT_PATTERN_MAX];
};

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
	struct ltt_context_rule *rule;

	list_for_each_entry_reverse(rule, &channel->trace->context_rules, node)
		if (ltt_marker_matches(marker, rule->group, rule->name))
			return rule->contexts;
	return channel->contexts;
}

static void free_rule(struct ltt_context_rule *rule)
{
	ltt_contexts_put(rule->contexts);
	kfree(rule);
}

/**
 * ltt_context_rules_free() - at the end of a trace
 * @trace: the trace
 */
void ltt_context_rules_free(struct ltt_trace *trace)
{
	struct ltt_context_rule *rule, *next;

	list_for_each_entry_safe(rule, next, &trace->context_rules, node)
		free_rule(rule);
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

static struct ltt_context_rule *find_same(struct ltt_trace *trace, const char *group,
					  const char *name)
{
	struct ltt_context_rule *rule;

	list_for_each_entry(rule, &trace->context_rules, node)
		if (!strcmp(rule->group, group) && !strcmp(rule->name, name))
			return rule;
	return NULL;
}

static unsigned int count_rules(const struct ltt_trace *trace)
{
	const struct list_head *node;
	unsigned int nr = 0;

	list_for_each(node, &trace->context_rules)
		nr++;
	return nr;
}

int ltt_trace_set_contexts(struct ltt_trace *trace, const char *pattern,
			   struct ltt_contexts *contexts)
{
	struct ltt_context_rule *rule, *old;
	int err = -EINVAL;

	ltt_markers_assert_held();
	rule = kzalloc(sizeof(*rule), GFP_KERNEL_ACCOUNT);
	if (!rule)
		return -ENOMEM;
	if (!ltt_pattern_split(pattern, rule->group, rule->name))
		goto err_free;
	old = find_same(trace, rule->group, rule->name);
	err = -EDQUOT;
	if (!old && count_rules(trace) == LTT_CONTEXT_RULES_MAX)
		goto err_free;
	rule->contexts = ltt_contexts_get(contexts);
	list_add_tail(&rule->node, &trace->context_rules);
	err = ltt_rules_apply(trace);
	if (err)
		goto err_apply;
	if (old) {
		list_del(&old->node);
		free_rule(old);
	}
	return 0;

err_apply:
	list_del(&rule->node);
	ltt_rules_apply(trace);
	ltt_contexts_put(rule->contexts);
err_free:
	kfree(rule);
	return err;
}
EXPORT_SYMBOL_GPL(ltt_trace_set_contexts);

int ltt_trace_unset_contexts(struct ltt_trace *trace, const char *pattern)
{
	char group[LTT_PATTERN_MAX], name[LTT_PATTERN_MAX];
	struct ltt_context_rule *rule;
	struct list_head *before;
	int err;

	ltt_markers_assert_held();
	if (!ltt_pattern_split(pattern, group, name))
		return -EINVAL;
	rule = find_same(trace, group, name);
	if (!rule)
		return -ENOENT;
	before = rule->node.prev;
	list_del(&rule->node);
	err = ltt_rules_apply(trace);
	if (err) {
		list_add(&rule->node, before);
		ltt_rules_apply(trace);
		return err;
	}
	free_rule(rule);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_trace_unset_contexts);

void ltt_trace_show_contexts(struct ltt_trace *trace, struct seq_file *s)
{
	struct ltt_context_rule *rule;
	unsigned int i;

	ltt_markers_assert_held();
	for (i = 0; i < trace->nr_channels; i++)
		seq_printf(s, "channel %s %s\n", trace->channels[i]->name,
			   ltt_contexts_text(trace->channels[i]->contexts));
	list_for_each_entry(rule, &trace->context_rules, node)
		seq_printf(s, "pattern %s:%s %s\n", rule->group, rule->name,
			   ltt_contexts_text(rule->contexts));
}
EXPORT_SYMBOL_GPL(ltt_trace_show_contexts);
