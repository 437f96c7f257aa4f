/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * How large the buffers of a trace are by default, and how large they should have been.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_BUFFERS_H
#define LTTCTL_BUFFERS_H

#include "lttctl/command.h"

/**
 * buffers_default_count() - the default number of sub-buffers for each CPU
 *
 * With sub-buffers of the default size, the buffer of a CPU holds what the CPU writes in
 * 0.2 seconds if a program does nothing but system calls, which this function measures on
 * the CPU it runs on, in less than 10 milliseconds.  The buffer gets a thirty-second of
 * the CPU's share of the memory, and 8 MiB, even where it would need less; but never
 * more than an eighth of that share, nor more than 64 MiB.
 *
 * Return: a power of two from 2 to 64.
 */
uint64_t buffers_default_count(void);

/**
 * buffers_sufficient() - estimate the count with which nothing would have been lost
 * @stats: the counts of the trace
 * @channel: the channel that lost events, with its size and count
 *
 * The estimate takes the losses of a CPU for one stall of the reader, in which events of
 * the average size kept coming: the buffer should have held those as well.
 *
 * Return: a power of two above @channel->subbuf_count; 0 when no event was lost for lack
 * of room, or none was stored to measure.
 */
uint64_t buffers_sufficient(const struct lttctl_stats *stats,
			    const struct lttctl_channel *channel);

#endif /* LTTCTL_BUFFERS_H */
