/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of perf as contexts.
 *
 * Layer: tracer.
 */
#ifndef LTT_TRACER_COUNTER_H
#define LTT_TRACER_COUNTER_H

#include <linux/types.h>

struct ltt_context_type;
struct ltt_counter;

struct ltt_counter *ltt_counter_get(const struct ltt_context_type *type);
void ltt_counter_put(struct ltt_counter *counter);
u64 ltt_counter_read(const struct ltt_counter *counter);
int ltt_counter_init(void);
void ltt_counter_exit(void);

#endif /* LTT_TRACER_COUNTER_H */
