// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of functions of the kernel: an event when a function that a glob matches is entered, and
 * one with the duration when it returns.
 *
 * Layer: instrument.  The place is the glob.  While a probe is armed, it is an fprobe of the kernel,
 * which keeps the time of the entry with the call until the return.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "probe.h"
#include "recursion.h"

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include <ltt/origin.h>

#ifdef LTT_FPROBE

/* Calls that may be between entry and return at a time, where the kernel has a limit. */
#define CALLS	4096

enum { ENTRY, EXIT };

/* ---- Hits ---- */

/*
 * Functions that this calls can match, too.  At a return, some kernels have set the mark for
 * recursion already, and others have not: the mark allows one level more than it stops.
 */
static notrace void record(struct ltt_probe *probe, u8 at, unsigned long ip, unsigned long caller,
			   u64 duration)
{
	const struct {
		u8 at;
		u64 function;
		u64 caller;
		u64 duration;
	} __packed payload = { at, ip, caller, duration };
	int level = ltt_recursion_enter(ip, caller);
	const struct ltt_sink *sink;
	struct ltt_origin_scope origin;

	if (level < 0)
		return;
	/* As in function.c. */
	if (unlikely(!rcu_is_watching() || ltt_cpu_is_dead())) {
		atomic64_inc(&probe->lost);
		goto out;
	}
	sink = ltt_marker_sink(&probe->marker);
	if (ltt_sink_wants(sink)) {
		ltt_origin_begin(&origin, at == ENTRY ? ip : caller);
		sink->write(sink, &payload, sizeof(payload));
		ltt_origin_end(&origin);
	}
out:
	ltt_recursion_leave(level);
}

/* Data that the kernel keeps with a call.  The returns of old calls may come to another probe at the same address, by which
 * kernels since 6.14 know an fprobe: @armed tells it apart. */
struct call {
	u64 armed;
	u64 began;
};

static notrace int enter(struct fprobe *fp, unsigned long ip, unsigned long caller,
			 ltt_fprobe_regs *regs, void *data)
{
	struct ltt_probe *probe = container_of(fp, struct ltt_probe, graph.fprobe);
	struct call *call = data;

	record(probe, ENTRY, ip, caller, 0);
	call->armed = probe->graph.armed;
	call->began = ktime_get_mono_fast_ns();
	return 0;
}

static notrace void leave(struct fprobe *fp, unsigned long ip, unsigned long caller,
			  ltt_fprobe_regs *regs, void *data)
{
	struct ltt_probe *probe = container_of(fp, struct ltt_probe, graph.fprobe);
	const struct call *call = data;
	u64 now = ktime_get_mono_fast_ns();

	if (call->armed == probe->graph.armed)
		record(probe, EXIT, ip, caller, now - call->began);
}

/* ---- The anchor ---- */

/*
 * Kernels since 6.14 number the users of return hooks: 0 to 15, in turn.  All fprobes together have one number, from the
 * registration of the first to the end of the last.  A call keeps the numbers of those that wait for its return, but 0 is
 * always among them: if fprobes were registered again meanwhile and have 0 now, the kernel finds no data of the call, and warns.
 * So an fprobe at a function that is hardly ever called stays registered as long as there are probes: however often they are
 * armed, the number stays.
 */
#ifdef LTT_HAVE_FPROBE_FTRACE_REGS
static notrace int enter_anchor(struct fprobe *fp, unsigned long ip, unsigned long caller,
				ltt_fprobe_regs *regs, void *data)
{
	return 1;	/* the return is of no interest */
}

static notrace void leave_anchor(struct fprobe *fp, unsigned long ip, unsigned long caller,
				 ltt_fprobe_regs *regs, void *data)
{
}

/* Guarded by the registry lock. */
static struct fprobe anchor;
static unsigned int nr_anchored;

static int anchor_get(void)
{
	int err = 0;

	if (!nr_anchored) {
		memset(&anchor, 0, sizeof(anchor));
		anchor.entry_handler = enter_anchor;
		anchor.exit_handler = leave_anchor;
		err = register_fprobe(&anchor, "kernel_restart", NULL);
	}
	if (!err)
		nr_anchored++;
	return err;
}

static void anchor_put(void)
{
	int err = nr_anchored > 1 ? 0 : unregister_fprobe(&anchor);

	if (!err) {
		nr_anchored--;
		return;
	}
	/* It is used again by the next probe. */
	__module_get(THIS_MODULE);
	pr_warn("the kernel cannot take an fprobe out (errno %d): ltt-probes stays\n", -err);
}
#else
static int anchor_get(void)
{
	return 0;
}

