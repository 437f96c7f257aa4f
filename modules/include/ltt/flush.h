/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests of readers while a trace runs: flushes, snapshots and the list of tasks.
 *
 * Layer: tracer.  Locking: see ltt/trace.h.
 */
#ifndef LTT_FLUSH_H
#define LTT_FLUSH_H

#include <linux/types.h>
#include <linux/time64.h>

struct ltt_trace;

/**
 * ltt_trace_flush() - make partly filled sub-buffers readable, where not empty
 * @trace: in any state
 *
 * Overwrite channels are left alone: it would cost them room.
 *
 * Context: sleeps; registry lock held, or between the notifications STARTED and
 * STOPPING.
 */
void ltt_trace_flush(struct ltt_trace *trace);

/* Flushes that users ask for are at least so far apart: each takes an interrupt and the
 * rest of a sub-buffer of every CPU that records. */
#define LTT_FLUSH_INTERVAL_NS	(10 * NSEC_PER_MSEC)

/**
 * ltt_trace_try_flush() - flush a trace for a user, unless the last such flush is recent
 * @trace: in any state
 * @asked: when the user asked, as of ktime_get_ns()
 *
 * A flush that began after @asked serves this user, too.
 *
 * Context: sleeps; registry lock held.
 * Return: 0 when what was recorded before @asked can be read; else the nanoseconds to
 * wait before the next try, at most LTT_FLUSH_INTERVAL_NS.
 */
u64 ltt_trace_try_flush(struct ltt_trace *trace, u64 asked);

/**
 * ltt_trace_snapshot() - make what the overwrite channels hold readable
 * @trace: in any state
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -ENOENT when there is no overwrite channel; -EINVAL before the
 * first start.
 */
int ltt_trace_snapshot(struct ltt_trace *trace);

/**
 * ltt_trace_list_tasks() - record the names of all threads again, in the state channel
 * @trace: the trace
 *
 * So that a snapshot has them where the state channel is a flight recorder, too.  The list
 * may not be complete on return, see ltt_trace_try_list().
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EINVAL when the trace does not run, or has no names.
 */
int ltt_trace_list_tasks(struct ltt_trace *trace);

/**
 * struct ltt_list_wait - a wait for the list of tasks; zeroed before it begins
 * @seen: the next thread of the list when the list was last found to have advanced
 * @since: when that was, in jiffies
 * @limit: when the wait ends, in jiffies; 0 before it begins
 */
struct ltt_list_wait {
	int seen;
	unsigned long since;
	unsigned long limit;
};

/**
 * ltt_trace_try_list() - complete the list of tasks in the state channel, unless a reader is
 *	making room for it
 * @trace: in any state
 * @wait: of this wait
 *
 * The list that a start or ltt_trace_list_tasks() begins goes on as the reader makes room.
 * The caller waits without the registry lock.  After one second without progress, or after
 * five seconds, this function writes the rest at once, and counts the names that do not fit
 * as refused.
 *
 * Context: sleeps, but does not wait for a reader; registry lock held.
 * Return: 0 when the list is complete; else the nanoseconds to wait before the next try.
 */
u64 ltt_trace_try_list(struct ltt_trace *trace, struct ltt_list_wait *wait);

#endif /* LTT_FLUSH_H */
