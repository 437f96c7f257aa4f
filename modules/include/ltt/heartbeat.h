/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The periodic beat of a trace: the API of ltt-heartbeat.
 *
 * Layer: heartbeat (after tracer).  See doc/architecture.md.
 */
#ifndef LTT_HEARTBEAT_H
#define LTT_HEARTBEAT_H

struct ltt_trace;

#define LTT_HEARTBEAT_MS_MAX	3600000	/* one hour */

/**
 * ltt_heartbeat_set_period() - set how often a trace beats
 * @trace: in any state; the new period takes effect at once
 * @ms: period in milliseconds, at most LTT_HEARTBEAT_MS_MAX; 0 for no beat
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -EINVAL if @ms is too large; -ENOMEM; -ENOSPC if a channel of a running
 * trace has no event id left for the heartbeat.
 */
int ltt_heartbeat_set_period(struct ltt_trace *trace, unsigned int ms);

/**
 * ltt_heartbeat_get_period() - get how often a trace beats
 * @trace: in any state
 *
 * Context: registry lock held.
 * Return: the period in milliseconds, 0 for no beat.
 */
unsigned int ltt_heartbeat_get_period(struct ltt_trace *trace);

#endif /* LTT_HEARTBEAT_H */
