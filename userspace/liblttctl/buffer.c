// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Reading a trace's data: its buffers and its metadata.
 *
 * Layer: liblttctl.
 */
#include "internal.h"

#include <errno.h>
#include <string.h>

/* <channel>_<cpu>; no other file of a trace ends in a number. */
int lttctl_buffer_channel(const char *name, char channel[LTTCTL_NAME_SIZE])
{
	const char *cpu = strrchr(name, '_');
	size_t len = cpu ? cpu - name : 0;

	if (!len || len >= LTTCTL_NAME_SIZE || !cpu[1] ||
	    cpu[1 + strspn(cpu + 1, "0123456789")])
		return -EINVAL;
	memcpy(channel, name, len);
	channel[len] = '\0';
	return ltt_name_valid(channel) ? 0 : -EINVAL;
}

struct visit {
	int (*fn)(const char *name, void *arg);
	void *arg;
};

static int visit_buffer(const char *name, void *arg)
{
	char channel[LTTCTL_NAME_SIZE];
	struct visit *visit = arg;

	/* In debugfs the directory of a trace has other files, too. */
	if (lttctl_buffer_channel(name, channel))
		return 0;
	return visit->fn(name, visit->arg);
}

int lttctl_for_each_buffer(struct lttctl_trace *trace,
			   int (*fn)(const char *name, void *arg), void *arg)
{
	struct visit visit = { fn, arg };

	return lttctl_for_each_name(trace->ctl, trace, "buffers", visit_buffer,
				    &visit);
}

static int open_buffer(struct lttctl_trace *trace, const char *name, const char *verb,
		       const char *what)
{
	char channel[LTTCTL_NAME_SIZE];

	if (lttctl_buffer_channel(name, channel))
		return lttctl_fail(trace->ctl, -EINVAL, "`%.100s` is not a buffer of trace %s",
				   name, trace->name);
	return lttctl_ask(trace->ctl, trace, verb,
			  LTTCTL_ARGS(channel, name + strlen(channel) + 1), NULL,
			  "open %s %s of trace %s", what, name, trace->name);
}

int lttctl_buffer_open(struct lttctl_trace *trace, const char *name)
{
	return open_buffer(trace, name, "open-buffer", "buffer");
}

int lttctl_snapshot_open(struct lttctl_trace *trace, const char *name)
{
	return open_buffer(trace, name, "open-snapshot", "a snapshot of buffer");
}

int lttctl_metadata_open(struct lttctl_trace *trace)
{
	return lttctl_ask(trace->ctl, trace, "open-metadata", NULL, NULL,
			  "open the metadata of trace %s", trace->name);
}

int lttctl_trace_watch(struct lttctl_trace *trace, bool *all)
{
	return trace->ctl->face->watch(trace, "markers traces cpus", all);
}

int lttctl_trigger_watch(struct lttctl_trace *trace, bool *all)
{
	return trace->ctl->face->watch(trace, "triggers traces", all);
}
