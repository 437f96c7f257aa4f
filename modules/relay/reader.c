// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reader's file: read, pread, lseek, splice, mmap and poll, without ioctl.
 *
 * Layer: relay.  Context: task.
 *
 * The file is the sequence of packets since it was opened, each rounded up to a
 * page, the rest of its last page zero.  The first access at or past the end of a packet
 * frees it.  close frees nothing: the next reader gets a packet again that this one did
 * not move past.
 *
 * Locking: buf->lock guards the read side of the ring.  splice_read() is called
 * with the pipe's mutex held, and read() copies to user memory (which may fault,
 * and wait) under buf->lock; so splice and poll() only try the lock, and never wait.
 * mmap() only tries it, too; map.c has the reason.
 */
#include "relay.h"

#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pipe_fs_i.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/splice.h>
#include <linux/uaccess.h>

/**
 * struct reader - an open file
 * @buf: what it reads
 * @start: the position of the packet that is out, or that comes next
 * @end: where the last access ended, by whatever call
 * @map: where it is mapped
 */
struct reader {
	struct ltt_relay_buf *buf;
	loff_t start;
	loff_t end;
	struct ltt_map map;
};

static size_t packet_size(const struct ltt_ring *ring)
{
	return PAGE_ALIGN(ring->read_content);
}

/* No reader may see what a page held before. */
static void zero_tail(const struct ltt_ring *ring)
{
	size_t used = offset_in_page(ring->read_content);

	if (used)
		memset(ring->page[ring->read_base + (ring->read_content >> PAGE_SHIFT)] + used,
		       0, PAGE_SIZE - used);
}

/* O(closed:B): a reader that sees it sees the last packets; pairs with O(closed:A). */
static bool is_closed(const struct ltt_relay_buf *buf)
{
	return smp_load_acquire(&buf->chan->closed);
}

/* Take the next packet; a quiet channel may owe one that reports losses. */
static int next_packet(struct ltt_relay_buf *buf)
{
	bool closed = is_closed(buf);
	bool got = ltt_ring_get(&buf->ring);

	if (!got && READ_ONCE(buf->chan->quiet) && ltt_relay_buf_flush(buf, true)) {
		if (buf->ring.overwrite)
			ltt_u64_write(&buf->ring.read_limit,
				      ltt_count_read(&buf->ring.offset) & ~buf->ring.sb_mask);
		got = ltt_ring_get(&buf->ring);
	}
	if (!got)
		return closed ? -ENODATA : -EAGAIN;
	zero_tail(&buf->ring);
	return 0;
}

/*
 * Make the packet that holds @pos the one that is out, freeing those before.
 * Return: 0; -EAGAIN when it is not there yet; -ENODATA at end of file; -EINVAL
 * when it has been freed; -ENOMEM when a page in a pipe cannot be replaced.
 */
static int locate(struct reader *reader, loff_t pos)
{
	struct ltt_ring *ring = &reader->buf->ring;
	int err;

	lockdep_assert_held(&reader->buf->lock);
	/* Read by writers, who must not wait for themselves: is_reader(). */
	WRITE_ONCE(reader->buf->reader, current->tgid);
	if (pos < reader->start)
		return -EINVAL;
	for (;;) {
		if (ring->reading) {
			if (pos < reader->start + packet_size(ring))
				return 0;
			err = ltt_map_is_live(&reader->map) ? 0 :
			      ltt_relay_buf_recycle(reader->buf);
			if (err)
				return err;
			reader->start += packet_size(ring);
			ltt_ring_put(ring);
			wake_up_all(&reader->buf->room);
		}
		err = next_packet(reader->buf);
		if (err)
			return err;
	}
}

/* Does an access now find something to do: a packet, or end of file? */
static bool pending(struct ltt_relay_buf *buf)
{
	return ltt_ring_ready(&buf->ring, false) || is_closed(buf) ||
	       (READ_ONCE(buf->chan->quiet) && ltt_ring_needs_flush(&buf->ring, true));
}

static ssize_t copy_out(struct reader *reader, char __user *to, size_t count, loff_t *ppos)
{
	struct ltt_ring *ring = &reader->buf->ring;
	size_t at = *ppos - reader->start, done = 0;

	count = min(count, packet_size(ring) - at);
	while (done < count) {
		size_t n = min(count - done, PAGE_SIZE - offset_in_page(at));

		n -= copy_to_user(to + done,
				  ring->page[ring->read_base + (at >> PAGE_SHIFT)] +
				  offset_in_page(at), n);
		if (!n)
			break;
		done += n;
		at += n;
	}
	if (!done)
		return -EFAULT;
	*ppos += done;
	reader->end = *ppos;
	return done;
}

