// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-tracepoints: registers the kernel's own events as markers.
 *
 * Layer: instrument.  The probes are generated (probes.h).  This file finds their
 * tracepoints by name and registers a marker for each that exists: those of the kernel
 * when LTT is loaded, those of a module when the module comes.  An event without a
 * tracepoint in this kernel gets no marker.  The markers do not yield: they take their
 * names from markers that do (LTT_MARKER_YIELDS).
 *
 * While a marker has sinks, its probe is registered once, with the marker as its data.
 * So an event is packed once, however many traces record it.
 *
 * Locking: struct ltt_tp changes under the registry lock.  Module notifiers run
 * under the kernel's tracepoint_module_list_mutex, which comes before it; so the
 * notifier is never registered or unregistered with the registry lock held.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bsearch.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <ltt/scratch.h>

#include "tracepoint.h"

static struct ltt_tp *tp_of(struct ltt_marker *m)
{
	return container_of(m, struct ltt_tp, marker);
}

static int tp_connect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct ltt_tp *t = tp_of(m);

	return m->nr_sinks > 1 ? 0 : tracepoint_probe_register(t->tp, t->class()->probe, m);
}

static void tp_disconnect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct ltt_tp *t = tp_of(m);

	/* Fails only for a probe that is not registered, which the registry rules out. */
	if (!m->nr_sinks)
		tracepoint_probe_unregister(t->tp, t->class()->probe, m);
}

static void tp_show(struct ltt_marker *m, struct seq_file *s)
{
	struct ltt_tp *t = tp_of(m);

	seq_printf(s, "  tracepoint %s [%s]\n", t->name, t->mod ? t->mod->name : "kernel");
}

static const struct ltt_marker_ops tp_ops = {
	.owner = THIS_MODULE,
	.connect = tp_connect,
	.disconnect = tp_disconnect,
	.show = tp_show,
};

static int compare_name(const void *name, const void *element)
{
	const struct ltt_tp *t = *(const struct ltt_tp *const *)element;

	return strcmp(name, t->name);
}

static struct ltt_tp *find_event(const char *name)
{
	struct ltt_tp *const *found = bsearch(name, ltt_tps, ltt_nr_tps, sizeof(*ltt_tps),
					      compare_name);

	return found ? *found : NULL;
}

/* The tracepoint @tp of module @mod, or of the kernel if @mod is NULL, has come. */
static void add_tracepoint(struct tracepoint *tp, struct module *mod)
{
	struct ltt_tp *t = find_event(tp->name);
	const struct ltt_tp_class *class;
	int err;

	ltt_markers_assert_held();
	/* If two modules have a tracepoint of one name, the first one has the event. */
	if (!t || t->tp)
		return;
	class = t->class();
	t->marker = (struct ltt_marker) {
		.group = t->system,
		.name = t->name,
		.fields = class->fields,
		.nr_fields = class->nr_fields,
		.flags = LTT_MARKER_BARE,
		.ops = &tp_ops,
	};
	t->tp = tp;
	t->mod = mod;
	err = ltt_marker_register(&t->marker);
	if (err) {
		pr_warn("the event %s:%s cannot be registered (%pe), so it is left out\n",
			t->system, t->name, ERR_PTR(err));
		t->tp = NULL;
	}
}

static void remove_event(struct ltt_tp *t)
{
	ltt_marker_unregister(&t->marker);
	t->tp = NULL;
	t->mod = NULL;
}

static void add_kernel_tracepoint(struct tracepoint *tp, void *unused)
{
	add_tracepoint(tp, NULL);
}

/* Context: a process, under tracepoint_module_list_mutex. */
static int module_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct module *mod = ((struct tp_module *)data)->mod;
	struct ltt_tp *t;
	unsigned int i;

	ltt_markers_lock();
	for (i = 0; i < mod->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]);

		if (action == MODULE_STATE_COMING) {
			add_tracepoint(tp, mod);
		} else if (action == MODULE_STATE_GOING) {
			t = find_event(tp->name);
			if (t && t->tp == tp)
				remove_event(t);
		}
	}
	ltt_markers_unlock();
	return NOTIFY_OK;
}

static struct notifier_block module_nb = {
	.notifier_call = module_notify,
};

static void remove_all(void)
{
	unsigned int i;

	ltt_markers_lock();
	for (i = 0; i < ltt_nr_tps; i++)
		if (ltt_tps[i]->tp)
			remove_event(ltt_tps[i]);
	ltt_markers_unlock();
	ltt_marker_synchronize();
}

static int __init ltt_tracepoints_init(void)
{
	int err;

	ltt_markers_lock();
	err = ltt_scratch_prepare();
	if (!err)
		for_each_kernel_tracepoint(add_kernel_tracepoint, NULL);
	ltt_markers_unlock();
	if (err)
		return err;
	/* This also calls the notifier for the modules that are loaded already. */
	err = register_tracepoint_module_notifier(&module_nb);
	if (err)
		remove_all();
	return err;
}

/* No sink is connected any more: each held this module by tp_ops.owner. */
static void __exit ltt_tracepoints_exit(void)
{
	/* Removes the events of modules, as if all of them were going. */
	unregister_tracepoint_module_notifier(&module_nb);
	remove_all();
}

module_init(ltt_tracepoints_init);
module_exit(ltt_tracepoints_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("LTT: the kernel's trace events as markers");
