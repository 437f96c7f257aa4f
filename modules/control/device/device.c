// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/ltt: the device, and the file operations of streams.
 *
 * Layer: control.  Context: task.  doc/device.md is its reference.
 *
 * Who may open it: whom the mode of the device admits, if he may observe the system
 * (CAP_PERFMON) and the kernel is not locked down against that.
 */
#include "connection.h"

#include <linux/anon_inodes.h>
#include <linux/capability.h>
#include <linux/compat.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/security.h>
#include <linux/uaccess.h>

/* Set when nothing of ltt-control can fail any more: pairs with the load in open. */
static bool ready;

static u32 word_of_caller(void)
{
	return in_compat_syscall() ? sizeof(u32) : sizeof(unsigned long);
}

static int device_open(struct inode *inode, struct file *file)
{
	struct ltt_stream *stream;
	int err;

	/* O(ready:B): who may open it finds all that he needs; pairs with O(ready:A). */
	if (!smp_load_acquire(&ready))
		return -ENODEV;
	if (!perfmon_capable())
		return -EPERM;
	err = security_locked_down(LOCKDOWN_TRACEFS);
	if (err)
		return err;
	if ((file->f_mode & (FMODE_READ | FMODE_WRITE)) != (FMODE_READ | FMODE_WRITE))
		return -EINVAL;
	stream = ltt_control_open(file, word_of_caller());
	if (IS_ERR(stream))
		return PTR_ERR(stream);
	file->private_data = stream;
	return stream_open(inode, file);
}

static int device_release(struct inode *inode, struct file *file)
{
	ltt_stream_close(file->private_data);
	return 0;
}

/* ---- Commands in ---- */

/*
 * Take bytes up to the end of the first word, or of the message.
 * Return: how many; -EFAULT; -EPIPE when the stream has broken.
 */
static ssize_t take(struct ltt_stream *stream, const char __user *from, size_t count)
{
	struct ltt_message_in *in = &stream->in;
	size_t n = min_t(size_t, count, ltt_message_wanted(in));

	if (copy_from_user(in->bytes + in->have, from, n))
		return -EFAULT;
	if (ltt_message_took(in, n)) {
		ltt_stream_break(stream);
		return -EPIPE;
	}
	return n;
}

/*
 * The last byte of a message is taken only when its reply has room, so that what
 * was written is what was done.
 */
static int wait_for_room(struct ltt_stream *stream, struct file *file)
{
	int err;

	if (ltt_out_has_room(stream))
		return 0;
	/* Nobody has to read any more: it would only grow. */
	if (READ_ONCE(stream->connection->ended))
		return -EPIPE;
	if (file->f_flags & O_NONBLOCK)
		return -EAGAIN;
	err = wait_event_interruptible(stream->wait, ltt_out_has_room(stream) ||
				       READ_ONCE(stream->connection->ended));
	if (err)
		return err;
	return ltt_out_has_room(stream) ? 0 : -EPIPE;
}

static ssize_t take_all(struct ltt_stream *stream, struct file *file, const char __user *from,
			size_t count)
{
	size_t done = 0;
	ssize_t n = 0;

	while (done < count) {
		n = stream->broken ? -EPIPE : 0;
		if (!n && stream->in.total && count - done >= ltt_message_wanted(&stream->in))
			n = wait_for_room(stream, file);
		if (!n)
			n = take(stream, from + done, count - done);
		if (n < 0)
			break;
		done += n;
		if (ltt_message_whole(&stream->in)) {
			n = ltt_stream_run(stream);
			ltt_message_next(&stream->in);
			/* There may be thousands, and some take long. */
			cond_resched();
			if (n || signal_pending(current))
				break;
		}
	}
	return done ?: n;
}

static ssize_t device_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	struct ltt_stream *stream = file->private_data;
	ssize_t ret;

	if (mutex_lock_interruptible(&stream->in_lock))
		return -ERESTARTSYS;
	ret = take_all(stream, file, from, count);
	mutex_unlock(&stream->in_lock);
	return ret;
}

/* ---- Replies out ---- */

static ssize_t device_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	if (!count)
		return 0;
	return ltt_out_read(file->private_data, to, count, !(file->f_flags & O_NONBLOCK));
}

static __poll_t device_poll(struct file *file, poll_table *wait)
{
	struct ltt_stream *stream = file->private_data;
	__poll_t mask = 0;
	bool over;

	poll_wait(file, &stream->wait, wait);
	/* First: what came before the end is to be seen with it. */
	over = ltt_stream_is_over(stream);
	if (READ_ONCE(stream->queued))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (over)
		mask |= EPOLLHUP;
	else if (ltt_out_has_room(stream))
		mask |= EPOLLOUT | EPOLLWRNORM;
	return mask;
}

static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.write = device_write,
	.read = device_read,
	.poll = device_poll,
};

/* Opened by command, not by name. */
static const struct file_operations stream_fops = {
	.owner = THIS_MODULE,
	.release = device_release,
	.write = device_write,
	.read = device_read,
	.poll = device_poll,
};

/**
 * ltt_stream_fd() - a descriptor of the caller's for a stream
 * Return: the descriptor, which owns the stream, or -errno.
 */
int ltt_stream_fd(struct ltt_stream *stream)
{
	return anon_inode_getfd("[ltt-stream]", &stream_fops, stream, O_RDWR | O_CLOEXEC);
}

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "ltt",
	.mode = 0600,
	.fops = &device_fops,
};

void __init ltt_device_ready(void)
{
	/* O(ready:A): all of the module before it; pairs with O(ready:B). */
	smp_store_release(&ready, true);
}

int __init ltt_device_init(void)
{
	return misc_register(&device);
}

void ltt_device_exit(void)
{
	misc_deregister(&device);
}
