/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of ltt-relay.  Layer: relay.
 */
#ifndef LTT_RELAY_INTERNAL_H
#define LTT_RELAY_INTERNAL_H

#include <linux/atomic.h>

#include <ltt/relay.h>

struct ltt_mapping;
struct vm_area_struct;

/* buffer.c: the memory of one CPU's buffer */
u32 ltt_relay_buf_pages(const struct ltt_relay_buf *buf);
int ltt_relay_buf_alloc(struct ltt_relay_buf *buf);
void ltt_relay_buf_free(struct ltt_relay_buf *buf);
int ltt_relay_buf_recycle(struct ltt_relay_buf *buf);

/* wait.c */
void ltt_relay_end_waits(struct ltt_relay_chan *chan);
void ltt_relay_wait_exit(void);

/* budget.c */
int ltt_relay_charge(struct ltt_relay_chan *chan, u64 bytes);
void ltt_relay_uncharge(struct ltt_relay_chan *chan, u64 bytes);
int ltt_relay_buf_charge(struct ltt_relay_buf *buf, u64 bytes);
void ltt_relay_buf_uncharge(struct ltt_relay_buf *buf);

/**
 * struct ltt_map - the mapping of a buffer; part of the buffer's reader
 * @buf: the buffer
 * @control: the first page of the mapping; kept from the first mmap() on
 * @vmas: number of memory areas that map it, 0 if it is not mapped; see map.c
 */
struct ltt_map {
	struct ltt_relay_buf *buf;
	struct ltt_mapping *control;
	atomic_t vmas;
};

/* map.c */
bool ltt_map_is_live(const struct ltt_map *map);
void ltt_map_publish(struct ltt_map *map, u64 position);
int ltt_map_begin(struct ltt_map *map, struct vm_area_struct *vma, u64 position);
void ltt_map_free(struct ltt_map *map);

/* channel.c */
bool ltt_relay_buf_flush(struct ltt_relay_buf *buf, bool final);
void ltt_relay_put(struct ltt_relay_chan *chan);
int ltt_relay_channel_init(void);
void ltt_relay_channel_exit(void);

#endif /* LTT_RELAY_INTERNAL_H */
