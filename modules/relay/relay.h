/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of ltt-relay share.  Layer: relay.
 */
#ifndef LTT_RELAY_INTERNAL_H
#define LTT_RELAY_INTERNAL_H

#include <ltt/relay.h>

/* buffer.c: the memory of one CPU's buffer */
int ltt_relay_buf_alloc(struct ltt_relay_buf *buf);
void ltt_relay_buf_free(struct ltt_relay_buf *buf);
int ltt_relay_buf_recycle(struct ltt_relay_buf *buf);

/* channel.c */
bool ltt_relay_buf_flush(struct ltt_relay_buf *buf, bool final);
void ltt_relay_put(struct ltt_relay_chan *chan);
int ltt_relay_channel_init(void);
void ltt_relay_channel_exit(void);

#endif /* LTT_RELAY_INTERNAL_H */
