/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The counts of a trace.
 *
 * Layer: liblttctl.  lttctl.h, which includes this file, has the conventions.
 */
#ifndef LIBLTTCTL_STATS_H
#define LIBLTTCTL_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lttctl;
struct lttctl_trace;

/* --- Statistics --------------------------------------------------------- */

/**
 * struct lttctl_counts - what became of records
 * @emitted: @stored + @refused + @overwritten + @filtered
 * @stored: in the buffers, or read from there
 * @refused: lost: @full + @big + @nested
 * @overwritten: dropped by a flight recorder before they were read
 * @filtered: dropped by filters
 * @unjudged: of a trace: recorded without asking their filter, whose program was running on the CPU
 * @bytes: of all packets
 * @full: refused because the reader had not freed a sub-buffer
 * @big: refused because they are larger than a sub-buffer
 * @nested: refused because interrupts nested too deep
 * @missed: lost before they reached a buffer, and not emitted: the kernel did not report hits of
 *	dynamic probes
 * @waits: how often a thread waited for room in a lossless channel
 * @timeouts: how many of these waits ended without room
 * @unread: bytes in the buffers that the reader has not freed; 0 from a tracer that does not count them
 */
struct lttctl_counts {
	uint64_t emitted;
	uint64_t stored;
	uint64_t refused;
	uint64_t overwritten;
	uint64_t filtered;
	uint64_t unjudged;
	uint64_t bytes;
	uint64_t full;
	uint64_t big;
	uint64_t nested;
	uint64_t missed;
	uint64_t waits;
	uint64_t timeouts;
	uint64_t unread;
};

/**
 * struct lttctl_buffer_stats - the counts of one buffer
 * @channel: its channel
 * @cpu: its CPU
 * @counts: its counts
 */
struct lttctl_buffer_stats {
	char channel[LTTCTL_NAME_SIZE];
	unsigned int cpu;
	struct lttctl_counts counts;
};

/**
 * struct lttctl_event_stats - the counts of an event of which at least one record was lost
 * @name: group:name
 * @counts: only @refused, the causes and @missed are set
 */
struct lttctl_event_stats {
	char name[2 * LTTCTL_NAME_SIZE];
	struct lttctl_counts counts;
};

/**
 * struct lttctl_stats - the counts of a trace
 * @halted: the reason for which the tracer itself stopped the trace; else ""
 * @triggered: the event, group:name, whose trigger stopped the trace; else ""
 * @total: the sums of all buffers
 * @buffers: the buffers
 * @nr_buffers: their number
 * @events: the events that were refused
 * @nr_events: their number
 */
struct lttctl_stats {
	char halted[128];
	char triggered[128];
	struct lttctl_counts total;
	struct lttctl_buffer_stats *buffers;
	size_t nr_buffers;
	struct lttctl_event_stats *events;
	size_t nr_events;
};

/**
 * lttctl_trace_stats() - request the counts of a trace
 * @trace: its handle
 * @stats: receives the counts, to be freed by lttctl_stats_free(); after an error it is
 *	empty
 *
 * Return: 0; -ENOENT.
 */
int lttctl_trace_stats(struct lttctl_trace *trace, struct lttctl_stats *stats);

/**
 * lttctl_stats_free() - free the arrays of the counts, and clear the counts
 * @stats: the counts, or zeros
 */
void lttctl_stats_free(struct lttctl_stats *stats);

#endif /* LIBLTTCTL_STATS_H */
