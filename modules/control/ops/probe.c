// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on dynamic probes, which belong to a face or to a trace.
 *
 * Layer: control.  Context: task; registry lock held but for the operations that create, as they
 * look files up.
 */
#include "../control.h"

#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/path.h>

#include <ltt/probes.h>
#include <ltt/registry.h>

static int create(struct ltt_call *call, bool in_trace, const char *description)
{
	char why[LTT_ERROR_MAX] = "";
	struct path file;
	const void *owner;
	/* A probe reads any memory of the kernel and changes code that all users run. */
	int err = ltt_check_perfmon(call, "dynamic probes");

	if (err)
		return err;
	err = ltt_probe_open(description, &file, why, sizeof(why));
	if (err)
		return ltt_fail(call, err, "%s", why);
	ltt_markers_lock();
	owner = in_trace ? (const void *)ltt_find(call) : call->face;
	err = owner ? ltt_probe_create(owner, description, &file, why, sizeof(why)) : -ENOENT;
	if (owner && err)
		ltt_fail(call, err, "%s", why);
	ltt_markers_unlock();
	path_put(&file);
	return err;
}

static int op_probe(struct ltt_call *call)
{
	return create(call, false, call->arg[0].text);
}

static int op_probe_in(struct ltt_call *call)
{
	return create(call, true, call->arg[1].text);
}

static int op_unprobe(struct ltt_call *call)
{
	int err = ltt_probe_remove(call->face, call->arg[0].text);

	return err ? ltt_fail(call, err, "there is no probe \"%.130s\" that was made here",
			      call->arg[0].text) : 0;
}

static int op_probes(struct ltt_call *call)
{
	ltt_probes_show(call->out);
	return 0;
}

const struct ltt_op ltt_probe_ops[] = {
	{ "probe", op_probe, "make a dynamic probe, GROUP:NAME PLACE FIELD..., that lives as long as this connection",
	  { LTT_TEXT("description") }, LTT_OP_UNLOCKED },
	{ "probe-in", op_probe_in, "make a dynamic probe that lives as long as a trace",
	  { LTT_TEXT("trace"), LTT_TEXT("description") }, LTT_OP_UNLOCKED },
	{ "unprobe", op_unprobe, "remove a dynamic probe, GROUP:NAME", { LTT_TEXT("probe") } },
	{ "probes", op_probes, "show all dynamic probes: their descriptions", {}, LTT_OP_SHOWS },
	{}
};
