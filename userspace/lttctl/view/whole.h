/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The whole part of a trace with files that were cut off.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_WHOLE_H
#define LTTCTL_WHOLE_H

#include <stdbool.h>

/**
 * whole_make() - make a trace readable whose files end inside a packet
 * @trace: the trace's directory, which stays as it is
 *
 * A file ends inside a packet after a crash, or while lttd writes it.  babeltrace2 rejects
 * the trace then.  This makes a temporary directory that has its files up to the last whole
 * packet, and prints a warning for each that was cut.  The directory is removed when lttctl
 * exits, whatever ends it.
 *
 * Return: true; false if no file is cut, or, after a message, if there can be no directory,
 *	or if it was made already.
 */
bool whole_make(const char *trace);

/**
 * whole_part() - return the directory that whole_make() has made for @trace, or else @trace
 */
const char *whole_part(const char *trace);

#endif /* LTTCTL_WHOLE_H */
