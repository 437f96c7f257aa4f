// SPDX-License-Identifier: GPL-2.0-only
/*
 * Markers made of trace_mark() sites.
 *
 * Layer: markers.  All sites with the same group, name, format and argument types
 * are one marker, which connects and disconnects them together.  The marker exists
 * as long as it has a site.  Task context.
 *
 * Sites with the same group and name but another format or other types are a marker
 * of their own.  That marker waits for its name (LTT_MARKER_YIELDS), as does a marker
 * that has the name of a kernel event; the kernel log then says that it is ignored.
 *
 * A probe is the sink's own function: no code and no memory of this file is in use
 * while an event fires.  So what is freed here needs no grace period.  A sink does
 * need one; its owner calls ltt_marker_synchronize().
 *
 * Locking: the registry lock, held by all callers, guards everything here.
 */
#define pr_fmt(fmt) "ltt-markers: " fmt

#include <ltt/marker.h>
#include <ltt/registry.h>

#include <linux/err.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "../../core/mark-format.h"
#include "markers.h"

/**
 * struct mark - a marker that is made of sites
 * @marker: as the registry knows it
 * @node: in the list of marks
 * @places: its sites, struct place; never empty
 * @fields: its fields
 * @format: its format, in which labels are.  It is a copy, as group and name are, because the
 *	module with the first site may go while other sites stay
 */
struct mark {
	struct ltt_marker marker;
	struct list_head node;
	struct list_head places;
	struct ltt_mark_fields fields;
	char *format;
};

static LIST_HEAD(marks);

/**
 * struct place - one site of a marker
 * @node: in the marker's list
 * @site: the site, in the memory of @mod
 * @mod: the module it is in
 */
struct place {
	struct list_head node;
	struct ltt_mark_site *site;
	struct module *mod;
};

#define PLACE_FMT	"%s:%u [%s]"
#define PLACE_ARGS(p)	(p)->site->file, (p)->site->line, (p)->mod->name

static struct mark *to_mark(const struct ltt_marker *m)
{
	return container_of(m, struct mark, marker);
}

static struct place *first_place(const struct mark *mark)
{
	return list_first_entry(&mark->places, struct place, node);
}

#define ignore_place(p, why, ...)						\
	pr_err(PLACE_FMT ": the marker %s:%s is ignored: " why "\n", PLACE_ARGS(p), \
	       (p)->site->group, (p)->site->name, ##__VA_ARGS__)

/* ---- A sink at one place ---- */

static int connect_place(struct place *p, const struct ltt_sink *sink)
{
	return tracepoint_probe_register(&p->site->tp, sink->write, (void *)sink);
}

/*
 * A sink that has room for nothing and writes nothing: the data of probes whose function the
 * kernel has replaced by an empty one.
 */
static DEFINE_PER_CPU(struct ltt_gate, no_gate);
static DEFINE_PER_CPU(struct ltt_sink_room, no_room);

static void write_nothing(const struct ltt_sink *sink, const void *payload, size_t len)
{
}

static void refuse_nothing(const struct ltt_sink *sink)
{
}

static struct ltt_sink no_sink = {
	.gate = &no_gate,
	.write = write_nothing,
	.room = &no_room,
	.refuse = refuse_nothing,
};

/*
 * When the kernel has no memory for a shorter list of probes, it leaves a removed one in the
 * list, with an empty function and the data as it was.  A site reads the data, so it must not
 * stay the sink, which the caller frees.  Sites read the list at the same time; those that
 * find the sink have ended after ltt_marker_synchronize().  The registry lock keeps the list: only this file
 * connects probes to sites.
 */
static void replace_sink(struct tracepoint *tp, const struct ltt_sink *sink)
{
	struct tracepoint_func *probe;

	ltt_markers_assert_held();
	for (probe = rcu_dereference_protected(tp->funcs, true); probe && probe->func; probe++)
		if (probe->data == sink)
			WRITE_ONCE(probe->data, &no_sink);
}

static void disconnect_place(struct place *p, const struct ltt_sink *sink)
{
	WARN_ON_ONCE(tracepoint_probe_unregister(&p->site->tp, sink->write, (void *)sink));
	replace_sink(&p->site->tp, sink);
}

/* ---- What the registry asks for ---- */

static int mark_connect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct mark *mark = to_mark(m);
	struct place *p;
	int ret;

	list_for_each_entry(p, &mark->places, node) {
		ret = connect_place(p, sink);
		if (ret)
			goto err;
	}
	return 0;

err:
	list_for_each_entry_continue_reverse(p, &mark->places, node)
		disconnect_place(p, sink);
	return ret;
}

