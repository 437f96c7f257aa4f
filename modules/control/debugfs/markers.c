// SPDX-License-Identifier: GPL-2.0-only
/*
 * The folder markers/ of the debugfs face: a folder for each group, and in it a folder
 * for each marker.
 *
 * Layer: control.  Context: task; the marker notifier runs with the registry lock
 * held.
 *
 * Locking: the registry lock guards the lists and the hash table.  The notifier
 * creates a folder when its marker comes, so that a script can use it right after
 * insmod.  A work item removes it without the lock, because removal waits for
 * handlers in the folder, which take the lock.  A marker that comes back before the
 * removal uses the same folder.  If it comes back during the removal, or if memory
 * was short, the work item creates the folder.
 */
#include "debugfs.h"

#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <ltt/registry.h>

/**
 * struct folder - the folder markers/<group>/ or markers/<group>/<name>/
 * @group: group of the marker
 * @name: name of the marker; "" for the folder of the group
 * @dir: the folder; NULL if it could not be created yet
 * @files: its text files
 * @complete: @dir and all files are there
 * @warned: the log has a warning that the name is taken
 * @users: number of markers that need the folder
 * @node: in the list of folders, a group before its markers
 * @hash: in the table of folders, by @group and @name
 */
struct folder {
	char group[LTT_NAME_MAX];
	char name[LTT_NAME_MAX];
	struct dentry *dir;
	struct list_head files;
	bool complete;
	bool warned;
	unsigned int users;
	struct list_head node;
	struct hlist_node hash;
};

static struct dentry *markers_dir;
static LIST_HEAD(folders);
/* The kernel alone has more than 5000 markers, and each is looked up whenever one goes. */
static DEFINE_HASHTABLE(folders_by_name, 10);
static LIST_HEAD(markers_files);
/* The module exits: no marker needs a folder. */
static bool closing;

static void tidy(struct work_struct *work);
static DECLARE_DELAYED_WORK(tidy_work, tidy);

/* ---- Text files ---- */

static int wanted_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("wanted", call, NULL, NULL, NULL, NULL);
}

static int wanted_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	return ltt_change_patterns(call, text, "want", "unwant", NULL);
}

static const struct ltt_text_kind markers_kinds[] = {
	{ "wanted", 0644, wanted_show, wanted_store },
};

static int enable_store(struct ltt_text *file, struct ltt_call *call, char *text)
{
	char pattern[2 * LTT_NAME_MAX];
	bool on;

	/* Not kstrtobool(), which looks at the first letter only. */
	if (strlen(text) != 1 || !strchr("01nyNY", *text))
		return ltt_fail(call, -EINVAL, "enable: write 1, 0, y or n, not \"%.64s\"", text);
	on = strchr("1yY", *text);
	snprintf(pattern, sizeof(pattern), "%s:%s", file->a, *file->b ? file->b : "*");
	return ltt_call_op(on ? "want" : "unwant", call, pattern, NULL, NULL, NULL);
}

static int group_enable_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("group-wanted", call, file->a, NULL, NULL, NULL);
}

static const struct ltt_text_kind group_kinds[] = {
	{ "enable", 0644, group_enable_show, enable_store },
};

static int enable_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("is-wanted", call, file->a, file->b, NULL, NULL);
}

static int info_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("info", call, file->a, file->b, NULL, NULL);
}

static const struct ltt_text_kind marker_kinds[] = {
	{ "enable", 0644, enable_show, enable_store },
	{ "info", 0444, info_show },
};

/* ---- Folders ---- */

static u32 folder_key(const char *group, const char *name)
{
	return jhash(group, strlen(group), jhash(name, strlen(name), 0));
}

static struct folder *find_folder(const char *group, const char *name)
{
	struct folder *folder;

	hash_for_each_possible(folders_by_name, folder, hash, folder_key(group, name))
		if (!strcmp(folder->group, group) && !strcmp(folder->name, name))
			return folder;
	return NULL;
}

/* A file of ours or a folder that is being removed has the name.  debugfs would log an
 * error. */
static bool is_taken(const char *name, struct dentry *parent)
{
	struct dentry *there = debugfs_lookup(name, parent);

	dput(there);
	return there;
}

/* Return: 0; -EEXIST its name is taken; -EAGAIN its group has no folder; -ENOMEM. */
static int make_dir(struct folder *folder)
{
	struct folder *group = find_folder(folder->group, "");
	bool is_group = folder == group;
	const char *name = is_group ? folder->group : folder->name;
	struct dentry *parent = is_group ? markers_dir : group->dir;
	struct dentry *dir;
	int err;

	if (folder->complete)
		return 0;
	if (!parent)
		return -EAGAIN;
	if (!folder->dir) {
		if (is_taken(name, parent))
			return -EEXIST;
		dir = debugfs_create_dir(name, parent);
		if (IS_ERR(dir))
			return PTR_ERR(dir);
		folder->dir = dir;
	}
	if (is_group)
		err = ltt_text_create(group_kinds, ARRAY_SIZE(group_kinds), folder->dir,
				      folder->group, NULL, &folder->files);
	else
		err = ltt_text_create(marker_kinds, ARRAY_SIZE(marker_kinds), folder->dir,
				      folder->group, folder->name, &folder->files);
	folder->complete = !err;
	return err;
}

