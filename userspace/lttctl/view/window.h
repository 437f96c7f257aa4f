/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The part of the time that is shown.
 *
 * Layer: lttctl view, on lttctl/model/moment.h.
 */
#ifndef LTTCTL_VIEW_WINDOW_H
#define LTTCTL_VIEW_WINDOW_H

#include "ltt/ltttrace.h"

/**
 * struct window - arguments of options; NULL: not given
 * @from: of --from
 * @to: of --to
 * @last: of --last
 */
struct window {
	char *from;
	char *to;
	char *last;
};

/**
 * window_times() - compute the times of a window
 * @window: the arguments
 * @trace: the recordings
 * @from: receives its begin; INT64_MIN: that of the recordings
 * @to: receives its end; INT64_MAX: that of the recordings
 *
 * Return: 0, or EXIT_USAGE after a message.
 */
int window_times(const struct window *window, const struct ltttrace *trace, int64_t *from, int64_t *to);

#endif /* LTTCTL_VIEW_WINDOW_H */
