/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The clock of programs, as a trace's metadata describes it.
 *
 * Layer: lttd.
 */
#ifndef LTTD_CLOCK_H
#define LTTD_CLOCK_H

#include <stdbool.h>
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
 * clock_parse() - parse the value of --clock
 * @clock: receives the clock
 * @text: "NAME UUID FREQ OFFSET_S OFFSET", as the tracer shows the clock of a trace
 *
 * Return: false if @text is malformed.
 */
bool clock_parse(struct clock *clock, const char *text);

/** clock_is_counter() - return true if @clock is the counter of common/counter.h */
bool clock_is_counter(const struct clock *clock);

/**
 * clock_find() - describe the clock of programs
 * @clock: receives the description
 * @kernel: clock of the kernel's trace in the same recording, or NULL; if it counts with the
 *	counter of programs, @clock becomes the same
 *
 * Return: 0; -1 with the failure logged.
 */
int clock_find(struct clock *clock, const struct clock *kernel);

#endif /* LTTD_CLOCK_H */
