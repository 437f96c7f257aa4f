/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Colours of lines.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_COLORS_H
#define LTTCTL_VIEW_COLORS_H

#include <stdbool.h>

/**
 * struct colors - what stands before the parts of a line; "" without colours
 * @time: before the time
 * @comm: before the name of the thread
 * @event: before the name of the event
 * @duration: before the duration
 * @missing: before a line about something that is missing
 * @end: after each
 */
struct colors {
	const char *time;
	const char *comm;
	const char *event;
	const char *duration;
	const char *missing;
	const char *end;
};

/**
 * colors_choose() - choose colours
 * @when: auto, always or never
 * @is_terminal: the output is a terminal, so that auto means colours, if the environment has no NO_COLOR
 *
 * Return: the colours; NULL if @when is another word.
 */
const struct colors *colors_choose(const char *when, bool is_terminal);

#endif /* LTTCTL_VIEW_COLORS_H */
