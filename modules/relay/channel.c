// SPDX-License-Identifier: GPL-2.0-only
/*
 * Channels: a buffer for each CPU, through hotplug, flush and close.
 *
 * Layer: relay.  Context: task; hotplug callbacks.
 *
 * Locking: none of our own here.  The hotplug callbacks take no lock, so a
 * client may create and close channels under any lock that nests outside
 * cpus_read_lock.  Buffers are never freed before the channel, so that writers
 * and readers need no lock to find them.
 */
#include "relay.h"

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/swap.h>

#define SUBBUF_SIZE_MAX	(1UL << LTT_SB_ORDER_MAX)
/* The table of its page addresses must fit one allocation. */
#define BUFFER_SIZE_MAX	(1ULL << 38)

/* How often and how long a flush waits for interrupted writers. */
#define SETTLE_TRIES	100
#define SETTLE_WAIT_US	200

/* The callbacks before a CPU comes and when it is dead; and when it is online. */
static enum cpuhp_state hotplug_state, online_state;

static void wake_readers(struct work_struct *work)
{
	struct ltt_relay_buf *buf = container_of(work, struct ltt_relay_buf, wake_work);

	wake_up_interruptible_all(&buf->wait);
}

/*
 * A packet has become readable.  A writer in any context raises this interrupt.
 *
 * On PREEMPT_RT the lock of a wait queue sleeps, so a worker wakes the readers there.  Without an interrupt, the kernel's
 * thread for such work would call this: a busy real-time thread keeps that off its CPU, and it stops before the last
 * events of a CPU that goes, so that readers would not be woken and the channel could not be freed.
 */
static void packet_ready(struct irq_work *work)
{
	struct ltt_relay_buf *buf = container_of(work, struct ltt_relay_buf, wake);
	const struct ltt_relay_client *client = buf->chan->config.client;

	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		queue_work(system_dfl_wq, &buf->wake_work);
	else
		wake_readers(&buf->wake_work);
	if (client->ready)
		client->ready(buf);
}

/* A CPU is about to come up, maybe for the first time; or the channel is new. */
static int cpu_prepare(unsigned int cpu, struct hlist_node *node)
{
	struct ltt_relay_chan *chan = hlist_entry(node, struct ltt_relay_chan, node);
	int err;

	if (ltt_relay_has_cpu(chan, cpu))
		return 0;
	err = ltt_relay_buf_alloc(per_cpu_ptr(chan->bufs, cpu));
	if (!err || !READ_ONCE(chan->complete))
		return err;
	/* No reason to keep a CPU down: its records are refused, and counted. */
	pr_warn("ltt: no memory for a buffer of CPU %u (%pe): its events are refused\n",
		cpu, ERR_PTR(err));
	return 0;
}

/* A CPU is gone: its last records become readable. */
static int cpu_dead(unsigned int cpu, struct hlist_node *node)
{
	struct ltt_relay_chan *chan = hlist_entry(node, struct ltt_relay_chan, node);
	struct ltt_relay_buf *buf = per_cpu_ptr(chan->bufs, cpu);

	preempt_disable();
	ltt_ring_flush(&buf->ring, false);
	preempt_enable();
	/* The CPU has raised nothing since it went off line: see ltt_raise(). */
	irq_work_queue(&buf->wake);
	return 0;
}

/* A CPU is online, and has raised nothing before: see ltt_raise(). */
static int cpu_comes(unsigned int cpu, struct hlist_node *node)
{
	struct ltt_relay_chan *chan = hlist_entry(node, struct ltt_relay_chan, online_node);

	irq_work_queue(&per_cpu_ptr(chan->bufs, cpu)->wake);
	return 0;
}

static int check(const struct ltt_relay_config *config)
{
	u64 bytes = (u64)config->subbuf_size * (config->subbuf_count + config->overwrite);

	if (!is_power_of_2(config->subbuf_size) || config->subbuf_size < PAGE_SIZE ||
	    config->subbuf_size > SUBBUF_SIZE_MAX || !is_power_of_2(config->subbuf_count) ||
	    config->subbuf_count < 2 || bytes > BUFFER_SIZE_MAX ||
	    config->header_size > PAGE_SIZE / 2 || config->wait_ms > LTT_RELAY_WAIT_MAX_MS ||
	    (config->wait_ms && config->overwrite))
		return -EINVAL;
	/* Asking for too much must not start the OOM killer.  Where the kernel does not map all memory (highmem),
	 * the buffers have a part of it only. */
	if (bytes / PAGE_SIZE * num_online_cpus() > min_t(u64, si_mem_available(), nr_free_buffer_pages()) / 2)
		return -ENOMEM;
	return 0;
}

