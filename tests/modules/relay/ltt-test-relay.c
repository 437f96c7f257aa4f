// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client of ltt-relay other than the tracer: its own packet header, its own
 * records, its own files.
 *
 * /sys/kernel/debug/ltt-test-relay/
 *	write	the number of records to write on this CPU; each is a u64, counting
 *	hold	1: write may go on; 0: it is over (readers get the last packet)
 *	cpuN	data
 *
 * The packet header is the text "relaytst", then u64 packet number, u64 content
 * size in bytes and u64 refused records.
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/preempt.h>

#include <ltt/relay.h>

struct header {
	char magic[8];
	u64 seq;
	u64 content;
	u64 refused;
};

static bool overwrite;
module_param(overwrite, bool, 0444);

static ulong subbuf_size = 4096;
module_param(subbuf_size, ulong, 0444);

static uint subbuf_count = 4;
module_param(subbuf_count, uint, 0444);

static struct ltt_relay_chan *chan;
static struct dentry *dir;
static u64 next;

static void begin(struct ltt_relay_buf *buf, void *to, u64 time, u64 seq)
{
	struct header *header = to;

	memcpy(header->magic, "relaytst", 8);
	header->seq = seq;
}

static void end(struct ltt_relay_buf *buf, void *to, const struct ltt_packet_end *end)
{
	struct header *header = to;

	header->content = end->content;
	header->refused = end->refused;
}

static void release(void *priv)
{
	pr_info("ltt-test-relay: released\n");
}

static const struct ltt_relay_client client = {
	.owner = THIS_MODULE,
	.begin = begin,
	.end = end,
	.release = release,
};

static void write_one(u64 value)
{
	struct ltt_reservation res;
	struct ltt_ring *ring;

	preempt_disable();
	ring = &this_cpu_ptr(chan->bufs)->ring;
	if (ltt_ring_enter(ring) && !ltt_ring_reserve(ring, sizeof(value), 0, &res)) {
		ltt_ring_copy(ring, res.at, &value, sizeof(value));
		ltt_ring_commit(ring, &res);
	}
	ltt_ring_leave(ring);
	preempt_enable();
}

static int write_set(void *unused, u64 n)
{
	while (n--)
		write_one(next++);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(write_fops, NULL, write_set, "%llu\n");

static int hold_set(void *unused, u64 on)
{
	ltt_relay_set_quiet(chan, !on);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(hold_fops, NULL, hold_set, "%llu\n");

static int __init test_init(void)
{
	const struct ltt_relay_config config = {
		.subbuf_size = subbuf_size,
		.subbuf_count = subbuf_count,
		.overwrite = overwrite,
		.header_size = sizeof(struct header),
		.client = &client,
	};
	char name[16];
	int cpu;

	chan = ltt_relay_create(&config);
	if (IS_ERR(chan))
		return PTR_ERR(chan);
	ltt_relay_set_quiet(chan, false);
	dir = debugfs_create_dir("ltt-test-relay", NULL);
	debugfs_create_file_unsafe("write", 0200, dir, NULL, &write_fops);
	debugfs_create_file_unsafe("hold", 0200, dir, NULL, &hold_fops);
	for_each_online_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%d", cpu);
		debugfs_create_file_unsafe(name, 0400, dir, per_cpu_ptr(chan->bufs, cpu),
					   &ltt_relay_fops);
	}
	return 0;
}

static void __exit test_exit(void)
{
	debugfs_remove(dir);
	ltt_relay_close(chan);
}

module_init(test_init);
module_exit(test_exit);

MODULE_DESCRIPTION("LTT test: a client of ltt-relay");
MODULE_LICENSE("GPL");
