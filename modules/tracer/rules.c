// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which markers are events of which trace: the patterns, applied to the markers
 * there are and to those that come.
 *
 * Layer: tracer.  Context: task, registry lock held.
 */
#include "tracer.h"

#include <linux/err.h>
#include <linux/glob.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

/* What the state channel records, so that even a flight recorder can say who is
 * who.  An event is in one channel only: no pattern moves these. */
static const char *const state_events[][2] = {
	{ "sched", "sched_process_fork" },
	{ "sched", "sched_process_exec" },
	{ "sched", "sched_process_exit" },
	{ "task", "task_rename" },
};

static bool rule_matches(const struct ltt_rule *rule, const struct ltt_marker *marker)
{
	return glob_match(rule->group, marker->group) && glob_match(rule->name, marker->name);
}

/* The channel that this marker's event belongs to now, or NULL. */
static struct ltt_channel *decide(struct ltt_trace *trace, const struct ltt_marker *marker)
{
	struct ltt_rule *rule;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(state_events); i++)
		if (!strcmp(marker->group, state_events[i][0]) &&
		    !strcmp(marker->name, state_events[i][1]))
			return trace->channels[0];
	list_for_each_entry_reverse(rule, &trace->rules, node)
		if (rule_matches(rule, marker))
			return rule->enable ? rule->channel : NULL;
	return NULL;
}

/* What one pass over the markers needs and finds. */
struct pass {
	struct ltt_trace *trace;
	bool disconnected;
};

static int apply_marker(struct ltt_marker *marker, void *arg)
{
	struct pass *pass = arg;
	struct ltt_trace *trace = pass->trace;
	struct ltt_channel *want = decide(trace, marker);
	struct ltt_event *event, *wanted = NULL;
	unsigned int i;

	for (i = 0; i < trace->nr_channels; i++) {
		list_for_each_entry(event, &trace->channels[i]->events, node) {
			if (event->marker != marker)
				continue;
			if (trace->channels[i] == want) {
				wanted = event;
				continue;
			}
			event->enabled = false;
			pass->disconnected |= ltt_event_disconnect(event);
		}
	}
	if (!want)
		return 0;
	if (!wanted)
		wanted = ltt_event_for_marker(want, marker);
	if (IS_ERR(wanted))
		return PTR_ERR(wanted);
	wanted->enabled = true;
	return trace->state == LTT_TRACE_RUNNING ? ltt_event_connect(wanted) : 0;
}

/**
 * ltt_rules_apply() - make the events what the rules say
 * Return: 0, or the first error; what could be done is done.
 */
int ltt_rules_apply(struct ltt_trace *trace)
{
	struct pass pass = { .trace = trace };
	int err = ltt_marker_for_each(apply_marker, &pass);

	if (pass.disconnected)
		ltt_marker_synchronize();
	return err;
}

