// SPDX-License-Identifier: GPL-2.0-only
/*
 * Markers made of trace_mark() sites.
 *
 * Layer: markers.  All sites with one group and name, one format and the same
 * argument types are one marker; its sites connect and disconnect together.  It
 * is there as long as it has a site.  Task context.
 *
 * A probe is the sink's own function: between a site and a sink there is nothing
 * of ours, and nothing of ours is in use when an event fires.  So what is freed
 * here needs no grace period; a sink does, and its owner waits for it
 * (ltt_marker_synchronize()).
 *
 * Locking: the registry lock, held by all callers, guards everything here.
 */
#define pr_fmt(fmt) "ltt-markers: " fmt

#include <ltt/marker.h>
#include <ltt/registry.h>

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
 * @places: where it is in the source, struct place; never empty
 * @fields: its fields; copies, as group and name are, for the module with the
 *	first site may go and leave others
 */
struct mark {
	struct ltt_marker marker;
	struct list_head places;
	struct ltt_mark_fields fields;
};

struct place {
	struct list_head node;
	struct ltt_mark_site *site;
	struct module *mod;
};

#define PLACE_FMT	"%s:%u [%s]"
#define PLACE_ARGS(p)	(p)->site->file, (p)->site->line, (p)->mod->name

static struct mark *to_mark(struct ltt_marker *m)
{
	return container_of(m, struct mark, marker);
}

/* ---- A sink at one place ---- */

static int connect_place(struct place *p, const struct ltt_sink *sink)
{
	return tracepoint_probe_register(&p->site->tp, sink->write, (void *)sink);
}

static void disconnect_place(struct place *p, const struct ltt_sink *sink)
{
	WARN_ON_ONCE(tracepoint_probe_unregister(&p->site->tp, sink->write, (void *)sink));
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

static const struct ltt_marker_ops mark_ops = {
	.owner = THIS_MODULE,
	.connect = mark_connect,
	.disconnect = mark_disconnect,
	.show = mark_show,
};

/* ---- Markers ---- */

static void free_mark(struct mark *mark)
{
	kfree(mark->marker.group);
	kfree(mark->marker.name);
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
	if (!mark->marker.group || !mark->marker.name) {
		free_mark(mark);
		return NULL;
	}
	mark->marker.fields = mark->fields.field;
	mark->marker.nr_fields = site->nr_args;
	mark->marker.ops = &mark_ops;
	return mark;
}

#define refuse(p, why, ...)							\
	pr_err(PLACE_FMT ": the marker %s:%s is ignored: " why "\n", PLACE_ARGS(p), \
	       (p)->site->group, (p)->site->name, ##__VA_ARGS__)

/* The first place of a marker: make the marker. */
static int add_mark(struct place *p)
{
	struct mark *mark = new_mark(p->site);
	const char *why, *where;
	int ret;

	if (!mark) {
		refuse(p, "there is no memory for it");
		return -ENOMEM;
	}
	why = ltt_mark_parse(p->site->format, p->site->args, p->site->nr_args, &mark->fields,
			     &where);
	if (why) {
		refuse(p, "%s, at \"%s\" of its format \"%s\"", why, where, p->site->format);
		ret = -EINVAL;
		goto err;
	}
	list_add_tail(&p->node, &mark->places);
	ret = ltt_marker_register(&mark->marker);
	if (ret) {
		refuse(p, "it cannot be registered (error %d)", ret);
		goto err;
	}
	return 0;

err:
	free_mark(mark);
	return ret;
}

static bool same_args(const struct ltt_mark_site *a, const struct ltt_mark_site *b)
{
	return a->nr_args == b->nr_args &&
	       !memcmp(a->args, b->args, a->nr_args * sizeof(a->args[0]));
}

/* Another place of a marker: the sinks that the marker has get it too. */
static int add_place(struct mark *mark, struct place *p)
{
	struct place *first = list_first_entry(&mark->places, struct place, node);
	struct ltt_connection *c, *done;
	int ret;

	if (strcmp(p->site->format, first->site->format)) {
		refuse(p, "its format \"%s\" is not the format \"%s\" that it has at " PLACE_FMT,
		       p->site->format, first->site->format, PLACE_ARGS(first));
		return -EINVAL;
	}
	if (!same_args(p->site, first->site)) {
		refuse(p, "the types of its arguments are not those that it has at " PLACE_FMT,
		       PLACE_ARGS(first));
		return -EINVAL;
	}
	hlist_for_each_entry(c, &mark->marker.sinks, node) {
		ret = connect_place(p, c->sink);
		if (ret) {
			refuse(p, "it cannot be connected (error %d)", ret);
			goto err;
		}
	}
	list_add_tail(&p->node, &mark->places);
	return 0;

err:
	hlist_for_each_entry(done, &mark->marker.sinks, node) {
		if (done == c)
			break;
		disconnect_place(p, done->sink);
	}
	return ret;
}

/**
 * ltt_mark_add() - a site has come
 * @site: a new one; ignored with a sentence in the kernel log if it is no good
 * @mod: the module it is in
 */
void ltt_mark_add(struct ltt_mark_site *site, struct module *mod)
{
	struct ltt_marker *known = ltt_marker_find(site->group, site->name);
	struct place *p;
	int ret;

	p = kmalloc(sizeof(*p), GFP_KERNEL);
	if (!p) {
		pr_err("[%s]: there is no memory for the marker %s:%s, it is ignored\n",
		       mod->name, site->group, site->name);
		return;
	}
	p->site = site;
	p->mod = mod;
	if (!ltt_name_valid(site->group) || !ltt_name_valid(site->name)) {
		refuse(p, "a group and a name are 1 to 63 of A-Z a-z 0-9 _ . - and start with no dot");
		ret = -EINVAL;
	} else if (!known) {
		ret = add_mark(p);
	} else if (known->ops != &mark_ops) {
		refuse(p, "something that is no trace_mark() has this name");
		ret = -EEXIST;
	} else {
		ret = add_place(to_mark(known), p);
	}
	if (ret)
		kfree(p);
}

static void remove_place(struct mark *mark, struct place *p)
{
	struct ltt_connection *c;

	/* The users hear of the end of a marker while it is whole. */
	if (list_is_singular(&mark->places))
		ltt_marker_unregister(&mark->marker);
	hlist_for_each_entry(c, &mark->marker.sinks, node)
		disconnect_place(p, c->sink);
	list_del(&p->node);
	kfree(p);
	if (list_empty(&mark->places))
		free_mark(mark);
}

static struct place *find_place(struct mark *mark, const struct module *mod)
{
	struct place *p;

	list_for_each_entry(p, &mark->places, node)
		if (p->mod == mod)
			return p;
	return NULL;
}

/* Removes one place; non-zero if there may be others. */
static int remove_one(struct ltt_marker *m, void *mod)
{
	struct place *p = m->ops == &mark_ops ? find_place(to_mark(m), mod) : NULL;

	if (!p)
		return 0;
	remove_place(to_mark(m), p);
	return 1;
}

/**
 * ltt_mark_remove() - the sites of a module go
 * @mod: the module; its code does not run any more
 */
void ltt_mark_remove(struct module *mod)
{
	while (ltt_marker_for_each(remove_one, mod))
		;
}
