// SPDX-License-Identifier: GPL-2.0-only
/*
 * The folder traces/ of the debugfs face; trace-files.c has the text files in it.
 *
 * Layer: control.  Context: task.
 *
 * Locking: the registry lock guards the list of folders.  A folder is removed
 * without it, since removal waits for handlers in the folder, and they take it.
 */
#include "debugfs.h"

#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/dcache.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <ltt/channel.h>
#include <ltt/registry.h>
#include <ltt/relay.h>
#include <ltt/trace.h>

/**
 * struct folder - the folder traces/<trace>/
 * @trace: the trace
 * @name: name of the trace
 * @dir: the folder
 * @channels: the folder channels/ in it
 * @has_file: for each channel, present and future, the CPUs whose data file exists
 * @files: text files
 * @node: in the list of folders
 */
struct folder {
	const struct ltt_trace *trace;
	char name[LTT_NAME_MAX];
	struct dentry *dir;
	struct dentry *channels;
	cpumask_var_t has_file[LTT_CHANNELS_MAX];
	struct list_head files;
	struct list_head node;
};

static struct dentry *traces_dir;
static LIST_HEAD(folders);
static LIST_HEAD(traces_files);
static int hotplug_state;

/* Not by name: while a trace is detached or destroyed, another may have its name. */
static struct folder *find_folder(const struct ltt_trace *trace)
{
	struct folder *folder;

	list_for_each_entry(folder, &folders, node)
		if (folder->trace == trace)
			return folder;
	return NULL;
}

/* ---- Folders ---- */

static void free_memory(struct folder *folder)
{
	unsigned int i;

	for (i = 0; i < LTT_CHANNELS_MAX; i++)
		free_cpumask_var(folder->has_file[i]);
	kfree(folder);
}

static struct folder *alloc_memory(void)
{
	struct folder *folder = kzalloc(sizeof(*folder), GFP_KERNEL);
	unsigned int i;

	for (i = 0; folder && i < LTT_CHANNELS_MAX; i++) {
		if (!zalloc_cpumask_var(&folder->has_file[i], GFP_KERNEL)) {
			free_memory(folder);
			return NULL;
		}
	}
	return folder;
}

static void free_folder(struct folder *folder)
{
	debugfs_remove(folder->dir);
	ltt_text_free(&folder->files);
	free_memory(folder);
}

static int add_channel(struct folder *folder, const char *name)
{
	struct dentry *dir = debugfs_create_dir(name, folder->channels);

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	return ltt_channel_files_create(dir, folder->name, name, &folder->files);
}

static int fill_folder(struct folder *folder, struct ltt_trace *trace)
{
	struct ltt_channel *channel;
	struct dentry *metadata;
	unsigned int i;
	int err;

	folder->channels = debugfs_create_dir("channels", folder->dir);
	if (IS_ERR(folder->channels))
		return PTR_ERR(folder->channels);
	err = ltt_trace_files_create(folder->dir, folder->channels, folder->name, &folder->files);
	for (i = 0; !err && (channel = ltt_trace_channel(trace, i)); i++)
		err = add_channel(folder, ltt_channel_name(channel));
	if (err)
		return err;
	/* Last, because this file has a pointer to the trace. */
	metadata = debugfs_create_file_unsafe("metadata", 0444, folder->dir, trace,
					      &ltt_metadata_fops);
	return PTR_ERR_OR_ZERO(metadata);
}

/* The files of a buffer: its data, and a snapshot of it. */
static const struct {
	const char *suffix;
	const struct file_operations *fops;
} data_files[] = {
	{ "", &ltt_relay_fops },
	{ ".snapshot", &ltt_relay_snapshot_fops },
};

static void data_file_name(char *name, size_t size, const struct ltt_channel *channel, int cpu,
			   const char *suffix)
{
	snprintf(name, size, "%s_%d%s", ltt_channel_name(channel), cpu, suffix);
}

static void remove_buffer(struct folder *folder, const struct ltt_channel *channel, int cpu)
{
	struct dentry *dentry;
	unsigned int i;
	char name[96];

	for (i = 0; i < ARRAY_SIZE(data_files); i++) {
		data_file_name(name, sizeof(name), channel, cpu, data_files[i].suffix);
		dentry = debugfs_lookup(name, folder->dir);
		debugfs_remove(dentry);
		dput(dentry);
	}
}

