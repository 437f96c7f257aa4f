// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the events of drivers that were built with driver.mk, see driver/link.h.
 *
 * Layer: instrument.  Context: a process; the caller keeps the module.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ctype.h>
#include <linux/module.h>
#include <linux/string.h>

#include "driver.h"

static notrace void begin(struct ltt_scratch *s, size_t fixed)
{
	ltt_scratch_begin(s, fixed);
}

static notrace void end(struct ltt_scratch *s, const struct ltt_sink *sink)
{
	ltt_scratch_end(s, sink);
}

static notrace char *copy_string(char *to, char *last, const char *from)
{
	return ltt_copy_string(to, last, from);
}

const struct ltt_driver_ops ltt_driver_ops_table = {
	.begin = begin,
	.end = end,
	.copy_string = copy_string,
	.copy_string_len = ltt_copy_string_len,
	.copy_vstring = ltt_copy_vstring,
	.copy_array = ltt_copy_array,
};

/* "ltt<number>-event:" of any version */
static bool is_link(const char *name)
{
	if (strncmp(name, "ltt", 3) || !isdigit(name[3]))
		return false;
	for (name += 4; isdigit(*name); name++)
		;
	return !strcmp(name, "-event:");
}

const struct ltt_tp *ltt_driver_event(const struct tracepoint *tp)
{
	if (strcmp(tp->name, LTT_DRIVER_PREFIX))
		return NULL;
	return container_of(tp, struct ltt_driver_event, tp)->event;
}

const struct ltt_tp *ltt_driver_probe_of(const struct module *mod, const struct tracepoint *tp)
{
	unsigned int i;

	for (i = 0; i < mod->num_tracepoints; i++) {
		const struct ltt_tp *event;

		event = ltt_driver_event(tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]));
		if (event && !strcmp(event->name, tp->name))
			return event;
	}
	return NULL;
}

void ltt_driver_complain(const struct module *mod)
{
	unsigned int i, foreign = 0;

	for (i = 0; i < mod->num_tracepoints; i++) {
		const struct tracepoint *tp = tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]);

		foreign += is_link(tp->name) && !ltt_driver_event(tp);
	}
	if (foreign)
		pr_err("[%s] has %u events for another version of LTT, which are ignored; build the module again with the driver.mk of this version\n",
		       mod->name, foreign);
}
