// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registry of markers; modules/include/ltt/registry.h is its API.
 *
 * Layer: markers.  Context: task, may sleep; except fan_out() and ignore(), which run
 * between a provider's event and the sinks, in any context, NMI included.
 *
 * Locking: registry_mutex guards both lists of markers, each marker's list of sinks,
 * and the chain of notifiers.  registry.h has the lock order.
 */
#define pr_fmt(fmt) "ltt-markers: " fmt

#include <ltt/registry.h>

#include <linux/export.h>
#include <linux/glob.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

static DEFINE_MUTEX(registry_mutex);
static LIST_HEAD(markers);	/* struct ltt_marker, by group and name, no name twice */
static LIST_HEAD(waiting);	/* struct ltt_marker, the next one to get a name first */
static RAW_NOTIFIER_HEAD(notifiers);

/* A marker has had LTT_MARKER_HANDLER.  Written under the registry lock, read without it: a sink
 * that is to be waited for was connected after that. */
static bool any_handler;

void ltt_markers_lock(void)
{
	mutex_lock(&registry_mutex);
}
EXPORT_SYMBOL_GPL(ltt_markers_lock);

void ltt_markers_unlock(void)
{
	mutex_unlock(&registry_mutex);
}
EXPORT_SYMBOL_GPL(ltt_markers_unlock);

void ltt_markers_assert_held(void)
{
	lockdep_assert_held(&registry_mutex);
}
EXPORT_SYMBOL_GPL(ltt_markers_assert_held);

/* Negative, zero or positive: the name comes before, is, or comes after that of @m. */
static int compare(const char *group, const char *name, const struct ltt_marker *m)
{
	return strcmp(group, m->group) ?: strcmp(name, m->name);
}

struct ltt_marker *ltt_marker_find(const char *group, const char *name)
{
	struct ltt_marker *m;

	ltt_markers_assert_held();
	list_for_each_entry(m, &markers, node) {
		int order = compare(group, name, m);

		if (order <= 0)
			return order ? NULL : m;
	}
	return NULL;
}
EXPORT_SYMBOL_GPL(ltt_marker_find);

bool ltt_marker_matches(const struct ltt_marker *m, const char *group, const char *name)
{
	return glob_match(group, m->group) &&
	       (glob_match(name, m->name) || (m->alias && glob_match(name, m->alias)));
}
EXPORT_SYMBOL_GPL(ltt_marker_matches);

int ltt_marker_for_each(int (*fn)(struct ltt_marker *m, void *arg), void *arg)
{
	struct ltt_marker *m;
	int ret = 0;

	ltt_markers_assert_held();
	list_for_each_entry(m, &markers, node) {
		ret = fn(m, arg);
		if (ret)
			break;
	}
	return ret;
}
EXPORT_SYMBOL_GPL(ltt_marker_for_each);

/* ---- From a marker to its sinks ---- */

static notrace void ignore(const struct ltt_sink *sink, const void *payload, size_t len)
{
}

/* For sinks of this file: takes every event, and is never full. */
static DEFINE_PER_CPU(struct ltt_gate, open_gate);
static DEFINE_PER_CPU(struct ltt_sink_room, never_full) = { .full_at = ~0ULL };

/* A marker without sinks sends its events here: that saves each event a test. */
static const struct ltt_sink no_sink = {
	.gate = &open_gate,
	.write = ignore,
	.room = &never_full,
};

static const struct ltt_sink *sink_of(const struct hlist_node *node)
{
	return hlist_entry(node, struct ltt_connection, node)->sink;
}

static __always_inline void give(const struct ltt_sink *sink, const void *payload, size_t len)
{
	if (ltt_sink_wants(sink))
		sink->write(sink, payload, len);
}

/* The last sink is called in tail position: the compiler makes that a jump. */
static notrace void fan_out(const struct ltt_sink *fan, const void *payload, size_t len)
{
	const struct ltt_marker *m = container_of(fan, struct ltt_marker, fan);
	const struct hlist_node *node = READ_ONCE(m->fan_from);
	const struct ltt_sink *sink = sink_of(node);

	while ((node = READ_ONCE(node->next))) {
		give(sink, payload, len);
		sink = sink_of(node);
	}
	give(sink, payload, len);
}

/* Choose where events go; called after each change of the list. */
static void set_out(struct ltt_marker *m)
{
	const struct ltt_sink *out = &no_sink;

	if (m->nr_sinks == 1)
		out = sink_of(m->sinks.first);
	if (m->nr_sinks > 1) {
		/* When fewer are left, @fan_from stays: an event that is on its way through
		 * the fan need not check for NULL.  (It is an RCU reader, which keeps what
		 * @fan_from points to.)
		 * O(fan:A): the connection before the pointer to it, for events that
		 * already go through the fan; pairs with the address dependency of
		 * fan_out(). */
		smp_store_release(&m->fan_from, m->sinks.first);
		out = &m->fan;
	}
	/* O(out:A): the sink before the pointer to it; pairs with the address dependency
	 * of ltt_marker_sink(). */
	smp_store_release(&m->out, out);
}

/* ---- Registration ---- */

/* Give a marker its name, which no other has, and announce it to the users. */
static void make_known(struct ltt_marker *m)
{
	struct ltt_marker *next;

	list_for_each_entry(next, &markers, node)
		if (compare(m->group, m->name, next) < 0)
			break;
	m->waiting = false;
	list_add_tail(&m->node, &next->node);
	raw_notifier_call_chain(&notifiers, LTT_MARKER_COMING, m);
}