/* Both files of a buffer, or none.  Return: 0 or -errno. */
static int add_buffer(struct folder *folder, const struct ltt_channel *channel, int cpu,
		      struct ltt_relay_buf *buf)
{
	struct dentry *dentry;
	unsigned int i;
	char name[96];

	for (i = 0; i < ARRAY_SIZE(data_files); i++) {
		data_file_name(name, sizeof(name), channel, cpu, data_files[i].suffix);
		dentry = debugfs_create_file_unsafe(name, 0444, folder->dir, buf,
						    data_files[i].fops);
		if (IS_ERR(dentry)) {
			remove_buffer(folder, channel, cpu);
			return PTR_ERR(dentry);
		}
	}
	return 0;
}

/* Create the data files of CPUs that have a buffer and no file. */
static int add_data_files(struct folder *folder, struct ltt_trace *trace)
{
	struct ltt_channel *channel;
	struct ltt_relay_buf *buf;
	unsigned int i;
	int cpu, err;

	for (i = 0; (channel = ltt_trace_channel(trace, i)); i++) {
		for_each_possible_cpu(cpu) {
			buf = ltt_channel_buf(channel, cpu);
			if (!buf || cpumask_test_cpu(cpu, folder->has_file[i]))
				continue;
			err = add_buffer(folder, channel, cpu, buf);
			if (err)
				return err;
			cpumask_set_cpu(cpu, folder->has_file[i]);
		}
	}
	return 0;
}

/* Called before the buffers go; an open file keeps its buffer. */
static void remove_data_files(struct folder *folder, struct ltt_trace *trace)
{
	struct ltt_channel *channel;
	unsigned int i;
	int cpu;

	for (i = 0; (channel = ltt_trace_channel(trace, i)); i++) {
		for_each_cpu(cpu, folder->has_file[i])
			remove_buffer(folder, channel, cpu);
		cpumask_clear(folder->has_file[i]);
	}
}

/**
 * ltt_debugfs_trace_added() - create the folder of a trace
 * @face: the face of debugfs
 * @trace: the trace
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -errno, then ltt_debugfs_trace_going() removes what was created.
 */
int ltt_debugfs_trace_added(struct ltt_face *face, struct ltt_trace *trace)
{
	struct folder *folder = alloc_memory();
	int err;

	if (!folder)
		return -ENOMEM;
	folder->trace = trace;
	strscpy(folder->name, ltt_trace_name(trace), sizeof(folder->name));
	INIT_LIST_HEAD(&folder->files);
	folder->dir = debugfs_create_dir(folder->name, traces_dir);
	err = PTR_ERR_OR_ZERO(folder->dir);
	if (err) {
		free_memory(folder);
		return err;
	}
	/* First, so that trace_going() finds the folder after an error, too. */
	list_add_tail(&folder->node, &folders);
	err = fill_folder(folder, trace);
	return err ? err : add_data_files(folder, trace);
}

/**
 * ltt_debugfs_channel_coming() - create the folder of a new channel
 * @face: the face of debugfs
 * @trace: the trace that gets the channel
 * @name: name of the channel
 *
 * Context: sleeps; registry lock held.
 * Return: 0; -errno, then ltt_debugfs_channel_failed() removes what was created.
 */
int ltt_debugfs_channel_coming(struct ltt_face *face, struct ltt_trace *trace, const char *name)
{
	return add_channel(find_folder(trace), name);
}

static bool has_channel(struct ltt_trace *trace, const char *name)
{
	struct ltt_channel *channel;
	unsigned int i;

	for (i = 0; (channel = ltt_trace_channel(trace, i)); i++)
		if (!strcmp(ltt_channel_name(channel), name))
			return true;
	return false;
}

/**
 * ltt_debugfs_channel_failed() - remove the folder of a channel that was not made
 * @face: the face of debugfs
 * @trace: name of the trace
 * @name: name of the channel
 *
 * Context: sleeps; registry lock not held, because it waits for handlers in the folder.
 */
void ltt_debugfs_channel_failed(struct ltt_face *face, const char *trace, const char *name)
{
	struct ltt_trace *found;
	struct folder *folder;
	struct dentry *dir = NULL;
	LIST_HEAD(files);

	ltt_markers_lock();
	found = ltt_trace_find(trace, face);
	folder = found ? find_folder(found) : NULL;
	/* Another trace may have the name by now. */
	if (folder && !has_channel(found, name)) {
		ltt_text_take(&folder->files, name, &files);
		dir = debugfs_lookup(name, folder->channels);
	}
	ltt_markers_unlock();
	debugfs_remove(dir);
	dput(dir);
	ltt_text_free(&files);
}

