// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text files in the folder traces/ of the debugfs face: each calls an operation.
 *
 * Layer: control.  Context: task.
 */
#include "debugfs.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

/* ---- Of a trace ---- */

static int state_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("state", call, file->a, NULL, NULL, NULL);
}

static int state_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	static const char arm[] = "arm ";

	if (!strcmp(text, "start") || !strcmp(text, "stop"))
		return ltt_call_op(text, call, file->a, NULL, NULL, NULL);
	if (!strncmp(text, arm, strlen(arm)))
		return ltt_call_op("arm", call, file->a, text + strlen(arm), NULL, NULL);
	return ltt_fail(call, -EINVAL,
			"state: write \"start\", \"arm PATTERN...\" or \"stop\", not \"%.64s\"", text);
}

static int triggers_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("triggers", call, file->a, NULL, NULL, NULL);
}

static int events_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("events", call, file->a, NULL, NULL, NULL);
}

static int events_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	return ltt_change_patterns(call, text, "enable", "disable", file->a);
}

static int probes_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	return ltt_call_op("probe-in", call, file->a, text, NULL, NULL);
}

static int stats_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("stats", call, file->a, NULL, NULL, NULL);
}

static int snapshot_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	if (!strcmp(text, "1"))
		return ltt_call_op("snapshot", call, file->a, NULL, NULL, NULL);
	return ltt_fail(call, -EINVAL, "snapshot: write 1, not \"%.64s\"", text);
}

static int flush_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	if (!strcmp(text, "1"))
		return ltt_call_op("flush", call, file->a, NULL, NULL, NULL);
	return ltt_fail(call, -EINVAL, "flush: write 1, not \"%.64s\"", text);
}

static int tasks_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	if (!strcmp(text, "1"))
		return ltt_call_op("tasks", call, file->a, NULL, NULL, NULL);
	return ltt_fail(call, -EINVAL, "tasks: write 1, not \"%.64s\"", text);
}

static int clock_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("clock", call, file->a, NULL, NULL, NULL);
}

static int heartbeat_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("heartbeat-get", call, file->a, NULL, NULL, NULL);
}

static int heartbeat_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	return ltt_call_op("heartbeat-set", call, file->a, text, NULL, NULL);
}

static int pid_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("filter-get", call, file->a, NULL, NULL, NULL);
}

static int pid_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	return ltt_call_op("filter-set", call, file->a, text, NULL, NULL);
}

static int limit_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("limits", call, file->a, NULL, NULL, NULL);
}

static int limit_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	if (!strcmp(text, "none"))
		return ltt_call_op("unlimit", call, file->a, NULL, NULL, NULL);
	return ltt_call_op("limit", call, file->a, text, NULL, NULL);
}

static int context_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("context-rules", call, file->a, NULL, NULL, NULL);
}

/* "PATTERN LIST" */
static int context_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	char *list = strchr(text, ' ');

	if (!list)
		return ltt_fail(call, -EINVAL, "context: write \"PATTERN LIST\", not \"%.64s\"", text);
	*list++ = '\0';
	return ltt_call_op("context-for", call, file->a, text, skip_spaces(list), NULL);
}

static int filters_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("filters", call, file->a, NULL, NULL, NULL);
}

/* "PATTERN EXPRESSION", or "!PATTERN" */
static int filter_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	char *expression = strchr(text, ' ');

	if (*text == '!')
		return ltt_call_op("unfilter", call, file->a, text + 1, NULL, NULL);
	if (!expression)
		return ltt_fail(call, -EINVAL,
				"filter: write \"PATTERN EXPRESSION\" or \"!PATTERN\", not \"%.64s\"", text);
	*expression++ = '\0';
	return ltt_call_op("filter", call, file->a, text, skip_spaces(expression), NULL);
}

/* "EVENT LAYOUT PROGRAM EXPRESSION" */
static int filter_attach_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	const char *arg[LTT_ARGS_MAX] = { file->a };
	char *rest = text;
	unsigned int i;

	for (i = 1; i < 4; i++)
		arg[i] = strsep(&rest, " ");
	if (!rest)
		return ltt_fail(call, -EINVAL,
				"filter_attach: write \"EVENT LAYOUT PROGRAM EXPRESSION\"");
	arg[i] = rest;
	call->face = &ltt_debugfs_face;
	return ltt_op_call_text("filter-attach", call, arg);
}

