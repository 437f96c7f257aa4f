/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traces: the in-kernel API of ltt-tracer.
 *
 * Layer: tracer.  A trace has channels (a set of per-CPU buffers each, with
 * their own mode and sizes), events enabled by patterns, and CTF metadata.
 * Traces are independent of each other.  The caller is not known here: a face is
 * only a key that names live under.
 *
 * Life: create -> (options, events) -> start <-> stop -> destroy.  Events may be
 * enabled and disabled at any time; channel options until the first start, which
 * allocates the buffers.
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

struct ltt_budget;
struct cpumask;
struct ltt_channel;
struct ltt_event;
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
 * @face: whose name space @name lives in
 *
 * Context: may sleep; registry lock held.
 * Return: the trace, or ERR_PTR: -EINVAL bad name, -EEXIST, -ENOMEM.
 */
struct ltt_trace *ltt_trace_create(const char *name, const void *face);

/**
 * ltt_trace_find() - look a trace up
 * Context: registry lock held, which also keeps the trace alive.
 * Return: the trace, or NULL.
 */
struct ltt_trace *ltt_trace_find(const char *name, const void *face);

/**
 * ltt_trace_face() - whose name space a trace lives in
 * Context: registry lock held.
 */
const void *ltt_trace_face(const struct ltt_trace *trace);

/**
 * ltt_trace_set_face() - move a trace to another name space
 *
 * So that nobody finds it while its owner takes down what it built around it.
 *
 * Context: registry lock held.
 */
void ltt_trace_set_face(struct ltt_trace *trace, const void *face);

/**
 * ltt_trace_set_budget() - say who answers for the buffers that a trace will have
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
 * ltt_trace_start() - start, the first time with the allocation of all buffers
 * Context: sleeps; registry lock held.
 * Return: 0; -EALREADY when running; -ENOMEM; what the budget says, such as -EDQUOT;
 * -EINVAL for options that do not go
 * together.
 */
int ltt_trace_start(struct ltt_trace *trace);

/**
 * ltt_trace_stop() - stop, and make all that was recorded readable
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
 * ltt_trace_is_halted() - has it been halted, and not been stopped yet?
 * Context: registry lock held.
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

enum ltt_trace_state ltt_trace_get_state(const struct ltt_trace *trace);
const char *ltt_trace_name(const struct ltt_trace *trace);

/**
 * ltt_trace_uuid() - what no other trace ever has, as its packets and metadata tell
 */
const uuid_t *ltt_trace_uuid(const struct ltt_trace *trace);

/**
 * ltt_trace_clock() - get the clock of a trace's times
 * @trace: in any state
 *
 * Context: any.
 * Return: what the metadata of the trace says, which does not change.
 */
const struct ltt_clock_info *ltt_trace_clock(const struct ltt_trace *trace);

/**
 * ltt_trace_add_rule() - enable or disable what patterns match, for good
 * @trace: in any state
 * @channel: where the events go; NULL for the default
 * @patterns: "group:name" or "name" (of any group), with * ? [] globs; several are
 *	separated by blanks, and hold in their order
 * @enable: false removes
 *
 * The last rule that matches an event decides.  Rules also hold for events that
 * come later.  Events of the state channel are always on and in no other.
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EINVAL bad pattern, or none; -ENOENT no such channel, or nothing to
 * remove; -ENOMEM, -ENOSPC (out of event ids), -EDQUOT (LTT_RULES_MAX): nothing has
 * changed.
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
 * Context: sleeps; registry lock held.
 * Return: 0, or as ltt_trace_add_rule(), with some of the rules copied.
 */
int ltt_trace_copy_rules(struct ltt_trace *to, struct ltt_trace *from);

/**
 * ltt_trace_has_event() - is a marker's event enabled in any channel?
 * Context: registry lock held.
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
 * ltt_trace_tasks() - the set of tasks to which it is limited, or NULL
 * Context: registry lock held.
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
 * ltt_trace_cpus() - which it is limited to, or NULL
 * Context: registry lock held.
 */
const struct cpumask *ltt_trace_cpus(const struct ltt_trace *trace);

/**
 * ltt_trace_flush() - make partly filled sub-buffers readable, where not empty
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
 * Context: sleeps; registry lock held.
 * Return: 0; -ENOENT when there is no overwrite channel; -EINVAL before the
 * first start.
 */
int ltt_trace_snapshot(struct ltt_trace *trace);

/**
 * ltt_trace_list_tasks() - record the names of all threads again, in the state channel
 * @trace: the trace
 *
 * So that a snapshot has them where the state channel is a flight recorder, too.
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EINVAL when the trace does not run.
 */
int ltt_trace_list_tasks(struct ltt_trace *trace);

/* ---- Channels ---- */

/**
 * ltt_trace_may_add_channel() - would ltt_trace_add_channel() do it, given memory?
 * Context: registry lock held.
 * Return: 0, or its errors but for -ENOMEM.
 */
int ltt_trace_may_add_channel(const struct ltt_trace *trace, const char *name);

/**
 * ltt_trace_add_channel() - add a channel before the first start
 * Context: may sleep; registry lock held.
 * Return: the channel, or ERR_PTR: -EINVAL bad name, -EEXIST, -EBUSY started,
 * -ENOSPC too many, -ENOMEM.
 */
struct ltt_channel *ltt_trace_add_channel(struct ltt_trace *trace, const char *name,
					  const struct ltt_channel_options *options);

/**
 * ltt_trace_channel() - the channels by number
 * Return: the channel, or NULL beyond the last.  The number is its CTF stream id.
 */
struct ltt_channel *ltt_trace_channel(struct ltt_trace *trace, unsigned int nr);

