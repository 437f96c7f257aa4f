// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which events have which filters: the expression of the last pattern that matches them.
 *
 * Layer: tracer.  Context: task, registry lock held.
 *
 * To the tracer an expression is a text: a client compiles it for each event, and attaches the
 * program (judge.c).  An event without a program for its present expression waits for one: it is
 * enabled, and not connected.  Readers need all events of the state channel for the names of tasks:
 * these have a filter only if a pattern is the very name of the event, for its triggers, and are
 * recorded whatever it decides.
 */
#include "judge.h"
#include "settings.h"
#include "tracer.h"

#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <ltt/filter.h>

/**
 * ltt_expression_for() - find the filter of an event
 * @trace: the trace
 * @marker: the marker of the event
 *
 * Return: the expression, without a reference; NULL for none.
 */
struct ltt_expression *ltt_expression_for(const struct ltt_trace *trace,
					  const struct ltt_marker *marker)
{
	const struct ltt_setting *setting = ltt_setting_for(&trace->filter_rules, marker);

	return setting ? setting->value : NULL;
}

/**
 * ltt_expression_named() - find the filter whose pattern is the name of an event
 * @trace: the trace
 * @marker: the marker of the event
 *
 * Return: as ltt_expression_for().
 */
struct ltt_expression *ltt_expression_named(const struct ltt_trace *trace,
					    const struct ltt_marker *marker)
{
	const struct ltt_setting *setting = ltt_setting_named(&trace->filter_rules, marker->group,
							      marker->name);

	return setting ? setting->value : NULL;
}

static struct ltt_expression *create(const char *text)
{
	size_t len = strlen(text);
	struct ltt_expression *expression;

	expression = kmalloc(struct_size(expression, text, len + 1), GFP_KERNEL_ACCOUNT);
	if (!expression)
		return NULL;
	expression->users = 1;
	memcpy(expression->text, text, len + 1);
	return expression;
}

/**
 * ltt_expression_get() - a reference more
 * @expression: may be NULL
 */
struct ltt_expression *ltt_expression_get(struct ltt_expression *expression)
{
	if (expression)
		expression->users++;
	return expression;
}

/**
 * ltt_expression_put() - drop a reference
 * @expression: may be NULL; the last reference frees it
 */
void ltt_expression_put(struct ltt_expression *expression)
{
	if (expression && !--expression->users)
		kfree(expression);
}

/**
 * ltt_expression_same() - compare two filters
 * @a: an expression; NULL for none
 * @b: another
 */
bool ltt_expression_same(const struct ltt_expression *a, const struct ltt_expression *b)
{
	return a == b || (a && b && !strcmp(a->text, b->text));
}

/* The lists of filters have lines. */
static bool is_line(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ')
			return false;
	return true;
}

int ltt_trace_set_filter(struct ltt_trace *trace, const char *pattern, const char *text)
{
	struct ltt_expression *expression;
	void *old;
	int err;

	ltt_markers_assert_held();
	if (!*text || !is_line(text))
		return -EBADMSG;
	if (strlen(text) >= LTT_EXPRESSION_MAX)
		return -E2BIG;
	expression = create(text);
	if (!expression)
		return -ENOMEM;
	err = ltt_setting_set(trace, &trace->filter_rules, pattern, expression, &old);
	if (err) {
		ltt_expression_put(expression);
		return err;
	}
	ltt_expression_put(old);
	ltt_judges_sweep(trace);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_trace_set_filter);

int ltt_trace_unset_filter(struct ltt_trace *trace, const char *pattern)
{
	void *old;
	int err;

	ltt_markers_assert_held();
	err = ltt_setting_unset(trace, &trace->filter_rules, pattern, &old);
	if (err)
		return err;
	ltt_expression_put(old);
	ltt_judges_sweep(trace);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_trace_unset_filter);

static void put_value(void *value)
{
	ltt_expression_put(value);
}

/**
 * ltt_filter_rules_free() - at the end of a trace
 * @trace: the trace
 */
void ltt_filter_rules_free(struct ltt_trace *trace)
{
	ltt_settings_free(&trace->filter_rules, put_value);
}

static void show_event(struct seq_file *s, const struct ltt_event *event)
{
	u64 passed = 0, filtered = 0;
	int cpu;

	if (ltt_event_waits(event)) {
		seq_printf(s, "event %s:%s waiting %s\n", event->group, event->name,
			   event->expression->text);
		return;
	}
	for_each_possible_cpu(cpu) {
		const struct ltt_judged *judged = per_cpu_ptr(event->judged, cpu);

		passed += ltt_u64_read(&judged->passed);
		filtered += ltt_u64_read(&judged->filtered);
	}
	seq_printf(s, "event %s:%s program %u runs %llu filtered %llu unjudged %llu\n",
		   event->group, event->name, ltt_event_program_id(event), passed + filtered,
		   filtered, ltt_event_unjudged(event));
}

void ltt_trace_show_filters(struct ltt_trace *trace, struct seq_file *s)
{
	const struct ltt_setting *setting;
	const struct ltt_event *event;
	unsigned int i;

	ltt_markers_assert_held();
	list_for_each_entry(setting, &trace->filter_rules, node)
		seq_printf(s, "pattern %s:%s %s\n", setting->group, setting->name,
			   ((const struct ltt_expression *)setting->value)->text);
	for (i = 0; i < trace->nr_channels; i++)
		list_for_each_entry(event, &trace->channels[i]->events, node)
			if (event->enabled && event->marker && event->expression)
				show_event(s, event);
}
EXPORT_SYMBOL_GPL(ltt_trace_show_filters);
