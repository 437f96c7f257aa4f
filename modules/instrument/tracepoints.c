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
 * Locking: the list of events changes under the registry lock.  Module notifiers run
 * under the kernel's tracepoint_module_list_mutex, which comes before it; so the
 * notifier is never registered or unregistered with the registry lock held.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bsearch.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include <ltt/registry.h>
#include <ltt/scratch.h>

#include "driver.h"
#include "tracepoint.h"

/**
 * struct event - an event whose tracepoint exists
 * @marker: its marker
 * @desc: the generated probe
 * @tp: the tracepoint
 * @mod: the module that has @tp, NULL for the kernel
 * @driver: what the probe gets if it is in a driver
 * @data: what the probe gets, see struct ltt_tp_class
 * @node: in the list of events
 */
struct event {
	struct ltt_marker marker;
	const struct ltt_tp *desc;
	struct tracepoint *tp;
	struct module *mod;
	struct ltt_driver_probe driver;
	void *data;
	struct list_head node;
};

/* Guarded by the registry lock. */
static LIST_HEAD(events);

static struct event *event_of(struct ltt_marker *m)
{
	return container_of(m, struct event, marker);
}

static int tp_connect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct event *e = event_of(m);

	return m->nr_sinks > 1 ? 0 : tracepoint_probe_register(e->tp, e->desc->class()->probe, e->data);
}

static void tp_disconnect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct event *e = event_of(m);

	/* Fails only for a probe that is not registered, which the registry rules out. */
	if (!m->nr_sinks)
		tracepoint_probe_unregister(e->tp, e->desc->class()->probe, e->data);
}

static void tp_show(struct ltt_marker *m, struct seq_file *s)
{
	struct event *e = event_of(m);

	seq_printf(s, "  tracepoint %s [%s]\n", e->desc->name, e->mod ? e->mod->name : "kernel");
}

static const struct ltt_marker_ops tp_ops = {
	.owner = THIS_MODULE,
	.connect = tp_connect,
	.disconnect = tp_disconnect,
	.show = tp_show,
};

/*
 * A probe has the arguments of the tracepoint that it was made for, of the kernel or of one module.  A
 * module from outside of the kernel's tree may have others under the same name: driver.mk is for those.
 */
static bool is_for(const struct ltt_tp *desc, const struct module *mod)
{
	if (mod && test_bit(TAINT_OOT_MODULE, &mod->taints))
		return false;
	if (!desc->module)
		return true;
	return !strcmp(desc->module, mod ? mod->name : "");
}

static int compare_name(const void *name, const void *element)
{
	const struct ltt_tp *desc = *(const struct ltt_tp *const *)element;

	return strcmp(name, desc->name);
}

/* The probe for a tracepoint of module @mod, or of the kernel if @mod is NULL. */
static const struct ltt_tp *find_desc(const char *name, const struct module *mod)
{
	const struct ltt_tp *const *end = ltt_tps + ltt_nr_tps, *const *found;

	found = bsearch(name, ltt_tps, ltt_nr_tps, sizeof(*ltt_tps), compare_name);
	if (!found)
		return NULL;
	while (found > ltt_tps && !strcmp(found[-1]->name, name))
		found--;
	for (; found < end && !strcmp((*found)->name, name); found++)
		if (is_for(*found, mod))
			return *found;
	return NULL;
}

/* The system that tracefs has for an event of a module; without an event, the module's name. */
static const char *system_of(const struct ltt_tp *desc, const struct tracepoint *tp,
			     const struct module *mod)
{
	if (*desc->system)
		return desc->system;
	if (!mod)
		return "kernel";
#ifdef CONFIG_EVENT_TRACING
	{
		unsigned int i;

		for (i = 0; i < mod->num_trace_events; i++) {
			const struct trace_event_call *call = mod->trace_events[i];

			if (call->flags & TRACE_EVENT_FL_TRACEPOINT && call->tp == tp)
				return call->class->system;
		}
	}
#endif
	return mod->name;
}