static void free_channel(struct ltt_relay_chan *chan)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct ltt_relay_buf *buf = per_cpu_ptr(chan->bufs, cpu);

		irq_work_sync(&buf->wake);
		cancel_work_sync(&buf->wake_work);
	}
	/* On PREEMPT_RT irq_work_single() reads the flags once more after it has marked the work as done, with interrupts off. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		synchronize_rcu();
	for_each_possible_cpu(cpu)
		ltt_relay_buf_free(per_cpu_ptr(chan->bufs, cpu));
	free_percpu(chan->bufs);
	ltt_budget_put(chan->config.budget);
	kfree(chan);
}

struct ltt_relay_chan *ltt_relay_create(const struct ltt_relay_config *config)
{
	struct ltt_relay_chan *chan;
	int cpu, err;

	err = check(config);
	if (err)
		return ERR_PTR(err);
	chan = kzalloc(sizeof(*chan), GFP_KERNEL_ACCOUNT);
	if (!chan)
		return ERR_PTR(-ENOMEM);
	chan->config = *config;
	chan->quiet = true;
	kref_init(&chan->ref);
	init_waitqueue_head(&chan->none_waiting);
	chan->bufs = alloc_percpu_gfp(struct ltt_relay_buf, GFP_KERNEL_ACCOUNT);
	if (!chan->bufs) {
		kfree(chan);
		return ERR_PTR(-ENOMEM);
	}
	ltt_budget_get(chan->config.budget);
	for_each_possible_cpu(cpu) {
		struct ltt_relay_buf *buf = per_cpu_ptr(chan->bufs, cpu);

		buf->chan = chan;
		buf->cpu = cpu;
		/* Without PREEMPT_RT each is an interrupt; lockdep would forbid the lock of a wait queue to a hard one. */
		buf->wake = IS_ENABLED(CONFIG_PREEMPT_RT) ? IRQ_WORK_INIT_HARD(packet_ready) :
							    IRQ_WORK_INIT(packet_ready);
		INIT_WORK(&buf->wake_work, wake_readers);
		init_waitqueue_head(&buf->wait);
		init_waitqueue_head(&buf->room);
		buf->stalled_at = LTT_RELAY_NOT_STALLED;
		mutex_init(&buf->lock);
	}
	err = cpuhp_state_add_instance(hotplug_state, &chan->node);
	if (err)
		goto err_hotplug;
	err = cpuhp_state_add_instance_nocalls(online_state, &chan->online_node);
	if (err)
		goto err_online;
	WRITE_ONCE(chan->complete, true);
	return chan;

err_online:
	cpuhp_state_remove_instance_nocalls(hotplug_state, &chan->node);
err_hotplug:
	free_channel(chan);
	return ERR_PTR(err);
}
EXPORT_SYMBOL_GPL(ltt_relay_create);

static void release(struct kref *ref)
{
	struct ltt_relay_chan *chan = container_of(ref, struct ltt_relay_chan, ref);
	const struct ltt_relay_client *client = chan->config.client;
	void *priv = chan->config.priv;

	free_channel(chan);
	client->release(priv);
}

/**
 * ltt_relay_put() - drop a reference
 * Context: sleeps.
 */
void ltt_relay_put(struct ltt_relay_chan *chan)
{
	kref_put(&chan->ref, release);
}

void ltt_relay_close(struct ltt_relay_chan *chan)
{
	int cpu;

	/* First, so that no callback runs while and after it is closed. */
	cpuhp_state_remove_instance_nocalls(online_state, &chan->online_node);
	cpuhp_state_remove_instance_nocalls(hotplug_state, &chan->node);
	ltt_relay_set_quiet(chan, true);
	/* O(closed:A): the last packets first; pairs with O(closed:B) in is_closed(). */
	smp_store_release(&chan->closed, true);
	for_each_possible_cpu(cpu)
		wake_up_interruptible_all(&per_cpu_ptr(chan->bufs, cpu)->wait);
	ltt_relay_end_waits(chan);
	ltt_relay_put(chan);
}
EXPORT_SYMBOL_GPL(ltt_relay_close);

