// SPDX-License-Identifier: GPL-2.0-only
/*
 * Snapshots: the packets that a buffer holds, copied without taking them from its reader.
 *
 * Layer: relay.  Context: task.
 *
 * Opening one ends the packet that is being written, and fixes the packets that belong to
 * the snapshot.  Each is copied as a whole when it is read (R7 in core/ring.h), so that
 * a packet which is overwritten meanwhile is missing as a whole.  The file is the
 * sequence of packets, each rounded up to a page, the rest of its last page zero, as in
 * reader.c.
 *
 * Locking: snapshot->lock guards the position; buf->lock keeps ring->page[] as it is
 * during a copy.  snapshot->lock -> buf->lock.
 */
#include "relay.h"

#include <linux/anon_inodes.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

/* A writer that was interrupted commits within microseconds, unless it is stopped. */
#define BUSY_TRIES	100
#define BUSY_WAIT_US	200

/**
 * struct snapshot - an open file
 * @buf: the buffer
 * @lock: guards the rest
 * @next: stream offset of the sub-buffer to copy next
 * @end: stream offset of the end of the snapshot
 * @size: bytes of the packet in @packet, a whole number of pages
 * @done: how many of them have been read
 * @packet: room for a sub-buffer
 */
struct snapshot {
	struct ltt_relay_buf *buf;
	struct mutex lock;
	u64 next;
	u64 end;
	size_t size;
	size_t done;
	void *packet;
};

/* Return: see enum ltt_peek; -EINTR.  The reader of the buffer can keep the lock for long,
 * while its memory is fetched. */
static int peek(struct snapshot *snapshot, u32 *content)
{
	struct ltt_relay_buf *buf = snapshot->buf;
	int found;

	if (mutex_lock_killable(&buf->lock))
		return -EINTR;
	found = ltt_ring_peek(&buf->ring, snapshot->next, snapshot->packet, content);
	mutex_unlock(&buf->lock);
	return found;
}

/* Copy the next packet that is still there.  Return: 0, -ENODATA at the end, -EINTR. */
static int next_packet(struct snapshot *snapshot)
{
	unsigned int tries = 0;
	u32 content;

	while (snapshot->next != snapshot->end) {
		int found = peek(snapshot, &content);

		if (found < 0)
			return found;
		if (found == LTT_PEEK_BUSY && tries++ < BUSY_TRIES) {
			usleep_range(BUSY_WAIT_US, 2 * BUSY_WAIT_US);
			if (fatal_signal_pending(current))
				return -EINTR;
			continue;
		}
		tries = 0;
		snapshot->next += snapshot->buf->ring.sb_mask + 1;
		if (found != LTT_PEEKED)
			continue;
		snapshot->size = PAGE_ALIGN(content);
		snapshot->done = 0;
		memset(snapshot->packet + content, 0, snapshot->size - content);
		return 0;
	}
	return -ENODATA;
}

static ssize_t snapshot_read(struct file *file, char __user *to, size_t count, loff_t *ppos)
{
	struct snapshot *snapshot = file->private_data;
	ssize_t ret = 0;

	if (mutex_lock_interruptible(&snapshot->lock))
		return -ERESTARTSYS;
	if (snapshot->done == snapshot->size)
		ret = next_packet(snapshot);
	if (!ret) {
		count = min(count, snapshot->size - snapshot->done);
		ret = count - copy_to_user(to, snapshot->packet + snapshot->done, count);
		if (!ret && count)
			ret = -EFAULT;
	}
	if (ret > 0) {
		snapshot->done += ret;
		*ppos += ret;
	}
	mutex_unlock(&snapshot->lock);
	return ret == -ENODATA ? 0 : ret;
}

static struct snapshot *take_snapshot(struct ltt_relay_buf *buf)
{
	struct snapshot *snapshot;
	u64 whole;
	int err = -ENOMEM;

	/* The packet that ends here has its header from the client. */
	if (!try_module_get(buf->chan->config.client->owner))
		return ERR_PTR(-ENODEV);
	snapshot = kzalloc(sizeof(*snapshot), GFP_KERNEL_ACCOUNT);
	if (!snapshot)
		goto err_snapshot;
	err = ltt_relay_charge(buf->chan, buf->chan->config.subbuf_size);
	if (err)
		goto err_charge;
	err = -ENOMEM;
	snapshot->packet = kvmalloc(buf->chan->config.subbuf_size, GFP_KERNEL_ACCOUNT);
	if (!snapshot->packet)
		goto err_packet;
	kref_get(&buf->chan->ref);
	snapshot->buf = buf;
	mutex_init(&snapshot->lock);
	ltt_relay_buf_flush(buf, false);
	snapshot->end = ltt_count_read(&buf->ring.offset) & ~buf->ring.sb_mask;
	whole = 1ULL << buf->ring.buf_order;
	snapshot->next = snapshot->end > whole ? snapshot->end - whole : 0;
	return snapshot;

err_packet:
	ltt_relay_uncharge(buf->chan, buf->chan->config.subbuf_size);
err_charge:
	kfree(snapshot);
err_snapshot:
	module_put(buf->chan->config.client->owner);
	return ERR_PTR(err);
}

static void free_snapshot(struct snapshot *snapshot)
{
	struct ltt_relay_chan *chan = snapshot->buf->chan;
	struct module *owner = chan->config.client->owner;

	kvfree(snapshot->packet);
	kfree(snapshot);
	ltt_relay_uncharge(chan, chan->config.subbuf_size);
	ltt_relay_put(chan);
	module_put(owner);
}

static int snapshot_open(struct inode *inode, struct file *file)
{
	struct snapshot *snapshot;
	int err;

	if (file->f_mode & FMODE_WRITE)
		return -EACCES;
	/* debugfs lets read-only files be opened under any lockdown. */
	err = security_locked_down(LOCKDOWN_TRACEFS);
	if (err)
		return err;
	snapshot = take_snapshot(inode->i_private);
	if (IS_ERR(snapshot))
		return PTR_ERR(snapshot);
	file->private_data = snapshot;
	return nonseekable_open(inode, file);
}

static int snapshot_release(struct inode *inode, struct file *file)
{
	free_snapshot(file->private_data);
	return 0;
}

const struct file_operations ltt_relay_snapshot_fops = {
	.owner = THIS_MODULE,
	.open = snapshot_open,
	.release = snapshot_release,
	.read = snapshot_read,
};
EXPORT_SYMBOL_GPL(ltt_relay_snapshot_fops);

static const struct file_operations descriptor_fops = {
	.owner = THIS_MODULE,
	.release = snapshot_release,
	.read = snapshot_read,
};

int ltt_relay_open_snapshot(struct ltt_relay_buf *buf, int flags)
{
	struct snapshot *snapshot = take_snapshot(buf);
	int fd;

	if (IS_ERR(snapshot))
		return PTR_ERR(snapshot);
	fd = anon_inode_getfd("[ltt-snapshot]", &descriptor_fops, snapshot, O_RDONLY | flags);
	if (fd < 0)
		free_snapshot(snapshot);
	return fd;
}
EXPORT_SYMBOL_GPL(ltt_relay_open_snapshot);
