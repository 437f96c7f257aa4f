// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way out of a stream: replies and notifications that wait to be read.
 *
 * Layer: control.  Context: task.
 */
#include "connection.h"

#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

/**
 * struct ltt_out - one message, encoded
 * @node: in the queue
 * @size: its bytes
 * @bytes: they
 */
struct ltt_out {
	struct list_head node;
	size_t size;
	u8 bytes[];
};

/**
 * ltt_out_fill() - encode a message into one that has room for it
 * @out: from ltt_out_alloc(), with a text that was at least as long
 */
void ltt_out_fill(struct ltt_stream *stream, struct ltt_out *out, u64 command, u64 cookie,
		  int err, const char *text, size_t len, u64 value)
{
	const struct ltt_message message = {
		.command = command,
		.cookie = cookie,
		.nr_args = 3,
		.arg = { { LTT_WORD, -err }, { LTT_BLOB, len, text }, { LTT_WORD, value } },
	};

	out->size = ltt_message_size(&message, stream->word);
	ltt_message_encode(out->bytes, stream->word, &message);
}

/**
 * ltt_out_alloc() - encode a message
 * @stream: where it will go
 * @command: what it answers, or the kind of notification
 * @cookie: of who asked
 * @err: 0 or -errno
 * @text: @len bytes; of an error, its sentence
 * @len: may be 0
 * @value: a descriptor or a number
 *
 * All messages out have these arguments: a word, a blob, a word.
 *
 * Return: the message, or NULL when there is no memory.
 */
struct ltt_out *ltt_out_alloc(struct ltt_stream *stream, u64 command, u64 cookie, int err,
			      const char *text, size_t len, u64 value)
{
	/* Three words of the head, three of the arguments, and padding. */
	struct ltt_out *out = kvmalloc(sizeof(*out) + 7 * stream->word + len, GFP_KERNEL_ACCOUNT);

	if (out)
		ltt_out_fill(stream, out, command, cookie, err, text, len, value);
	return out;
}

/**
 * ltt_out_free() - it will not be needed
 */
void ltt_out_free(struct ltt_out *out)
{
	kvfree(out);
}

/**
 * ltt_out_queue() - let readers have it
 */
void ltt_out_queue(struct ltt_stream *stream, struct ltt_out *out)
{
	spin_lock(&stream->out_lock);
	list_add_tail(&out->node, &stream->out);
	/* Lockless readers: ltt_out_has_room(), ltt_out_read(). */
	WRITE_ONCE(stream->queued, stream->queued + out->size);
	spin_unlock(&stream->out_lock);
	wake_up_interruptible_all(&stream->wait);
}

bool ltt_out_has_room(struct ltt_stream *stream)
{
	return READ_ONCE(stream->queued) < LTT_QUEUE_MAX;
}

static struct ltt_out *first(struct ltt_stream *stream)
{
	struct ltt_out *out;

	spin_lock(&stream->out_lock);
	out = list_first_entry_or_null(&stream->out, struct ltt_out, node);
	spin_unlock(&stream->out_lock);
	return out;
}

static void drop_first(struct ltt_stream *stream, struct ltt_out *out)
{
	spin_lock(&stream->out_lock);
	list_del(&out->node);
	WRITE_ONCE(stream->queued, stream->queued - out->size);
	spin_unlock(&stream->out_lock);
	kvfree(out);
	stream->out_at = 0;
	wake_up_interruptible_all(&stream->wait);
}

/* As many bytes as there are; a message need not be read in one go. */
static ssize_t copy_out(struct ltt_stream *stream, char __user *to, size_t count)
{
	struct ltt_out *out;
	size_t done = 0, n;

	while (done < count && (out = first(stream))) {
		n = min(count - done, out->size - stream->out_at);
		n -= copy_to_user(to + done, out->bytes + stream->out_at, n);
		if (!n)
			return done ? done : -EFAULT;
		done += n;
		stream->out_at += n;
		if (stream->out_at == out->size)
			drop_first(stream, out);
	}
	return done;
}

/**
 * ltt_stream_is_over() - will nothing more come than what is in the queue?
 *
 * O(over:A): who sees the end sees what was queued before; pairs with O(over:B),
 * O(over:C) and O(over:D).
 */
bool ltt_stream_is_over(struct ltt_stream *stream)
{
	return smp_load_acquire(&stream->broken) || smp_load_acquire(&stream->connection->ended);
}

/**
 * ltt_out_read() - read what there is
 * @stream: the stream
 * @to: @count bytes of user memory
 * @count: at least 1
 * @wait: for the first byte
 * Return: bytes; 0 when nothing will come any more; -EAGAIN, -EFAULT,
 * -ERESTARTSYS.
 */
ssize_t ltt_out_read(struct ltt_stream *stream, char __user *to, size_t count, bool wait)
{
	ssize_t ret;
	bool over;

	for (;;) {
		if (mutex_lock_interruptible(&stream->out_read))
			return -ERESTARTSYS;
		over = ltt_stream_is_over(stream);
		ret = copy_out(stream, to, count);
		mutex_unlock(&stream->out_read);
		if (ret)
			return ret;
		if (over)
			return 0;
		if (!wait)
			return -EAGAIN;
		if (wait_event_interruptible(stream->wait,
					     READ_ONCE(stream->queued) || ltt_stream_is_over(stream)))
			return -ERESTARTSYS;
	}
}

/**
 * ltt_out_free_all() - nobody will read them
 */
void ltt_out_free_all(struct ltt_stream *stream)
{
	struct ltt_out *out, *next;

	list_for_each_entry_safe(out, next, &stream->out, node)
		kvfree(out);
}
