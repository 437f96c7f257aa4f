// SPDX-License-Identifier: GPL-2.0-only
/*
 * Triggers: what an event does besides being recorded, if the program of its filter decides so
 * (judge.c).  It stops the trace, begins to record in an armed trace, or is reported to user space.
 *
 * Layer: tracer.  Context: see each.
 *
 * An armed trace runs, but only the names of tasks, and the events that are to begin the
 * recording, or that these ask about, pass their gates (gates.c).
 */
#include "judge.h"
#include "tracer.h"

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

/* ---- The data path ---- */

/* The part of a verdict that counts in a trace that has not begun. */
static notrace u32 verdict_when_armed(const struct ltt_event *event)
{
	return event->channel == event->trace->channels[0] ? LTT_VERDICT_RECORD : 0;
}

static notrace void report(struct ltt_trace *trace, u32 verdict)
{
	unsigned long slots = verdict >> LTT_VERDICT_REPORT_SHIFT & GENMASK(LTT_REPORT_SLOTS - 1, 0);
	unsigned int slot;

	if (!slots)
		return;
	for_each_set_bit(slot, &slots, LTT_REPORT_SLOTS)
		atomic_inc(&trace->reports[slot]);
	ltt_news_arrived();
}

/**
 * ltt_event_fire() - do what a verdict says besides "record" or "drop"
 * @event: the event
 * @payload: @len bytes
 * @len: bytes
 * @verdict: bits LTT_VERDICT_*
 *
 * The stop and the beginning come before the record, which no gate stops.  So no other event of this
 * CPU comes between: the event is the last, or the first, that this CPU records.  User space learns
 * of it when the record is there.
 *
 * Context: as a sink; preemption off, NMI included.
 * Return: true if the event was recorded or refused, false if it is to be dropped.
 */
bool ltt_event_fire(const struct ltt_event *event, const void *payload, size_t len, u32 verdict)
{
	struct ltt_trace *trace = event->trace;
	bool begins = verdict & LTT_VERDICT_BEGIN && ltt_gates_begin(trace), recorded;

	if (ltt_trace_is_armed(trace))
		verdict = verdict_when_armed(event);
	if (verdict & LTT_VERDICT_STOP)
		ltt_trace_stop_by(trace, event);
	recorded = begins || verdict & (LTT_VERDICT_RECORD | LTT_VERDICT_RECORD_BEGUN);
	if (recorded)
		event->path(&event->sink, payload, len);
	report(trace, verdict);
	return recorded;
}

/* ---- Armed traces ---- */

/* Split the first of several patterns.  Return: its length; 0 if it is none. */
static size_t split_first(const char *patterns, char group[LTT_PATTERN_MAX],
			  char name[LTT_PATTERN_MAX])
{
	size_t len = strcspn(patterns, " ");
	char pattern[LTT_PATTERN_MAX];

	if (len >= sizeof(pattern))
		return 0;
	strscpy(pattern, patterns, len + 1);
	return ltt_pattern_split(pattern, group, name) ? len : 0;
}

/**
 * ltt_event_begins() - check whether an event passes the gates of an armed trace
 * @event: the event
 *
 * Context: registry lock held.
 */
bool ltt_event_begins(const struct ltt_event *event)
{
	const struct ltt_trace *trace = event->trace;
	char group[LTT_PATTERN_MAX], name[LTT_PATTERN_MAX];
	const char *at;

	if (event->channel == trace->channels[0])
		return true;
	if (!READ_ONCE(trace->armed) || !event->marker)
		return false;
	for (at = trace->first; *at; at += strspn(at, " ")) {
		at += split_first(at, group, name);
		if (ltt_marker_matches(event->marker, group, name))
			return true;
	}
	return false;
}

int ltt_trace_arm(struct ltt_trace *trace, const char *patterns)
{
	char group[LTT_PATTERN_MAX], name[LTT_PATTERN_MAX], *first;
	const char *at = patterns;
	size_t len;
	int err;

	ltt_markers_assert_held();
	do {
		len = split_first(at, group, name);
		if (!len)
			return -EINVAL;
		at += len;
		at += strspn(at, " ");
	} while (*at);
	if (trace->state == LTT_TRACE_RUNNING)
		return -EALREADY;
	first = kstrdup(patterns, GFP_KERNEL_ACCOUNT);
	if (!first)
		return -ENOMEM;
	kfree(trace->first);
	trace->first = first;
	WRITE_ONCE(trace->armed, LTT_ARMED);
	/* An event that began when the trace was stopped last may have opened these. */
	ltt_gates_shut(trace);
	err = ltt_trace_start(trace);
	if (err)
		WRITE_ONCE(trace->armed, LTT_BEGUN);
	return err;
}
EXPORT_SYMBOL_GPL(ltt_trace_arm);

void ltt_trace_show_triggers(struct ltt_trace *trace, struct seq_file *s)
{
	unsigned int slot;

	ltt_markers_assert_held();
	if (ltt_trace_is_armed(trace))
		seq_printf(s, "armed %s\n", trace->first);
	for (slot = 0; slot < LTT_REPORT_SLOTS; slot++)
		if (atomic_read(&trace->reports[slot]))
			seq_printf(s, "report %u %u\n", slot,
				   (unsigned int)atomic_read(&trace->reports[slot]));
}
EXPORT_SYMBOL_GPL(ltt_trace_show_triggers);
