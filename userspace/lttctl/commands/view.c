// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl view: print a recording as text.
 *
 * Layer: lttctl.  A first pass reads only the state channels, for the names of threads.
 */
#include "lttctl/command.h"
#include "lttctl/view/slices.h"

#include <stdlib.h>

int cmd_view(int argc, const char **argv)
{
	char *dir;
	int status;

	status = one_argument(argc, argv, "directory", &dir);
	if (status)
		return status;
	status = graph_run(dir, true, learn_messages, NULL);
	if (!status) {
		status = graph_run(dir, false, print_messages, NULL);
		slices_report();
	}
	mapped_forget();
	free(dir);
	return status;
}
