/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The properties of the clock that go into a trace.
 *
 * Layer: timestamp, private; the public part is in modules/include/ltt/clock.h.
 */
#ifndef LTT_TIMESTAMP_INFO_H
#define LTT_TIMESTAMP_INFO_H

void ltt_info_begin(void);

#endif /* LTT_TIMESTAMP_INFO_H */