static ssize_t relay_read(struct file *file, char __user *to, size_t count, loff_t *ppos)
{
	struct reader *reader = file->private_data;
	struct ltt_relay_buf *buf = reader->buf;
	ssize_t ret;

	if (!count)
		return 0;
	for (;;) {
		if (mutex_lock_interruptible(&buf->lock))
			return -ERESTARTSYS;
		ret = locate(reader, *ppos);
		ltt_map_publish(&reader->map, reader->start);
		if (!ret)
			ret = copy_out(reader, to, count, ppos);
		mutex_unlock(&buf->lock);
		if (ret == -ENODATA)
			return 0;
		if (ret != -EAGAIN || file->f_flags & O_NONBLOCK)
			return ret;
		if (wait_event_interruptible(buf->wait, pending(buf)))
			return -ERESTARTSYS;
	}
}

static void spd_release(struct splice_pipe_desc *spd, unsigned int i)
{
	put_page(spd->pages[i]);
}

/* The packet's pages from @at on, with a reference each for the pipe. */
static void fill_spd(const struct ltt_ring *ring, size_t at, size_t len, unsigned int room,
		     struct splice_pipe_desc *spd)
{
	while (len && spd->nr_pages < (int)room) {
		struct page *page = virt_to_page(ring->page[ring->read_base + (at >> PAGE_SHIFT)]);
		struct partial_page *part = &spd->partial[spd->nr_pages];

		part->offset = offset_in_page(at);
		part->len = min(len, PAGE_SIZE - part->offset);
		at += part->len;
		len -= part->len;
		get_page(page);
		spd->pages[spd->nr_pages++] = page;
	}
}

/* Pages stay ours and go into the pipe with a reference; the pipe's operations
 * are the kernel's own, since a pipe can outlive this module. */
static ssize_t relay_splice_read(struct file *file, loff_t *ppos, struct pipe_inode_info *pipe,
				 size_t len, unsigned int flags)
{
	struct reader *reader = file->private_data;
	struct page *pages[PIPE_DEF_BUFFERS];
	struct partial_page partial[PIPE_DEF_BUFFERS];
	struct splice_pipe_desc spd = {
		.pages = pages,
		.partial = partial,
		.nr_pages_max = PIPE_DEF_BUFFERS,
		.ops = &nosteal_pipe_buf_ops,
		.spd_release = spd_release,
	};
	unsigned int room;
	ssize_t ret;

	/* splice() has locked the pipe, and waited for room; splice_to_pipe() would drop
	 * pages for which there is none. */
	room = min_t(unsigned int, pipe->max_usage - pipe_occupancy(pipe->head, pipe->tail),
		     PIPE_DEF_BUFFERS);
	if (!mutex_trylock(&reader->buf->lock))
		return -EAGAIN;
	ret = ltt_map_is_live(&reader->map) ? -EBUSY : locate(reader, *ppos);
	if (!ret) {
		size_t at = *ppos - reader->start;

		fill_spd(&reader->buf->ring, at,
			 min(len, packet_size(&reader->buf->ring) - at), room, &spd);
		/* Waits for nothing: there is room. */
		ret = splice_to_pipe(pipe, &spd);
		if (ret > 0) {
			*ppos += ret;
			reader->end = *ppos;
		}
	}
	mutex_unlock(&reader->buf->lock);
	return ret == -ENODATA ? 0 : ret;
}

static __poll_t relay_poll(struct file *file, poll_table *wait)
{
	struct reader *reader = file->private_data;
	struct ltt_relay_buf *buf = reader->buf;
	bool closed, all_read, ready;

	/* First queue, then look, or a wake-up in between is lost. */
	poll_wait(file, &buf->wait, wait);
	closed = is_closed(buf);
	/* Another thread is in a call, perhaps for long: only a read finds what it leaves. */
	if (!mutex_trylock(&buf->lock))
		return EPOLLIN | EPOLLRDNORM;
	/* It is out until the next access, but there is nothing more in it. */
	all_read = buf->ring.reading && reader->end >= reader->start + packet_size(&buf->ring);
	ready = ltt_ring_ready(&buf->ring, all_read) ||
		(READ_ONCE(buf->chan->quiet) && ltt_ring_needs_flush(&buf->ring, true));
	mutex_unlock(&buf->lock);
	if (ready)
		return EPOLLIN | EPOLLRDNORM;
	return closed ? EPOLLHUP : 0;
}