static struct folder *new_folder(const char *group, const char *name)
{
	struct folder *folder = kzalloc(sizeof(*folder), GFP_KERNEL);

	if (!folder)
		return NULL;
	strscpy(folder->group, group, sizeof(folder->group));
	strscpy(folder->name, name, sizeof(folder->name));
	INIT_LIST_HEAD(&folder->files);
	list_add_tail(&folder->node, &folders);
	hash_add(folders_by_name, &folder->hash, folder_key(folder->group, folder->name));
	return folder;
}

/* Return: the folder, with one user more; NULL without memory. */
static struct folder *use_folder(const char *group, const char *name)
{
	struct folder *folder = find_folder(group, name);

	if (!folder)
		folder = new_folder(group, name);
	if (folder)
		folder->users++;
	return folder;
}

/* The group first, as in the list. */
static int use_folders(struct ltt_marker *marker, void *unused)
{
	if (!use_folder(marker->group, "") || !use_folder(marker->group, marker->name))
		schedule_delayed_work(&tidy_work, HZ);
	return 0;
}

/* tidy() creates what cannot be created now, or logs why it cannot. */
static void come(struct ltt_marker *marker)
{
	struct folder *group = use_folder(marker->group, "");
	struct folder *folder = group ? use_folder(marker->group, marker->name) : NULL;

	if (!folder || make_dir(group) || make_dir(folder))
		schedule_delayed_work(&tidy_work, HZ);
}

/* Count the markers that need each folder. */
static void count_users(void)
{
	struct folder *folder;

	list_for_each_entry(folder, &folders, node)
		folder->users = 0;
	if (!closing)
		ltt_marker_for_each(use_folders, NULL);
}

/* Move folders without users to @dead; markers before their groups. */
static void collect(struct list_head *dead)
{
	struct folder *folder, *prev;

	list_for_each_entry_safe_reverse(folder, prev, &folders, node)
		if (!folder->users) {
			hash_del(&folder->hash);
			list_move_tail(&folder->node, dead);
		}
}

static void free_folders(struct list_head *dead)
{
	struct folder *folder, *next;

	list_for_each_entry_safe(folder, next, dead, node) {
		debugfs_remove(folder->dir);
		ltt_text_free(&folder->files);
		kfree(folder);
	}
}

static void tidy(struct work_struct *work)
{
	struct folder *folder;
	LIST_HEAD(dead);

	ltt_markers_lock();
	count_users();
	collect(&dead);
	ltt_markers_unlock();
	free_folders(&dead);
	ltt_markers_lock();
	list_for_each_entry(folder, &folders, node) {
		int err = make_dir(folder);

		if (err == -EEXIST && !folder->warned)
			pr_warn("ltt: debugfs cannot have the folder markers/%s%s%s, because a file has that name; use patterns for its markers\n",
				folder->group, *folder->name ? "/" : "", folder->name);
		folder->warned = err == -EEXIST;
		if (err == -ENOMEM)
			schedule_delayed_work(&tidy_work, HZ);
	}
	ltt_markers_unlock();
}

static int marker_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct ltt_marker *marker = data;

	if (action == LTT_MARKER_COMING)
		come(marker);
	else
		mod_delayed_work(system_percpu_wq, &tidy_work, 0);
	return NOTIFY_OK;
}

static struct notifier_block marker_notifier = { .notifier_call = marker_notify };

/**
 * ltt_debugfs_markers_init() - create the folder markers/
 * @root: the folder of the face
 *
 * Context: the module's init function.
 * Return: 0; -ENOMEM; an error of debugfs.
 */
int __init ltt_debugfs_markers_init(struct dentry *root)
{
	int err;

	markers_dir = debugfs_create_dir("markers", root);
	if (IS_ERR(markers_dir))
		return PTR_ERR(markers_dir);
	err = ltt_text_create(markers_kinds, ARRAY_SIZE(markers_kinds), markers_dir, "", NULL,
			      &markers_files);
	if (!err)
		err = ltt_marker_notifier_register(&marker_notifier);
	if (err) {
		debugfs_remove(markers_dir);
		ltt_text_free(&markers_files);
	}
	return err;
}

/**
 * ltt_debugfs_markers_exit() - remove the folder markers/
 *
 * Context: sleeps; registry lock not held.
 */
void ltt_debugfs_markers_exit(void)
{
	ltt_marker_notifier_unregister(&marker_notifier);
	cancel_delayed_work_sync(&tidy_work);
	closing = true;
	tidy(NULL);
	debugfs_remove(markers_dir);
	ltt_text_free(&markers_files);
}
