// SPDX-License-Identifier: GPL-2.0-only
/*
 * The queue of a command stream: replies and notifications that wait to be read.
 *
 * Layer: control.  Context: task.
 */
#include "connection.h"

#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

/**
 * struct ltt_out - an encoded message
 * @node: in the queue of its stream
 * @size: bytes of the message
 * @bytes: the message
 */
struct ltt_out {
	struct list_head node;
	size_t size;
	u8 bytes[];
};

/**
 * ltt_out_fill() - encode a message again
 * @stream: the stream that it is for
 * @out: from ltt_out_alloc() with a text at least as long as @len
 * @command: see ltt_out_alloc()
 * @cookie: see ltt_out_alloc()
 * @err: see ltt_out_alloc()
 * @text: see ltt_out_alloc()
 * @len: see ltt_out_alloc()
 * @value: see ltt_out_alloc()
 *
 * Context: any.
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
 * ltt_out_alloc() - allocate and encode a message
 * @stream: the stream that it is for
 * @command: number of the command that it answers, or of the kind of notification
 * @cookie: cookie of the command
 * @err: 0 or -errno
 * @text: what a command shows, or the sentence of an error
 * @len: bytes of @text, may be 0
 * @value: a descriptor or a number
 *
 * Context: sleeps.
 * Return: the message, to be given to ltt_out_queue() or ltt_out_free(); NULL without
 * memory.
 */
struct ltt_out *ltt_out_alloc(struct ltt_stream *stream, u64 command, u64 cookie, int err,
			      const char *text, size_t len, u64 value)
{
	/* Three words of the head, three of the arguments (word, blob, word), padding. */
	struct ltt_out *out = kvmalloc(sizeof(*out) + 7 * stream->word + len, GFP_KERNEL_ACCOUNT);

	if (out)
		ltt_out_fill(stream, out, command, cookie, err, text, len, value);
	return out;
}

/**
 * ltt_out_free() - free a message that is not queued
 * @out: the message
 *
 * Context: sleeps.
 */
void ltt_out_free(struct ltt_out *out)
{
	kvfree(out);
}

/**
 * ltt_out_queue() - append a message to the queue, and wake readers
 * @stream: the stream
 * @out: the message; the queue owns it
 *
 * Context: task.
 */
void ltt_out_queue(struct ltt_stream *stream, struct ltt_out *out)
{
	spin_lock(&stream->out_lock);
	list_add_tail(&out->node, &stream->out);
	/* ltt_out_has_room() and ltt_out_read() read it without the lock. */
	WRITE_ONCE(stream->queued, stream->queued + out->size);
	spin_unlock(&stream->out_lock);
	wake_up_interruptible_all(&stream->wait);
}

/**
 * ltt_out_has_room() - check whether the queue takes another message
 * @stream: the stream
 *
 * Context: any.
 * Return: true if fewer than LTT_QUEUE_MAX bytes wait to be read.
 */
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

/* Copy as many bytes as there are; a reader can take part of a message. */
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
 * ltt_stream_is_over() - check whether the queue has its last message
 * @stream: the stream
 *
 * O(over:A): a caller that sees the end sees what was queued before; pairs with
 * O(over:B), O(over:C) and O(over:D).
 *
 * Context: any.
 * Return: true if nothing follows what is in the queue.
 */
bool ltt_stream_is_over(struct ltt_stream *stream)
{
	return smp_load_acquire(&stream->broken) || smp_load_acquire(&stream->connection->ended);
}

/**
 * ltt_out_read() - read from the queue
 * @stream: the stream
 * @to: user memory of @count bytes
 * @count: at least 1
 * @wait: sleep until there is a byte
 *
 * Context: sleeps.
 * Return: number of bytes; 0 at the end of the stream; -EAGAIN the queue is empty and
 * @wait is false; -EFAULT; -ERESTARTSYS.
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
 * ltt_out_free_all() - free the messages of the queue
 * @stream: a stream without readers
 *
 * Context: sleeps.
 */
void ltt_out_free_all(struct ltt_stream *stream)
{
	struct ltt_out *out, *next;

	list_for_each_entry_safe(out, next, &stream->out, node)
		kvfree(out);
}