struct flush {
	struct ltt_relay_buf *buf;
	bool final;
	bool ended;
};

static void flush_here(void *arg)
{
	struct flush *flush = arg;

	flush->ended = ltt_ring_flush(&flush->buf->ring, flush->final);
}

/**
 * ltt_relay_buf_flush() - ltt_ring_flush() on the CPU that it must run on
 * @buf: the buffer
 * @final: see there
 *
 * Context: sleeps; takes cpus_read_lock, under which an offline CPU stays
 * offline and its buffer may be flushed here.
 * Return: true if a packet was ended.
 */
bool ltt_relay_buf_flush(struct ltt_relay_buf *buf, bool final)
{
	struct flush flush = { .buf = buf, .final = final };

	if (!ltt_ring_needs_flush(&buf->ring, final))
		return false;
	cpus_read_lock();
	if (!cpu_online(buf->cpu) ||
	    smp_call_function_single(buf->cpu, flush_here, &flush, true)) {
		preempt_disable();
		flush_here(&flush);
		preempt_enable();
	}
	cpus_read_unlock();
	return flush.ended;
}

/* The flush may have interrupted a writer, which commits within microseconds unless its
 * CPU is stopped (by a hypervisor): @tries limits the waits of all buffers together. */
static void wait_until_settled(struct ltt_relay_buf *buf, unsigned int *tries)
{
	u64 end = ltt_count_read(&buf->ring.offset) & ~buf->ring.sb_mask;

	while (!ltt_ring_settled(&buf->ring, end) && *tries) {
		--*tries;
		usleep_range(SETTLE_WAIT_US, 2 * SETTLE_WAIT_US);
	}
}

void ltt_relay_flush(struct ltt_relay_chan *chan)
{
	unsigned int tries = SETTLE_TRIES;
	int cpu;

	for_each_possible_cpu(cpu)
		ltt_relay_buf_flush(per_cpu_ptr(chan->bufs, cpu), false);
	for_each_possible_cpu(cpu)
		if (ltt_relay_has_cpu(chan, cpu))
			wait_until_settled(per_cpu_ptr(chan->bufs, cpu), &tries);
}
EXPORT_SYMBOL_GPL(ltt_relay_flush);

void ltt_relay_snapshot(struct ltt_relay_chan *chan)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct ltt_relay_buf *buf = per_cpu_ptr(chan->bufs, cpu);

		if (!ltt_relay_has_cpu(chan, cpu))
			continue;
		ltt_relay_buf_flush(buf, false);
		/* The packet being written is not to be waited for. */
		ltt_u64_write(&buf->ring.read_limit,
			      ltt_count_read(&buf->ring.offset) & ~buf->ring.sb_mask);
		/* O(limit:B): the limit before the look at FULL; pairs with O(limit:A). */
		smp_mb();
		wake_up_interruptible_all(&buf->wait);
	}
}
EXPORT_SYMBOL_GPL(ltt_relay_snapshot);

void ltt_relay_set_quiet(struct ltt_relay_chan *chan, bool quiet)
{
	int cpu;

	WRITE_ONCE(chan->quiet, quiet);
	if (!quiet)
		return;
	if (chan->config.overwrite)
		ltt_relay_snapshot(chan);
	else
		ltt_relay_flush(chan);
	/* One that has drained its buffer may be owed the last packet; writers have
	 * nothing to wait for any more. */
	for_each_possible_cpu(cpu) {
		wake_up_interruptible_all(&per_cpu_ptr(chan->bufs, cpu)->wait);
		wake_up_all(&per_cpu_ptr(chan->bufs, cpu)->room);
	}
}
EXPORT_SYMBOL_GPL(ltt_relay_set_quiet);

int __init ltt_relay_channel_init(void)
{
	int state = cpuhp_setup_state_multi(CPUHP_BP_PREPARE_DYN, "ltt/relay:prepare",
					    cpu_prepare, cpu_dead);

	if (state < 0)
		return state;
	hotplug_state = state;
	state = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "ltt/relay:online", cpu_comes, NULL);
	if (state < 0) {
		cpuhp_remove_multi_state(hotplug_state);
		return state;
	}
	online_state = state;
	return 0;
}

void ltt_relay_channel_exit(void)
{
	cpuhp_remove_multi_state(online_state);
	cpuhp_remove_multi_state(hotplug_state);
}