/* A pattern's characters: those of names, and of globs. */
static bool glob_valid(const char *glob)
{
	return *glob && strspn(glob, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789_.-*?[]!^") == strlen(glob);
}

static int parse(const char *pattern, struct ltt_rule *rule)
{
	const char *colon = strchr(pattern, ':');

	if (strlen(pattern) >= LTT_PATTERN_MAX)
		return -EINVAL;
	if (colon) {
		strscpy(rule->group, pattern, colon - pattern + 1);
		strscpy(rule->name, colon + 1, sizeof(rule->name));
	} else {
		strscpy(rule->group, "*", sizeof(rule->group));
		strscpy(rule->name, pattern, sizeof(rule->name));
	}
	return glob_valid(rule->group) && glob_valid(rule->name) ? 0 : -EINVAL;
}

bool ltt_pattern_valid(const char *pattern)
{
	struct ltt_rule rule;

	return !parse(pattern, &rule);
}
EXPORT_SYMBOL_GPL(ltt_pattern_valid);

static struct ltt_channel *find_channel(struct ltt_trace *trace, const char *name)
{
	unsigned int i;

	for (i = 0; i < trace->nr_channels; i++)
		if (!strcmp(trace->channels[i]->name, name))
			return trace->channels[i];
	return NULL;
}

static struct ltt_rule *find_same(struct ltt_trace *trace, const struct ltt_rule *like)
{
	struct ltt_rule *rule;

	list_for_each_entry(rule, &trace->rules, node)
		if (!strcmp(rule->group, like->group) && !strcmp(rule->name, like->name))
			return rule;
	return NULL;
}

static bool is_literal(const char *glob)
{
	return !strpbrk(glob, "*?[");
}

/* Is there a rule that can enable more than the one event it names? */
static bool any_wide(struct ltt_trace *trace)
{
	struct ltt_rule *rule;

	list_for_each_entry(rule, &trace->rules, node)
		if (rule->enable && !(is_literal(rule->group) && is_literal(rule->name)))
			return true;
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

static void drop_subsumed(struct ltt_trace *trace, const struct ltt_rule *by)
{
	struct ltt_rule *rule, *next;

	list_for_each_entry_safe(rule, next, &trace->rules, node) {
		if (rule != by && subsumed(rule, by)) {
			list_del(&rule->node);
			kfree(rule);
		}
	}
}

static int add_enable(struct ltt_trace *trace, struct ltt_rule *rule)
{
	int err;

	list_add_tail(&rule->node, &trace->rules);
	err = ltt_rules_apply(trace);
	if (!err) {
		drop_subsumed(trace, rule);
		return 0;
	}
	list_del(&rule->node);
	/* Only disconnects what was connected a moment ago. */
	ltt_rules_apply(trace);
	return err;
}

/* A removal is kept only as long as a wider pattern might bring back what it
 * removed.  It takes no memory and connects nothing, so it cannot fail. */
static int add_disable(struct ltt_trace *trace, struct ltt_rule *rule)
{
	/* With a wide pattern there may be something to keep off that is to come. */
	if (!find_same(trace, rule) && !matches_enabled(trace, rule) && !any_wide(trace))
		return -ENOENT;
	drop_subsumed(trace, rule);
	if (any_wide(trace))
		list_add_tail(&rule->node, &trace->rules);
	else
		kfree(rule);
	ltt_rules_apply(trace);
	return 0;
}

int ltt_trace_add_rule(struct ltt_trace *trace, const char *channel, const char *pattern,
		       bool enable)
{
	struct ltt_rule *rule;
	int err = -EINVAL;

	ltt_markers_assert_held();
	rule = kzalloc(sizeof(*rule), GFP_KERNEL);
	if (!rule)
		return -ENOMEM;
	if (parse(pattern, rule))
		goto err_free;
	err = -ENOENT;
	rule->enable = enable;
	rule->channel = find_channel(trace, channel ? channel : LTT_CHANNEL_EVENTS);
	if (!rule->channel)
		goto err_free;
	err = enable ? add_enable(trace, rule) : add_disable(trace, rule);
	if (err)
		goto err_free;
	return 0;

err_free:
	kfree(rule);
	return err;
}
EXPORT_SYMBOL_GPL(ltt_trace_add_rule);

/**
 * ltt_rules_free() - at the end of a trace
 */
void ltt_rules_free(struct ltt_trace *trace)
{
	struct ltt_rule *rule, *next;

	list_for_each_entry_safe(rule, next, &trace->rules, node)
		kfree(rule);
}

int ltt_trace_copy_rules(struct ltt_trace *to, struct ltt_trace *from)
{
	struct ltt_rule *rule, *copy;

	ltt_markers_assert_held();
	list_for_each_entry(rule, &from->rules, node) {
		copy = kmemdup(rule, sizeof(*rule), GFP_KERNEL);
		if (!copy)
			return -ENOMEM;
		copy->channel = find_channel(to, rule->channel->name);
		list_add_tail(&copy->node, &to->rules);
	}
	return ltt_rules_apply(to);
}
EXPORT_SYMBOL_GPL(ltt_trace_copy_rules);

bool ltt_trace_has_event(struct ltt_trace *trace, const char *group, const char *name)
{
	struct ltt_event *event;
	unsigned int i;

	ltt_markers_assert_held();
	for (i = 0; i < trace->nr_channels; i++)
		list_for_each_entry(event, &trace->channels[i]->events, node)
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
	unsigned int i;

	for (i = 0; i < trace->nr_channels; i++) {
		list_for_each_entry(event, &trace->channels[i]->events, node) {
			if (event->marker == marker) {
				ltt_event_disconnect(event);
				event->marker = NULL;
			}
		}
	}
}

/* Whoever unregisters a marker synchronises before the sink's end matters. */
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
			pr_warn("ltt: trace %s goes without %s:%s, which has just come: error %d\n",
				trace->name, marker->group, marker->name, err);
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
