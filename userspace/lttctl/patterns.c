// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * What enable and disable share: `[-t TRACE] PATTERN...`.
 *
 * Layer: lttctl.
 */
#include "patterns.h"

#include <stdlib.h>

int change_patterns(int argc, const char **argv,
		    int (*in_trace)(struct lttctl_trace *trace,
				    const char *pattern),
		    int (*by_default)(struct lttctl *ctl,
				      const char *pattern))
{
	char *name = NULL;
	const struct poptOption table[] = {
		{ "trace", 't', POPT_ARG_STRING, &name, 0,
		  "in this trace only, not by default", "TRACE" },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	struct lttctl_trace *trace = NULL;
	struct lttctl *ctl = NULL;
	poptContext context;
	const char **args;
	int status, err = 0;

	status = options_parse(argc, argv, table, 0, &context);
	args = poptGetArgs(context);
	if (!status && (!args || !args[0]))
		status = misused("which events? name a pattern");
	if (status)
		goto out;
	ctl = tracer_connect(!name);
	if (!ctl) {
		status = EXIT_FAILED;
		goto out;
	}
	if (name)
		err = lttctl_trace_open(ctl, name, &trace);
	for (; !err && *args; args++)
		err = trace ? in_trace(trace, *args) : by_default(ctl, *args);
	status = tracer_status(ctl, err);
out:
	lttctl_trace_close(trace);
	lttctl_free(ctl);
	poptFreeContext(context);
	free(name);
	return status;
}
