/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rules: the patterns that enable and disable the events of a trace.
 *
 * Layer: tracer.  Locking: see ltt/trace.h.
 */
#ifndef LTT_RULES_H
#define LTT_RULES_H

#include <linux/types.h>

struct ltt_trace;
struct seq_file;

#define LTT_RULES_MAX	4096	/* of a trace */

/**
 * ltt_trace_add_rule() - enable or disable the events that patterns match
 * @trace: in any state
 * @channel: name of the channel that receives the events; NULL for LTT_CHANNEL_EVENTS
 * @patterns: "group:name" or "name" (of any group), with * ? [] globs; several are
 *	separated by blanks, and hold in their order
 * @enable: false disables
 *
 * The last rule that matches an event decides.  Rules also hold for events that
 * come later.  Events of the state channel are always on and in no other.
 *
 * Context: sleeps; registry lock held.
 * The first pattern of a channel that was added after the first start makes its buffers.
 *
 * Return: 0; -EINVAL bad pattern, or none; -ENOENT no such channel, or nothing to
 * remove; -ENOMEM, -ENOSPC (out of event ids), -E2BIG (LTT_RULES_MAX), an error of the budget, such as -EDQUOT: no
 * event has changed.
 */
int ltt_trace_add_rule(struct ltt_trace *trace, const char *channel, const char *patterns,
		       bool enable);

/**
 * ltt_trace_add_rule_everywhere() - the same in all traces of a face, all or none
 * @defaults: one trace more, of whatever face
 * @face: name space
 * @patterns: see ltt_trace_add_rule()
 * @enable: see ltt_trace_add_rule()
 *
 * It is not an error if a trace has nothing to remove.
 *
 * Context: sleeps; registry lock held.
 * Return: as ltt_trace_add_rule().
 */
int ltt_trace_add_rule_everywhere(struct ltt_trace *defaults, const void *face,
				  const char *patterns, bool enable);

/**
 * ltt_trace_copy_rules() - give a new trace the rules of another
 * @to: a trace that has only its default channels
 * @from: the other trace; its rules are all for channels that @to has
 *
 * Context: sleeps; registry lock held.
 * Return: 0, or as ltt_trace_add_rule(), with some of the rules copied.
 */
int ltt_trace_copy_rules(struct ltt_trace *to, struct ltt_trace *from);

/**
 * ltt_trace_has_event() - check whether a marker's event is enabled in any channel
 * @trace: in any state
 * @group: the marker's group
 * @name: the marker's name
 *
 * Context: registry lock held.
 * Return: true if it is enabled, and the marker is registered.
 */
bool ltt_trace_has_event(struct ltt_trace *trace, const char *group, const char *name);

/**
 * ltt_trace_show_events() - print the enabled events, and the patterns that are not in effect
 * @trace: in any state
 * @s: receives a line for each
 *
 * "+ group:name channel" for each enabled event; "? pattern" for each pattern
 * that matches nothing yet; "! pattern" for each pattern that disables.
 *
 * Context: registry lock held.
 */
void ltt_trace_show_events(struct ltt_trace *trace, struct seq_file *s);

/**
 * ltt_trace_show_rules() - print the patterns in their order, one a line, those
 *	that disable with a leading "!"
 * @trace: in any state
 * @s: receives the lines
 *
 * Context: registry lock held.
 */
void ltt_trace_show_rules(struct ltt_trace *trace, struct seq_file *s);

#endif /* LTT_RULES_H */
