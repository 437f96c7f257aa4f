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
 * Locking: all functions below are serialised by ltt_markers_lock(), taken by
 * the caller where "Context" names it; doc/architecture.md has the order of locks.
 * The data path takes none.
 */
#ifndef LTT_TRACE_H
#define LTT_TRACE_H

#include <linux/types.h>
#include <linux/uuid.h>

#include "../../../core/field.h"
#include "../../../core/name.h"
#include "../../../include/uapi/ltt/verdict.h"

struct bpf_prog;
struct ltt_budget;
struct cpumask;
struct ltt_channel;
struct ltt_contexts;
struct ltt_event;
struct ltt_marker;
struct ltt_metadata;
struct ltt_relay_buf;
struct ltt_tasks;
struct ltt_trace;
struct notifier_block;
struct seq_file;

/* Channels that every trace has. */
#define LTT_CHANNEL_STATE	"state"
#define LTT_CHANNEL_EVENTS	"events"

#define LTT_CHANNELS_MAX	16
#define LTT_RULES_MAX		4096	/* of a trace */
#define LTT_SETTINGS_MAX	64	/* patterns with contexts, and as many with filters, of a trace */
#define LTT_EXPRESSION_MAX	4096	/* bytes of a filter, with its NUL */

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
 * struct ltt_channel_options - a channel's buffers
 * @subbuf_size: bytes, a power of two, at least a page
 * @subbuf_count: per CPU, a power of two, at least 2
 * @overwrite: flight recorder
 * @lossless_ms: not 0: threads that write faster than the reader reads wait for it,
 *	up to so many milliseconds, where they can; not with @overwrite
 */
