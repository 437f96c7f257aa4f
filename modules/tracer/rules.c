// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which markers are events of which trace: the patterns, applied to the markers
 * there are and to those that come.
 *
 * Layer: tracer.  Context: task, registry lock held.
 */
#include "context.h"
#include "judge.h"
#include "tracer.h"

#include <linux/err.h>
#include <linux/glob.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <ltt/rules.h>

/* The events of the state channel, so that even a flight recorder has the names of
 * tasks.  An event is in one channel only: no pattern moves these, but in a trace without
 * names, see ltt_trace_set_nameless(). */
static const char *const state_events[][2] = {
	{ "sched", "sched_process_fork" },
	{ "sched", "sched_process_exec" },
	{ "sched", "sched_process_exit" },
	{ "task", "task_rename" },
};

static bool rule_matches(const struct ltt_rule *rule, const struct ltt_marker *marker)
{
	return ltt_marker_matches(marker, rule->group, rule->name);
}

/* The channel that this marker's event belongs to now, or NULL. */
static struct ltt_channel *decide(struct ltt_trace *trace, const struct ltt_marker *marker)
{
	struct ltt_rule *rule;
	unsigned int i;

	for (i = 0; !trace->nameless && i < ARRAY_SIZE(state_events); i++)
		if (!strcmp(marker->group, state_events[i][0]) &&
		    !strcmp(marker->name, state_events[i][1]))
			return trace->channels[0];
	list_for_each_entry_reverse(rule, &trace->rules, node)
		if (rule_matches(rule, marker))
			return rule->enable ? rule->channel : NULL;
	return NULL;
}

/* The filter of this marker's event in @channel. */
static struct ltt_expression *filter_in(const struct ltt_channel *channel,
					const struct ltt_marker *marker)
{
	const struct ltt_trace *trace = channel->trace;

	if (channel == trace->channels[0])
		return ltt_expression_named(trace, marker);
	return ltt_expression_for(trace, marker);
}

/* The state of one pass over the markers. */
struct pass {
	struct ltt_trace *trace;
	bool disconnected;
	int err;
};

static int apply_marker(struct ltt_marker *marker, void *arg)
{
	struct pass *pass = arg;
	struct ltt_trace *trace = pass->trace;
	struct ltt_channel *want = decide(trace, marker);
	struct ltt_contexts *contexts = want ? ltt_contexts_for(want, marker) : NULL;
	struct ltt_event *event, *wanted = NULL, *former = NULL;
	int err;

	hash_for_each_possible(trace->events_by_name, event, by_name, ltt_event_hash(marker->name)) {
		if (event->marker != marker)
			continue;
		if (event->channel == want && ltt_event_has_contexts(event, contexts)) {
			wanted = event;
			continue;
		}
		if (event->enabled)
			former = event;
		event->enabled = false;
		pass->disconnected |= ltt_event_disconnect(event);
	}
	if (!want)
		return 0;
	if (!wanted)
		wanted = ltt_event_for_marker(want, marker, contexts);
	if (IS_ERR(wanted))
		return PTR_ERR(wanted);
	err = ltt_event_set_filter(wanted, filter_in(want, marker), &pass->disconnected);
	if (err)
		return err;
	if (former)
		ltt_event_take_judge(wanted, former);
	wanted->enabled = true;
	return trace->state == LTT_TRACE_RUNNING ? ltt_event_connect(wanted) : 0;
}

/* On after an error: one event that cannot be had must not keep others on that have been
 * disabled, or that are being undone. */
static int apply_next(struct ltt_marker *marker, void *arg)
{
	struct pass *pass = arg;
	int err = apply_marker(marker, pass);

	if (!pass->err)
		pass->err = err;
	/* Thousands of patterns may have been compared. */
	cond_resched();
	return 0;
}

/**
 * ltt_rules_apply() - make the events what the rules say
 * Return: 0, or the first error; what could be done is done.
 */
int ltt_rules_apply(struct ltt_trace *trace)
{
	struct pass pass = { .trace = trace };

	ltt_marker_for_each(apply_next, &pass);
	if (pass.disconnected)
		ltt_marker_synchronize();
	return pass.err;
}

/**
 * ltt_pattern_split() - get the globs of a pattern
 * @pattern: "group:name", or "name" of any group
 * @group: receives the glob of groups
 * @name: receives the glob of names
 *
 * Return: false if @pattern is none.
 */
