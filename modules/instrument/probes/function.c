// SPDX-License-Identifier: GPL-2.0-only
/*
 * Entries of functions of the kernel: an event for each call of a function that a glob matches.
 *
 * Layer: instrument.  The place is the glob.  Each probe is an ops of ftrace, which has the
 * functions in its filter and calls hit() at their entry, in any context.
 *
 * Functions that the tracer calls while it records an event can match, too.  ftrace's marks for
 * recursion, one for each level of interrupts in a task, keep these calls from being recorded.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "probe.h"
#include "recursion.h"

#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <ltt/origin.h>

/* ---- Hits ---- */

static notrace void hit(unsigned long ip, unsigned long caller, struct ftrace_ops *ops,
			struct ftrace_regs *regs)
{
	struct ltt_probe *probe = container_of(ops, struct ltt_probe, function.ops);
	const u64 payload[] = { ip, caller };
	int level = ltt_recursion_enter(ip, caller);
	const struct ltt_sink *sink;
	struct ltt_origin_scope origin;

	if (level < 0)
		return;
	/* Where RCU does not watch, on the way into idle and out of it, or since the CPU is dead, the sink could be freed. */
	if (unlikely(!rcu_is_watching() || ltt_cpu_is_dead())) {
		atomic64_inc(&probe->lost);
		goto out;
	}
	sink = ltt_marker_sink(&probe->marker);
	if (ltt_sink_wants(sink)) {
		ltt_origin_begin(&origin, ip);
		sink->write(sink, payload, sizeof(payload));
		ltt_origin_end(&origin);
	}
out:
	ltt_recursion_leave(level);
}

/* ---- Places ---- */

/* Set the filter to the functions that match now.  Until it is set, it is what it was. */
static int set_filter(struct ftrace_ops *ops, const char *glob)
{
	char *copy = kstrdup(glob, GFP_KERNEL);	/* ftrace changes it */
	int err = -ENOMEM;

	if (copy)
		err = ftrace_set_filter(ops, copy, strlen(copy), 1);
	kfree(copy);
	return err;
}

/*
 * ftrace would take "!glob" as what not to trace, a number as an index in its list, and a backslash
 * for itself.
 */
static bool is_glob(const char *text)
{
	const char *c;

	if (*text == '!' || isdigit(*text))
		return false;
	for (c = text; *c; c++)
		if (!isalnum(*c) && !strchr("_.$*?[]!^-", *c))
			return false;
	return *text;
}

/**
 * ltt_function_filter() - set a filter to the functions that a glob matches
 * @ops: not registered; the caller calls ftrace_free_filter() in any case
 * @glob: the glob
 * @why: see ltt_probe_create()
 * @size: bytes of @why
 *
 * Return: 0; -EINVAL not a glob, or no function matches; another errno of ftrace.
 */
int ltt_function_filter(struct ftrace_ops *ops, const char *glob, char *why, size_t size)
{
	int err;

	if (!is_glob(glob))
		return ltt_probe_fail(why, size, -EINVAL,
				      "\"%.60s\" is not a glob of functions: use letters, digits, _ . * ? and [], for example vfs_*",
				      glob);
	err = set_filter(ops, glob);
	if (err == -EINVAL)
		return ltt_probe_fail(why, size, err,
				      "no function that can be traced matches \"%.60s\": available_filter_functions in tracefs lists those that can",
				      glob);
	return err ? ltt_probe_fail(why, size, err, "the kernel refuses to trace \"%.60s\" (errno %d)", glob,
				    -err) : 0;
}

static void release(struct ltt_probe **probes, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (probes[i]->function.is_stuck)
			continue;
		ftrace_free_filter(&probes[i]->function.ops);
		kfree(probes[i]->function.glob);
	}
}

static int place(struct ltt_probe *probe, char *text, const struct path *file, char *why, size_t size)
{
	struct ltt_function *function = &probe->function;
	int err;

	function->glob = kstrdup(text, GFP_KERNEL_ACCOUNT);
	if (!function->glob)
		return ltt_probe_fail(why, size, -ENOMEM, "there is not enough memory");
	function->ops.func = hit;
	/* With the sysctl kernel.ftrace_enabled off, arm() fails; else nothing would be recorded. */
	function->ops.flags = FTRACE_OPS_FL_PERMANENT;
	err = ltt_function_filter(&function->ops, text, why, size);
	if (err)
		release(&probe, 1);
	return err;
}

/*
 * ftrace changes no function any more once it has found a fault in itself.  Functions that call the
 * probe then call it for ever.  It records nothing, but its memory and this module stay.
 */
static void keep(struct ltt_probe *probe, int err)
{
	if (probe->function.is_stuck)
		return;
	probe->function.is_stuck = true;
	__module_get(THIS_MODULE);
	pr_warn("function:%s: ftrace is out of order and cannot stop its calls (errno %d): its memory and ltt-probes stay\n",
		probe->name, -err);
}

static int arm(struct ltt_probe *probe)
{
	int err = register_ftrace_function(&probe->function.ops);

	/* ftrace found the fault here, and has changed some functions. */
	if (err == -ENODEV && (probe->function.ops.flags & FTRACE_OPS_FL_ENABLED))
		keep(probe, err);
	if (err == -EBUSY)
		pr_warn("function:%s: cannot trace functions while the sysctl kernel.ftrace_enabled is 0\n",
			probe->name);
	return err;
}

static void disarm(struct ltt_probe *probe)
{
	int err = unregister_ftrace_function(&probe->function.ops);

	/* It fails only after a fault of ftrace. */
	if (err)
		keep(probe, err);
}

static bool is_kept(const struct ltt_probe *probe)
{
	return probe->function.is_stuck;
}

static u64 missed(const struct ltt_probe *probe)
{
	return atomic64_read(&probe->lost);
}

static void show_place(const struct ltt_probe *probe, struct seq_file *s)
{
	seq_puts(s, probe->function.glob);
}

/*
 * The new module may have functions that match.  The filter loses those of modules that have
 * gone, whose places the new one may have: none of its code has run yet.
 */
static void module_comes(struct ltt_probe *probe)
{
	struct ftrace_ops *ops = &probe->function.ops;
	int err = set_filter(ops, probe->function.glob);

	if (err == -ENODEV)	/* ftrace is out of order, and takes no more functions */
		return;
	if (err == -EINVAL)	/* no function matches any more */
		err = ftrace_set_filter_ip(ops, (unsigned long)ltt_function_sentinel, 0, 1);
	if (err)
		pr_warn("function:%s: the functions of a new module are not recorded (errno %d)\n",
			probe->name, -err);
}

static const struct ltt_field fields[] = {
	{ .name = "function", .type = "x64", .kind = LTT_FIELD_INT, .size = 8, .base = 16 },
	{ .name = "caller", .type = "x64", .kind = LTT_FIELD_INT, .size = 8, .base = 16 },
};

const struct ltt_probe_kind ltt_function_kind = {
	.group = "function",
	.in_kernel = true,
	.fields = fields,
	.nr_fields = ARRAY_SIZE(fields),
	.place = place,
	.release = release,
	.arm = arm,
	.disarm = disarm,
	.missed = missed,
	.show_place = show_place,
	.is_kept = is_kept,
	.module_comes = module_comes,
};
