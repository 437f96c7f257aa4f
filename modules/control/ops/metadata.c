// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file of a trace's metadata, in both faces.  An open file keeps the text when the
 * trace goes.
 *
 * Layer: control.  Context: task.
 */
#include "../control.h"

#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/security.h>

#include <ltt/metadata.h>

static int metadata_open(struct inode *inode, struct file *file)
{
	struct ltt_trace *trace = inode->i_private;
	/* debugfs lets read-only files be opened under any lockdown. */
	int err = security_locked_down(LOCKDOWN_TRACEFS);

	if (err)
		return err;

	/* debugfs delays the removal of this file, and so the end of the trace. */
	file->private_data = ltt_trace_metadata(trace);
	return 0;
}

static ssize_t metadata_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	return ltt_metadata_read(file->private_data, to, count, pos);
}

static int metadata_release(struct inode *inode, struct file *file)
{
	ltt_metadata_put(file->private_data);
	return 0;
}

const struct file_operations ltt_metadata_fops = {
	.owner = THIS_MODULE,
	.open = metadata_open,
	.read = metadata_read,
	.llseek = no_seek_end_llseek,
	.release = metadata_release,
};

/**
 * ltt_metadata_fd() - open the metadata of a trace
 * @trace: the trace; the descriptor keeps its metadata
 *
 * Context: sleeps; in the task that gets the descriptor, registry lock held.
 * Return: the descriptor; -EMFILE, -ENFILE, -ENOMEM.
 */
int ltt_metadata_fd(struct ltt_trace *trace)
{
	struct ltt_metadata *metadata = ltt_trace_metadata(trace);
	struct file *file;
	int fd;

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		goto err_fd;
	file = anon_inode_getfile("[ltt-metadata]", &ltt_metadata_fops, metadata,
				  O_RDONLY | O_CLOEXEC);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		fd = PTR_ERR(file);
		goto err_fd;
	}
	/* pread() and lseek(), as in debugfs. */
	file->f_mode |= FMODE_LSEEK | FMODE_PREAD;
	fd_install(fd, file);
	return fd;

err_fd:
	ltt_metadata_put(metadata);
	return fd;
}