static void mark_disconnect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct place *p;

	list_for_each_entry(p, &to_mark(m)->places, node)
		disconnect_place(p, sink);
}

static void mark_show(struct ltt_marker *m, struct seq_file *s)
{
	unsigned int nr_places = 0;
	struct place *p;

	list_for_each_entry(p, &to_mark(m)->places, node)
		nr_places++;
	seq_printf(s, "places %u\n", nr_places);
	list_for_each_entry(p, &to_mark(m)->places, node)
		seq_printf(s, "  at " PLACE_FMT "\n", PLACE_ARGS(p));
}

static const struct ltt_marker_ops mark_ops;

static bool same_args(const struct ltt_mark_site *a, const struct ltt_mark_site *b)
{
	return a->nr_args == b->nr_args &&
	       !memcmp(a->args, b->args, a->nr_args * sizeof(a->args[0]));
}

/* Report that @p is ignored because @holder has the name. */
static void report_clash(const struct place *p, const struct ltt_marker *holder)
{
	const struct place *first;

	if (holder->ops != &mark_ops) {
		ignore_place(p, "a kernel event has this name");
		return;
	}
	first = first_place(to_mark(holder));
	if (strcmp(p->site->format, first->site->format))
		ignore_place(p, "its format \"%s\" differs from the format \"%s\" at " PLACE_FMT,
			     p->site->format, first->site->format, PLACE_ARGS(first));
	else
		ignore_place(p, "the types of its arguments differ from those at " PLACE_FMT,
			     PLACE_ARGS(first));
}

static void mark_waits(struct ltt_marker *m, const struct ltt_marker *holder)
{
	const struct place *p;

	list_for_each_entry(p, &to_mark(m)->places, node)
		report_clash(p, holder);
}

static const struct ltt_marker_ops mark_ops = {
	.owner = THIS_MODULE,
	.connect = mark_connect,
	.disconnect = mark_disconnect,
	.show = mark_show,
	.waits = mark_waits,
};

/* ---- Markers ---- */

static void free_mark(struct mark *mark)
{
	kfree(mark->marker.group);
	kfree(mark->marker.name);
	kfree(mark->format);
	kfree(mark);
}

static struct mark *new_mark(const struct ltt_mark_site *site)
{
	struct mark *mark = kzalloc(sizeof(*mark), GFP_KERNEL);

	if (!mark)
		return NULL;
	INIT_LIST_HEAD(&mark->places);
	mark->marker.group = kstrdup(site->group, GFP_KERNEL);
	mark->marker.name = kstrdup(site->name, GFP_KERNEL);
	mark->format = kstrdup(site->format, GFP_KERNEL);
	if (!mark->marker.group || !mark->marker.name || !mark->format) {
		free_mark(mark);
		return NULL;
	}
	mark->marker.fields = mark->fields.field;
	mark->marker.flags = LTT_MARKER_YIELDS;
	mark->marker.ops = &mark_ops;
	return mark;
}

/* The first place of a marker: make the marker. */
static int add_mark(struct place *p)
{
	struct mark *mark = new_mark(p->site);
	const char *why, *where;
	int ret;

	if (!mark) {
		ignore_place(p, "no memory");
		return -ENOMEM;
	}
	why = ltt_mark_parse(mark->format, p->site->args, p->site->nr_args, &mark->fields,
			     &where);
	if (why) {
		ignore_place(p, "%s, at \"%s\" of its format \"%s\"", why, where, p->site->format);
		ret = -EINVAL;
		goto err;
	}
	ret = ltt_pack_prepare(&mark->fields);
	if (ret) {
		ignore_place(p, "no memory");
		goto err;
	}
	ltt_pack_site(p->site, &mark->fields);
	mark->marker.nr_fields = mark->fields.nr;
	list_add_tail(&p->node, &mark->places);
	ret = ltt_marker_register(&mark->marker);
	if (ret) {
		ignore_place(p, "it cannot be registered (%pe)", ERR_PTR(ret));
		goto err;
	}
	list_add_tail(&mark->node, &marks);
	return 0;

err:
	free_mark(mark);
	return ret;
}

