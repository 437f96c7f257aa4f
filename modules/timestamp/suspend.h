/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeping the trace clock right over a suspension.
 *
 * Layer: timestamp, private.
 */
#ifndef LTT_TIMESTAMP_SUSPEND_H
#define LTT_TIMESTAMP_SUSPEND_H

int ltt_suspend_begin(void);
void ltt_suspend_end(void);

#endif /* LTT_TIMESTAMP_SUSPEND_H */
