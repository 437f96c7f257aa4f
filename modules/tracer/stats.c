// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counts: emitted = stored + refused + overwritten + filtered, for each channel and
 * CPU, and what was refused of each event.
 *
 * Layer: tracer.  Context: task, registry lock held.  Exact when the trace is
 * stopped.
 */
#include "judge.h"
#include "tracer.h"

#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/seq_file.h>

static const char *const state_names[] = {
	[LTT_TRACE_CONFIGURING] = "configuring",
	[LTT_TRACE_RUNNING] = "running",
	[LTT_TRACE_STOPPED] = "stopped",
};

struct total {
	u64 stored;
	u64 refused;
	u64 overwritten;
	u64 filtered;
	u64 bytes;
};

static u64 filtered_on(const struct ltt_channel *channel, int cpu)
{
	return ltt_u64_read(per_cpu_ptr(channel->filtered, cpu));
}

static void show_buffer(struct seq_file *s, const struct ltt_channel *channel, int cpu,
			struct total *total)
{
	const struct ltt_relay_buf *buf = per_cpu_ptr(channel->relay->bufs, cpu);
	const struct ltt_ring *ring = &buf->ring;
	/* Before @offset, which it never gets ahead of; pairs with O(room:A), the store of the reader. */
	u64 read = ltt_load_acquire(&ring->read_pos);
	u64 bytes = ltt_count_read(&ring->offset), filtered = filtered_on(channel, cpu);
	struct ltt_ring_stats stats;

	ltt_ring_get_stats(ring, &stats);
	/* A CPU that has never been up. */
	if (!bytes && !stats.refused_total && !filtered && !ltt_relay_has_cpu(channel->relay, cpu))
		return;
	seq_printf(s, "%s %d emitted %llu stored %llu refused %llu overwritten %llu filtered %llu bytes %llu",
		   channel->name, cpu,
		   stats.stored + stats.refused_total + stats.overwritten + filtered,
		   stats.stored, stats.refused_total, stats.overwritten, filtered, bytes);
	seq_printf(s, " full %llu big %llu nested %llu", stats.refused[LTT_REFUSED_FULL],
		   stats.refused[LTT_REFUSED_BIG], stats.refused[LTT_REFUSED_NESTED]);
	/* A flight recorder has overwritten what exceeds the buffer. */
	seq_printf(s, " unread %llu", min(bytes - read, 1ULL << ring->buf_order));
	if (channel->options.lossless_ms)
		seq_printf(s, " waits %lld timeouts %lld waited_us %lld",
			   atomic64_read(&buf->waits), atomic64_read(&buf->timeouts),
			   atomic64_read(&buf->waited_us));
	seq_putc(s, '\n');
	total->stored += stats.stored;
	total->refused += stats.refused_total;
	total->overwritten += stats.overwritten;
	total->filtered += filtered;
	total->bytes += bytes;
}

/* The lost records of @event: refused by the buffer, or missed by the provider. */
static void show_lost(struct seq_file *s, const struct ltt_event *event)
{
	u64 sum[LTT_REFUSALS] = {}, missed;
	int cpu, i;

	for_each_possible_cpu(cpu)
		for (i = 1; i < LTT_REFUSALS; i++) {
			u64 n = ltt_u64_read(&per_cpu_ptr(event->refused, cpu)->by_cause[i]);

			sum[i] += n;
			sum[0] += n;
		}
	missed = ltt_event_missed(event);
	if (!sum[0] && !missed)
		return;
	seq_printf(s, "event %s:%s refused %llu full %llu big %llu nested %llu", event->group,
		   event->name, sum[0], sum[LTT_REFUSED_FULL], sum[LTT_REFUSED_BIG],
		   sum[LTT_REFUSED_NESTED]);
	if (missed)
		seq_printf(s, " missed %llu", missed);
	seq_putc(s, '\n');
}

u64 ltt_trace_emitted(const struct ltt_trace *trace, int cpu)
{
	struct ltt_relay_chan *relay;
	struct ltt_channel *channel;
	struct ltt_ring_stats stats;
	unsigned int i;
	u64 sum = 0;

	for (i = 0; (channel = ltt_trace_channel(trace, i)); i++) {
		/* O(relay:B): as in ltt_trace_flush(). */
		relay = smp_load_acquire(&channel->relay);
		if (!relay)
			continue;
		ltt_ring_get_stats(&per_cpu_ptr(relay->bufs, cpu)->ring, &stats);
		sum += stats.stored + stats.refused_total + stats.overwritten +
		       filtered_on(channel, cpu);
	}
	return sum;
}
EXPORT_SYMBOL_GPL(ltt_trace_emitted);

void ltt_trace_show_stats(struct ltt_trace *trace, struct seq_file *s)
{
	struct total total = {};
	struct ltt_event *event;
	u64 unjudged = 0;
	unsigned int i;
	int cpu;

	ltt_markers_assert_held();
	seq_printf(s, "trace %s\nstate %s\n", trace->name, state_names[trace->state]);
	if (trace->state == LTT_TRACE_STOPPED && trace->why[0])
		seq_printf(s, "%s %s\n", trace->is_triggered ? "triggered" : "halted", trace->why);
	for (i = 0; i < trace->nr_channels; i++)
		if (trace->channels[i]->relay)
			for_each_possible_cpu(cpu)
				show_buffer(s, trace->channels[i], cpu, &total);
	for (i = 0; i < trace->nr_channels; i++)
		list_for_each_entry(event, &trace->channels[i]->events, node)
			unjudged += ltt_event_unjudged(event);
	seq_printf(s, "total emitted %llu stored %llu refused %llu overwritten %llu filtered %llu bytes %llu unjudged %llu\n",
		   total.stored + total.refused + total.overwritten + total.filtered, total.stored,
		   total.refused, total.overwritten, total.filtered, total.bytes, unjudged);
	for (i = 0; i < trace->nr_channels; i++)
		list_for_each_entry(event, &trace->channels[i]->events, node)
			show_lost(s, event);
}
EXPORT_SYMBOL_GPL(ltt_trace_show_stats);
