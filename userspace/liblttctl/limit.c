// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The limits of a trace to tasks or CPUs.
 *
 * Layer: liblttctl.  The tracer limits a trace to a group.  A limit stays when its group is
 * removed, so a group that is there for a moment does.
 */
#include "internal.h"

#include <stdio.h>
#include <unistd.h>

/* Define a group, limit the trace to it, and remove it. */
static int limit(struct lttctl_trace *trace, const char *verb, const char *what,
		 const char *members)
{
	char name[32], selection[34];
	int err;

	snprintf(name, sizeof(name), "lttctl-%d", getpid());
	snprintf(selection, sizeof(selection), "@%s", name);
	err = lttctl_ask(trace->ctl, NULL, verb, LTTCTL_ARGS(name, members), NULL,
			 "restrict trace %s to %s %s", trace->name, what, members);
	if (err)
		return err;
	err = lttctl_ask(trace->ctl, trace, "limit", LTTCTL_ARGS(selection), NULL,
			 "restrict trace %s to %s %s", trace->name, what, members);
	if (!err)
		return lttctl_ask(trace->ctl, NULL, "ungroup", LTTCTL_ARGS(name), NULL,
				  "remove group %s", name);
	/* The sentence of the first error stays. */
	trace->ctl->face->ask(trace->ctl, NULL, "ungroup", LTTCTL_ARGS(name), NULL);
	return err;
}

int lttctl_trace_limit_tasks(struct lttctl_trace *trace, const char *members)
{
	return limit(trace, "group-tasks", "tasks", members);
}

int lttctl_trace_limit_cpus(struct lttctl_trace *trace, const char *list)
{
	return limit(trace, "group-cpus", "CPUs", list);
}

int lttctl_trace_unlimit(struct lttctl_trace *trace)
{
	return lttctl_ask(trace->ctl, trace, "unlimit", NULL, NULL,
			  "remove the limits of trace %s", trace->name);
}
