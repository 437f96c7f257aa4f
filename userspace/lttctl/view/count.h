/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Count the events of a recording whose lttd did not report a number.
 *
 * Layer: lttctl, on libltttrace.
 */
#ifndef LTTCTL_VIEW_COUNT_H
#define LTTCTL_VIEW_COUNT_H

#include <stdint.h>

/**
 * count_events() - count the events of a recording by reading it
 * @dir: a trace, or a directory of traces
 * @events: number of events, those of the state channels excepted
 * @lost: number of lost events that the files report
 *
 * Return: 0, or EXIT_FAILED after a message; the counts are those up to the failure.
 */
int count_events(const char *dir, uint64_t *events, uint64_t *lost);

#endif /* LTTCTL_VIEW_COUNT_H */