static void anchor_put(void)
{
}
#endif

/* ---- Places ---- */

static void release(struct ltt_probe **probes, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		kfree(probes[i]->graph.glob);
		anchor_put();
	}
}

static int place(struct ltt_probe *probe, char *text, const struct path *file, char *why, size_t size)
{
	struct ftrace_ops *ops = kzalloc(sizeof(*ops), GFP_KERNEL);
	int err = -ENOMEM;

	probe->graph.glob = kstrdup(text, GFP_KERNEL_ACCOUNT);
	if (!ops || !probe->graph.glob) {
		ltt_probe_fail(why, size, err, "there is not enough memory");
	} else {
		/* Only to see that some functions match: the fprobe has a filter of its own. */
		err = ltt_function_filter(ops, text, why, size);
		ftrace_free_filter(ops);
	}
	kfree(ops);
	if (!err) {
		err = anchor_get();
		if (err)
			ltt_probe_fail(why, size, err, "the kernel refuses fprobes (errno %d)", -err);
	}
	if (err)
		kfree(probe->graph.glob);
	return err;
}

static int arm(struct ltt_probe *probe)
{
	struct fprobe *fp = &probe->graph.fprobe;

	if (probe->graph.is_stuck)
		return 0;
	/* Not all kernels wait when they take an fprobe out, and a call may still be on its way to these handlers. */
	if (fp->entry_handler)
		ltt_marker_synchronize();
	memset(fp, 0, sizeof(*fp));
	fp->entry_handler = enter;
	fp->exit_handler = leave;
	fp->entry_data_size = sizeof(struct call);
	probe->graph.armed = ktime_get_ns();
	ltt_fprobe_set_calls(fp, CALLS);
	return register_fprobe(fp, probe->graph.glob, NULL);
}

/* Some kernels need memory to take an fprobe out, and none can do it after a fault of ftrace.  Then the fprobe is
 * hit for ever, by which nothing is recorded, and so the probe and this module stay. */
static void disarm(struct ltt_probe *probe)
{
	bool was_stuck = probe->graph.is_stuck;
	int err = unregister_fprobe(&probe->graph.fprobe);

	probe->graph.is_stuck = err;
	if (err && !was_stuck) {
		__module_get(THIS_MODULE);
		pr_warn("function_graph:%s: the kernel cannot stop its calls (errno %d): its memory and ltt-probes stay\n",
			probe->name, -err);
	}
	if (err)
		return;
	if (was_stuck)
		module_put(THIS_MODULE);
	atomic64_add(probe->graph.fprobe.nmissed, &probe->lost);
	probe->graph.fprobe.nmissed = 0;
}

/* Lockless: the kernel counts while it is read. */
static u64 missed(const struct ltt_probe *probe)
{
	return atomic64_read(&probe->lost) + READ_ONCE(probe->graph.fprobe.nmissed);
}

static bool is_kept(const struct ltt_probe *probe)
{
	return probe->graph.is_stuck;
}

static void show_place(const struct ltt_probe *probe, struct seq_file *s)
{
	seq_puts(s, probe->graph.glob);
}

static const struct ltt_field fields[] = {
	{ .name = "at", .type = "u8", .kind = LTT_FIELD_INT, .size = 1, .base = 10,
	  .labels = "entry=0,exit=1}" },
	{ .name = "function", .type = "x64", .kind = LTT_FIELD_INT, .size = 8, .base = 16 },
	{ .name = "caller", .type = "x64", .kind = LTT_FIELD_INT, .size = 8, .base = 16 },
	{ .name = "duration", .type = "u64", .kind = LTT_FIELD_INT, .size = 8, .base = 10 },
};

const struct ltt_probe_kind ltt_function_graph_kind = {
	.group = "function_graph",
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
};

#else

static int place(struct ltt_probe *probe, char *text, const struct path *file, char *why, size_t size)
{
	return ltt_probe_fail(why, size, -EOPNOTSUPP,
			      "this kernel has no fprobes for modules, which function_graph needs: use function:GLOB and kretprobe:FUNCTION");
}

const struct ltt_probe_kind ltt_function_graph_kind = {
	.group = "function_graph",
	.place = place,
};

#endif
