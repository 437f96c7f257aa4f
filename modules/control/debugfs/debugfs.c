// SPDX-License-Identifier: GPL-2.0-only
/*
 * The root of the debugfs face, and the face itself.
 *
 * Layer: control.  Context: task.
 */
#include "debugfs.h"

#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>

static struct dentry *root;
static LIST_HEAD(root_files);

static int groups_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("groups", call, NULL, NULL, NULL, NULL);
}

/* @text: "KIND NAME MEMBERS", as groups_show() prints it, or "!NAME". */
static int groups_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	static const char *const ops[][2] = {
		{ "events", "group-events" }, { "tasks", "group-tasks" }, { "cpus", "group-cpus" },
	};
	char *kind, *name;
	unsigned int i;

	if (*text == '!')
		return ltt_call_op("ungroup", call, text + 1, NULL, NULL, NULL);
	kind = strsep(&text, " \t\n");
	name = strsep(&text, " \t\n");
	for (i = 0; i < ARRAY_SIZE(ops); i++)
		if (text && !strcmp(kind, ops[i][0]))
			return ltt_call_op(ops[i][1], call, name, text, NULL, NULL);
	return ltt_fail(call, -EINVAL,
			"groups: write events, tasks or cpus, then a name and members, or !NAME; not \"%.64s\"",
			kind);
}

static int marker_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	return ltt_call_op("mark", call, text, NULL, NULL, NULL);
}

static int contexts_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("contexts", call, NULL, NULL, NULL, NULL);
}

static int probes_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("probes", call, NULL, NULL, NULL, NULL);
}

/* @text: a description, as probes_show() prints it, or "!GROUP:NAME". */
static int probes_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	if (*text == '!')
		return ltt_call_op("unprobe", call, text + 1, NULL, NULL, NULL);
	return ltt_call_op("probe", call, text, NULL, NULL, NULL);
}

static const struct ltt_text_kind root_kinds[] = {
	{ "last_error", 0444, .show = ltt_last_error_show },
	{ "groups", 0644, groups_show, groups_store },
	{ "marker", 0200, .store = marker_store },
	{ "contexts", 0444, contexts_show },
	{ "probes", 0644, probes_show, probes_store },
};

/**
 * ltt_debugfs_init() - create the folder of the face, which can have traces from now on
 *
 * Context: the module's init function.
 * Return: 0; an error of debugfs or of CPU hotplug.
 */
int __init ltt_debugfs_init(void)
{
	int err;

	ltt_debugfs_face.trace_added = ltt_debugfs_trace_added;
	ltt_debugfs_face.channel_coming = ltt_debugfs_channel_coming;
	ltt_debugfs_face.channel_failed = ltt_debugfs_channel_failed;
	ltt_debugfs_face.trace_going = ltt_debugfs_trace_going;
	root = debugfs_create_dir("ltt", NULL);
	if (IS_ERR(root))
		return PTR_ERR(root);
	err = ltt_debugfs_traces_init(root);
	if (err)
		debugfs_remove(root);
	return err;
}

/**
 * ltt_debugfs_open() - create the files by which programs use the face
 *
 * Context: the module's init function.
 * Return: 0; an error of debugfs, after which ltt_debugfs_exit() removes what was created.
 */
int __init ltt_debugfs_open(void)
{
	int err = ltt_text_create(root_kinds, ARRAY_SIZE(root_kinds), root, "", NULL, &root_files);

	if (!err)
		err = ltt_debugfs_markers_init(root);
	if (err)
		return err;
	/* Last, because users can create traces from now on. */
	err = ltt_debugfs_traces_open();
	if (err)
		ltt_debugfs_markers_exit();
	return err;
}

/**
 * ltt_debugfs_close() - undo ltt_debugfs_open(), but for the files that ltt_debugfs_exit() removes
 *
 * Context: sleeps; registry lock not held.
 */
void ltt_debugfs_close(void)
{
	ltt_debugfs_markers_exit();
}

/**
 * ltt_debugfs_exit() - remove the files and folders; no trace is left
 *
 * Context: sleeps; registry lock not held.
 */
void ltt_debugfs_exit(void)
{
	ltt_debugfs_traces_exit();
	debugfs_remove(root);
	ltt_text_free(&root_files);
	ltt_last_error_exit();
}
