/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The differences of two recordings: rates of events, and figures of reports.
 *
 * Layer: lttctl report, above lttctl/stat.
 */
#ifndef LTTCTL_REPORT_DIFF_H
#define LTTCTL_REPORT_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a figure is printed. */
enum diff_unit { DIFF_PER_SECOND, DIFF_NS, DIFF_PERCENT };

/**
 * struct diff_row - a figure of both recordings
 * @what: the figure
 * @name: what it is about: an event, a name, a system call, ...; owned by the row
 * @unit: its unit
 * @value: the figure in each recording
 * @samples: how many events it is made of, in each; 0: there is none
 * @weight: how much it changed: the logarithm of the ratio, without its sign
 */
struct diff_row {
	const char *what;
	char *name;
	enum diff_unit unit;
	double value[2];
	uint64_t samples[2];
	double weight;
};

/**
 * struct diff - all figures
 * @rows: the rows, the most changed first
 * @nr_rows: number of @rows
 * @missing: events that only one recording can have; a list of names, owned by the diff, or NULL
 * @seconds: the length of each recording
 */
struct diff {
	struct diff_row *rows;
	size_t nr_rows;
	char *missing[2];
	double seconds[2];
};

/**
 * diff_make() - compare two recordings
 * @dirs: their directories
 * @diff: receives the figures
 *
 * Return: 0, or an exit status after a message.  In both cases diff_release() is due.
 */
int diff_make(const char *const dirs[2], struct diff *diff);
void diff_release(struct diff *diff);

#endif /* LTTCTL_REPORT_DIFF_H */