bool ltt_pattern_split(const char *pattern, char group[LTT_PATTERN_MAX],
		       char name[LTT_PATTERN_MAX])
{
	const char *colon = strchr(pattern, ':');

	/* "!" before a pattern takes it away, and shows that it was. */
	if (!ltt_pattern_valid(pattern))
		return false;
	if (colon) {
		strscpy(group, pattern, colon - pattern + 1);
		strscpy(name, colon + 1, LTT_PATTERN_MAX);
	} else {
		strscpy(group, "*", LTT_PATTERN_MAX);
		strscpy(name, pattern, LTT_PATTERN_MAX);
	}
	return true;
}

static struct ltt_channel *find_channel(struct ltt_trace *trace, const char *name)
{
	unsigned int i;

	for (i = 0; i < trace->nr_channels; i++)
		if (!strcmp(trace->channels[i]->name, name))
			return trace->channels[i];
	return NULL;
}

static struct ltt_rule *find_same(struct list_head *rules, const struct ltt_rule *like)
{
	struct ltt_rule *rule;

	list_for_each_entry(rule, rules, node)
		if (!strcmp(rule->group, like->group) && !strcmp(rule->name, like->name))
			return rule;
	return NULL;
}

static bool is_literal(const char *glob)
{
	return !strpbrk(glob, "*?[");
}

/* Is the name in the rule one that a marker of another name has as its alias? */
static int is_alias(struct ltt_marker *marker, void *arg)
{
	const struct ltt_rule *rule = arg;

	return marker->alias && !strcmp(rule->name, marker->alias) &&
	       strcmp(rule->name, marker->name) && glob_match(rule->group, marker->group);
}

static bool is_wide(struct ltt_rule *rule)
{
	return !is_literal(rule->group) || !is_literal(rule->name) ||
	       ltt_marker_for_each(is_alias, rule);
}

/* Is there a rule that can enable more than the one event it names? */
static bool any_wide(struct list_head *rules)
{
	struct ltt_rule *rule;

	list_for_each_entry(rule, rules, node) {
		if (rule->enable && is_wide(rule))
			return true;
		/* Each of thousands of rules is compared with all markers. */
		cond_resched();
	}
	return false;
}

/* Does the rule match anything that is enabled? */
static bool matches_enabled(struct ltt_trace *trace, const struct ltt_rule *rule)
{
	struct ltt_event *event;
	unsigned int i;

	for (i = 1; i < trace->nr_channels; i++)
		list_for_each_entry(event, &trace->channels[i]->events, node)
			if (event->enabled && event->marker && rule_matches(rule, event->marker))
				return true;
	return false;
}

/* Does everything that @rule matches match @by too?  May say no wrongly. */
static bool subsumed(const struct ltt_rule *rule, const struct ltt_rule *by)
{
	return (!strcmp(by->group, "*") || !strcmp(by->group, rule->group) ||
		(is_literal(rule->group) && glob_match(by->group, rule->group))) &&
	       (!strcmp(by->name, "*") || !strcmp(by->name, rule->name) ||
		(is_literal(rule->name) && glob_match(by->name, rule->name)));
}

static void drop_subsumed(struct list_head *rules, const struct ltt_rule *by)
{
	struct ltt_rule *rule, *next;

	list_for_each_entry_safe(rule, next, rules, node) {
		if (subsumed(rule, by)) {
			list_del(&rule->node);
			kfree(rule);
		}
	}
}

static unsigned int count_rules(const struct list_head *rules)
{
	const struct list_head *node;
	unsigned int nr = 0;

	list_for_each(node, rules)
		nr++;
	return nr;
}

static void free_rules(struct list_head *rules)
{
	struct ltt_rule *rule, *next;

	list_for_each_entry_safe(rule, next, rules, node)
		kfree(rule);
	INIT_LIST_HEAD(rules);
}

static int copy_rules(struct ltt_trace *to, struct list_head *rules, struct list_head *from)
{
	struct ltt_rule *rule, *copy;

	list_for_each_entry(rule, from, node) {
		copy = kmemdup(rule, sizeof(*rule), GFP_KERNEL_ACCOUNT);
		if (!copy)
			return -ENOMEM;
		copy->channel = find_channel(to, rule->channel->name);
		list_add_tail(&copy->node, rules);
	}
	return 0;
}

/* ---- Changes: made in a copy, so that they are done wholly or not at all ---- */

/* Would a removal change anything?  With a wide pattern (@wide) there may be something to
 * keep off that is to come. */
static bool removes(struct ltt_trace *trace, const struct ltt_rule *rule, bool wide)
{
	return wide || find_same(&trace->rules, rule) || matches_enabled(trace, rule);
}

