/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The progress line of `record` on the terminal of the user.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PROGRESS_H
#define LTTCTL_PROGRESS_H

#include "lttctl/command.h"

/**
 * progress_wanted() - decide whether to draw a progress line
 * @has_command: a command runs, which has the same standard error as lttctl
 *
 * Return: true when the standard error is a terminal and no command writes to it.
 */
bool progress_wanted(bool has_command);

/**
 * progress_draw() - draw the line, or replace it
 * @seconds: how long the recording has been running
 * @total: its counts; NULL when they are not known
 *
 * The line is cut to the width of the terminal.
 */
void progress_draw(double seconds, const struct lttctl_counts *total);

/**
 * progress_clear() - erase the line
 */
void progress_clear(void);

#endif /* LTTCTL_PROGRESS_H */