/* Another place of a marker: connect it to the sinks that the marker has. */
static int add_place(struct mark *mark, struct place *p)
{
	struct ltt_connection *c, *done;
	int ret;

	ltt_pack_site(p->site, &mark->fields);
	hlist_for_each_entry(c, &mark->marker.sinks, node) {
		ret = connect_place(p, c->sink);
		if (ret) {
			ignore_place(p, "it cannot be connected (%pe)", ERR_PTR(ret));
			goto err;
		}
	}
	list_add_tail(&p->node, &mark->places);
	if (mark->marker.waiting)
		report_clash(p, ltt_marker_find(p->site->group, p->site->name));
	return 0;

err:
	hlist_for_each_entry(done, &mark->marker.sinks, node) {
		if (done == c)
			break;
		disconnect_place(p, done->sink);
	}
	return ret;
}

/* The marker that a site belongs to, or NULL. */
static struct mark *find_mark(const struct ltt_mark_site *site)
{
	struct mark *mark;

	list_for_each_entry(mark, &marks, node) {
		const struct ltt_mark_site *known = first_place(mark)->site;

		if (!strcmp(site->group, known->group) && !strcmp(site->name, known->name) &&
		    !strcmp(site->format, known->format) && same_args(site, known))
			return mark;
	}
	return NULL;
}

/**
 * ltt_mark_add() - make a site part of a marker
 * @site: a site of a module that has come.  A site that cannot be part of a marker is
 *	ignored, with a sentence in the kernel log
 * @mod: the module it is in
 */
void ltt_mark_add(struct ltt_mark_site *site, struct module *mod)
{
	struct mark *mark = find_mark(site);
	struct place *p;
	int ret;

	p = kmalloc(sizeof(*p), GFP_KERNEL);
	if (!p) {
		pr_err("[%s]: the marker %s:%s is ignored: no memory\n", mod->name, site->group,
		       site->name);
		return;
	}
	p->site = site;
	p->mod = mod;
	if (!ltt_name_valid(site->group) || !ltt_name_valid(site->name)) {
		ignore_place(p, "a group and a name are 1 to 63 of A-Z a-z 0-9 _ . - and do not start with a dot");
		ret = -EINVAL;
	} else if (!strcmp(site->group, "ltt")) {
		ignore_place(p, "the group ltt is reserved for the tracer's own events");
		ret = -EINVAL;
	} else if (mark) {
		ret = add_place(mark, p);
	} else {
		ret = add_mark(p);
	}
	if (ret)
		kfree(p);
}

static void remove_place(struct place *p, struct mark *mark)
{
	struct ltt_connection *c;

	hlist_for_each_entry(c, &mark->marker.sinks, node)
		disconnect_place(p, c->sink);
	list_del(&p->node);
	kfree(p);
}

static bool has_other_place(const struct mark *mark, const struct module *mod)
{
	const struct place *p;

	list_for_each_entry(p, &mark->places, node)
		if (p->mod != mod)
			return true;
	return false;
}

/* Remove the places of @mod; if no other is left, remove the marker. */
static void remove_places(struct mark *mark, const struct module *mod)
{
	bool stays = has_other_place(mark, mod);
	struct place *p, *next;

	/* Users look at a marker that goes: it must still have its places. */
	if (!stays)
		ltt_marker_unregister(&mark->marker);
	list_for_each_entry_safe(p, next, &mark->places, node)
		if (p->mod == mod)
			remove_place(p, mark);
	if (stays)
		return;
	list_del(&mark->node);
	free_mark(mark);
}

/**
 * ltt_mark_remove() - remove all sites of a module
 * @mod: a module that goes; its code does not run any more
 */
void ltt_mark_remove(struct module *mod)
{
	struct mark *mark, *next;

	/* Those that wait go first, so that none gets its name back in a module that goes. */
	list_for_each_entry_safe(mark, next, &marks, node)
		if (mark->marker.waiting)
			remove_places(mark, mod);
	list_for_each_entry_safe(mark, next, &marks, node)
		remove_places(mark, mod);
}
