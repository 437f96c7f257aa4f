// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cost of an event, in counts of the TSC: instructions, in a VM that runs with
 * -icount shift=0.
 *
 * Its tracepoints become markers of the group "cost" with the probes that
 * ltt-tracepoints would generate for them.  A read of
 * /sys/kernel/debug/ltt-test-cost fires each of them and prints
 *
 *	CASE COMMON MEAN	instructions per event: the median of batches of
 *				ten, and the mean of all, sub-buffer switches
 *				included
 *
 * The call of the site, with its arguments, is part of it; the loop is not.
 *
 * Writing "CASE COUNT" to it fires COUNT events of one case, with interrupts on.
 *
 * A read of /sys/kernel/debug/ltt-test-cost-site prints the line of int2 with a probe that
 * does nothing: what the kernel's site costs, without a tracer.
 */
#define CREATE_TRACE_POINTS
#include "cost-events.h"
#undef CREATE_TRACE_POINTS

#define LTT_HEADER "cost-events.h"
#define LTT_UNIT cost
#include "probes.h"

#include <ltt/registry.h>

#include <linux/debugfs.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <asm/tsc.h>

#include <ltt/marker.h>

#define BATCH	10
#define BATCHES	500

static const u64 words[4] = { 1, 2, 3, 4 };

/* Each fires one event; noinline, so that all have the same loop around them. */
static noinline void fire_nothing(unsigned int i)
{
	barrier();	/* compiler: do not drop the call */
}

static noinline void fire_none(unsigned int i)
{
	trace_cost_none(i);
}

static noinline void fire_int2(unsigned int i)
{
	trace_cost_int2(i, i);
}

static noinline void fire_intstr(unsigned int i)
{
	trace_cost_intstr(i, "hello world");
}

static noinline void fire_bytes32(unsigned int i)
{
	trace_cost_bytes32(words);
}

static noinline void fire_marker_int2(unsigned int i)
{
	u64 b = i;

	trace_mark(cost, marker_int2, "a %u b %llu", i, b);
}

static noinline void fire_marker_none(unsigned int i)
{
	trace_mark(cost, marker_none, "");
}

static noinline void fire_marker_intstr(unsigned int i)
{
	const char *text = "hello world";

	OPTIMIZER_HIDE_VAR(text);	/* a site does not know its string's length */
	trace_mark(cost, marker_intstr, "a %u s %s", i, text);
}

static int compare(const void *a, const void *b)
{
	return *(const u32 *)a < *(const u32 *)b ? -1 : *(const u32 *)a > *(const u32 *)b;
}

struct figures {
	u32 common;
	u32 mean;
};

static struct figures measure(void (*fire)(unsigned int i))
{
	static u32 took[BATCHES];
	unsigned int i, batch;
	struct figures f;
	u64 sum = 0;

	for (batch = 0; batch < BATCHES; batch++) {
		unsigned long flags;
		u64 start;

		/* With a reschedule pending, each event would end with a call for it, in vain. */
		cond_resched();
		local_irq_save(flags);
		start = rdtsc();
		for (i = 0; i < BATCH; i++)
			fire(i);
		took[batch] = rdtsc() - start;
		local_irq_restore(flags);
		sum += took[batch];
	}
	sort(took, BATCHES, sizeof(took[0]), compare, NULL);
	f.common = took[BATCHES / 2];
	f.mean = div_u64(sum, BATCHES);
	return f;
}

static const struct {
	const char *name;
	void (*fire)(unsigned int i);
} cases[] = {
	{ "none", fire_none },
	{ "int2", fire_int2 },
	{ "intstr", fire_intstr },
	{ "bytes32", fire_bytes32 },
	{ "marker-int2", fire_marker_int2 },
	{ "marker-none", fire_marker_none },
	{ "marker-intstr", fire_marker_intstr },
};

static void show_case(struct seq_file *s, const char *name, void (*fire)(unsigned int i))
{
	struct figures loop = measure(fire_nothing), f = measure(fire);

	seq_printf(s, "%s %u.%u %u.%u\n", name,
		   (f.common - loop.common) / BATCH, (f.common - loop.common) % BATCH,
		   (f.mean - loop.mean) / BATCH, (f.mean - loop.mean) % BATCH);
}

static int cost_show(struct seq_file *s, void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		show_case(s, cases[i].name, cases[i].fire);
	return 0;
}

