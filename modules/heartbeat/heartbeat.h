/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of ltt-heartbeat share.  Layer: heartbeat.
 */
#ifndef LTT_HEARTBEAT_INTERNAL_H
#define LTT_HEARTBEAT_INTERNAL_H

#include <linux/types.h>

/* keeper.c: the clock is read often enough on every CPU */
void ltt_keeper_init(void);
void ltt_keeper_exit(void);

/* deadman.c: traces under which the machine does not get on */
int ltt_deadman_init(void);
void ltt_deadman_exit(void);

/* cost.c: what an event takes */
u64 ltt_event_cost(void);

/* beat.c: the beats of traces */
int ltt_beat_init(void);
void ltt_beat_exit(void);

#endif /* LTT_HEARTBEAT_INTERNAL_H */
