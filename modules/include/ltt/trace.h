/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traces: the in-kernel API of ltt-tracer.
 *
 * Layer: tracer.  A trace has channels (a set of per-CPU buffers each, with
 * their own mode and sizes), events enabled by patterns, and CTF metadata.
 * Traces are independent of each other.  This layer does not know its callers: to it, a
 * face is only the key of a name space.
 *
 * Life: create -> (options, events) -> start <-> stop -> destroy.  Events may be
 * enabled and disabled at any time, and channels added; channel options can be set until the
 * channel has buffers.  The first start allocates those; a channel that is added later gets
 * them with its first pattern.
 *
 * This header has the life of a trace.  Other headers of this folder have the rest: channel.h,
 * rules.h (which events), limits.h (of which tasks and CPUs), tasks.h (sets of tasks), filter.h,
 * context.h, flush.h (requests of readers while the trace runs), metadata.h, and news.h.
 *
 * Locking: all functions of these headers are serialised by ltt_markers_lock(), taken by
 * the caller where "Context" names it; doc/architecture.md has the order of locks.
 * The data path takes none.
 */
#ifndef LTT_TRACE_H
#define LTT_TRACE_H

#include <linux/types.h>
#include <linux/uuid.h>

struct ltt_budget;
struct ltt_clock_info;
struct ltt_trace;
struct notifier_block;
struct seq_file;

#define LTT_SETTINGS_MAX	64	/* patterns with contexts, and as many with filters, of a trace */

/**
 * enum ltt_trace_state - the state of a trace
 * @LTT_TRACE_CONFIGURING: never started; it has no buffers
 * @LTT_TRACE_RUNNING: started.  A halted trace keeps this state until it is stopped
 * @LTT_TRACE_STOPPED: stopped; it keeps its buffers
 */
enum ltt_trace_state {
	LTT_TRACE_CONFIGURING,
	LTT_TRACE_RUNNING,
	LTT_TRACE_STOPPED,
};

/**
 * ltt_trace_create() - make a trace, with its default channels
 * @name: see ltt_name_valid()
 * @face: the key of the name space that @name belongs to
 *
 * Context: may sleep; registry lock held.
 * Return: the trace, or ERR_PTR: -EINVAL bad name, -EEXIST, -ENOMEM.
 */
struct ltt_trace *ltt_trace_create(const char *name, const void *face);

/**
 * ltt_trace_find() - look a trace up
 * @name: NUL-terminated text of any length
 * @face: the key of its name space
 *
 * Context: registry lock held, which also keeps the trace alive.
 * Return: the trace, or NULL.
 */
struct ltt_trace *ltt_trace_find(const char *name, const void *face);

/**
 * ltt_trace_for_each() - call a function for every trace
 * @fn: called with each trace and @arg; must not create or destroy traces.  A value other
 *	than 0 ends the walk
 * @arg: passed to @fn
 *
 * Context: registry lock held.
 * Return: the last value of @fn; 0 if there is no trace.
 */
int ltt_trace_for_each(int (*fn)(struct ltt_trace *trace, void *arg), void *arg);

/**
 * ltt_trace_name() - get the name of a trace
 * @trace: in any state
 *
 * Context: any.
 * Return: the name, which does not change, and is valid as long as the trace.
 */
const char *ltt_trace_name(const struct ltt_trace *trace);

/**
 * ltt_trace_uuid() - get the UUID of a trace, which its packets and metadata contain
 * @trace: in any state
 *
 * Context: any.
 * Return: the UUID, which does not change, and is valid as long as the trace.
 */
const uuid_t *ltt_trace_uuid(const struct ltt_trace *trace);

/**
 * ltt_trace_clock() - get the clock of a trace's times
 * @trace: in any state
 *
 * Context: any.
 * Return: the clock as the metadata of the trace describes it; it does not change.
 */
const struct ltt_clock_info *ltt_trace_clock(const struct ltt_trace *trace);

/**
 * ltt_trace_face() - get the name space of a trace
 * @trace: in any state
 *
 * Context: registry lock held.
 * Return: the key of the name space.
 */
const void *ltt_trace_face(const struct ltt_trace *trace);

/**
 * ltt_trace_set_face() - move a trace to another name space
 * @trace: in any state
 * @face: the key of the other name space
 *
 * A trace that is being destroyed is moved to a name space in which no caller finds it.
 *
 * Context: registry lock held.
 */
void ltt_trace_set_face(struct ltt_trace *trace, const void *face);

/**
 * ltt_trace_set_budget() - set the budget that is charged for the buffers of a trace
 * @trace: one that has not been started
 * @budget: see struct ltt_budget; the trace takes a reference of its own
 *
 * Context: registry lock held.
 */
void ltt_trace_set_budget(struct ltt_trace *trace, struct ltt_budget *budget);

/**
 * ltt_trace_set_nameless() - do without the names of tasks
 * @trace: a trace that was never started
 *
 * The trace begins without a list of tasks, and the events that name tasks are as others: patterns
 * enable them, and they can have filters.  For traces whose events are counted and not read.
 *
 * Context: may sleep; registry lock held.
 * Return: 0; -EBUSY after the first start; an error of connecting an event.
 */
int ltt_trace_set_nameless(struct ltt_trace *trace);