/* Undo make_known(): no user has a sink connected to @m afterwards. */
static void withdraw(struct ltt_marker *m)
{
	raw_notifier_call_chain(&notifiers, LTT_MARKER_GOING, m);
	/* A sink left behind would be called from code that is gone. */
	while (WARN_ON_ONCE(!hlist_empty(&m->sinks)))
		ltt_marker_disconnect(m, hlist_entry(m->sinks.first, struct ltt_connection,
						     node)->sink);
	list_del(&m->node);
}

/* @m waits for its name, which @holder has; @first: it is the next one to get it. */
static void let_wait(struct ltt_marker *m, const struct ltt_marker *holder, bool first)
{
	m->waiting = true;
	if (first)
		list_add(&m->node, &waiting);
	else
		list_add_tail(&m->node, &waiting);
	m->ops->waits(m, holder);
}

/* The name is free: give it to the marker that has waited longest. */
static void promote(const char *group, const char *name)
{
	struct ltt_marker *m;

	list_for_each_entry(m, &waiting, node) {
		if (compare(group, name, m))
			continue;
		list_del(&m->node);
		make_known(m);
		pr_info("the marker %s:%s, which was ignored, has its name now\n", group, name);
		return;
	}
}

int ltt_marker_register(struct ltt_marker *m)
{
	struct ltt_marker *holder;

	ltt_markers_assert_held();
	if (!ltt_name_valid(m->group) || !ltt_name_valid(m->name)) {
		pr_err("the marker '%s:%s' is rejected: a group and a name are 1 to 63 of A-Z a-z 0-9 _ . - and do not start with a dot\n",
		       m->group, m->name);
		return -EINVAL;
	}
	holder = ltt_marker_find(m->group, m->name);
	if (holder && !((m->flags | holder->flags) & LTT_MARKER_YIELDS))
		return -EEXIST;
	if (m->flags & LTT_MARKER_HANDLER)
		WRITE_ONCE(any_handler, true);
	INIT_HLIST_HEAD(&m->sinks);
	m->fan.gate = &open_gate;
	m->fan.write = fan_out;
	m->fan.room = &never_full;
	m->out = &no_sink;
	m->nr_sinks = 0;
	if (holder && m->flags & LTT_MARKER_YIELDS) {
		let_wait(m, holder, false);
		return 0;
	}
	if (holder) {
		withdraw(holder);
		let_wait(holder, m, true);
	}
	make_known(m);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_marker_register);

void ltt_marker_unregister(struct ltt_marker *m)
{
	ltt_markers_assert_held();
	if (m->waiting) {
		list_del(&m->node);
		return;
	}
	withdraw(m);
	promote(m->group, m->name);
}
EXPORT_SYMBOL_GPL(ltt_marker_unregister);

static struct ltt_connection *find_connection(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct ltt_connection *c;

	hlist_for_each_entry(c, &m->sinks, node)
		if (c->sink == sink)
			return c;
	return NULL;
}

static void drop(struct ltt_marker *m, struct ltt_connection *c)
{
	hlist_del_rcu(&c->node);
	m->nr_sinks--;
	set_out(m);
	kfree_rcu(c, rcu);
}

int ltt_marker_connect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct ltt_connection *c;
	int ret;

	ltt_markers_assert_held();
	if (find_connection(m, sink))
		return -EEXIST;
	c = kmalloc(sizeof(*c), GFP_KERNEL_ACCOUNT);
	if (!c)
		return -ENOMEM;
	if (!try_module_get(m->ops->owner)) {
		ret = -ENODEV;
		goto err_module;
	}
	c->sink = sink;
	hlist_add_head_rcu(&c->node, &m->sinks);
	m->nr_sinks++;
	set_out(m);
	ret = m->ops->connect(m, sink);
	if (ret)
		goto err_connect;
	return 0;

err_connect:
	drop(m, c);
	/* With other sinks connected, events may already reach this one. */
	ltt_marker_synchronize();
	module_put(m->ops->owner);
	return ret;
err_module:
	kfree(c);
	return ret;
}
EXPORT_SYMBOL_GPL(ltt_marker_connect);

void ltt_marker_disconnect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct ltt_connection *c;

	ltt_markers_assert_held();
	c = find_connection(m, sink);
	if (WARN_ON_ONCE(!c))
		return;
	drop(m, c);
	m->ops->disconnect(m, sink);
	module_put(m->ops->owner);
}
EXPORT_SYMBOL_GPL(ltt_marker_disconnect);

void ltt_marker_synchronize(void)
{
	might_sleep();
	tracepoint_synchronize_unregister();
	/* Of some kernels that waits for the callers of tracepoints only. */
	if (READ_ONCE(any_handler))
		synchronize_rcu();
}
EXPORT_SYMBOL_GPL(ltt_marker_synchronize);

static int notify_coming(struct ltt_marker *m, void *nb)
{
	((struct notifier_block *)nb)->notifier_call(nb, LTT_MARKER_COMING, m);
	return 0;
}

static int notify_going(struct ltt_marker *m, void *nb)
{
	((struct notifier_block *)nb)->notifier_call(nb, LTT_MARKER_GOING, m);
	return 0;
}

int ltt_marker_notifier_register(struct notifier_block *nb)
{
	int ret;

	ltt_markers_lock();
	ret = raw_notifier_chain_register(&notifiers, nb);
	if (!ret)
		ltt_marker_for_each(notify_coming, nb);
	ltt_markers_unlock();
	return ret;
}
EXPORT_SYMBOL_GPL(ltt_marker_notifier_register);

int ltt_marker_notifier_unregister(struct notifier_block *nb)
{
	int ret;

	ltt_markers_lock();
	ret = raw_notifier_chain_unregister(&notifiers, nb);
	if (!ret)
		ltt_marker_for_each(notify_going, nb);
	ltt_markers_unlock();
	return ret;
}
EXPORT_SYMBOL_GPL(ltt_marker_notifier_unregister);
