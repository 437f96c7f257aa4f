// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes a message, runs the operation, and queues the reply.
 *
 * Layer: control.  Context: task, stream->in_lock held.
 */
#include "connection.h"

#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

static const char *const complaints[] = {
	[LTT_MESSAGE_SHORT] = "message too short: \"%s\" takes more arguments",
	[LTT_MESSAGE_BLOB] = "a text of the message for \"%s\" is longer than the message",
	[LTT_MESSAGE_LONG] = "message too long: \"%s\" takes fewer arguments",
};

static void free_texts(const struct ltt_op *op, struct ltt_call *call)
{
	unsigned int i;

	for (i = 0; i < ltt_op_nr_args(op); i++)
		if (op->args[i].kind == LTT_ARG_TEXT)
			kfree(call->arg[i].text);
}

/* Copy texts: the message has no NUL behind them. */
static int take_args(const struct ltt_op *op, struct ltt_call *call,
		     const struct ltt_message *message)
{
	unsigned int i;

	for (i = 0; i < message->nr_args; i++) {
		const struct ltt_message_arg *arg = &message->arg[i];

		if (arg->kind == LTT_WORD) {
			call->arg[i].number = arg->word;
			continue;
		}
		if (memchr(arg->blob, '\0', arg->word))
			return ltt_fail(call, -EINVAL, "%s: the text contains a NUL byte",
					op->args[i].name);
		call->arg[i].text = kmemdup_nul(arg->blob, arg->word, GFP_KERNEL_ACCOUNT);
		if (!call->arg[i].text)
			return ltt_fail(call, -ENOMEM, "there is not enough memory");
	}
	return 0;
}

static int decode(struct ltt_stream *stream, const struct ltt_op *op, struct ltt_call *call,
		  struct ltt_message *message)
{
	unsigned int i;
	int err;

	message->nr_args = ltt_op_nr_args(op);
	for (i = 0; i < message->nr_args; i++)
		message->arg[i].kind = op->args[i].kind == LTT_ARG_TEXT ? LTT_BLOB : LTT_WORD;
	err = ltt_message_decode(stream->in.bytes, stream->in.total, stream->word, message);
	if (err)
		return ltt_fail(call, -EBADMSG, complaints[-err], op->name);
	return take_args(op, call, message);
}

/* ---- Commands by name ---- */

static bool is_by_name(u64 command)
{
	return command == LTT_MESSAGE_CALL || command == LTT_MESSAGE_CALL_SHARED;
}

/* The arguments of a message with a command by name. */
static const struct ltt_op by_name = { .name = "call", .args = { LTT_TEXT("command") } };

/*
 * Split @text into a name and arguments, and set those of @call.
 * Return: 0, with the operation in *@op; -errno with call->error set.
 */
static int take_lines(struct ltt_call *call, char *text, const struct ltt_op **op)
{
	const char *name = strsep(&text, "\n"), *arg[LTT_ARGS_MAX];
	unsigned int nr = 0;

	*op = ltt_op_find(name);
	if (!*op)
		return ltt_fail(call, -ENOSYS, "there is no command \"%.64s\": command 0 lists all", name);
	while (text && nr < LTT_ARGS_MAX)
		arg[nr++] = strsep(&text, "\n");
	if (text || nr != ltt_op_nr_args(*op))
		return ltt_fail(call, -EBADMSG, "\"%s\" takes %u arguments", (*op)->name,
				ltt_op_nr_args(*op));
	return ltt_op_parse(*op, call, arg);
}

/* The text of an operation may need a larger buffer, and another try. */
static int call_showing(const struct ltt_op *op, struct ltt_call *call, struct seq_file *text)
{
	int err;

	for (text->size = PAGE_SIZE; text->size <= LTT_SHOWN_MAX; text->size *= 4) {
		text->count = 0;
		text->buf = kvmalloc(text->size, GFP_KERNEL_ACCOUNT);
		if (!text->buf)
			return ltt_fail(call, -ENOMEM, "there is not enough memory");
		call->out = text;
		err = ltt_op_call(op, call);
		if (err || !seq_has_overflowed(text))
			return err;
		kvfree(text->buf);
		text->buf = NULL;
	}
	return ltt_fail(call, -E2BIG, "the text of \"%s\" is longer than %u bytes", op->name,
			LTT_SHOWN_MAX);
}

