/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a reader of a trace is told about the clock.
 *
 * Layer: timestamp, private; the public part is in modules/include/ltt/clock.h.
 */
#ifndef LTT_TIMESTAMP_INFO_H
#define LTT_TIMESTAMP_INFO_H

void ltt_info_begin(void);

#endif /* LTT_TIMESTAMP_INFO_H */
