/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registry of markers, that is of instrumentation points: the API of ltt-markers.
 *
 * Layer: markers.  It knows nothing of buffers or traces.  Providers register
 * markers: ltt-markers itself, for trace_mark() sites, ltt-tracepoints,
 * ltt-syscalls and ltt-probes.  Users connect sinks to markers: ltt-tracer does.
 *
 * Locking: one mutex, the registry lock, guards the registry and all connections;
 * ltt_markers_lock() takes it.  Lock order, outermost first:
 *   tracepoint_module_list_mutex (kernel; held in tracepoint module notifiers), the lock of a
 *      module's parameters (kernel; held while deadman_seconds is written)
 *   -> the registry lock
 *   -> locks of registry users, taken in their notifier
 *   -> cpus_read_lock, tracepoints_mutex (kernel; taken by
 *      tracepoint_probe_register(), that is by ltt_marker_connect())
 */
#ifndef LTT_REGISTRY_H
#define LTT_REGISTRY_H

#include <linux/list.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/types.h>

#include "../../../core/field.h"
#include "../../../core/name.h"
#include <ltt/sink.h>

struct module;
struct seq_file;

struct ltt_marker;

/**
 * struct ltt_marker_ops - the provider's functions; called with the registry lock held
 * @owner: the provider's module; each connected sink holds a reference
 * @connect: make @sink receive the events of @m.  @sink is already in @m->sinks.
 *	Returns 0 or a negative errno
 * @disconnect: undo @connect.  @sink is no longer in @m->sinks.  Calls of the sink may
 *	go on until ltt_marker_synchronize()
 * @show: print the places of the marker in whole lines
 *	("  at drivers/x.c:12 [module]")
 * @waits: @m begins to wait for its name, which @holder has or is about to get; the
 *	provider reports that.  Only for markers with LTT_MARKER_YIELDS
 * @missed: NULL, or returns how many events the provider has lost before it could call a
 *	sink, since @m was registered
 *
 * A provider that passes its events to ltt_marker_sink() needs to act only for the
 * first sink and after the last one (see @nr_sinks of struct ltt_marker).  It keeps
 * the marker until ltt_marker_synchronize() has returned after the last one.
 */
struct ltt_marker_ops {
	struct module *owner;
	int (*connect)(struct ltt_marker *m, const struct ltt_sink *sink);
	void (*disconnect)(struct ltt_marker *m, const struct ltt_sink *sink);
	void (*show)(struct ltt_marker *m, struct seq_file *s);
	void (*waits)(struct ltt_marker *m, const struct ltt_marker *holder);
	u64 (*missed)(struct ltt_marker *m);
};

/* In a trace the event is called @name, as kernel events are; without this flag it is
 * called "group:name". */
#define LTT_MARKER_BARE		1

/*
 * The marker may wait for its name.  Where another marker has the name, registration
 * succeeds, and the marker waits.  A marker without this flag takes the name from one
 * that has the flag.  When the holder of a name is unregistered, the marker that has
 * waited longest gets the name.
 */
#define LTT_MARKER_YIELDS	2

/*
 * The events come from handlers of the kernel that run with preemption off and are not
 * tracepoints: from now on ltt_marker_synchronize() waits for these handlers, too.
 */
#define LTT_MARKER_HANDLER	4

/**
 * struct ltt_marker - one instrumentation point, embedded in the provider's structure
 * @group: 1 to 63 of [A-Za-z0-9_.-], no leading dot
 * @name: like @group; unique in its group, except among markers that wait
 * @alias: NULL, or another name: patterns that match it match the marker, too
 * @fields: layout of the payload
 * @nr_fields: number of elements in @fields
 * @flags: LTT_MARKER_*
 * @ops: the provider's functions
 * @waiting: another marker has the name; no user knows of this one.  The registry
 *	sets this and all members below
 * @node: in the list of markers, or of markers that wait
 * @sinks: connected sinks, struct ltt_connection; @fan reads the nodes under RCU
 * @nr_sinks: number of elements in @sinks
 * @out: for ltt_marker_sink(): the sink if there is one, @fan if there are several;
 *	written under the registry lock
 * @fan: a sink that passes events on to all of @sinks
 * @fan_from: the first of @sinks when there were two or more; read under RCU
 */
struct ltt_marker {
	const char *group;
	const char *name;
	const char *alias;
	const struct ltt_field *fields;
	unsigned int nr_fields;
	unsigned int flags;
	const struct ltt_marker_ops *ops;
	bool waiting;
	struct list_head node;
	struct hlist_head sinks;
	unsigned int nr_sinks;
	const struct ltt_sink *out;
	struct ltt_sink fan;
	const struct hlist_node *fan_from;
};

/**
 * struct ltt_connection - a sink that is connected to a marker
 * @node: in ltt_marker.sinks
 * @sink: the sink
 * @rcu: frees the connection when no event can be on its way past it
 */
struct ltt_connection {
	struct hlist_node node;
	const struct ltt_sink *sink;
	struct rcu_head rcu;
};

