/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters a trace clock can be made of.
 *
 * Layer: timestamp, private.
 */
#ifndef LTT_TIMESTAMP_COUNTER_H
#define LTT_TIMESTAMP_COUNTER_H

#include <linux/types.h>

/**
 * struct ltt_counter - one kind of counter
 * @param: its name as a value of the module parameter "clock"
 * @name: its name in a trace, a C identifier
 * @description: one sentence for people
 * @read: its value.  Context: any, NMI included, preemption off
 * @hz: counts per second, as the kernel knows it now
 * @prepare: can it be used on this machine?  0, or -errno after a sentence in
 *	the kernel log.  Called once, before the others; may sleep
 * @bits: significant bits of @read: 64 or 32
 * @slack_ns: how far the kernel's own measure of a suspension may be off from
 *	a counter that went on (see ltt_clock_repair())
 */
struct ltt_counter {
	const char *param;
	const char *name;
	const char *description;
	u64 (*read)(void);
	u64 (*hz)(void);
	int (*prepare)(void);
	unsigned int bits;
	u64 slack_ns;
};

const struct ltt_counter *ltt_counter_choose(const char *param);
bool ltt_counter_is_raw(const struct ltt_counter *counter);
bool ltt_tsc_is_trusted(void);

#endif /* LTT_TIMESTAMP_COUNTER_H */
