// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of control connections and command streams.
 *
 * Layer: control.  Context: task.
 */
#include "connection.h"

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include <ltt/registry.h>
#include <ltt/trace.h>

LIST_HEAD(ltt_controls);

/* ---- The face: the account of the opener pays for its traces ---- */

static int trace_added(struct ltt_face *face, struct ltt_trace *trace)
{
	ltt_trace_set_budget(trace, face->budget);
	return 0;
}

static int channel_coming(struct ltt_face *face, struct ltt_trace *trace, const char *name)
{
	return 0;
}

static void channel_failed(struct ltt_face *face, const char *trace, const char *name)
{
}

static void trace_going(struct ltt_face *face, struct ltt_trace *trace)
{
}

/* ---- Life ---- */

static void connection_free(struct kref *ref)
{
	struct ltt_control *connection = container_of(ref, struct ltt_control, ref);

	ltt_user_end(connection->face.budget);
	kfree(connection);
}

static void stream_free(struct ltt_stream *stream)
{
	ltt_out_free_all(stream);
	kvfree(stream->in.bytes);
	kfree(stream);
}

/**
 * ltt_stream_add() - make a command stream of a control connection
 * @connection: one that has not ended
 * @word: bytes of a word of the program, 4 or 8
 *
 * Context: sleeps; registry lock held.
 * Return: the stream, to be given to ltt_stream_remove() or ltt_stream_close(); NULL
 * without memory.
 */
struct ltt_stream *ltt_stream_add(struct ltt_control *connection, u32 word)
{
	struct ltt_stream *stream = kzalloc(sizeof(*stream), GFP_KERNEL_ACCOUNT);

	if (!stream)
		return NULL;
	stream->in.bytes = kvmalloc(LTT_MESSAGE_MAX, GFP_KERNEL_ACCOUNT);
	if (!stream->in.bytes) {
		kfree(stream);
		return NULL;
	}
	stream->connection = connection;
	stream->face = &connection->face;
	stream->word = word;
	stream->in.word = word;
	stream->in.max = LTT_MESSAGE_MAX;
	mutex_init(&stream->in_lock);
	spin_lock_init(&stream->out_lock);
	mutex_init(&stream->out_read);
	INIT_LIST_HEAD(&stream->out);
	init_waitqueue_head(&stream->wait);
	kref_get(&connection->ref);
	list_add_tail(&stream->node, &connection->streams);
	connection->nr_streams++;
	return stream;
}

/**
 * ltt_control_open() - begin a control connection
 * @file: the opened device; the connection uses its credentials until
 *	ltt_stream_close() of the returned stream
 * @word: bytes of a word of the program, 4 or 8
 *
 * Context: sleeps; in the task that opens the file, registry lock not held.
 * Return: its first command stream; ERR_PTR: -EMFILE the user has as many
 * connections as they may have, -ENOMEM.
 */
struct ltt_stream *ltt_control_open(const struct file *file, u32 word)
{
	struct ltt_control *connection = kzalloc(sizeof(*connection), GFP_KERNEL_ACCOUNT);
	struct ltt_stream *stream;
	int err = -ENOMEM;

	if (!connection)
		return ERR_PTR(err);
	kref_init(&connection->ref);
	INIT_LIST_HEAD(&connection->streams);
	init_rwsem(&connection->life);
	connection->file = file;
	/* Not to have the capability is usual, and nothing to audit. */
	connection->face.budget = ltt_user_begin(file->f_cred->uid,
			!ns_capable_noaudit(&init_user_ns, CAP_SYS_RESOURCE));
	err = PTR_ERR_OR_ZERO(connection->face.budget);
	if (err)
		goto err_user;
	connection->face.max_traces = LTT_CONNECTION_TRACES_MAX;
	connection->face.trace_added = trace_added;
	connection->face.channel_coming = channel_coming;
	connection->face.channel_failed = channel_failed;
	connection->face.trace_going = trace_going;
	err = ltt_face_init(&connection->face);
	if (err)
		goto err_face;
	ltt_markers_lock();
	stream = ltt_stream_add(connection, word);
	if (stream)
		list_add(&connection->node, &ltt_controls);
	ltt_markers_unlock();
	err = -ENOMEM;
	if (!stream)
		goto err_stream;
	stream->primary = true;
	/* The stream has a reference of its own. */
	kref_put(&connection->ref, connection_free);
	return stream;

err_stream:
	ltt_face_exit(&connection->face);
err_face:
	ltt_user_end(connection->face.budget);
err_user:
	kfree(connection);
	return ERR_PTR(err);
}

/* Destroy what was made through the connection; its other streams see that it ended. */
static void connection_end(struct ltt_control *connection)
{
	struct ltt_stream *stream;

	down_write(&connection->life);
	/* O(over:B): replies first; pairs with O(over:A). */
	smp_store_release(&connection->ended, true);
	up_write(&connection->life);
	ltt_markers_lock();
	list_del(&connection->node);
	list_for_each_entry(stream, &connection->streams, node)
		wake_up_interruptible_all(&stream->wait);
	ltt_markers_unlock();
	ltt_face_destroy_traces(&connection->face);
	ltt_face_exit(&connection->face);
}

/**
 * ltt_stream_remove() - free a command stream
 * @stream: the stream, from ltt_stream_add(); no descriptor leads to it
 *
 * Context: sleeps; registry lock held.
 */
void ltt_stream_remove(struct ltt_stream *stream)
{
	struct ltt_control *connection = stream->connection;

	list_del(&stream->node);
	ltt_watch_changed();
	connection->nr_streams--;
	stream_free(stream);
	kref_put(&connection->ref, connection_free);
}

/**
 * ltt_stream_close() - free a command stream whose last descriptor is closed
 * @stream: the stream; the first one of a connection ends the connection
 *
 * Context: sleeps; registry lock not held.
 */
void ltt_stream_close(struct ltt_stream *stream)
{
	if (stream->primary)
		connection_end(stream->connection);
	ltt_markers_lock();
	ltt_stream_remove(stream);
	ltt_markers_unlock();
}

/**
 * ltt_may_share() - check the right to use the traces of debugfs
 * @call: the call that asks for them; @call->opener is set
 *
 * All users share these traces, so that takes CAP_SYS_ADMIN.
 *
 * Context: any.
 * Return: 0; -EPERM with call->error set.
 */
int ltt_may_share(struct ltt_call *call)
{
	if (ltt_call_capable(call, CAP_SYS_ADMIN))
		return 0;
	return ltt_fail(call, -EPERM,
			"traces of debugfs: the user who opened the device lacks CAP_SYS_ADMIN");
}
