// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/ltt: the device, and the file operations of command streams.
 *
 * Layer: control.  Context: task.  Reference: doc/device.md.
 *
 * open() checks CAP_PERFMON, unless open_by_mode is set, and the lockdown once, of the task
 * that opens.  A command that needs more, CAP_SYS_ADMIN, checks the credentials of the opened
 * file each time.
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

/* The module is initialised, and its init function cannot fail any more. */
static bool ready;

/* The owner, group and mode of the device are then the only lock: see doc/install.md. */
static bool open_by_mode;
module_param(open_by_mode, bool, 0400);
MODULE_PARM_DESC(open_by_mode, "users who may open /dev/ltt by its mode need no CAP_PERFMON (no)");

/* Return: bytes of a word of the program. */
static u32 word_of_caller(void)
{
	return in_compat_syscall() ? sizeof(u32) : sizeof(unsigned long);
}

/* In a user namespace of its own a process can take one user id after another, each with limits
 * of its own: the mode of the file does not suffice there. */
static bool may_open(void)
{
	return perfmon_capable() || (open_by_mode && current_user_ns() == &init_user_ns);
}

static int device_open(struct inode *inode, struct file *file)
{
	struct ltt_stream *stream;
	int err;

	/* O(ready:B): an open that succeeds sees the whole module; pairs with O(ready:A). */
	if (!smp_load_acquire(&ready))
		return -ENODEV;
	if (!may_open())
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
 * Take bytes up to the end of the message, or of its first word if that is incomplete.
 * Return: number of bytes; -EFAULT; -EPIPE the message has an impossible size.
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
 * Wait until a reply has room.  write() takes the last byte of a message only then: a
 * command that was written has run.
 * Return: 0; -EPIPE the connection has ended; -EAGAIN; -ERESTARTSYS.
 */
static int wait_for_room(struct ltt_stream *stream, struct file *file)
{
	int err;

	if (ltt_out_has_room(stream))
		return 0;
	/* No program needs to read any more, so the queue would only grow. */
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
			/* One write() can hold thousands of commands. */
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
	/* Before the queue, which has all replies once the end is seen. */
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

/* Of files that the command "stream" makes. */
static const struct file_operations stream_fops = {
	.owner = THIS_MODULE,
	.release = device_release,
	.write = device_write,
	.read = device_read,
	.poll = device_poll,
};

/**
 * ltt_stream_fd() - make a descriptor of a command stream
 * @stream: the stream; the descriptor owns it, unless this fails
 *
 * Context: sleeps; in the task that gets the descriptor.
 * Return: the descriptor; -EMFILE, -ENFILE, -ENOMEM.
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

/**
 * ltt_device_ready() - let programs open the device
 *
 * Context: the end of the module's init function.
 */
void __init ltt_device_ready(void)
{
	/* O(ready:A): initialisation first; pairs with O(ready:B). */
	smp_store_release(&ready, true);
}

/**
 * ltt_device_init() - make the device; open() fails with ENODEV for now
 *
 * Context: the module's init function.
 * Return: 0, or -errno of misc_register().
 */
int __init ltt_device_init(void)
{
	return misc_register(&device);
}

/**
 * ltt_device_exit() - remove the device; no file of it is open
 *
 * Context: sleeps.
 */
void ltt_device_exit(void)
{
	misc_deregister(&device);
}