/**
 * ltt_debugfs_trace_going() - remove the folder of a trace
 * @face: the face of debugfs
 * @trace: the trace
 *
 * Context: sleeps; registry lock not held, because it waits for handlers in the folder.
 */
void ltt_debugfs_trace_going(struct ltt_face *face, struct ltt_trace *trace)
{
	struct folder *folder;

	ltt_markers_lock();
	folder = find_folder(trace);
	if (folder)
		list_del(&folder->node);
	ltt_markers_unlock();
	if (folder)
		free_folder(folder);
}

/* ---- Start of a trace, and buffers that come later ---- */

/* For buffers that come while the trace runs. */
static int add_files(struct ltt_trace *trace, void *unused)
{
	int err = 0;

	if (ltt_trace_face(trace) == &ltt_debugfs_face)
		err = add_data_files(find_folder(trace), trace);
	if (err)
		pr_warn("ltt: trace %s: cannot create a data file: %pe\n",
			ltt_trace_name(trace), ERR_PTR(err));
	return 0;
}

/* Create data files.  A trace does not start if a buffer has no file to read it by. */
static int trace_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct ltt_trace *trace = data;
	struct folder *folder;
	int err = 0;

	if (ltt_trace_face(trace) != &ltt_debugfs_face)
		return NOTIFY_DONE;
	folder = find_folder(trace);
	if (action == LTT_TRACE_CHANNEL) {
		add_files(trace, NULL);
		return NOTIFY_OK;
	}
	if (action == LTT_TRACE_STARTING)
		err = add_data_files(folder, trace);
	if ((err || action == LTT_TRACE_NOT_STARTED) &&
	    ltt_trace_get_state(trace) == LTT_TRACE_CONFIGURING)
		remove_data_files(folder, trace);
	return notifier_from_errno(err);
}

static struct notifier_block trace_notifier = { .notifier_call = trace_notify };

/* ---- CPUs that come up ---- */

static void cpu_came(struct work_struct *work)
{
	ltt_markers_lock();
	ltt_trace_for_each(add_files, NULL);
	ltt_markers_unlock();
}

static DECLARE_WORK(cpu_work, cpu_came);

/* The hotplug lock nests inside the registry lock, so a work item takes that. */
static int cpu_online_notify(unsigned int cpu)
{
	schedule_work(&cpu_work);
	return 0;
}

static void notifier_exit(void)
{
	ltt_markers_lock();
	ltt_trace_notifier_unregister(&trace_notifier);
	ltt_markers_unlock();
}

/**
 * ltt_debugfs_traces_init() - create the folder traces/
 * @root: the folder of the face
 *
 * Context: the module's init function.
 * Return: 0; an error of debugfs or of CPU hotplug.
 */
int __init ltt_debugfs_traces_init(struct dentry *root)
{
	int err;

	traces_dir = debugfs_create_dir("traces", root);
	if (IS_ERR(traces_dir))
		return PTR_ERR(traces_dir);
	err = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ltt/control:online",
					cpu_online_notify, NULL);
	if (err < 0)
		goto err_hotplug;
	hotplug_state = err;
	ltt_markers_lock();
	err = ltt_trace_notifier_register(&trace_notifier);
	ltt_markers_unlock();
	if (err)
		goto err_notifier;
	return 0;

err_notifier:
	cpuhp_remove_state_nocalls(hotplug_state);
err_hotplug:
	debugfs_remove(traces_dir);
	return err;
}

/**
 * ltt_debugfs_traces_open() - create the files by which users create and remove traces
 *
 * Context: the module's init function.
 * Return: 0; an error of debugfs, after which ltt_debugfs_traces_exit() removes what was created.
 */
int __init ltt_debugfs_traces_open(void)
{
	return ltt_traces_files_create(traces_dir, &traces_files);
}

/**
 * ltt_debugfs_traces_exit() - remove the folder traces/; no trace is left
 *
 * Context: sleeps; registry lock not held.
 */
void ltt_debugfs_traces_exit(void)
{
	notifier_exit();
	cpuhp_remove_state_nocalls(hotplug_state);
	flush_work(&cpu_work);
	debugfs_remove(traces_dir);
	ltt_text_free(&traces_files);
}