static int relay_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct reader *reader = file->private_data;
	int err;

	if (!mutex_trylock(&reader->buf->lock))
		return -EAGAIN;
	err = ltt_map_begin(&reader->map, vma, reader->start);
	mutex_unlock(&reader->buf->lock);
	return err;
}

/* Become the reader of a buffer: the reader, or ERR_PTR. */
static struct reader *begin_reading(struct ltt_relay_buf *buf)
{
	struct reader *reader;
	int err;

	/* A packet that a reader asks for has its header from the client. */
	if (!try_module_get(buf->chan->config.client->owner))
		return ERR_PTR(-ENODEV);
	reader = kzalloc(sizeof(*reader), GFP_KERNEL_ACCOUNT);
	err = -ENOMEM;
	if (!reader)
		goto err_reader;
	err = -EBUSY;
	if (test_and_set_bit(0, &buf->opened))
		goto err_opened;
	kref_get(&buf->chan->ref);
	reader->buf = buf;
	WRITE_ONCE(buf->reader, current->tgid);
	reader->map.buf = buf;
	return reader;

err_opened:
	kfree(reader);
err_reader:
	module_put(buf->chan->config.client->owner);
	return ERR_PTR(err);
}

static void end_reading(struct reader *reader)
{
	struct ltt_relay_chan *chan = reader->buf->chan;
	struct module *owner = chan->config.client->owner;

	WRITE_ONCE(reader->buf->reader, 0);
	/* The next reader finds what this one has done. */
	clear_bit_unlock(0, &reader->buf->opened);
	ltt_map_free(&reader->map);
	kfree(reader);
	ltt_relay_put(chan);
	module_put(owner);
}

static int relay_open(struct inode *inode, struct file *file)
{
	struct reader *reader;
	int err;

	if (file->f_mode & FMODE_WRITE)
		return -EACCES;
	/* debugfs lets read-only files be opened under any lockdown. */
	err = security_locked_down(LOCKDOWN_TRACEFS);
	if (err)
		return err;
	reader = begin_reading(inode->i_private);
	if (IS_ERR(reader))
		return PTR_ERR(reader);
	file->private_data = reader;
	return 0;
}

static int relay_release(struct inode *inode, struct file *file)
{
	end_reading(file->private_data);
	return 0;
}

const struct file_operations ltt_relay_fops = {
	.owner = THIS_MODULE,
	.open = relay_open,
	.release = relay_release,
	.llseek = no_seek_end_llseek,
	.read = relay_read,
	.splice_read = relay_splice_read,
	.poll = relay_poll,
};
EXPORT_SYMBOL_GPL(ltt_relay_fops);

/* With mmap, for which the files of debugfs could not be opened where the kernel is
 * locked down. */
static const struct file_operations descriptor_fops = {
	.owner = THIS_MODULE,
	.release = relay_release,
	.llseek = no_seek_end_llseek,
	.read = relay_read,
	.splice_read = relay_splice_read,
	.mmap = relay_mmap,
	.poll = relay_poll,
};

int ltt_relay_open(struct ltt_relay_buf *buf, int flags)
{
	struct reader *reader = begin_reading(buf);
	struct file *file;
	int fd;

	if (IS_ERR(reader))
		return PTR_ERR(reader);
	fd = get_unused_fd_flags(flags);
	if (fd < 0)
		goto err_fd;
	file = anon_inode_getfile("[ltt-buffer]", &descriptor_fops, reader, O_RDONLY | flags);
	if (IS_ERR(file))
		goto err_file;
	/* Positions are as in a file: splice() and pread() may name them. */
	file->f_mode |= FMODE_LSEEK | FMODE_PREAD;
	fd_install(fd, file);
	return fd;

err_file:
	put_unused_fd(fd);
	fd = PTR_ERR(file);
err_fd:
	end_reading(reader);
	return fd;
}
EXPORT_SYMBOL_GPL(ltt_relay_open);
