// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl view: print recordings as text.
 *
 * Layer: lttctl.  A first pass reads only the state channels, for the names of threads and the
 * kernel's print formats.
 */
#include "lttctl/command.h"
#include "lttctl/view/decode.h"
#include "lttctl/view/filter.h"
#include "lttctl/view/slices.h"
#include "lttctl/view/view.h"

int cmd_view(int argc, const char **argv)
{
	char *filter = NULL;
	int raw = 0;
	const struct poptOption table[] = {
		{ "filter", 'f', POPT_ARG_STRING, &filter, 0,
		  "show only events for which an expression holds", "EXPR" },
		{ "raw", 0, POPT_ARG_NONE, &raw, 0,
		  "show numbers, where the kernel has names for them", NULL },
		OPTIONS_HELP, POPT_TABLEEND
	};
	poptContext context;
	const char **dirs;
	int status;

	status = options_parse(argc, argv, table, 0, &context);
	dirs = poptGetArgs(context);
	if (!status && (!dirs || !dirs[0]))
		status = misused("directory is missing");
	if (!status && filter)
		status = filter_set(filter, dirs);
	if (!status)
		status = graph_run(dirs, true, learn_messages, NULL);
	if (raw) {
		decode_show_numbers();
		syscall_show_numbers();
		event_context_show_numbers();
	}
	if (!status) {
		status = graph_run(dirs, false, print_messages, NULL);
		slices_report();
	}
	mapped_forget();
	decode_forget();
	event_context_forget();
	filter_forget();
	free(filter);
	poptFreeContext(context);
	return status;
}
