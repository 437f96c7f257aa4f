/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The recording that a state is written for: its clock, and the kernel's events in it.
 *
 * Layer: lttd state.
 */
#ifndef LTTD_STATE_RECORDING_H
#define LTTD_STATE_RECORDING_H

#include "lttd/programs/clock.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * struct recording - what the metadata of the recording's traces says
 * @clock: the clock of its traces
 * @events: the names of the kernel's tracepoints in it, sorted
 * @nr: number of @events
 * @text: holds the names
 */
struct recording {
	struct clock clock;
	const char **events;
	size_t nr;
	char *text;
};

/**
 * recording_read() - read the metadata in a recording
 * @recording: receives the result, to be freed by recording_free()
 * @root: the directory of the recording
 *
 * In a recording without a trace yet, the clock is that of programs, and there is no event.
 *
 * Return: 0; -1 with the failure logged.
 */
int recording_read(struct recording *recording, const char *root);

/* Find the clock of the kernel's trace in a recording or in a piece.  Return: false if it has none. */
bool recording_kernel_clock(struct clock *clock, const char *root);

void recording_free(struct recording *recording);

#endif /* LTTD_STATE_RECORDING_H */
