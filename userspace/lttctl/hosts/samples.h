/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The samples of a clock in recordings, as lttd/state/clock.c writes them.
 *
 * Layer: lttctl hosts, on libltttrace.
 */
#ifndef LTTCTL_HOSTS_SAMPLES_H
#define LTTCTL_HOSTS_SAMPLES_H

#include "ltt/ltttrace.h"

/**
 * struct samples - the times of a clock
 * @tick: the times; those before the date was last set are left out
 * @nr: number of @tick
 * @is_synchronised: the kernel took the time of day for right, at each of @tick
 * @error: how wrong they may be, in nanoseconds; of a clock that is not synchronised, as far as it is known
 */
struct samples {
	struct ltttrace_tick *tick;
	size_t nr;
	bool is_synchronised;
	double error;
};

/**
 * samples_read() - read the samples of the clock of a part, and of all parts with that clock
 * @trace: the recordings, opened with LTTTRACE_WITH_STATES
 * @part: the part
 * @samples: receives the samples, to be freed by samples_free(), also after a failure
 *
 * Return: 0, also if there are none; -errno.
 */
int samples_read(const struct ltttrace *trace, const struct ltttrace_part *part, struct samples *samples);

void samples_free(struct samples *samples);

/**
 * samples_span() - find the time of all packets with the clock of a part
 * @trace: the recordings
 * @part: the part
 * @span: receives the first and the last time, in nanoseconds as they are now
 *
 * Return: false if there are no packets.
 */
bool samples_span(const struct ltttrace *trace, const struct ltttrace_part *part, int64_t span[2]);

/* Return: true if two parts have the same clock of the same boot. */
bool samples_same_clock(const struct ltttrace_part *one, const struct ltttrace_part *other);

#endif /* LTTCTL_HOSTS_SAMPLES_H */
