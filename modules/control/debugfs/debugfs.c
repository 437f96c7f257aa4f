// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text files of the debugfs face, and its last_error.
 *
 * Layer: control.  Context: task.  A file knows what it is about by name, never
 * by pointer, so that it can be read and written while that goes away; debugfs
 * itself keeps the file's memory from going while a handler runs.
 *
 * Locking: error_lock guards the text of the last error; innermost.
 */
#include "../control.h"

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#define WRITE_MAX	65536

static DEFINE_MUTEX(error_lock);
static char last_error[LTT_ERROR_MAX];

static void set_last_error(const char *text)
{
	mutex_lock(&error_lock);
	strscpy(last_error, text, sizeof(last_error));
	mutex_unlock(&error_lock);
}

/**
 * ltt_call_op() - call an operation with these arguments
 */
int ltt_call_op(const char *op, struct ltt_call *call, const char *a, const char *b,
		const char *c, const char *d)
{
	const char *const text[LTT_ARGS_MAX] = { a, b, c, d };

	call->face = &ltt_debugfs_face;
	return ltt_op_call_text(op, call, text);
}

static int text_show(struct seq_file *s, void *unused)
{
	struct ltt_text *file = s->private;
	struct ltt_call call = { .out = s };

	/* lseek() comes here also where nothing can be read. */
	return file->kind->show ? file->kind->show(file, &call) : -ESPIPE;
}

/* The mode does not keep root from opening what cannot be read, or written. */
static int text_open(struct inode *inode, struct file *file)
{
	const struct ltt_text *text = inode->i_private;

	if ((file->f_mode & FMODE_READ && !text->kind->show) ||
	    (file->f_mode & FMODE_WRITE && !text->kind->store))
		return -EACCES;
	return single_open(file, text_show, inode->i_private);
}

static ssize_t text_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	struct ltt_text *text = file_inode(file)->i_private;
	struct ltt_call call = {};
	char *copy, *line;
	int err;

	if (count > WRITE_MAX) {
		set_last_error("a write of more than 65536 bytes is refused: split it");
		return -E2BIG;
	}
	copy = memdup_user_nul(from, count);
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	if (strlen(copy) != count) {
		set_last_error("a NUL byte was written: write text");
		kfree(copy);
		return -EINVAL;
	}
	line = strim(copy);
	err = text->kind->store(text, &call, line);
	if (err)
		set_last_error(*call.error ? call.error : "there is not enough memory");
	kfree(copy);
	return err ? err : count;
}

static const struct file_operations text_fops = {
	.owner = THIS_MODULE,
	.open = text_open,
	.read = seq_read,
	.write = text_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static bool is_created(const struct list_head *files, const struct ltt_text_kind *kind,
		       const char *a, const char *b)
{
	const struct ltt_text *file;

	list_for_each_entry(file, files, node)
		if (file->kind == kind && !strcmp(file->a, a) && !strcmp(file->b, b))
			return true;
	return false;
}

/**
 * ltt_text_create() - create text files in a folder
 * @kinds: @nr of them
 * @nr: how many
 * @dir: the folder
 * @a: see struct ltt_text
 * @b: see struct ltt_text; may be NULL
 * @files: list that they are added to, for ltt_text_free()
 *
 * Those that are there already, from an attempt before, are left alone.
 *
 * Return: 0, or -errno with some created; the caller removes the folder, or tries again.
 */
int ltt_text_create(const struct ltt_text_kind *kinds, unsigned int nr, struct dentry *dir,
		    const char *a, const char *b, struct list_head *files)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		struct ltt_text *file;
		struct dentry *dentry;

		if (is_created(files, &kinds[i], a, b ? b : ""))
			continue;
		file = kzalloc(sizeof(*file), GFP_KERNEL);
		if (!file)
			return -ENOMEM;
		file->kind = &kinds[i];
		strscpy(file->a, a, sizeof(file->a));
		strscpy(file->b, b ? b : "", sizeof(file->b));
		dentry = debugfs_create_file(kinds[i].name, kinds[i].mode, dir, file, &text_fops);
		if (IS_ERR(dentry)) {
			kfree(file);
			return PTR_ERR(dentry);
		}
		list_add(&file->node, files);
	}
	return 0;
}

/**
 * ltt_text_take() - move those about a channel to a list of their own
 */
void ltt_text_take(struct list_head *files, const char *b, struct list_head *to)
{
	struct ltt_text *file, *next;

	list_for_each_entry_safe(file, next, files, node)
		if (!strcmp(file->b, b))
			list_move(&file->node, to);
}

/**
 * ltt_text_free() - free files, after their folder was removed
 */
void ltt_text_free(struct list_head *files)
{
	struct ltt_text *file, *next;

	list_for_each_entry_safe(file, next, files, node)
		kfree(file);
	INIT_LIST_HEAD(files);
}

/* ---- The root ---- */

static struct dentry *root;
static LIST_HEAD(root_files);

static int last_error_show(struct ltt_text *file, struct ltt_call *call)
{
	mutex_lock(&error_lock);
	seq_printf(call->out, "%s\n", last_error);
	mutex_unlock(&error_lock);
	return 0;
}

static int groups_show(struct ltt_text *file, struct ltt_call *call)
{
	return ltt_call_op("groups", call, NULL, NULL, NULL, NULL);
}

/* "KIND NAME MEMBERS", as they are shown, or "!NAME". */
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
			"groups: write events, tasks or cpus, then a name and the members, or !NAME; not \"%.64s\"",
			kind);
}

static const struct ltt_text_kind root_kinds[] = {
	{ "last_error", 0444, .show = last_error_show },
	{ "groups", 0644, groups_show, groups_store },
};

struct ltt_face ltt_debugfs_face = {
	.trace_added = ltt_debugfs_trace_added,
	.channel_coming = ltt_debugfs_channel_coming,
	.channel_failed = ltt_debugfs_channel_failed,
	.trace_going = ltt_debugfs_trace_going,
};

/**
 * ltt_debugfs_init() - make the tree
 * Return: 0 or -errno.
 */
int __init ltt_debugfs_init(void)
{
	int err;

	root = debugfs_create_dir("ltt", NULL);
	if (IS_ERR(root))
		return PTR_ERR(root);
	err = ltt_text_create(root_kinds, ARRAY_SIZE(root_kinds), root, "", NULL, &root_files);
	if (err)
		goto err_root;
	err = ltt_debugfs_markers_init(root);
	if (err)
		goto err_root;
	/* Last: from here on there can be traces. */
	err = ltt_debugfs_traces_init(root);
	if (err)
		goto err_traces;
	return 0;

err_traces:
	ltt_debugfs_markers_exit();
err_root:
	debugfs_remove(root);
	ltt_text_free(&root_files);
	return err;
}

/**
 * ltt_debugfs_exit() - take the tree down; no trace is left
 */
void ltt_debugfs_exit(void)
{
	ltt_debugfs_traces_exit();
	ltt_debugfs_markers_exit();
	debugfs_remove(root);
	ltt_text_free(&root_files);
}
