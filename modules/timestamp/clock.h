/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The trace clock: a counter, widened, shifted after suspensions and held
 * monotonic.
 *
 * Layer: timestamp, private.
 */
#ifndef LTT_TIMESTAMP_CLOCK_H
#define LTT_TIMESTAMP_CLOCK_H

#include <linux/types.h>

#include "counter.h"

int ltt_clock_begin(const struct ltt_counter *with);
void ltt_clock_end(void);
const struct ltt_counter *ltt_clock_counter(void);
void ltt_clock_raw_on(void);
void ltt_clock_raw_off(void);

u64 ltt_clock_count(void);
void ltt_clock_shift(u64 counts);
void ltt_clock_advance(void *time);

#endif /* LTT_TIMESTAMP_CLOCK_H */