struct ltt_channel_options {
	size_t subbuf_size;
	unsigned int subbuf_count;
	bool overwrite;
	unsigned int lossless_ms;
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
 * ltt_trace_destroy() - stop a trace if need be, and end it
 * @trace: not to be used any more
 *
 * Open readers of its buffers and metadata drain what is there.
 *
 * Context: sleeps; registry lock held.
 */
void ltt_trace_destroy(struct ltt_trace *trace);

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
 * ltt_trace_show_triggers() - print whether a trace is armed, and how often triggers reported
 * @trace: the trace
 * @s: receives lines "armed PATTERN" and "report SLOT COUNT"
 *
 * Context: registry lock held.
 */
void ltt_trace_show_triggers(struct ltt_trace *trace, struct seq_file *s);

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
 * ltt_trace_is_halted() - check whether a trace has been halted, and not been stopped yet
 * @trace: in any state
 *
 * Context: registry lock held.
 * Return: true if the state is LTT_TRACE_RUNNING, and the trace does not record.
 */
bool ltt_trace_is_halted(const struct ltt_trace *trace);

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
 * ltt_trace_get_state() - get the state of a trace
 * @trace: the trace
 *
 * Context: registry lock held.
 * Return: its state.
 */
enum ltt_trace_state ltt_trace_get_state(const struct ltt_trace *trace);

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
 * remove; -ENOMEM, -ENOSPC (out of event ids), -EDQUOT (LTT_RULES_MAX, or the budget): no
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
 * ltt_trace_limit_tasks() - record only what happens in the context of some tasks
 * @trace: in any state
 * @tasks: a set after ltt_tasks_follow(); the trace takes a reference of its own.  NULL
 *	for all tasks
 *
 * Events of an interrupt belong to the task that it interrupted.  When this returns,
 * nothing is recorded by the former limit any more.
 *
 * Context: sleeps; registry lock held.
 */
void ltt_trace_limit_tasks(struct ltt_trace *trace, struct ltt_tasks *tasks);

/**
 * ltt_trace_tasks() - get the set of tasks that limits a trace
 * @trace: in any state
 *
 * Context: registry lock held.
 * Return: the set, without a reference; NULL without a limit.
 */
struct ltt_tasks *ltt_trace_tasks(const struct ltt_trace *trace);

/**
 * ltt_trace_limit_cpus() - record only what happens on some CPUs
 * @trace: in any state
 * @cpus: copied; NULL for all CPUs
 *
 * Context: sleeps; registry lock held.
 * Return: 0 or -ENOMEM.
 */
int ltt_trace_limit_cpus(struct ltt_trace *trace, const struct cpumask *cpus);

/**
 * ltt_trace_cpus() - get the set of CPUs that limits a trace
 * @trace: in any state
 *
 * Context: registry lock held.
 * Return: the set, valid until the lock is released; NULL without a limit.
 */
const struct cpumask *ltt_trace_cpus(const struct ltt_trace *trace);

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

/* ---- Channels ---- */

/**
 * ltt_trace_may_add_channel() - check whether a channel can be added
 * @trace: in any state
 * @name: of the channel, see ltt_name_valid()
 *
 * Context: registry lock held.
 * Return: 0, or the error that ltt_trace_add_channel() would return, but for -ENOMEM.
 */
int ltt_trace_may_add_channel(const struct ltt_trace *trace, const char *name);

/**
 * ltt_trace_add_channel() - add a channel
 * @trace: in any state
 * @name: of the channel, see ltt_name_valid(); "metadata" and "index" are reserved
 * @options: copied; values that ltt_channel_set_options() accepts
 *
 * Context: may sleep; registry lock held.
 * Return: the channel, which belongs to the trace, or ERR_PTR: -EINVAL bad name; -EEXIST;
 * -ENOSPC LTT_CHANNELS_MAX exist; -ENOMEM.
 */
struct ltt_channel *ltt_trace_add_channel(struct ltt_trace *trace, const char *name,
					  const struct ltt_channel_options *options);

/**
 * ltt_trace_channel() - get a channel by its number
 * @trace: in any state
 * @nr: from 0; the CTF stream id of the channel
 *
 * Context: registry lock held, or the caller otherwise keeps the trace from being destroyed.
 * Return: the channel, or NULL beyond the last.
 */
struct ltt_channel *ltt_trace_channel(const struct ltt_trace *trace, unsigned int nr);

/**
 * ltt_channel_name() - get the name of a channel
 * @channel: the channel
 *
 * Context: any.
 * Return: the name, which does not change, and is valid as long as the channel.
 */
const char *ltt_channel_name(const struct ltt_channel *channel);

/**
 * ltt_channel_get_options() - get the options of a channel
 * @channel: the channel
 * @options: receives them
 *
 * Context: registry lock held.
 */
void ltt_channel_get_options(const struct ltt_channel *channel,
			     struct ltt_channel_options *options);

/**
 * ltt_channel_set_options() - change the options of a channel that has no buffers
 * @channel: the channel
 * @options: copied
 *
 * Context: registry lock held.
 * Return: 0; -EBUSY it has buffers; -EINVAL for values out of range, overwrite and
 * lossless together, or a lossless channel of fewer than 4 sub-buffers.
 */
int ltt_channel_set_options(struct ltt_channel *channel,
			    const struct ltt_channel_options *options);

/**
 * ltt_channel_buf() - get the buffer of a CPU
 * @channel: the channel
 * @cpu: a possible CPU
 *
 * Context: registry lock held, or the caller otherwise keeps the trace from being started
 * and destroyed.
 * Return: the buffer; NULL if it has no memory: the trace was never started, or the CPU was
 * never online.
 */
struct ltt_relay_buf *ltt_channel_buf(struct ltt_channel *channel, int cpu);

/**
 * ltt_channel_has_buffers() - check whether events can be written to a channel
 * @channel: the channel
 *
 * Context: registry lock held.
 * Return: false before the first start, and for a channel that was added later and has had
 * no pattern.
 */
bool ltt_channel_has_buffers(const struct ltt_channel *channel);

/* ---- Events of other modules: without a marker ---- */

/**
 * ltt_channel_add_event() - define an event that the caller writes itself
 * @channel: the channel that receives the records
 * @group: the name of the event in the trace is "group:name"
 * @name: see @group
 * @fields: the fields of the payload; the array must outlive the trace
 * @nr_fields: number of elements in @fields
 *
 * In a trace that has been started it makes the buffers of a channel that has none.
 *
 * Context: may sleep; registry lock held.
 * Return: the event, valid until the trace is destroyed, or ERR_PTR: -ENOMEM,
 * -ENOSPC, or an error of the budget.
 */
struct ltt_event *ltt_channel_add_event(struct ltt_channel *channel, const char *group,
					const char *name, const struct ltt_field *fields,
					unsigned int nr_fields);

/**
 * ltt_event_write() - write one event, if the trace is running
 * @event: from ltt_channel_add_event()
 * @payload: @len bytes, in the layout of the event's fields
 * @len: bytes
 *
 * It belongs to no task: the limits of a trace do not hold it back.
 *
 * Context: any, NMI included.
 */
void ltt_event_write(struct ltt_event *event, const void *payload, size_t len);

/* ---- Contexts: ltt/context.h has the table of them ---- */

#define LTT_CONTEXT_WORD_MAX	64	/* bytes of a name, with a depth and the NUL */
#define LTT_CONTEXT_TEXT_MAX	640	/* bytes of a list, with its NUL */

/**
 * ltt_contexts_create() - make a list of contexts
 * @text: names, separated by commas; that of a stack may end with ":DEPTH", the most
 *	addresses.  "tid" is in every record, and may be named.  "none" for no list
 * @bad: receives the word that is at fault
 *
 * Context: sleeps; registry lock held.
 * Return: the list, with a reference for the caller; NULL if it has nothing but the thread
 * id; ERR_PTR: -EINVAL a word names no context of this kernel, -EEXIST it is there twice,
 * -E2BIG too many, -EOPNOTSUPP this machine does not count that, -EBUSY others have all
 * registers for that, -ENOMEM.
 */
struct ltt_contexts *ltt_contexts_create(const char *text, char bad[LTT_CONTEXT_WORD_MAX]);

/**
 * ltt_contexts_put() - drop a reference
 * @contexts: may be NULL; the last reference ends the list
 *
 * Context: sleeps; registry lock held.
 */
void ltt_contexts_put(struct ltt_contexts *contexts);

/**
 * ltt_contexts_text() - get a list as text
 * @contexts: the list, or NULL
 *
 * Context: any.
 * Return: the text, which is valid as long as the list; "none" for NULL.
 */
const char *ltt_contexts_text(const struct ltt_contexts *contexts);

/**
 * ltt_channel_set_contexts() - set the contexts of the events of a channel
 * @channel: the channel; its trace is in any state
 * @contexts: the list; the channel takes a reference of its own.  NULL for none
 *
 * An event for which the trace has contexts by a pattern keeps those.  In a running trace,
 * what happens while an event gets other contexts may not be recorded.
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -ENOMEM, -ENOSPC (out of event ids): nothing has changed.
 */
int ltt_channel_set_contexts(struct ltt_channel *channel, struct ltt_contexts *contexts);

/**
 * ltt_channel_contexts() - get the contexts of the events of a channel
 * @channel: the channel
 *
 * Context: registry lock held.
 * Return: the list, without a reference; NULL for none.
 */
struct ltt_contexts *ltt_channel_contexts(const struct ltt_channel *channel);

/**
 * ltt_trace_set_contexts() - set the contexts of the events that a pattern matches
 * @trace: in any state
 * @pattern: "group:name" or "name" (of any group), with * ? [] globs.  It enables no event
 * @contexts: as for ltt_channel_set_contexts()
 *
 * The last pattern that matches an event decides, whatever its channel has.
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EINVAL bad pattern; -EDQUOT (LTT_SETTINGS_MAX), -ENOMEM, -ENOSPC: nothing
 * has changed.
 */
int ltt_trace_set_contexts(struct ltt_trace *trace, const char *pattern,
			   struct ltt_contexts *contexts);

/**
 * ltt_trace_unset_contexts() - undo ltt_trace_set_contexts()
 * @trace: in any state
 * @pattern: the same pattern
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EINVAL bad pattern; -ENOENT it was not set; -ENOMEM, -ENOSPC: nothing has
 * changed.
 */
int ltt_trace_unset_contexts(struct ltt_trace *trace, const char *pattern);

/* ---- Filters ---- */

/**
 * ltt_trace_set_filter() - set the filter of the events that a pattern matches
 * @trace: in any state
 * @pattern: "group:name" or "name" (of any group), with * ? [] globs.  It enables no event
 * @expression: the filter, which the tracer only compares: see ltt_trace_attach()
 *
 * The last pattern that matches an event decides.  It holds for events that come later, too.  The
 * events of the state channel have no filter.  From the return of this function on, an event
 * whose filter has changed is not recorded until a program for it is attached.
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EINVAL bad pattern; -EBADMSG @expression is empty or not one line; -E2BIG it is
 * longer than LTT_EXPRESSION_MAX; -EDQUOT (LTT_SETTINGS_MAX); -ENOMEM, -ENOSPC: nothing has
 * changed.
 */
int ltt_trace_set_filter(struct ltt_trace *trace, const char *pattern, const char *expression);

/**
 * ltt_trace_unset_filter() - undo ltt_trace_set_filter()
 * @trace: in any state
 * @pattern: the same pattern
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EINVAL bad pattern; -ENOENT it was not set; -ENOMEM, -ENOSPC: nothing has changed.
 */
int ltt_trace_unset_filter(struct ltt_trace *trace, const char *pattern);

/**
 * ltt_marker_layout() - get a number that stands for the fields of a marker
 * @marker: a registered marker
 * @hash: receives the number
 *
 * Context: may sleep; registry lock held.
 * Return: 0; -ENOMEM.
 */
int ltt_marker_layout(const struct ltt_marker *marker, u64 *hash);

/**
 * ltt_program_get() - find a program that can filter events
 * @text: the number of a descriptor of this process, or the path of a pinned program
 * @why: receives a sentence after an error
 * @size: bytes of @why
 *
 * Possession of the program is the right to attach it: the kernel has checked the rights of the
 * process that loaded it.
 *
 * Context: sleeps; registry lock not held, because it looks files up.
 * Return: the program, with a reference for the caller, or ERR_PTR: -EOPNOTSUPP the kernel has no
 * eBPF; -EBADF no such descriptor; -EINVAL not a program of the type raw_tracepoint, or one that
 * may sleep or uses maps of other kinds than arrays and hashes allocated in advance; an error of
 * the file system.
 */
struct bpf_prog *ltt_program_get(const char *text, char *why, size_t size);

/**
 * ltt_program_put() - drop a reference to a program
 * @program: from ltt_program_get()
 *
 * Context: may sleep.
 */
void ltt_program_put(struct bpf_prog *program);

/**
 * struct ltt_attachment - a program for an event
 * @group: group of the event
 * @name: name of the event
 * @layout: from ltt_marker_layout(): the fields for which @program was made
 * @counters: the counters of perf that @program asks for, contexts separated by commas; NULL for none
 * @expression: the filter from which @program was made
 * @program: called for each event with the payload as its context.  It returns a
 *	verdict, see ltt/verdict.h
 */
struct ltt_attachment {
	const char *group;
	const char *name;
	u64 layout;
	const char *counters;
	const char *expression;
	struct bpf_prog *program;
};

/**
 * ltt_trace_attach() - give an event with a filter its program
 * @trace: in any state
 * @what: the event and the program; the trace takes a reference of its own to the latter
 * @why: receives a sentence after an error, but for -ENOMEM and errors of the marker
 * @size: bytes of @why
 *
 * Replaces a program that the event has.  In a running trace the event is recorded from now on.
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -ENOENT the trace does not record the event; -ESTALE it has other fields or another
 * filter by now; -EINVAL the program reads more bytes than each payload of the event has, or a counter
 * does not exist; -EOPNOTSUPP this machine does not count that; -EBUSY others have all counters of a
 * kind; -ENOMEM, or an error of the marker: nothing has changed.
 */
int ltt_trace_attach(struct ltt_trace *trace, const struct ltt_attachment *what, char *why,
		     size_t size);

/**
 * ltt_trace_show_filters() - print which patterns and events have which filters
 * @trace: in any state
 * @s: receives a line for each pattern, in their order, "pattern PATTERN EXPRESSION", then for
 *	each enabled event with a filter "event GROUP:NAME waiting EXPRESSION" or
 *	"event GROUP:NAME program ID runs N filtered N unjudged N"
 *
 * Context: registry lock held.
 */
void ltt_trace_show_filters(struct ltt_trace *trace, struct seq_file *s);

/* ---- What faces show ---- */

/**
 * ltt_trace_show_contexts() - print which events have which contexts
 * @trace: in any state
 * @s: receives a line for each channel, "channel NAME LIST", then for each pattern, in their
 *	order, "pattern PATTERN LIST"
 *
 * Context: registry lock held.
 */
void ltt_trace_show_contexts(struct ltt_trace *trace, struct seq_file *s);

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

/**
 * ltt_trace_show_stats() - print the counts; the format is in doc/debugfs.md
 * @trace: in any state
 * @s: receives the lines
 *
 * Context: registry lock held.
 */
void ltt_trace_show_stats(struct ltt_trace *trace, struct seq_file *s);

/**
 * ltt_trace_metadata() - get the CTF metadata of a trace
 * @trace: in any state
 *
 * Context: registry lock held, or the caller otherwise keeps the trace from being destroyed.
 * Return: the metadata, with a reference for the caller, see ltt_metadata_put().
 */
struct ltt_metadata *ltt_trace_metadata(struct ltt_trace *trace);

/**
 * ltt_metadata_put() - drop a reference to metadata
 * @metadata: not to be used any more by the caller
 *
 * Context: task.
 */
void ltt_metadata_put(struct ltt_metadata *metadata);

/**
 * ltt_metadata_read() - copy metadata to user memory
 * @metadata: the caller has a reference
 * @to: user memory, @count bytes
 * @count: bytes
 * @pos: offset of the first byte, not negative; moved by the number of bytes copied
 *
 * Context: sleeps.
 * Return: bytes copied, a page at most; 0 at the end of the text so far; -EFAULT; -ENOMEM.
 */
ssize_t ltt_metadata_read(struct ltt_metadata *metadata, char __user *to, size_t count,
			  loff_t *pos);

/* ---- Notifications of buffers and triggers ---- */

/**
 * struct ltt_news - a piece of news
 * @what: LTT_NEWS_FULL: a sub-buffer became full; LTT_NEWS_LOST: events were refused; LTT_NEWS_TRIGGER: a
 *	trigger fired
 * @trace: the trace
 * @channel: the channel of the buffer; NULL for a trigger
 * @number: the CPU of the buffer, or the slot of the trigger
 * @count: the number of full sub-buffers; or the number of events refused since the first start;
 *	or how often the trigger fired
 */
struct ltt_news {
	enum {
		LTT_NEWS_FULL,
		LTT_NEWS_LOST,
		LTT_NEWS_TRIGGER,
	} what;
	struct ltt_trace *trace;
	struct ltt_channel *channel;
	int number;
	u64 count;
};

/**
 * typedef ltt_news_fn - a function that ltt_trace_take_news() calls
 * @arg: the caller's
 * @news: what happened
 *
 * Context: task, registry lock held.
 */
typedef void (*ltt_news_fn)(void *arg, const struct ltt_news *news);

/**
 * ltt_trace_set_news_receiver() - set the function that is called when buffers have news
 * @fn: called in hard interrupt context when there are news, and then not until
 *	ltt_trace_take_news() has taken them.  NULL removes the receiver; when this function
 *	returns, the receiver is not running
 *
 * There is one receiver.  Only what happens from now on is news.
 *
 * Context: task, registry lock held.
 */
void ltt_trace_set_news_receiver(void (*fn)(void));

/**
 * ltt_trace_take_news() - report what has happened since the last call
 * @fn: called for each piece of news, of all traces; NULL drops the news
 * @arg: passed to @fn
 *
 * Flight recorders have no full buffers.
 *
 * Context: task, registry lock held.
 */
void ltt_trace_take_news(ltt_news_fn fn, void *arg);

/**
 * ltt_channel_trace() - get the trace of a channel
 * @channel: a channel whose trace has not been destroyed
 *
 * Context: registry lock held.
 * Return: the trace.
 */
struct ltt_trace *ltt_channel_trace(const struct ltt_channel *channel);

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

#endif /* LTT_TRACE_H */
