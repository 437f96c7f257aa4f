/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Counting the records of a recording, all streams at once.
 *
 * Layer: lttctl stat, on libltttrace.  Each thread takes the next stream that is not counted, and counts into arrays of its own;
 * these are added up at the end.
 */
#ifndef LTTCTL_STAT_COUNT_H
#define LTTCTL_STAT_COUNT_H

#include "lttctl/report/map.h"

#include <ltt/ltttrace.h>

#define COUNT_BUCKETS 60	/* of a sparkline */

/**
 * struct count_class - the events of a class, or all
 * @events: number of events
 * @bytes: of their contexts and payloads
 * @buckets: number of events in each part of the window
 */
struct count_class {
	uint64_t events;
	uint64_t bytes;
	uint64_t buckets[COUNT_BUCKETS];
};

/* The events of a CPU or thread. */
struct count_sum {
	uint64_t events;
	uint64_t bytes;
};

/**
 * struct count_stream - a stream in the window
 * @events: number of events
 * @bytes: of their contexts and payloads
 * @lost_events: events that the tracer lost
 * @lost_packets: packets that were overwritten, or are not in the files
 * @unreadable: places that cannot be read
 */
struct count_stream {
	uint64_t events;
	uint64_t bytes;
	uint64_t lost_events;
	uint64_t lost_packets;
	uint64_t unreadable;
};

/**
 * struct counts - all counts
 * @classes: by the number of the event class
 * @streams: by the number of the stream
 * @threads: by the number of the part and the thread id: struct count_sum; 0 stands for events without a thread
 * @cpus: by the number of the part and the CPU: struct count_sum
 */
struct counts {
	struct count_class *classes;
	struct count_stream *streams;
	struct map *threads;
	struct map *cpus;
};

/**
 * count_records() - count the records of a window
 * @trace: the trace; parts that are states of the system are left out
 * @from_ns: the begin of the window, inclusive
 * @to_ns: the end of the window, inclusive
 * @all: count all records; the window is only that of the sparkline, which shows others at its ends
 * @counts: receives the counts, to be freed by count_free() also after a failure
 *
 * Return: 0; -ENOMEM; another -errno of reading.
 */
int count_records(const struct ltttrace *trace, int64_t from_ns, int64_t to_ns, bool all, struct counts *counts);

void count_free(struct counts *counts);

#endif /* LTTCTL_STAT_COUNT_H */
