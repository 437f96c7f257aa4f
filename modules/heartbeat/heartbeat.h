/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations that the files of ltt-heartbeat share.  Layer: heartbeat.
 */
#ifndef LTT_HEARTBEAT_INTERNAL_H
#define LTT_HEARTBEAT_INTERNAL_H

#include <linux/types.h>

/* keeper.c: reads a 32-bit clock often enough on every CPU */
void ltt_keeper_init(void);
void ltt_keeper_exit(void);

/* deadman.c: stops a trace that takes too much of a CPU */
int ltt_deadman_init(void);
void ltt_deadman_exit(void);

/* cost.c: measures the cost of an event */
u64 ltt_event_cost(void);

/* beat.c: the beats of traces */
int ltt_beat_init(void);
void ltt_beat_exit(void);

#endif /* LTT_HEARTBEAT_INTERNAL_H */
