/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The time of the records: the clock of the recording that they belong to.
 *
 * Layer: lttd state.
 */
#ifndef LTTD_STATE_TRACE_TIME_H
#define LTTD_STATE_TRACE_TIME_H

#include <stdbool.h>
#include <stdint.h>

struct clock;

/* Read this clock from now on, in the whole process. */
void time_set(const struct clock *clock);

/* Return: true if the clock is read; false if it is computed from the time of day. */
bool time_is_read(void);

/* Return: the clock's value. */
uint64_t time_now(void);

#endif /* LTTD_STATE_TRACE_TIME_H */
