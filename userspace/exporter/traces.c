// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The traces of the tracer, as metrics.
 *
 * Layer: ltt-exporter.  Each scrape connects anew and loads nothing: the exporter keeps no module from being unloaded, and
 * finds modules that are loaded again.
 */
#include "collect.h"
#include "lttctl/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_lost(struct metrics *metrics, const struct labels *labels, const struct lttctl_counts *counts)
{
	const struct {
		const char *reason;
		uint64_t count;
	} lost[] = { { "full", counts->full }, { "big", counts->big }, { "nested", counts->nested } };
	struct labels with;
	size_t i;

	for (i = 0; i < sizeof(lost) / sizeof(lost[0]); i++) {
		with = labels_with(*labels, "reason", lost[i].reason);
		metrics_value(metrics, "ltt_events_lost", METRIC_COUNTER,
			      "Events that the buffers refused: full, larger than a sub-buffer, or nested too deep.", &with,
			      lost[i].count);
	}
}

void collect_counts(struct metrics *metrics, const struct labels *labels, const struct lttctl_counts *counts,
		    uint64_t size)
{
	metrics_value(metrics, "ltt_events_recorded", METRIC_COUNTER, "Events that were written to the buffers.", labels,
		      counts->stored + counts->overwritten);
	add_lost(metrics, labels, counts);
	metrics_value(metrics, "ltt_events_overwritten", METRIC_COUNTER,
		      "Events that a flight recorder overwrote before they were read.", labels, counts->overwritten);
	metrics_value(metrics, "ltt_events_filtered", METRIC_COUNTER, "Events that filters dropped.", labels,
		      counts->filtered);
	metrics_value(metrics, "ltt_buffer_reserved_bytes", METRIC_COUNTER,
		      "Bytes that events and packets took in the buffers so far.", labels, counts->bytes);
	metrics_value(metrics, "ltt_buffer_size_bytes", METRIC_GAUGE, "Size of the buffers.", labels, size);
	metrics_value(metrics, "ltt_buffer_unread_bytes", METRIC_GAUGE,
		      "Bytes in the buffers that the reader has not freed.", labels, counts->unread);
}

/**
 * struct traces - a scrape of the traces
 * @metrics: the scrape
 * @ctl: the connection
 * @labels: those of the trace
 * @stats: its counts
 */
struct traces {
	struct metrics *metrics;
	struct lttctl *ctl;
	struct labels labels;
	struct lttctl_stats stats;
};

static int add_channel(const struct lttctl_channel *channel, void *arg)
{
	struct traces *traces = arg;
	struct labels labels = labels_with(traces->labels, "channel", channel->name), of_cpu;
	const struct lttctl_buffer_stats *buffer;
	char cpu[16];
	size_t i;

	for (i = 0; i < traces->stats.nr_buffers; i++) {
		buffer = &traces->stats.buffers[i];
		if (strcmp(buffer->channel, channel->name))
			continue;
		snprintf(cpu, sizeof(cpu), "%u", buffer->cpu);
		of_cpu = labels_with(labels, "cpu", cpu);
		collect_counts(traces->metrics, &of_cpu, &buffer->counts, channel->subbuf_size * channel->subbuf_count);
		if (!channel->lossless_ms)
			continue;
		metrics_value(traces->metrics, "ltt_lossless_waits", METRIC_COUNTER,
			      "Times that a thread waited for room in a lossless channel.", &of_cpu, buffer->counts.waits);
		metrics_value(traces->metrics, "ltt_lossless_timeouts", METRIC_COUNTER, "Such waits that ended without room.",
			      &of_cpu, buffer->counts.timeouts);
	}
	return 0;
}

static int add_open_trace(struct traces *traces, struct lttctl_trace *trace, const char *name)
{
	struct lttctl_consumer consumer;
	enum lttctl_state state;
	int err = lttctl_trace_state(trace, &state) ?: lttctl_trace_stats(trace, &traces->stats);

	if (err)
		return err;
	metrics_value(traces->metrics, "ltt_trace_running", METRIC_GAUGE, "1 if the trace records.", &traces->labels,
		      state == LTTCTL_RUNNING);
	metrics_value(traces->metrics, "ltt_trace_halted", METRIC_GAUGE, "1 if the tracer itself has stopped the trace.",
		      &traces->labels, traces->stats.halted[0] != '\0');
	metrics_value(traces->metrics, "ltt_trace_triggered", METRIC_GAUGE, "1 if a trigger has stopped the trace.",
		      &traces->labels, traces->stats.triggered[0] != '\0');
	metrics_value(traces->metrics, "ltt_events_missed", METRIC_COUNTER,
		      "Hits of dynamic probes that the kernel did not report.", &traces->labels, traces->stats.total.missed);
	metrics_value(traces->metrics, "ltt_events_unjudged", METRIC_COUNTER,
		      "Events that were recorded without asking their filter.", &traces->labels, traces->stats.total.unjudged);
	err = lttctl_for_each_channel(trace, add_channel, traces);
	if (!err && !lttctl_consumer_find(traces->ctl, name, &consumer))
		collect_lttd(traces->metrics, &traces->labels, consumer.pid);
	lttctl_stats_free(&traces->stats);
	return err;
}

static int add_trace(const char *name, void *arg)
{
	struct traces *traces = arg;
	struct lttctl_trace *trace;
	int err = lttctl_trace_named(traces->ctl, name, &trace);

	if (!err) {
		traces->labels = labels_with((struct labels){ .nr = 0 }, "trace", name);
		err = add_open_trace(traces, trace, name);
		lttctl_trace_close(trace);
	}
	/* Another process may destroy it meanwhile. */
	return err == -ENOENT ? 0 : err;
}

/* Report why the tracer cannot be reached, but not the same at each scrape. */
static void complain_once(const char *why)
{
	static char *last;

	if (last && !strcmp(last, why))
		return;
	if (*why)
		complain("%s", why);
	free(last);
	last = strdup(why);
}

void collect_traces(struct metrics *metrics)
{
	struct traces traces = { .metrics = metrics, .ctl = lttctl_new() };
	const struct labels none = { .nr = 0 };
	int err = traces.ctl ? 0 : -ENOMEM;

	if (!err)
		err = lttctl_connect(traces.ctl) ?: lttctl_for_each_trace(traces.ctl, add_trace, &traces);
	metrics_value(metrics, "ltt_up", METRIC_GAUGE, "1 if the tracer of the kernel can be reached.", &none, !err);
	complain_once(!err ? "" : traces.ctl ? lttctl_error(traces.ctl) : "out of memory");
	lttctl_free(traces.ctl);
}
