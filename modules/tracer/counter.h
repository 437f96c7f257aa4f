/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of perf as contexts.
 *
 * Layer: tracer.
 */
#ifndef LTT_TRACER_COUNTER_H
#define LTT_TRACER_COUNTER_H

#include <linux/types.h>

#include "../../include/uapi/ltt/verdict.h"

struct ltt_context_type;
struct ltt_counter;

/**
 * struct ltt_counters - the counters that a program asks for
 * @counter: in the order of its list
 * @nr: number of @counter
 */
struct ltt_counters {
	struct ltt_counter *counter[LTT_RUN_COUNTERS];
	unsigned int nr;
};

struct ltt_counter *ltt_counter_get(const struct ltt_context_type *type);
void ltt_counter_put(struct ltt_counter *counter);
u64 ltt_counter_read(const struct ltt_counter *counter);
int ltt_counters_get(struct ltt_counters *counters, const char *list, char *why, size_t size);
void ltt_counters_put(struct ltt_counters *counters);
int ltt_counter_init(void);
void ltt_counter_exit(void);

#endif /* LTT_TRACER_COUNTER_H */
