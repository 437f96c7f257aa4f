/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What `record` tells at its end, and while it runs.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_SUMMARY_H
#define LTTCTL_SUMMARY_H

#include "command.h"

/**
 * struct summary - of a recording
 * @dir: where it is
 * @seconds: how long it ran
 * @stats: when it had been stopped
 * @status: exit status of the command; -1 without a command
 */
struct summary {
	const char *dir;
	double seconds;
	struct lttctl_stats stats;
	int status;
};

/* For people, to stderr. */
void summary_print(const struct summary *summary);

/* For programs, to stdout. */
void summary_print_json(const struct summary *summary);

/* Draw, or redraw, the progress line on the terminal at stderr. */
void progress_draw(double seconds, const struct lttctl_counts *total);
void progress_clear(void);

#endif /* LTTCTL_SUMMARY_H */
