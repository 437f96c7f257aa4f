// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text files of the debugfs face.
 *
 * Layer: control.  Context: task.  A file has the name of its trace or marker, never a
 * pointer to it, so that handlers can run while the trace or marker goes.  debugfs keeps
 * the memory of the file until its handlers are done.
 */
#include "debugfs.h"

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#define WRITE_MAX	65536

/* debugfs.c sets its callbacks. */
struct ltt_face ltt_debugfs_face;

/**
 * ltt_call_op() - call an operation on the traces of debugfs
 * @op: name of the operation
 * @call: the call; its face and arguments are set here
 * @a: first argument; the operation ignores those that it does not take
 * @b: second argument
 * @c: third argument
 * @d: fourth argument
 *
 * Context: sleeps; registry lock not held.
 * Return: see ltt_op_call_text().
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

	/* lseek() calls this for files that cannot be read, too. */
	return file->kind->show ? file->kind->show(file, &call) : -ESPIPE;
}

/* Root can open files against their mode. */
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
		ltt_last_error_set(file->f_cred, "write: at most 65536 bytes at once");
		return -E2BIG;
	}
	copy = memdup_user_nul(from, count);
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	if (strlen(copy) != count) {
		ltt_last_error_set(file->f_cred, "write: the text contains a NUL byte");
		kfree(copy);
		return -EINVAL;
	}
	line = strim(copy);
	err = text->kind->store(text, &call, line);
	if (err)
		ltt_last_error_set(file->f_cred, *call.error ? call.error : "there is not enough memory");
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
 * @kinds: @nr kinds, a file for each
 * @nr: number of kinds
 * @dir: the folder
 * @a: see struct ltt_text
 * @b: see struct ltt_text; may be NULL
 * @files: the list that gets the files, for ltt_text_free()
 *
 * Skips files that an earlier call made.  After an error some files are there: the
 * caller removes the folder or calls again.
 *
 * Context: sleeps.
 * Return: 0; -ENOMEM; an error of debugfs_create_file().
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
 * ltt_text_take() - move the files of a channel to another list
 * @files: files of a trace
 * @b: name of the channel
 * @to: the list that gets the files
 *
 * Context: any; the caller guards both lists.
 */
void ltt_text_take(struct list_head *files, const char *b, struct list_head *to)
{
	struct ltt_text *file, *next;

	list_for_each_entry_safe(file, next, files, node)
		if (!strcmp(file->b, b))
			list_move(&file->node, to);
}

/**
 * ltt_text_free() - free files whose folder was removed
 * @files: the list, empty afterwards
 *
 * Context: any; the caller guards the list.
 */
void ltt_text_free(struct list_head *files)
{
	struct ltt_text *file, *next;

	list_for_each_entry_safe(file, next, files, node)
		kfree(file);
	INIT_LIST_HEAD(files);
}
