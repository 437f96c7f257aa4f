// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The contexts that the events of a trace have.
 *
 * Layer: liblttctl.
 */
#include "internal.h"

int lttctl_channel_set_context(struct lttctl_trace *trace, const char *channel, const char *list)
{
	int err = lttctl_check_name(trace->ctl, "channel", channel);

	if (err)
		return err;
	return lttctl_ask(trace->ctl, trace, "context-set", LTTCTL_ARGS(channel, list), NULL,
			  "set the contexts of channel %s of trace %s", channel, trace->name);
}

int lttctl_trace_set_context(struct lttctl_trace *trace, const char *pattern, const char *list)
{
	int err = lttctl_check_pattern(trace->ctl, pattern);

	if (err)
		return err;
	return lttctl_ask(trace->ctl, trace, "context-for", LTTCTL_ARGS(pattern, list), NULL,
			  "set the contexts of %s in trace %s", pattern, trace->name);
}
