// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * What enable and disable share: `[-t TRACE] PATTERN...`.
 *
 * Layer: lttctl.
 */
#include "pattern-change.h"
#include "lttctl/programs/recordings.h"

#include <stdlib.h>

/* Those of the kernel's events. */
static int change_kernel(const char *name, const char **patterns, const struct pattern_change *change)
{
	struct lttctl_trace *trace = NULL;
	struct lttctl *ctl = tracer_connect(!name);
	int err = 0, status;

	if (!ctl)
		return EXIT_FAILED;
	if (name)
		err = lttctl_trace_named(ctl, name, &trace);
	for (; !err && *patterns; patterns++)
		if (!recordings_pattern(*patterns))
			err = trace ? change->in_trace(trace, *patterns) : change->by_default(ctl, *patterns);
	status = tracer_status(ctl, err);
	lttctl_trace_close(trace);
	lttctl_free(ctl);
	return status;
}

static int change_all(const char *name, const char **patterns, const struct pattern_change *change)
{
	unsigned int nr_kernel = 0;
	int status = 0, i;
	pid_t pid;

	for (i = 0; patterns[i]; i++)
		nr_kernel += !recordings_pattern(patterns[i]);
	if (nr_kernel && recordings_is_name(name, &pid))
		return misused("%s is a recording of programs: its events are called user:group:name", name);
	if (nr_kernel)
		status = change_kernel(name, patterns, change);
	for (; !status && *patterns; patterns++)
		if (recordings_pattern(*patterns))
			status = recordings_set(name, recordings_pattern(*patterns), change->on);
	return status;
}

int change_patterns(int argc, const char **argv, const struct pattern_change *change)
{
	char *name = NULL;
	const struct poptOption table[] = {
		{ "trace", 't', POPT_ARG_STRING, &name, 0,
		  "in this trace only, not by default", "TRACE" },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	const char **args;
	int status;

	status = options_parse(argc, argv, table, 0, &context);
	args = poptGetArgs(context);
	if (!status && (!args || !args[0]))
		status = misused("which events? name a pattern");
	if (!status)
		status = change_all(name, args, change);
	poptFreeContext(context);
	free(name);
	return status;
}
