/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Samples of the machine's clock, in a trace of their own beside those of events.
 *
 * Layer: lttd state.  A sample is a value of the clock of the recording with the time of day, and what the kernel knows
 * of its error.  By samples of several machines lttctl brings their recordings together.
 */
#ifndef LTTD_STATE_CLOCK_H
#define LTTD_STATE_CLOCK_H

#include <stdbool.h>

struct clock;
struct sampler;

/**
 * sampler_begin() - begin the samples of a recording, or of a piece, and take the first
 * @path: its directory, in which that of the samples is made
 * @clock: the clock of the recording; NULL: that of the kernel's trace in @path
 *
 * Return: the sampler; NULL if the clock is not one that lttd can read, or after a failure, which is logged: a recording
 *	is whole without samples.
 */
struct sampler *sampler_begin(const char *path, const struct clock *clock);

/* Take a sample if the last is long ago. */
void sampler_look(struct sampler *sampler);

/* Take the last sample, and free the sampler; NULL is ignored. */
void sampler_end(struct sampler *sampler);

#endif /* LTTD_STATE_CLOCK_H */
