/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The clock of a host by TCP segments with another.
 *
 * Layer: lttctl hosts.
 */
#ifndef LTTCTL_HOSTS_TCP_H
#define LTTCTL_HOSTS_TCP_H

#include "segments.h"

/* The most windows that the recordings are divided into, where the clock does not run at one frequency. */
#define TCP_WINDOWS	1024
#define TCP_TICKS	(TCP_WINDOWS + 2)

/**
 * struct tcp_fit - the times of a clock
 * @part: a part with the clock
 * @tick: its times, from the begin of the recordings to their end
 * @ticks: number of @tick
 * @nr: segments that were used
 * @error: how wrong the times may be, in nanoseconds
 */
struct tcp_fit {
	const struct ltttrace_part *part;
	struct ltttrace_tick tick[TCP_TICKS];
	size_t ticks;
	size_t nr;
	double error;
};

/** enum tcp_result - whether segments determine a clock */
enum tcp_result { TCP_FITS, TCP_NONE, TCP_ONE_WAY, TCP_CONTRADICT, TCP_NO_MEMORY };

/**
 * tcp_fit() - find the times of a clock
 * @trace: the recordings
 * @segments: the segments
 * @part: a part with the clock
 * @other: a part of another host, whose times are right
 * @fit: receives the times
 *
 * The clock is taken to run at one frequency, which is within 1000 ppm of that in its metadata.  If that contradicts the
 * segments, this is taken for as few windows of equal length as are needed.
 */
enum tcp_result tcp_fit(const struct ltttrace *trace, const struct segments *segments,
			const struct ltttrace_part *part, const struct ltttrace_part *other, struct tcp_fit *fit);

#endif /* LTTCTL_HOSTS_TCP_H */