/* @wide: any_wide() of the rules of the trace, for a removal */
static int stage_pattern(struct ltt_trace *trace, struct ltt_channel *channel,
			 const char *pattern, bool enable, bool wide)
{
	struct ltt_rule *rule = kzalloc(sizeof(*rule), GFP_KERNEL_ACCOUNT);
	int err = -EINVAL;

	if (!rule)
		return -ENOMEM;
	if (!ltt_pattern_split(pattern, rule->group, rule->name))
		goto err_free;
	rule->channel = channel;
	rule->enable = enable;
	err = -ENOENT;
	if (!enable && !removes(trace, rule, wide))
		goto err_free;
	drop_subsumed(&trace->staged, rule);
	err = -E2BIG;
	if (count_rules(&trace->staged) >= LTT_RULES_MAX)
		goto err_free;
	list_add_tail(&rule->node, &trace->staged);
	return 0;

err_free:
	kfree(rule);
	return err;
}

/* A removal is kept only as long as a wider pattern might bring back what it
 * removed: all that a narrow one enables comes after it. */
static void drop_removals(struct list_head *rules)
{
	struct ltt_rule *rule, *next;

	if (any_wide(rules))
		return;
	list_for_each_entry_safe(rule, next, rules, node) {
		if (!rule->enable) {
			list_del(&rule->node);
			kfree(rule);
		}
	}
}

/* Of several removals, one that finds nothing is not an error. */
static int stage_patterns(struct ltt_trace *trace, struct ltt_channel *channel, char *patterns,
			  bool enable)
{
	bool any = false, found = false, wide = !enable && any_wide(&trace->rules);
	char *word;
	int err;

	while ((word = strsep(&patterns, " \t\n"))) {
		if (!*word)
			continue;
		err = stage_pattern(trace, channel, word, enable, wide);
		/* Thousands of patterns are compared with all rules and events. */
		cond_resched();
		if (err && err != -ENOENT)
			return err;
		any = true;
		found |= !err;
	}
	if (!any)
		return -EINVAL;
	drop_removals(&trace->staged);
	return found ? 0 : -ENOENT;
}