/**
 * ltt_marker_sink() - begin an event: find the sink to send it to
 * @m: the marker
 *
 * If ltt_sink_wants() the event, the provider packs it, once, however many traces record
 * it, and calls @write of the returned sink.  While a sink comes or goes, each other sink
 * still receives each event exactly once.
 *
 * Context: any, NMI included; preemption off, which RCU counts as a reader, until the
 * event has been sent.
 * Return: the sink, never NULL.
 */
static __always_inline const struct ltt_sink *ltt_marker_sink(const struct ltt_marker *m)
{
	return READ_ONCE(m->out);
}

/**
 * ltt_markers_lock() - take the registry lock
 * Context: may sleep; see the lock order above.
 */
void ltt_markers_lock(void);

/**
 * ltt_markers_unlock() - release the registry lock
 * Context: task, by the owner of the lock.
 */
void ltt_markers_unlock(void);

/**
 * ltt_markers_assert_held() - warn unless the registry lock is held (with lockdep)
 * Context: any.
 */
void ltt_markers_assert_held(void);

/**
 * ltt_marker_register() - add a marker to the registry
 * @m: the provider has filled in all members up to and including @ops, and keeps @m and
 *	what it points to until ltt_marker_unregister()
 *
 * Calls the users' notifiers with LTT_MARKER_COMING; a user may connect at once.
 *
 * If another marker has the name and @m has LTT_MARKER_YIELDS, @m waits, and no notifier
 * is called.  If the other marker alone has LTT_MARKER_YIELDS, it loses the name: the
 * notifiers are called with LTT_MARKER_GOING for it before they are called for @m.
 *
 * Context: may sleep; registry lock held.
 * Return: 0; -EINVAL for an invalid name (the kernel log has a message); -EEXIST if
 * another marker has the name and neither yields.
 */
int ltt_marker_register(struct ltt_marker *m);

/**
 * ltt_marker_unregister() - remove a marker from the registry
 * @m: a registered one, also one that waits
 *
 * Calls the users' notifiers with LTT_MARKER_GOING; each disconnects what it
 * connected.  Then the marker that has waited longest for the name gets it.  The caller
 * calls ltt_marker_synchronize() before it frees or unloads what its probes use.
 *
 * Context: may sleep; registry lock held.
 */
void ltt_marker_unregister(struct ltt_marker *m);

/**
 * ltt_marker_connect() - send the events of a marker to a sink
 * @m: a registered marker that does not wait
 * @sink: the sink; struct ltt_sink says how long it must stay valid
 *
 * Context: may sleep; registry lock held.
 * Return: 0; -EEXIST if the sink is connected already; -ENODEV if the provider is being
 * unloaded; -ENOMEM; what the provider returns.
 */
int ltt_marker_connect(struct ltt_marker *m, const struct ltt_sink *sink);

/**
 * ltt_marker_disconnect() - undo ltt_marker_connect()
 * @m: the marker
 * @sink: a connected sink.  It may be called until ltt_marker_synchronize() returns
 *
 * Context: may sleep; registry lock held.
 */
void ltt_marker_disconnect(struct ltt_marker *m, const struct ltt_sink *sink);

/**
 * ltt_marker_synchronize() - wait until no disconnected sink is being called
 * Context: sleeps; the registry lock may be held.
 */
void ltt_marker_synchronize(void);

/**
 * ltt_marker_for_each() - call a function for every marker, in order of group and name
 * @fn: the function; a non-zero return value ends the walk.  It must not register or
 *	unregister markers
 * @arg: passed to @fn
 *
 * Markers that wait for their names are left out.
 *
 * Context: registry lock held.
 * Return: the last value of @fn, or 0 if there is no marker.
 */
int ltt_marker_for_each(int (*fn)(struct ltt_marker *m, void *arg), void *arg);

/**
 * ltt_marker_find() - look a marker up by its name
 * @group: its group
 * @name: its name
 *
 * Context: registry lock held, which keeps the marker registered.
 * Return: the marker that has the name, or NULL.
 */
struct ltt_marker *ltt_marker_find(const char *group, const char *name);

/**
 * ltt_marker_matches() - compare a marker with a pattern
 * @m: the marker
 * @group: glob for its group
 * @name: glob for its name or its alias
 *
 * Context: any.
 * Return: true if the pattern matches the marker.
 */
bool ltt_marker_matches(const struct ltt_marker *m, const char *group, const char *name);

/* Notifier actions; the data is the struct ltt_marker. */
#define LTT_MARKER_COMING	0
#define LTT_MARKER_GOING	1

/**
 * ltt_marker_notifier_register() - be notified of markers that come and go
 * @nb: called with the registry lock held; it may sleep.  This function calls it with
 *	LTT_MARKER_COMING for every marker that is there
 *
 * Context: may sleep; takes the registry lock.
 * Return: 0, or -EEXIST if @nb is registered already.
 */
int ltt_marker_notifier_register(struct notifier_block *nb);

/**
 * ltt_marker_notifier_unregister() - end the notifications
 * @nb: this function calls it with LTT_MARKER_GOING for every marker that is there, so
 *	that a user needs only one way to drop its markers
 *
 * Context: may sleep; takes the registry lock.
 * Return: 0, or -ENOENT if @nb is not registered.
 */
int ltt_marker_notifier_unregister(struct notifier_block *nb);

#endif /* LTT_REGISTRY_H */
