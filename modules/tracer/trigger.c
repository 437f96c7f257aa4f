// SPDX-License-Identifier: GPL-2.0-only
/*
 * Triggers: what an event does besides being recorded, if the program of its filter decides so
 * (judge.c).  It stops the trace, begins to record in an armed trace, or is reported to user space.
 *
 * Layer: tracer.  Context: see each.
 *
 * An armed trace runs, but only the names of tasks, and the events that are to begin the
 * recording, pass their gates (filter.c).
 */
#include "judge.h"
#include "tracer.h"

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/string.h>

/* ---- The data path ---- */

static notrace bool is_recorded(const struct ltt_trace *trace, u32 verdict)
{
	if (verdict & LTT_VERDICT_RECORD)
		return true;
	/* Lockless: written by ltt_trace_arm(), and cleared by ltt_gates_begin(). */
	return verdict & LTT_VERDICT_RECORD_BEGUN && !READ_ONCE(trace->armed);
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
	bool recorded;

	if (verdict & LTT_VERDICT_BEGIN)
		ltt_gates_begin(trace);
	if (verdict & LTT_VERDICT_STOP)
		ltt_trace_stop_by(trace, event);
	recorded = is_recorded(trace, verdict);
	if (recorded)
		event->path(&event->sink, payload, len);
	report(trace, verdict);
	return recorded;
}

/* ---- Armed traces ---- */

/**
 * ltt_event_begins() - check whether an event passes the gates of an armed trace
 * @event: the event
 *
 * Context: registry lock held.
 */
bool ltt_event_begins(const struct ltt_event *event)
{
	const struct ltt_trace *trace = event->trace;

	if (event->channel == trace->channels[0])
		return true;
	return READ_ONCE(trace->armed) && event->marker &&
	       ltt_marker_matches(event->marker, trace->begin_group, trace->begin_name);
}

int ltt_trace_arm(struct ltt_trace *trace, const char *pattern)
{
	char group[LTT_PATTERN_MAX], name[LTT_PATTERN_MAX];
	int err;

	ltt_markers_assert_held();
	if (!ltt_pattern_split(pattern, group, name))
		return -EINVAL;
	if (trace->state == LTT_TRACE_RUNNING)
		return -EALREADY;
	strscpy(trace->begin_group, group, sizeof(trace->begin_group));
	strscpy(trace->begin_name, name, sizeof(trace->begin_name));
	WRITE_ONCE(trace->armed, 1);
	/* An event that began when the trace was stopped last may have opened these. */
	ltt_gates_shut(trace);
	err = ltt_trace_start(trace);
	if (err)
		WRITE_ONCE(trace->armed, 0);
	return err;
}
EXPORT_SYMBOL_GPL(ltt_trace_arm);

void ltt_trace_show_triggers(struct ltt_trace *trace, struct seq_file *s)
{
	unsigned int slot;

	ltt_markers_assert_held();
	if (READ_ONCE(trace->armed))
		seq_printf(s, "armed %s:%s\n", trace->begin_group, trace->begin_name);
	for (slot = 0; slot < LTT_REPORT_SLOTS; slot++)
		if (atomic_read(&trace->reports[slot]))
			seq_printf(s, "report %u %u\n", slot,
				   (unsigned int)atomic_read(&trace->reports[slot]));
}
EXPORT_SYMBOL_GPL(ltt_trace_show_triggers);
