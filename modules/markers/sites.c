// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finding the trace_mark() sites of modules, as the modules come and go.
 *
 * Layer: markers.  Context: task, in the kernel's tracepoint module notifier.  The
 * kernel also calls it for all modules that are loaded when we register it, and for all
 * that are loaded when we unregister it.  The kernel ignores the tracepoints of a module
 * with a proprietary licence, or loaded by force; such a module has no markers.
 *
 * Locking: the kernel holds tracepoint_module_list_mutex in the notifier; the
 * registry lock is taken inside it.
 */
#define pr_fmt(fmt) "ltt-markers: " fmt

#include <ltt/marker.h>
#include <ltt/registry.h>

#include <linux/ctype.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "markers.h"

/* Is it the name of a site of another version of marker.h, "ltt<number>:..."? */
static bool is_foreign(const char *name)
{
	if (strncmp(name, "ltt", 3) || !isdigit(name[3]))
		return false;
	for (name += 4; isdigit(*name); name++)
		;
	return *name == ':';
}

static struct tracepoint *tracepoint_of(const struct module *mod, unsigned int i)
{
	return tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]);
}

/* The compiler lists a site once for each place where it inlines the site's function. */
static bool is_listed_before(const struct module *mod, unsigned int i)
{
	const struct tracepoint *tp = tracepoint_of(mod, i);

	while (i--)
		if (tracepoint_of(mod, i) == tp)
			return true;
	return false;
}

static void add_sites(struct module *mod)
{
	unsigned int i, foreign = 0;

	for (i = 0; i < mod->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_of(mod, i);

		if (is_listed_before(mod, i))
			continue;
		if (str_has_prefix(tp->name, LTT_MARK_PREFIX))
			ltt_mark_add(container_of(tp, struct ltt_mark_site, tp), mod);
		else if (is_foreign(tp->name))
			foreign++;
	}
	if (foreign)
		pr_err("[%s] has %u sites of trace_mark() from another version of LTT, which are ignored; build the module again with the ltt/marker.h of this version\n",
		       mod->name, foreign);
}

static int sites_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct tp_module *tp_mod = data;

	ltt_markers_lock();
	if (action == MODULE_STATE_COMING)
		add_sites(tp_mod->mod);
	else if (action == MODULE_STATE_GOING)
		ltt_mark_remove(tp_mod->mod);
	ltt_markers_unlock();
	return NOTIFY_OK;
}

static struct notifier_block sites_nb = {
	.notifier_call = sites_notify,
};

int ltt_sites_init(void)
{
	return register_tracepoint_module_notifier(&sites_nb);
}

void ltt_sites_exit(void)
{
	unregister_tracepoint_module_notifier(&sites_nb);
}
