/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registry of instrumentation points ("markers"): the API of ltt-markers.
 *
 * Layer: markers.  It knows nothing of buffers or traces.  Providers
 * (trace_mark() sites, found by ltt-markers itself; ltt-tracepoints; other
 * modules of modules/instrument) register markers; users (ltt-tracer) connect
 * sinks to them.
 *
 * Locking: one mutex, taken with ltt_markers_lock(), guards the registry and
 * all connections.  Lock order, outermost first:
 *   tracepoint_module_list_mutex (kernel; held in tracepoint module notifiers)
 *   -> the registry mutex
 *   -> locks of registry users, taken in their notifier
 *   -> cpus_read_lock, tracepoints_mutex (kernel; taken by
 *      tracepoint_probe_register(), that is by ltt_marker_connect())
 */
#ifndef LTT_REGISTRY_H
#define LTT_REGISTRY_H

#include <linux/list.h>
#include <linux/notifier.h>
#include <linux/rculist.h>
#include <linux/types.h>

#include "../../../core/field.h"
#include "../../../core/name.h"
#include <ltt/sink.h>

struct module;
struct seq_file;

/*
 * In place of a length: an event happened whose payload the provider could not
 * hold.  Longer than any buffer takes, so a sink that compares lengths before it
 * looks at the payload (NULL) counts the event as refused with no code of its own.
 */
#define LTT_SINK_TOO_BIG	(1UL << 30)

struct ltt_marker;

/**
 * struct ltt_marker_ops - what a provider does for its markers
 * @owner: the provider's module, held while a sink is connected
 * @connect: make @sink, the latest of @m->sinks, receive the events of @m; -errno;
 *	registry lock held
 * @disconnect: undo it, @sink being in the list no more; calls may go on until
 *	ltt_marker_synchronize()
 *
 * A provider that hands its events to ltt_marker_send() has something to do for
 * the first sink and after the last one only (see @nr_sinks), and keeps the marker
 * until ltt_marker_synchronize() has returned after the last one.
 * @show: print what is known of the marker's places, whole lines
 *	("  at drivers/x.c:12 [module]"); registry lock held
 * @waits: for markers with LTT_MARKER_YIELDS: @m begins to wait for its name, which
 *	@holder has, or is about to have; for a message.  Registry lock held
 */
struct ltt_marker_ops {
	struct module *owner;
	int (*connect)(struct ltt_marker *m, const struct ltt_sink *sink);
	void (*disconnect)(struct ltt_marker *m, const struct ltt_sink *sink);
	void (*show)(struct ltt_marker *m, struct seq_file *s);
	void (*waits)(struct ltt_marker *m, const struct ltt_marker *holder);
};

/* The name in a trace is @name alone, as kernel tracepoints are known;
 * without it, "group:name". */
#define LTT_MARKER_BARE		1

/*
 * The marker may wait for its name.  Where another marker has the name, registration
 * succeeds, and the marker waits.  A marker without this flag takes the name from one
 * that has the flag.  When the holder of a name is unregistered, the marker that has
 * waited longest gets the name.
 */
#define LTT_MARKER_YIELDS	2

/**
 * struct ltt_marker - one instrumentation point, as its provider embeds it
 * @group: [A-Za-z0-9_.-]{1,63}, no leading dot
 * @name: the same; unique in its group
 * @fields: the payload's layout, @nr_fields of them
 * @flags: LTT_MARKER_*
 * @ops: the provider's
 * @waiting: the registry's: another marker has the name.  No user knows of @m
 * @node: the registry's, in the list of markers or of those that wait
 * @sinks: the registry's list of connected sinks, see struct ltt_connection; its
 *	nodes are read by @fan under RCU
 * @nr_sinks: the registry's count of them
 * @out: for ltt_marker_send(): the sink if there is one, @fan if there are more;
 *	written under the registry lock
 * @fan: hands events on to all of @sinks
 * @fan_from: the first of them, when there were two or more; read under RCU
 */