/**
 * ltt_trace_destroy() - stop a trace if need be, and end it
 * @trace: not to be used any more
 *
 * Open readers of its buffers and metadata drain what is there.
 *
 * Context: sleeps; registry lock held.
 */
void ltt_trace_destroy(struct ltt_trace *trace);

/* ---- Start and stop ---- */

/**
 * ltt_trace_start() - start a trace; the first start allocates all buffers
 * @trace: in any state
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EALREADY when running; -ENOMEM; an error of the budget, such as -EDQUOT;
 * -EINVAL for a buffer that is too large; an error of ltt_marker_connect() for an event, or
 * of a notifier (LTT_TRACE_STARTING).
 * After an error, the trace is as it was.
 */
int ltt_trace_start(struct ltt_trace *trace);

/**
 * ltt_trace_arm() - start a trace that begins to record with an event
 * @trace: in any state
 * @patterns: "group:name" or "name", with * ? [] globs, and a space between two: the events whose programs run
 *	before the beginning.  One of them returns LTT_VERDICT_BEGIN.  Until then the trace records
 *	names of tasks, and those of these events whose programs return LTT_VERDICT_RECORD alone
 *
 * Context: sleeps; registry lock held.
 * Return: as ltt_trace_start(), and -EINVAL for a bad pattern.
 */
int ltt_trace_arm(struct ltt_trace *trace, const char *patterns);

/**
 * ltt_trace_stop() - stop a trace, and make all that was recorded readable
 * @trace: in any state
 *
 * Names of threads that do not fit into the state channel are lost, and counted as refused;
 * a caller that can wait for a reader calls ltt_trace_try_list() before.
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EALREADY when not running.
 */
int ltt_trace_stop(struct ltt_trace *trace);

/* The size of the text with the reason of a halt, its NUL included. */
#define LTT_WHY_SIZE	128

/**
 * ltt_trace_halt() - stop recording, now
 * @trace: in any state; nothing happens when it does not record
 * @why: for people: it is shown with the statistics until the next start, and logged
 *
 * One flag; the rest of ltt_trace_stop() follows in a work item.
 *
 * Context: any, NMI included.
 */
void ltt_trace_halt(struct ltt_trace *trace, const char *why);

/**
 * ltt_trace_get_state() - get the state of a trace
 * @trace: the trace
 *
 * Context: registry lock held.
 * Return: its state.
 */
enum ltt_trace_state ltt_trace_get_state(const struct ltt_trace *trace);

/**
 * ltt_trace_is_halted() - check whether a trace has been halted, and not been stopped yet
 * @trace: in any state
 *
 * Context: registry lock held.
 * Return: true if the state is LTT_TRACE_RUNNING, and the trace does not record.
 */
bool ltt_trace_is_halted(const struct ltt_trace *trace);

/* ---- Counts ---- */

/**
 * ltt_trace_emitted() - count the events of all channels so far on a CPU, stored or not
 * @trace: one that has been started
 * @cpu: a possible CPU
 *
 * Takes the same time whatever the number and size of sub-buffers.  Exact when no writer
 * runs on that CPU; otherwise the events of a sub-buffer may be missing for a moment, see
 * ltt_ring_get_stats().
 *
 * Context: any; the buffers of the trace exist.
 * Return: the number of events.
 */
u64 ltt_trace_emitted(const struct ltt_trace *trace, int cpu);

/**
 * ltt_trace_show_stats() - print the counts; the format is in doc/debugfs.md
 * @trace: in any state
 * @s: receives the lines
 *
 * Context: registry lock held.
 */
void ltt_trace_show_stats(struct ltt_trace *trace, struct seq_file *s);

/**
 * ltt_trace_show_triggers() - print whether a trace is armed, and how often triggers reported
 * @trace: the trace
 * @s: receives lines "armed PATTERN" and "report SLOT COUNT"
 *
 * Context: registry lock held.
 */
void ltt_trace_show_triggers(struct ltt_trace *trace, struct seq_file *s);

/* ---- Notifications of traces ---- */

/*
 * Notifier actions; the data is the struct ltt_trace.  Registry lock held.  If a notifier
 * answers STARTING with an error (notifier_from_errno()), the start fails with this error:
 * the notifiers that answered before receive NOT_STARTED, and the trace is as it was; events
 * that they have added to its channels stay.
 */
#define LTT_TRACE_STARTING	0	/* buffers exist, nothing is recorded yet */
#define LTT_TRACE_NOT_STARTED	1	/* the buffers of a first start will be freed */
#define LTT_TRACE_STARTED	2
#define LTT_TRACE_STOPPING	3	/* still recording */
#define LTT_TRACE_GOING		4	/* stopped; about to be destroyed */
#define LTT_TRACE_CHANNEL	5	/* after the first start, a channel got its buffers */

/**
 * ltt_trace_notifier_register() - be notified of traces that start, stop and go
 * @nb: called with the registry lock held; it may sleep
 *
 * Context: registry lock held.
 * Return: 0, or -EEXIST if @nb is registered already.
 */
int ltt_trace_notifier_register(struct notifier_block *nb);

/**
 * ltt_trace_notifier_unregister() - undo ltt_trace_notifier_register()
 * @nb: not called any more when this returns
 *
 * Context: registry lock held.
 * Return: 0, or -ENOENT if @nb is not registered.
 */
int ltt_trace_notifier_unregister(struct notifier_block *nb);

#endif /* LTT_TRACE_H */
