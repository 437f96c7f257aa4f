// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reports full sub-buffers, losses and triggers to one receiver.
 *
 * Layer: tracer.  Without a receiver this file does nothing.  The first news raises one
 * interrupt, which calls the receiver; news that come before it takes them raise no other.
 * So each loss of a storm of losses costs one test.
 *
 * Context: ltt_news_arrived() any, NMI included; the rest task, registry lock held.
 */
#include "tracer.h"

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/percpu.h>

#include <ltt/news.h>
#include <ltt/raise.h>

/* The function to call, or NULL; written under the registry lock, read in any context. */
void (*ltt_news_receiver)(void);

/* Bit 0: the receiver has been called, and has not taken the news yet. */
static unsigned long called;

static void call_receiver(struct irq_work *unused)
{
	void (*receive)(void) = READ_ONCE(ltt_news_receiver);

	if (receive)
		receive();
}

/* An NMI or a writer that holds locks cannot call the receiver, but can raise an interrupt, on PREEMPT_RT too. */
static struct irq_work call_interrupt = IRQ_WORK_INIT_HARD(call_receiver);

/**
 * ltt_news_call() - have the receiver called, if it has not been called yet
 *
 * Context: any, NMI included.
 */
void ltt_news_call(void)
{
	/* O(news:B): the news before the bit; pairs with O(news:A). */
	if (!test_and_set_bit(0, &called))
		ltt_raise(&call_interrupt);
}

/**
 * ltt_news_again() - have the receiver called, for a CPU that could raise no interrupt
 *
 * Context: any.
 */
void ltt_news_again(void)
{
	irq_work_queue(&call_interrupt);
}

/* Report the changes of a buffer since the last call. */
static void look(struct ltt_channel *channel, int cpu, ltt_news_fn fn, void *arg)
{
	const struct ltt_ring *ring = &per_cpu_ptr(channel->relay->bufs, cpu)->ring;
	struct ltt_reported *reported = per_cpu_ptr(channel->reported, cpu);
	u64 refused = ltt_ring_refused(ring);
	u64 filled = 0, unread = 0, read;

	/* A CPU without memory, whose records are all refused, has filled none; it may be
	 * given some right now. */
	if (ltt_relay_has_cpu(channel->relay, cpu)) {
		/* Before @offset, which it never gets ahead of; pairs with O(room:A), the store of the reader. */
		read = ltt_load_acquire(&ring->read_pos) >> ring->sb_order;
		filled = ltt_count_read(&ring->offset) >> ring->sb_order;
		unread = filled - read;
	}
	if (fn && !channel->options.overwrite && filled != reported->filled && unread)
		fn(arg, &(struct ltt_news){ LTT_NEWS_FULL, channel->trace, channel, cpu, unread });
	if (fn && refused != reported->refused)
		fn(arg, &(struct ltt_news){ LTT_NEWS_LOST, channel->trace, channel, cpu, refused });
	reported->filled = filled;
	reported->refused = refused;
}

static void look_at_all(struct ltt_trace *trace, ltt_news_fn fn, void *arg)
{
	unsigned int i, reports;
	int cpu;

	for (i = 0; i < LTT_REPORT_SLOTS; i++) {
		reports = atomic_read(&trace->reports[i]);
		if (fn && reports != trace->reports_known[i])
			fn(arg, &(struct ltt_news){ LTT_NEWS_TRIGGER, trace, NULL, i, reports });
		trace->reports_known[i] = reports;
	}

	for (i = 0; i < trace->nr_channels; i++)
		if (trace->channels[i]->relay)
			for_each_possible_cpu(cpu)
				look(trace->channels[i], cpu, fn, arg);
}

void ltt_trace_take_news(ltt_news_fn fn, void *arg)
{
	struct ltt_trace *trace;

	ltt_markers_assert_held();
	clear_bit(0, &called);
	/* O(news:A): news that come from here on call again; pairs with O(news:B). */
	smp_mb__after_atomic();
	list_for_each_entry(trace, &ltt_traces, node)
		look_at_all(trace, fn, arg);
}
EXPORT_SYMBOL_GPL(ltt_trace_take_news);

void ltt_trace_set_news_receiver(void (*fn)(void))
{
	bool begins = fn && !ltt_news_receiver;

	ltt_markers_assert_held();
	WRITE_ONCE(ltt_news_receiver, fn);
	/* Afterwards, because a call that found no receiver would leave @called set for ever. */
	if (begins)
		ltt_trace_take_news(NULL, NULL);
	if (fn)
		return;
	/* O(receiver:A): no receiver before the look at the interrupt, which is raised by an
	 * atomic operation and then looks for the receiver; pairs with the exchange in
	 * irq_work_queue(). */
	smp_mb();
	irq_work_sync(&call_interrupt);
}
EXPORT_SYMBOL_GPL(ltt_trace_set_news_receiver);

/**
 * ltt_news_exit() - wait for the last interrupt; no trace is left
 *
 * A writer that saw the last receiver may have raised the interrupt after the receiver had
 * been removed.
 */
void ltt_news_exit(void)
{
	irq_work_sync(&call_interrupt);
}
