/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Shows the recordings that need no tracer, for list and status.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_SHOW_RECORDINGS_H
#define LTTCTL_SHOW_RECORDINGS_H

#include "lttctl/command.h"

/**
 * show_recordings() - print the recordings of programs and private ones, then connect to the
 *	tracer, which may be missing if there are some
 * @counts: print their counts, too
 * @to: append JSON objects to this array; NULL for text
 * @required: without a recording, a tracer that is not loaded is an error
 * @ctl: receives a connected handle, to be freed by lttctl_free(); NULL: the tracer has
 *	nothing to show
 *
 * Return: 0, or an exit status after a message.
 */
int show_recordings(bool counts, struct json_object *to, bool required, struct lttctl **ctl);

#endif /* LTTCTL_SHOW_RECORDINGS_H */
