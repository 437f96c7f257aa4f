/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The clock of programs, as a trace's metadata describes it.
 *
 * Layer: lttd.
 */
#ifndef LTTD_CLOCK_H
#define LTTD_CLOCK_H

#include <stdint.h>

/**
 * struct clock - clock of a trace
 * @name: a C identifier
 * @description: one sentence
 * @uuid: identifies the boot
 * @freq: counts per second
 * @offset_s: clock value 0 in seconds since the Unix epoch, and
 * @offset: the rest, in counts
 */
struct clock {
	char name[64];
	char description[256];
	uint8_t uuid[16];
	uint64_t freq;
	uint64_t offset_s;
	uint64_t offset;
};

/**
 * clock_find() - describe the clock
 * @clock: receives the description
 * @root: output directory of the recording; if it has a kernel trace with the same counter,
 *	@clock is exactly the clock of that trace
 *
 * Return: 0; -1 with the failure logged.
 */
int clock_find(struct clock *clock, const char *root);

#endif /* LTTD_CLOCK_H */