static int cost_open(struct inode *inode, struct file *file)
{
	return single_open(file, cost_show, NULL);
}

static notrace void empty_probe(void *unused, u32 a, u64 b)
{
}

static int site_show(struct seq_file *s, void *unused)
{
	int err = register_trace_cost_int2(empty_probe, NULL);

	if (err)
		return err;
	show_case(s, "int2", fire_int2);
	unregister_trace_cost_int2(empty_probe, NULL);
	tracepoint_synchronize_unregister();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(site);

static ssize_t cost_write(struct file *file, const char __user *from, size_t size, loff_t *pos)
{
	unsigned int i, c, count;
	char text[32] = "", name[16];

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, size))
		return -EFAULT;
	if (sscanf(text, "%15s %u", name, &count) != 2)
		return -EINVAL;
	for (c = 0; c < ARRAY_SIZE(cases); c++)
		if (!strcmp(cases[c].name, name))
			break;
	if (c == ARRAY_SIZE(cases))
		return -ENOENT;
	for (i = 0; i < count; i++) {
		cases[c].fire(i);
		if (!(i % 1024))
			cond_resched();
	}
	return size;
}

static const struct file_operations cost_fops = {
	.owner = THIS_MODULE,
	.open = cost_open,
	.read = seq_read,
	.write = cost_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/* ---- The tracepoints as markers ---- */

static struct event {
	struct ltt_marker marker;
	const struct ltt_tp *desc;
	struct tracepoint *tp;
} events[] = {
	{ .desc = &ltt_tp__cost__cost_none, .tp = &__tracepoint_cost_none },
	{ .desc = &ltt_tp__cost__cost_int2, .tp = &__tracepoint_cost_int2 },
	{ .desc = &ltt_tp__cost__cost_intstr, .tp = &__tracepoint_cost_intstr },
	{ .desc = &ltt_tp__cost__cost_bytes32, .tp = &__tracepoint_cost_bytes32 },
};

static int tp_connect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct event *e = container_of(m, struct event, marker);

	return m->nr_sinks > 1 ? 0 : tracepoint_probe_register(e->tp, e->desc->class()->probe, &m->out);
}

static void tp_disconnect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct event *e = container_of(m, struct event, marker);

	if (!m->nr_sinks)
		tracepoint_probe_unregister(e->tp, e->desc->class()->probe, &m->out);
}

static void tp_print(struct ltt_marker *m, struct seq_file *s)
{
	seq_puts(s, "  ltt-test-cost\n");
}

static const struct ltt_marker_ops ops = {
	.owner = THIS_MODULE,
	.connect = tp_connect,
	.disconnect = tp_disconnect,
	.show = tp_print,
};

static void unregister(unsigned int n)
{
	ltt_markers_lock();
	while (n--)
		ltt_marker_unregister(&events[n].marker);
	ltt_markers_unlock();
	ltt_marker_synchronize();
}

static struct dentry *file, *site_file;

static int __init cost_init(void)
{
	unsigned int i;
	int err;

	ltt_markers_lock();
	err = ltt_scratch_prepare();
	if (err) {
		ltt_markers_unlock();
		return err;
	}
	for (i = 0; i < ARRAY_SIZE(events) && !err; i++) {
		const struct ltt_tp_class *class = events[i].desc->class();

		events[i].marker = (struct ltt_marker) {
			.group = events[i].desc->system,
			.name = events[i].desc->name,
			.fields = class->fields,
			.nr_fields = class->nr_fields,
			.flags = LTT_MARKER_BARE,
			.ops = &ops,
		};
		err = ltt_marker_register(&events[i].marker);
	}
	ltt_markers_unlock();
	if (err) {
		unregister(i - 1);
		return err;
	}
	file = debugfs_create_file("ltt-test-cost", 0600, NULL, NULL, &cost_fops);
	site_file = debugfs_create_file("ltt-test-cost-site", 0400, NULL, NULL, &site_fops);
	return 0;
}

static void __exit cost_exit(void)
{
	debugfs_remove(site_file);
	debugfs_remove(file);
	unregister(ARRAY_SIZE(events));
}

module_init(cost_init);
module_exit(cost_exit);

MODULE_DESCRIPTION("LTT test: instructions per event");
MODULE_LICENSE("GPL");