const char *ltt_channel_name(const struct ltt_channel *channel);
void ltt_channel_get_options(const struct ltt_channel *channel,
			     struct ltt_channel_options *options);

/**
 * ltt_channel_set_options() - change a channel before the first start
 * Context: registry lock held.
 * Return: 0; -EBUSY after the first start; -EINVAL for values out of range, or overwrite
 * and lossless together.
 */
int ltt_channel_set_options(struct ltt_channel *channel,
			    const struct ltt_channel_options *options);

/**
 * ltt_channel_buf() - a CPU's buffer
 * Return: the buffer, NULL if it has no memory (not started, CPU never up).
 */
struct ltt_relay_buf *ltt_channel_buf(struct ltt_channel *channel, int cpu);

/* ---- Events of other modules: without a marker ---- */

/**
 * ltt_channel_add_event() - define an event that the caller writes itself
 * @channel: where
 * @group: its name in the trace is "group:name"
 * @name: see @group
 * @fields: the payload; the array must outlive the trace
 * @nr_fields: its length
 *
 * Context: may sleep; registry lock held.
 * Return: the event, valid until the trace is destroyed, or ERR_PTR: -ENOMEM,
 * -ENOSPC.
 */
struct ltt_event *ltt_channel_add_event(struct ltt_channel *channel, const char *group,
					const char *name, const struct ltt_field *fields,
					unsigned int nr_fields);

/**
 * ltt_event_write() - write one event, if the trace is running
 *
 * It belongs to no task: the limits of a trace do not hold it back.
 *
 * @event: from ltt_channel_add_event()
 * @payload: @len bytes, laid out as its fields say
 * @len: bytes
 * Context: any, NMI included.
 */
void ltt_event_write(struct ltt_event *event, const void *payload, size_t len);

/* ---- What faces show ---- */

/**
 * ltt_trace_show_events() - print the enabled events and the waiting patterns
 *
 * "+ group:name channel" for each enabled event; "? pattern" for each pattern
 * that matches nothing yet.
 *
 * Context: registry lock held.
 */
void ltt_trace_show_events(struct ltt_trace *trace, struct seq_file *s);

/**
 * ltt_trace_show_rules() - print the patterns in their order, one a line, those
 *	that remove with a leading "!"
 * Context: registry lock held.
 */
void ltt_trace_show_rules(struct ltt_trace *trace, struct seq_file *s);

/**
 * ltt_trace_show_stats() - print the counts; the format is in doc/debugfs.md
 * Context: registry lock held.
 */
void ltt_trace_show_stats(struct ltt_trace *trace, struct seq_file *s);

/**
 * ltt_trace_metadata() - the CTF metadata, with a reference of the caller's own
 * Context: registry lock held, or the trace otherwise kept from its end.
 */
struct ltt_metadata *ltt_trace_metadata(struct ltt_trace *trace);
void ltt_metadata_put(struct ltt_metadata *metadata);

/**
 * ltt_metadata_read() - read at any offset
 * Context: sleeps.
 * Return: bytes copied, a page at most, 0 at the end of what there is so far,
 * -EFAULT, -EINVAL, -ENOMEM.
 */
ssize_t ltt_metadata_read(struct ltt_metadata *metadata, char __user *to, size_t count,
			  loff_t *pos);

/* ---- Hearing of buffers ---- */

enum ltt_news {
	LTT_NEWS_FULL,	/* a sub-buffer became full; how many wait to be read */
	LTT_NEWS_LOST,	/* events were refused; how many so far */
};

typedef void (*ltt_news_fn)(void *arg, enum ltt_news news, struct ltt_channel *channel, int cpu,
			    u64 count);

/**
 * ltt_trace_hear_news() - be called when there may be news of buffers
 * @fn: called in hard interrupt context, once until ltt_trace_take_news(); NULL: not
 *	any more, and it is not running when this returns
 *
 * There is one hearer.  News are what comes from now on.
 *
 * Context: task, registry lock held.
 */
void ltt_trace_hear_news(void (*fn)(void));

/**
 * ltt_trace_take_news() - what has happened since this was called last
 * @fn: called for each piece of news, of all traces
 * @arg: for @fn
 *
 * Flight recorders have no full buffers.
 *
 * Context: task, registry lock held.
 */
void ltt_trace_take_news(ltt_news_fn fn, void *arg);

/** ltt_channel_trace() - whose channel it is; registry lock held */
struct ltt_trace *ltt_channel_trace(const struct ltt_channel *channel);

/* ---- Hearing of traces ---- */

/*
 * Notifier actions; the data is the struct ltt_trace.  Registry lock held.  An error as
 * the answer to STARTING (notifier_from_errno()) is that of the start: those that had
 * answered before receive NOT_STARTED, and the trace is as it was; events that they have added
 * to its channels stay.
 */
#define LTT_TRACE_STARTING	0	/* buffers exist, nothing is recorded yet */
#define LTT_TRACE_NOT_STARTED	1	/* buffers that there were not before will go */
#define LTT_TRACE_STARTED	2
#define LTT_TRACE_STOPPING	3	/* still recording */
#define LTT_TRACE_GOING		4	/* stopped; about to be destroyed */

int ltt_trace_notifier_register(struct notifier_block *nb);
int ltt_trace_notifier_unregister(struct notifier_block *nb);

/**
 * ltt_trace_for_each() - call @fn for every trace
 * Context: registry lock held.
 * Return: the last value of @fn; non-zero ends the walk.
 */
int ltt_trace_for_each(int (*fn)(struct ltt_trace *trace, void *arg), void *arg);

#endif /* LTT_TRACE_H */