static bool has_event(const char *group, const char *name)
{
	const struct event *e;

	list_for_each_entry(e, &events, node)
		if (!strcmp(e->desc->name, name) && !strcmp(e->marker.group, group))
			return true;
	return false;
}

static void init_event(struct event *e, const struct ltt_tp *desc, struct tracepoint *tp,
		       struct module *mod, const char *system, bool in_driver)
{
	e->desc = desc;
	e->tp = tp;
	e->mod = mod;
	e->marker = (struct ltt_marker) {
		.group = system,
		.name = desc->name,
		.fields = desc->class()->fields,
		.nr_fields = desc->class()->nr_fields,
		.flags = LTT_MARKER_BARE,
		.ops = &tp_ops,
	};
	e->driver = (struct ltt_driver_probe) { &e->marker.out, &ltt_driver_ops_table };
	e->data = in_driver ? (void *)&e->driver : (void *)&e->marker.out;
}

/* The tracepoint @tp of module @mod, or of the kernel if @mod is NULL, has come. */
static void add_tracepoint(struct tracepoint *tp, struct module *mod)
{
	const struct ltt_tp *own = mod ? ltt_driver_probe_of(mod, tp) : NULL;
	const struct ltt_tp *desc = own ?: find_desc(tp->name, mod);
	const char *system;
	struct event *e;
	int err = -ENOMEM;

	ltt_markers_assert_held();
	if (!desc)
		return;
	system = system_of(desc, tp, mod);
	/* If two modules have a tracepoint of one name, the first one has the event. */
	if (has_event(system, desc->name))
		return;
	e = kzalloc(sizeof(*e), GFP_KERNEL);
	if (e) {
		init_event(e, desc, tp, mod, system, own);
		err = ltt_marker_register(&e->marker);
	}
	if (err) {
		pr_warn("the event %s:%s cannot be registered (%pe), so it is left out\n",
			system, desc->name, ERR_PTR(err));
		kfree(e);
		return;
	}
	list_add_tail(&e->node, &events);
}

/* Move the event to @gone; its memory is freed by free_events(). */
static void remove_event(struct event *e, struct list_head *gone)
{
	ltt_marker_unregister(&e->marker);
	list_move(&e->node, gone);
}

/* The registry lock is not held, as this waits for all probes. */
static void free_events(struct list_head *gone)
{
	struct event *e, *next;

	if (list_empty(gone))
		return;
	/* A probe that was disconnected may still look at the marker. */
	ltt_marker_synchronize();
	list_for_each_entry_safe(e, next, gone, node)
		kfree(e);
}

static void add_kernel_tracepoint(struct tracepoint *tp, void *unused)
{
	add_tracepoint(tp, NULL);
}

static void add_module(struct module *mod)
{
	unsigned int i;

	for (i = 0; i < mod->num_tracepoints; i++)
		add_tracepoint(tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]), mod);
	ltt_driver_complain(mod);
}

static void remove_module(const struct module *mod, struct list_head *gone)
{
	struct event *e, *next;

	list_for_each_entry_safe(e, next, &events, node)
		if (e->mod == mod)
			remove_event(e, gone);
}

/* Context: a process, under tracepoint_module_list_mutex. */
static int module_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct module *mod = ((struct tp_module *)data)->mod;
	LIST_HEAD(gone);

	ltt_markers_lock();
	if (action == MODULE_STATE_COMING)
		add_module(mod);
	else if (action == MODULE_STATE_GOING)
		remove_module(mod, &gone);
	ltt_markers_unlock();
	free_events(&gone);
	return NOTIFY_OK;
}

static struct notifier_block module_nb = {
	.notifier_call = module_notify,
};

static void remove_all(void)
{
	struct event *e, *next;
	LIST_HEAD(gone);

	ltt_markers_lock();
	list_for_each_entry_safe(e, next, &events, node)
		remove_event(e, &gone);
	ltt_markers_unlock();
	free_events(&gone);
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
