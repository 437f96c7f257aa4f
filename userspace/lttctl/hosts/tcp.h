/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The clock of a host by TCP segments with another.
 *
 * Layer: lttctl hosts.
 */
#ifndef LTTCTL_HOSTS_TCP_H
#define LTTCTL_HOSTS_TCP_H

#include "segments.h"

/**
 * struct tcp_fit - the times of a clock
 * @part: a part with the clock
 * @tick: its times, at the begin and the end of the recordings
 * @nr: segments that were used
 * @error: how wrong the times may be, in nanoseconds
 */
struct tcp_fit {
	const struct ltttrace_part *part;
	struct ltttrace_tick tick[2];
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
 * The clock is taken to run at one frequency, which is within 1000 ppm of that in its metadata.
 */
enum tcp_result tcp_fit(const struct ltttrace *trace, const struct segments *segments,
			const struct ltttrace_part *part, const struct ltttrace_part *other, struct tcp_fit *fit);

#endif /* LTTCTL_HOSTS_TCP_H */
