// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client of ltt-tracer's in-kernel API: a trace of its own name space with a
 * channel and an event of its own, written and halted in an interrupt.
 *
 * Loading it does all of it:
 *
 *	trace "t" -> channel "mine" -> event "api:number" -> start
 *	-> in a hard interrupt: 10 events, halt, 5 events more
 *	-> until the trace is stopped -> start again -> 3 events -> stop
 *
 * /proc/ltt-test-api has the statistics, /sys/kernel/debug/ltt-test-api the
 * metadata.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

#include <ltt/channel.h>
#include <ltt/metadata.h>
#include <ltt/registry.h>
#include <ltt/trace.h>

static const struct ltt_field fields[] = {
	{ .name = "number", .type = "u64", .kind = LTT_FIELD_INT, .size = 8, .base = 10 },
};

static char face;
static struct ltt_trace *trace;
static struct ltt_event *event;
static struct dentry *metadata_file;

static void write_numbers(u64 from, u64 to)
{
	for (; from < to; from++)
		ltt_event_write(event, &from, sizeof(from));
}

static void in_interrupt_context(struct irq_work *work)
{
	write_numbers(0, 10);
	ltt_trace_halt(trace, "enough");
	write_numbers(10, 15);
}

/* Hard: with PREEMPT_RT others run in a thread. */
static struct irq_work interrupt = IRQ_WORK_INIT_HARD(in_interrupt_context);

/* A running trace gets a channel, whose options can be set until it has an event. */
static int add_late(void)
{
	struct ltt_channel_options options = { .subbuf_size = PAGE_SIZE, .subbuf_count = 2 };
	struct ltt_channel *late = ltt_trace_add_channel(trace, "late", &options);
	struct ltt_event *number;
	u64 n = 7;

	if (IS_ERR(late))
		return PTR_ERR(late);
	options.subbuf_count = 4;
	if (ltt_channel_has_buffers(late) || ltt_channel_set_options(late, &options))
		return -EPROTO;
	number = ltt_channel_add_event(late, "api", "late", fields, ARRAY_SIZE(fields));
	if (IS_ERR(number))
		return PTR_ERR(number);
	if (!ltt_channel_has_buffers(late) || ltt_channel_set_options(late, &options) != -EBUSY)
		return -EPROTO;
	ltt_event_write(number, &n, sizeof(n));
	return 0;
}

static int make_trace(void)
{
	const struct ltt_channel_options options = {
		.subbuf_size = PAGE_SIZE,
		.subbuf_count = 2,
	};
	struct ltt_channel *channel;

	trace = ltt_trace_create("t", &face);
	if (IS_ERR(trace))
		return PTR_ERR(trace);
	channel = ltt_trace_add_channel(trace, "mine", &options);
	if (IS_ERR(channel))
		return PTR_ERR(channel);
	/* Names are taken once, and options end with the first start. */
	if (ltt_trace_add_channel(trace, "mine", &options) != ERR_PTR(-EEXIST) ||
	    ltt_trace_add_channel(trace, "metadata", &options) != ERR_PTR(-EINVAL) ||
	    ltt_trace_create("t", &face) != ERR_PTR(-EEXIST))
		return -EPROTO;
	event = ltt_channel_add_event(channel, "api", "number", fields, ARRAY_SIZE(fields));
	if (IS_ERR(event))
		return PTR_ERR(event);
	write_numbers(0, 100);	/* not running: nowhere */
	if (ltt_trace_start(trace))
		return -EPROTO;
	if (ltt_channel_set_options(channel, &options) != -EBUSY)
		return -EPROTO;
	return add_late();
}

static enum ltt_trace_state state(void)
{
	enum ltt_trace_state state;

	ltt_markers_lock();
	state = ltt_trace_get_state(trace);
	ltt_markers_unlock();
	return state;
}

static int use_trace(void)
{
	unsigned long deadline = jiffies + 10 * HZ;
	int err;

	irq_work_queue(&interrupt);
	irq_work_sync(&interrupt);
	while (state() != LTT_TRACE_STOPPED) {
		if (time_after(jiffies, deadline))
			return -ETIME;
		msleep(10);
	}
	ltt_markers_lock();
	err = ltt_trace_start(trace);
	write_numbers(20, 23);
	if (!err)
		err = ltt_trace_stop(trace);
	ltt_markers_unlock();
	return err;
}

static int stats_show(struct seq_file *s, void *unused)
{
	ltt_markers_lock();
	ltt_trace_show_stats(trace, s);
	ltt_markers_unlock();
	return 0;
}

static int metadata_open(struct inode *inode, struct file *file)
{
	file->private_data = ltt_trace_metadata(trace);
	return 0;
}

static ssize_t metadata_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	return ltt_metadata_read(file->private_data, to, count, pos);
}

static int metadata_release(struct inode *inode, struct file *file)
{
	ltt_metadata_put(file->private_data);
	return 0;
}

static const struct file_operations metadata_fops = {
	.owner = THIS_MODULE,
	.open = metadata_open,
	.read = metadata_read,
	.release = metadata_release,
};

static void destroy_trace(void)
{
	ltt_markers_lock();
	if (!IS_ERR(trace))
		ltt_trace_destroy(trace);
	ltt_markers_unlock();
}

static int __init api_init(void)
{
	int err;

	ltt_markers_lock();
	err = make_trace();
	ltt_markers_unlock();
	if (!err)
		err = use_trace();
	if (err) {
		destroy_trace();
		return err;
	}
	proc_create_single("ltt-test-api", 0400, NULL, stats_show);
	metadata_file = debugfs_create_file("ltt-test-api", 0400, NULL, NULL, &metadata_fops);
	return 0;
}

static void __exit api_exit(void)
{
	debugfs_remove(metadata_file);
	remove_proc_entry("ltt-test-api", NULL);
	destroy_trace();
}

module_init(api_init);
module_exit(api_exit);

MODULE_DESCRIPTION("LTT test: a client of the tracer's API");
MODULE_LICENSE("GPL");
