// SPDX-License-Identifier: GPL-2.0-only
/*
 * The folder markers/ of the debugfs face: one folder a group, one in it a
 * marker, as markers come and go.
 *
 * Layer: control.  Context: task; the marker notifier runs with the registry lock
 * held.
 *
 * Locking: the registry lock guards the lists.  A folder is created at once when
 * its marker comes, so that a script can use it right after insmod.  It is
 * removed later, by a work item and without the lock: removal waits for handlers
 * in the folder, and they take the lock.  A marker that comes back before that
 * finds its folder; one that comes back during removal has it made again by the
 * same work item.  So has one for which there was no memory.
 */
#include "debugfs.h"

#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <ltt/registry.h>

/**
 * struct folder - markers/<group>/, or markers/<group>/<name>/
 * @group: of the marker
 * @name: of the marker; "" for the group's folder
 * @dir: NULL when it could not be made yet
 * @files: its text files
 * @complete: @dir is there, and all files
 * @told: that it is not, because its name is taken
 * @users: markers that need it: 0 or 1, or those of the group
 * @node: in the list of folders, a group before its markers
 */
struct folder {
	char group[64];
	char name[64];
	struct dentry *dir;
	struct list_head files;
	bool complete;
	bool told;
	unsigned int users;
	struct list_head node;
};

static struct dentry *markers_dir;
static LIST_HEAD(folders);
static LIST_HEAD(markers_files);
/* No marker needs a folder any more. */
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
	char pattern[2 * 64];
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

static struct folder *find_folder(const char *group, const char *name)
{
	struct folder *folder;

	list_for_each_entry(folder, &folders, node)
		if (!strcmp(folder->group, group) && !strcmp(folder->name, name))
			return folder;
	return NULL;
}

/* By one of our files, or an old folder under removal: the kernel would complain. */
static bool is_taken(const char *name, struct dentry *parent)
{
	struct dentry *there = debugfs_lookup(name, parent);

	dput(there);
	return there;
}

/* Return: 0; -EEXIST, its name is taken; -EAGAIN, its group's is; -ENOMEM. */
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
	return folder;
}

/* Return: it, with one user more, or NULL when there is no memory for it. */
static struct folder *use_folder(const char *group, const char *name)
{
	struct folder *folder = find_folder(group, name);

	if (!folder)
		folder = new_folder(group, name);
	if (folder)
		folder->users++;
	return folder;
}

/* The group's first: that is their order in the list. */
static int use_folders(struct ltt_marker *marker, void *unused)
{
	if (!use_folder(marker->group, "") || !use_folder(marker->group, marker->name))
		schedule_delayed_work(&tidy_work, HZ);
	return 0;
}

/* What cannot be made now tidy() makes, or tells why it cannot. */
static void come(struct ltt_marker *marker)
{
	struct folder *group = use_folder(marker->group, "");
	struct folder *folder = group ? use_folder(marker->group, marker->name) : NULL;

	if (!folder || make_dir(group) || make_dir(folder))
		schedule_delayed_work(&tidy_work, HZ);
}

/* Who needs which folder, as the markers are now. */
static void count_users(void)
{
	struct folder *folder;

	list_for_each_entry(folder, &folders, node)
		folder->users = 0;
	if (!closing)
		ltt_marker_for_each(use_folders, NULL);
}

/* Move what nobody uses to @dead; markers before their groups. */
static void collect(struct list_head *dead)
{
	struct folder *folder, *prev;

	list_for_each_entry_safe_reverse(folder, prev, &folders, node)
		if (!folder->users)
			list_move_tail(&folder->node, dead);
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

		if (err == -EEXIST && !folder->told)
			pr_warn("ltt: debugfs has no folder markers/%s%s%s, for there is a file of that name; its markers can be used, but not by it\n",
				folder->group, *folder->name ? "/" : "", folder->name);
		folder->told = err == -EEXIST;
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
		mod_delayed_work(system_wq, &tidy_work, 0);
	return NOTIFY_OK;
}

static struct notifier_block marker_notifier = { .notifier_call = marker_notify };

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

void ltt_debugfs_markers_exit(void)
{
	ltt_marker_notifier_unregister(&marker_notifier);
	cancel_delayed_work_sync(&tidy_work);
	closing = true;
	tidy(NULL);
	debugfs_remove(markers_dir);
	ltt_text_free(&markers_files);
}