static int run(const struct ltt_op *op, struct ltt_call *call, struct seq_file *text)
{
	return op->flags & LTT_OP_SHOWS ? call_showing(op, call, text) : ltt_op_call(op, call);
}

/* Run a command by name.  Its arguments are in the text of @call's first one. */
static int run_by_name(const struct ltt_message *message, struct ltt_call *call,
		       struct seq_file *text)
{
	char *lines = (char *)call->arg[0].text;
	const struct ltt_op *op;
	int err = 0;

	if (message->command == LTT_MESSAGE_CALL_SHARED) {
		err = ltt_may_share(call);
		call->face = &ltt_debugfs_face;
	}
	if (!err)
		err = take_lines(call, lines, &op);
	if (!err)
		err = run(op, call, text);
	/* For free_texts(). */
	call->arg[0].text = lines;
	return err;
}

/* Queue the reply.  @spare has room for the sentence of any error. */
static void reply(struct ltt_stream *stream, const struct ltt_message *message,
		  struct ltt_call *call, int err, const struct seq_file *text,
		  struct ltt_out *spare)
{
	struct ltt_out *out = NULL;

	if (!err && text->count) {
		out = ltt_out_alloc(stream, message->command, message->cookie, 0, text->buf,
				    text->count, call->value);
		/* An operation that prints changes nothing, so it may fail afterwards. */
		if (!out)
			err = ltt_fail(call, -ENOMEM, "there is not enough memory");
	}
	if (out) {
		ltt_out_free(spare);
	} else {
		out = spare;
		ltt_out_fill(stream, out, message->command, message->cookie, err, call->error,
			     err ? strlen(call->error) : 0, call->value);
	}
	ltt_out_queue(stream, out);
}

/**
 * ltt_stream_run() - run the command in stream->in, and queue the reply
 * @stream: the stream, with a whole message
 *
 * Context: sleeps; stream->in_lock held, registry lock not held.
 * Return: 0, whether the command succeeded or not; -ENOMEM there was no memory for a
 * reply: the command did not run, and the stream takes no more.
 */
int ltt_stream_run(struct ltt_stream *stream)
{
	struct ltt_call call = { .face = stream->face, .stream = stream };
	struct seq_file text = {};
	struct ltt_message message;
	const struct ltt_op *op;
	struct ltt_out *spare;
	int err;

	spare = ltt_out_alloc(stream, 0, 0, 0, call.error, sizeof(call.error), 0);
	if (!spare) {
		/* A command without a reply would confuse the program.
		 * O(over:C): replies first; pairs with O(over:A). */
		smp_store_release(&stream->broken, true);
		wake_up_interruptible_all(&stream->wait);
		return -ENOMEM;
	}
	ltt_message_head(stream->in.bytes, stream->word, &message);
	call.cookie = message.cookie;
	op = is_by_name(message.command) ? &by_name : ltt_op_by_number(message.command);
	/* Until the reply is queued, so that the end of the connection follows it. */
	down_read(&stream->connection->life);
	if (stream->connection->ended) {
		err = ltt_fail(&call, -ESHUTDOWN, "the control connection has ended");
	} else if (op) {
		call.opener = stream->connection->file;
		err = decode(stream, op, &call, &message);
		if (!err)
			err = op == &by_name ? run_by_name(&message, &call, &text)
					     : run(op, &call, &text);
		free_texts(op, &call);
	} else {
		err = ltt_fail(&call, -ENOSYS, "there is no command %llu: command 0 lists all",
			       message.command);
	}
	reply(stream, &message, &call, err, &text, spare);
	up_read(&stream->connection->life);
	kvfree(text.buf);
	return 0;
}

/**
 * ltt_stream_break() - end a stream after a message of impossible size
 * @stream: the stream; the start of its next message is unknown
 *
 * A last message with -EPROTO is queued.
 *
 * Context: sleeps; stream->in_lock held.
 */
void ltt_stream_break(struct ltt_stream *stream)
{
	static const char why[] = "the size of a message is a multiple of the word, from 3 words to 65536 bytes: this command stream takes no more commands";
	struct ltt_out *out = ltt_out_alloc(stream, 0, 0, -EPROTO, why, sizeof(why) - 1, 0);

	if (out)
		ltt_out_queue(stream, out);
	/* O(over:D): the message first; pairs with O(over:A). */
	smp_store_release(&stream->broken, true);
	wake_up_interruptible_all(&stream->wait);
}