struct ltt_marker {
	const char *group;
	const char *name;
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
 * @rcu: it is freed when no event is on its way past it any more
 */
struct ltt_connection {
	struct hlist_node node;
	const struct ltt_sink *sink;
	struct rcu_head rcu;
};

/**
 * ltt_marker_send() - hand an event to all sinks of a marker
 * @m: the marker
 * @payload: see struct ltt_sink
 * @len: see struct ltt_sink
 *
 * So that several traces share what it takes to put an event together.  One word
 * says where to: an event that is under way while a sink comes or goes reaches
 * every other sink once.
 *
 * Context: any, NMI included; preemption off, which RCU counts as a reader.
 */
static __always_inline void ltt_marker_send(const struct ltt_marker *m, const void *payload,
					    size_t len)
{
	const struct ltt_sink *out = READ_ONCE(m->out);

	out->write(out, payload, len);
}

void ltt_markers_lock(void);
void ltt_markers_unlock(void);
void ltt_markers_assert_held(void);

/**
 * ltt_marker_register() - make a marker known
 * @m: filled in by the provider up to and including @ops
 *
 * Tells the users' notifiers LTT_MARKER_COMING, which may connect at once.
 *
 * Context: may sleep; registry lock held.
 * Return: 0; -EINVAL for a bad name (a sentence is in the kernel log); -EEXIST
 * when group and name are taken.
 */
int ltt_marker_register(struct ltt_marker *m);

/**
 * ltt_marker_unregister() - forget a marker
 * @m: a registered one
 *
 * Tells the users' notifiers LTT_MARKER_GOING; each disconnects what it
 * connected.  The caller then calls ltt_marker_synchronize() before it frees
 * or unloads anything.
 *
 * Context: may sleep; registry lock held.
 */
void ltt_marker_unregister(struct ltt_marker *m);

/**
 * ltt_marker_connect() - send the events of a marker to a sink
 * @m: a registered marker
 * @sink: see its lifetime at struct ltt_sink
 *
 * Context: may sleep; registry lock held.
 * Return: 0; -EEXIST when this sink is connected already; -ENODEV when the provider
 * is being unloaded; -ENOMEM; what the provider returns.
 */
int ltt_marker_connect(struct ltt_marker *m, const struct ltt_sink *sink);

/**
 * ltt_marker_disconnect() - undo ltt_marker_connect()
 * Context: may sleep; registry lock held.
 */
void ltt_marker_disconnect(struct ltt_marker *m, const struct ltt_sink *sink);

/**
 * ltt_marker_synchronize() - wait until no disconnected sink is being called
 * Context: sleeps; registry lock not needed.
 */
void ltt_marker_synchronize(void);

/**
 * ltt_marker_for_each() - call @fn for every marker, by group and name in order
 * @fn: a non-zero return value ends the walk
 * @arg: handed to @fn
 *
 * Context: registry lock held.
 * Return: the last value of @fn.
 */
int ltt_marker_for_each(int (*fn)(struct ltt_marker *m, void *arg), void *arg);

/**
 * ltt_marker_find() - look a marker up
 * Context: registry lock held.
 * Return: the marker, or NULL.
 */
struct ltt_marker *ltt_marker_find(const char *group, const char *name);

/* Notifier actions; the data is the struct ltt_marker. */
#define LTT_MARKER_COMING	0
#define LTT_MARKER_GOING	1

/**
 * ltt_marker_notifier_register() - hear of markers that come and go
 * @nb: called with the registry lock held, may sleep; at once with
 *	LTT_MARKER_COMING for every marker there is
 */
int ltt_marker_notifier_register(struct notifier_block *nb);

/**
 * ltt_marker_notifier_unregister() - stop hearing
 * @nb: called with LTT_MARKER_GOING for every marker there is, so that a user
 *	forgets them in one way only
 */
int ltt_marker_notifier_unregister(struct notifier_block *nb);

#endif /* LTT_REGISTRY_H */
