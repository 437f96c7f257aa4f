// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The error sentence of a handle, and the names that it accepts.
 *
 * Layer: liblttctl, below all its other files.
 */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *lttctl_error(const struct lttctl *ctl)
{
	return ctl->error;
}

int lttctl_fail(struct lttctl *ctl, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(ctl->error, sizeof(ctl->error), fmt, args);
	va_end(args);
	return err;
}
