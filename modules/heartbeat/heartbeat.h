/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of ltt-heartbeat share.  Layer: heartbeat.
 */
#ifndef LTT_HEARTBEAT_INTERNAL_H
#define LTT_HEARTBEAT_INTERNAL_H

/* keeper.c: the clock is read often enough on every CPU */
void ltt_keeper_init(void);
void ltt_keeper_exit(void);

/* beat.c: the beats of traces */
int ltt_beat_init(void);
void ltt_beat_exit(void);

#endif /* LTT_HEARTBEAT_INTERNAL_H */
