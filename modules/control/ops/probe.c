// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on dynamic probes, which belong to a face or to a trace.
 *
 * Layer: control.  Context: task, registry lock held.
 */
#include "../control.h"

#include <linux/capability.h>
#include <linux/errno.h>

#include <ltt/probes.h>
#include <ltt/trace.h>

/* A probe reads any memory of the kernel and changes code that all users run: it takes the right
 * that perf asks for. */
static int check_right(struct ltt_call *call)
{
	if (ltt_call_capable(call, CAP_PERFMON) || ltt_call_capable(call, CAP_SYS_ADMIN))
		return 0;
	return ltt_fail(call, -EPERM,
			"dynamic probes: the user who opened the device lacks CAP_PERFMON");
}

static int create(struct ltt_call *call, const void *owner, const char *description)
{
	char why[LTT_ERROR_MAX] = "";
	int err = check_right(call);

	if (err)
		return err;
	err = ltt_probe_create(owner, description, why, sizeof(why));
	return err ? ltt_fail(call, err, "%s", why) : 0;
}

static int op_probe(struct ltt_call *call)
{
	return create(call, call->face, call->arg[0].text);
}

static int op_probe_in(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);

	return trace ? create(call, trace, call->arg[1].text) : -ENOENT;
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
	  { LTT_TEXT("description") } },
	{ "probe-in", op_probe_in, "make a dynamic probe that lives as long as a trace",
	  { LTT_TEXT("trace"), LTT_TEXT("description") } },
	{ "unprobe", op_unprobe, "remove a dynamic probe, GROUP:NAME", { LTT_TEXT("probe") } },
	{ "probes", op_probes, "show all dynamic probes: their descriptions", {}, LTT_OP_SHOWS },
	{}
};
