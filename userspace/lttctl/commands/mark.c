// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl mark: write a text into the traces that record the event mark:text.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"

#include <stdlib.h>

int cmd_mark(int argc, const char **argv)
{
	struct lttctl *ctl;
	char *text;
	int status;

	status = one_argument(argc, argv, "text", &text);
	if (status)
		return status;
	ctl = tracer_connect(false);
	status = ctl ? tracer_status(ctl, lttctl_mark(ctl, text)) : EXIT_FAILED;
	lttctl_free(ctl);
	free(text);
	return status;
}
