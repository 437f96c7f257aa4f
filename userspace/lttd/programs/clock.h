/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The clock of programs, as readers of a trace have to know it.
 *
 * Layer: lttd.
 */
#ifndef LTTD_CLOCK_H
#define LTTD_CLOCK_H

#include <stdint.h>

/**
 * struct clock - of a trace
 * @name: a C identifier
 * @description: one sentence
 * @uuid: of the boot
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
 * @clock: filled in
 * @root: the folder of the recording: if it has a trace of the kernel by the same
 *	counter, it is that trace's clock to the last digit
 *
 * Return: 0; -1 after having said why not.
 */
int clock_find(struct clock *clock, const char *root);

#endif /* LTTD_CLOCK_H */
