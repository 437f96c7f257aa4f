/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * TCP segments that one host has sent and another has received.
 *
 * Layer: lttctl hosts, on libltttrace.
 *
 * `lttctl record -e tcp-segments` records them: a kprobe where the kernel hands a segment to IP, and one where it receives
 * it, each with the begin of its TCP header: ports, sequence number, acknowledged number.  These 12 bytes identify a segment.
 * One that was sent again, or received twice, is left out: which send belongs to which receive is not known.  So is one that
 * may have been sent before the recording began: its connection has no segment before it, or one that it does not follow.
 */
#ifndef LTTCTL_HOSTS_SEGMENTS_H
#define LTTCTL_HOSTS_SEGMENTS_H

#include "ltt/ltttrace.h"

/**
 * struct passage - an end of the way of a segment
 * @part: the part that has the event
 * @clock: its time, a value of the clock of @part
 */
struct passage {
	const struct ltttrace_part *part;
	uint64_t clock;
};

/**
 * struct segment - a segment that was sent once and received once
 * @sent: its begin
 * @received: its end
 */
struct segment {
	struct passage sent;
	struct passage received;
};

/**
 * struct segments - all segments of some recordings
 * @segment: the segments
 * @nr: number of @segment
 */
struct segments {
	struct segment *segment;
	size_t nr;
};

/**
 * segments_read() - find the segments that went from one part to another
 * @trace: the recordings
 * @segments: receives the segments, to be freed by segments_free(), also after a failure
 *
 * Return: 0, also if there are none; -errno.
 */
int segments_read(const struct ltttrace *trace, struct segments *segments);

void segments_free(struct segments *segments);

#endif /* LTTCTL_HOSTS_SEGMENTS_H */