/* Compute the new rules, in trace->staged. */
static int stage(struct ltt_trace *trace, const char *channel, const char *patterns, bool enable)
{
	struct ltt_channel *to = find_channel(trace, channel ? channel : LTT_CHANNEL_EVENTS);
	char *copy;
	int err;

	if (!to)
		return -ENOENT;
	copy = kstrdup(patterns, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	err = copy_rules(trace, &trace->staged, &trace->rules);
	if (!err)
		err = stage_patterns(trace, to, copy, enable);
	kfree(copy);
	if (err)
		free_rules(&trace->staged);
	trace->is_staged = !err;
	return err;
}

static void swap_staged(struct ltt_trace *trace)
{
	LIST_HEAD(rules);

	list_splice_init(&trace->rules, &rules);
	list_splice_init(&trace->staged, &trace->rules);
	list_splice(&rules, &trace->staged);
}

static void undo_staged(struct ltt_trace *trace)
{
	swap_staged(trace);
	/* Only disconnects what was connected a moment ago. */
	ltt_rules_apply(trace);
}

/* From here to end_staged(), trace->staged has what the rules were. */
static int apply_staged(struct ltt_trace *trace, bool enable)
{
	int err;

	swap_staged(trace);
	err = ltt_rules_apply(trace);
	/* A removal takes no memory and connects nothing, so it does not fail; what
	 * else is missing has been missing before. */
	if (!err || !enable)
		return 0;
	undo_staged(trace);
	return err;
}

static void end_staged(struct ltt_trace *trace)
{
	free_rules(&trace->staged);
	trace->is_staged = false;
}

int ltt_trace_add_rule(struct ltt_trace *trace, const char *channel, const char *patterns,
		       bool enable)
{
	int err;

	ltt_markers_assert_held();
	err = stage(trace, channel, patterns, enable);
	if (err)
		return err;
	if (enable && channel)
		err = ltt_channel_begin(find_channel(trace, channel));
	if (!err)
		err = apply_staged(trace, enable);
	end_staged(trace);
	return err;
}
EXPORT_SYMBOL_GPL(ltt_trace_add_rule);

int ltt_trace_add_rule_everywhere(struct ltt_trace *defaults, const void *face,
				  const char *patterns, bool enable)
{
	struct ltt_trace *trace;
	int err = 0;

	ltt_markers_assert_held();
	list_for_each_entry(trace, &ltt_traces, node) {
		if (trace != defaults && trace->face != face)
			continue;
		err = stage(trace, NULL, patterns, enable);
		if (err && err != -ENOENT)
			goto out;
	}
	list_for_each_entry(trace, &ltt_traces, node) {
		err = trace->is_staged ? apply_staged(trace, enable) : 0;
		if (err)
			goto undo;
	}
	goto out;

undo:
	list_for_each_entry_continue_reverse(trace, &ltt_traces, node)
		if (trace->is_staged)
			undo_staged(trace);
out:
	list_for_each_entry(trace, &ltt_traces, node)
		end_staged(trace);
	return err;
}
EXPORT_SYMBOL_GPL(ltt_trace_add_rule_everywhere);

/**
 * ltt_rules_free() - at the end of a trace
 */
void ltt_rules_free(struct ltt_trace *trace)
{
	free_rules(&trace->rules);
}

int ltt_trace_copy_rules(struct ltt_trace *to, struct ltt_trace *from)
{
	int err;

	ltt_markers_assert_held();
	err = copy_rules(to, &to->rules, &from->rules);
	return err ? err : ltt_rules_apply(to);
}
EXPORT_SYMBOL_GPL(ltt_trace_copy_rules);

bool ltt_trace_has_event(struct ltt_trace *trace, const char *group, const char *name)
{
	struct ltt_event *event;

	ltt_markers_assert_held();
	hash_for_each_possible(trace->events_by_name, event, by_name, ltt_event_hash(name))
		if (event->enabled && event->marker && !strcmp(event->name, name) &&
		    !strcmp(event->group, group))
			return true;
	return false;
}
EXPORT_SYMBOL_GPL(ltt_trace_has_event);

static int match_any(struct ltt_marker *marker, void *arg)
{
	return rule_matches(arg, marker);
}

void ltt_trace_show_events(struct ltt_trace *trace, struct seq_file *s)
{
	struct ltt_event *event;
	struct ltt_rule *rule;
	unsigned int i;

	ltt_markers_assert_held();
	for (i = 0; i < trace->nr_channels; i++)
		list_for_each_entry(event, &trace->channels[i]->events, node)
			if (event->enabled && event->marker)
				seq_printf(s, "+ %s:%s %s\n", event->group, event->name,
					   trace->channels[i]->name);
	list_for_each_entry(rule, &trace->rules, node) {
		if (!rule->enable)
			seq_printf(s, "! %s:%s\n", rule->group, rule->name);
		else if (!ltt_marker_for_each(match_any, rule))
			seq_printf(s, "? %s:%s\n", rule->group, rule->name);
		/* Each of thousands of patterns may have been compared with all markers. */
		cond_resched();
	}
}
EXPORT_SYMBOL_GPL(ltt_trace_show_events);

void ltt_trace_show_rules(struct ltt_trace *trace, struct seq_file *s)
{
	struct ltt_rule *rule;

	ltt_markers_assert_held();
	list_for_each_entry(rule, &trace->rules, node)
		seq_printf(s, "%s%s:%s\n", rule->enable ? "" : "!", rule->group, rule->name);
}
EXPORT_SYMBOL_GPL(ltt_trace_show_rules);

static void forget_marker(struct ltt_trace *trace, struct ltt_marker *marker)
{
	struct ltt_event *event;

	hash_for_each_possible(trace->events_by_name, event, by_name, ltt_event_hash(marker->name)) {
		if (event->marker == marker) {
			ltt_event_disconnect(event);
			event->marker = NULL;
		}
	}
}

/* A provider that unregisters a marker synchronises before the end of the sink matters. */
static int marker_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct ltt_marker *marker = data;
	struct ltt_trace *trace;

	list_for_each_entry(trace, &ltt_traces, node) {
		struct pass pass = { .trace = trace };
		int err;

		if (action == LTT_MARKER_GOING) {
			forget_marker(trace, marker);
			continue;
		}
		err = apply_marker(marker, &pass);
		if (err)
			pr_warn("ltt: trace %s does not record %s:%s, which has just been registered: %pe\n",
				trace->name, marker->group, marker->name, ERR_PTR(err));
	}
	return NOTIFY_OK;
}

static struct notifier_block marker_notifier = { .notifier_call = marker_notify };

int __init ltt_rules_init(void)
{
	return ltt_marker_notifier_register(&marker_notifier);
}

void ltt_rules_exit(void)
{
	ltt_marker_notifier_unregister(&marker_notifier);
}