static const struct ltt_text_kind trace_kinds[] = {
	{ "state", 0644, state_show, state_store },
	{ "events", 0644, events_show, events_store },
	{ "probes", 0200, .store = probes_store },
	{ "stats", 0444, stats_show },
	{ "snapshot", 0200, .store = snapshot_store },
	{ "flush", 0200, .store = flush_store },
	{ "tasks", 0200, .store = tasks_store },
	{ "clock", 0444, clock_show },
	{ "heartbeat_ms", 0644, heartbeat_show, heartbeat_store },
	{ "pid", 0644, pid_show, pid_store },
	{ "limit", 0644, limit_show, limit_store },
	{ "context", 0644, context_show, context_store },
	{ "triggers", 0444, triggers_show },
	{ "filters", 0444, filters_show },
	{ "filter", 0200, .store = filter_store },
	{ "filter_attach", 0200, .store = filter_attach_store },
};

/* ---- Of a channel ---- */

static int option_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("channel-get", call, file->a, file->b, file->kind->name, NULL);
}

static int option_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	return ltt_call_op("channel-set", call, file->a, file->b, file->kind->name, text);
}

static int enable_in_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	return ltt_call_op("enable-in", call, file->a, file->b, text, NULL);
}

static int list_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("context-get", call, file->a, file->b, NULL, NULL);
}

static int list_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	return ltt_call_op("context-set", call, file->a, file->b, text, NULL);
}

static const struct ltt_text_kind channel_kinds[] = {
	{ "events", 0200, .store = enable_in_store },
	{ "subbuf_size", 0644, option_show, option_store },
	{ "subbuf_count", 0644, option_show, option_store },
	{ "overwrite", 0644, option_show, option_store },
	{ "lossless_ms", 0644, option_show, option_store },
	{ "context", 0644, list_show, list_store },
};

/* ---- Of the folder channels/ ---- */

static int channel_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	return ltt_call_op("channel-add", call, file->a, text, NULL, NULL);
}

static const struct ltt_text_kind channels_kinds[] = {
	{ "create", 0200, .store = channel_store },
};

/* ---- Of the folder traces/ ---- */

static int create_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	return ltt_call_op("create", call, text, NULL, NULL, NULL);
}

static int remove_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	return ltt_call_op("destroy", call, text, NULL, NULL, NULL);
}

/* "create" is the last file of the face: a trace that users create would outlive a module whose init function fails. */
static const struct ltt_text_kind traces_kinds[] = {
	{ "remove", 0200, .store = remove_store },
	{ "create", 0200, .store = create_store },
};

/* ---- Creating them ---- */

/**
 * ltt_trace_files_create() - create the text files of a trace
 * @dir: the folder of the trace
 * @channels: the folder channels/ in it
 * @trace: name of the trace
 * @files: the list that gets the files, for ltt_text_free()
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -ENOMEM; an error of debugfs.  @files has what was created before an error.
 */
int ltt_trace_files_create(struct dentry *dir, struct dentry *channels, const char *trace,
			   struct list_head *files)
{
	int err = ltt_text_create(trace_kinds, ARRAY_SIZE(trace_kinds), dir, trace, NULL, files);

	return err ?: ltt_text_create(channels_kinds, ARRAY_SIZE(channels_kinds), channels, trace,
				      NULL, files);
}

/**
 * ltt_channel_files_create() - create the text files of a channel
 * @dir: the folder of the channel
 * @trace: name of its trace
 * @channel: name of the channel
 * @files: see ltt_trace_files_create()
 *
 * Context: sleeps; registry lock held.
 * Return: as ltt_trace_files_create().
 */
int ltt_channel_files_create(struct dentry *dir, const char *trace, const char *channel,
			     struct list_head *files)
{
	return ltt_text_create(channel_kinds, ARRAY_SIZE(channel_kinds), dir, trace, channel, files);
}

/**
 * ltt_traces_files_create() - create the files by which users create and remove traces
 * @dir: the folder traces/
 * @files: see ltt_trace_files_create()
 *
 * Context: sleeps.
 * Return: as ltt_trace_files_create().
 */
int ltt_traces_files_create(struct dentry *dir, struct list_head *files)
{
	return ltt_text_create(traces_kinds, ARRAY_SIZE(traces_kinds), dir, "", NULL, files);
}
