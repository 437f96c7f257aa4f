// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of sessions and streams.
 *
 * Layer: control.  Context: task.
 */
#include "session.h"

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include <ltt/registry.h>
#include <ltt/trace.h>

LIST_HEAD(ltt_sessions);

/* ---- The session as a face: its traces are of its opener's account ---- */

static int trace_added(struct ltt_face *face, struct ltt_trace *trace)
{
	struct ltt_session *session = container_of(face, struct ltt_session, face);

	ltt_trace_set_budget(trace, session->face.budget);
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

static void session_free(struct kref *ref)
{
	struct ltt_session *session = container_of(ref, struct ltt_session, ref);

	ltt_user_end(session->face.budget);
	put_cred(session->cred);
	kfree(session);
}

/**
 * ltt_session_capable() - has the session's opener this right?
 */
bool ltt_session_capable(const struct ltt_session *session, int cap)
{
	return cap_raised(session->cred->cap_effective, cap) &&
	       session->cred->user_ns == &init_user_ns;
}

static void stream_free(struct ltt_stream *stream)
{
	ltt_out_free_all(stream);
	kvfree(stream->in.bytes);
	kfree(stream);
}

/**
 * ltt_stream_add() - a way to a session
 * @session: one that has not ended
 * @word: bytes of a word
 *
 * Context: registry lock held.
 * Return: the stream, or NULL when there is no memory.
 */
struct ltt_stream *ltt_stream_add(struct ltt_session *session, u32 word)
{
	struct ltt_stream *stream = kzalloc(sizeof(*stream), GFP_KERNEL_ACCOUNT);

	if (!stream)
		return NULL;
	stream->in.bytes = kvmalloc(LTT_MESSAGE_MAX, GFP_KERNEL_ACCOUNT);
	if (!stream->in.bytes) {
		kfree(stream);
		return NULL;
	}
	stream->session = session;
	stream->face = &session->face;
	stream->word = word;
	stream->in.word = word;
	stream->in.max = LTT_MESSAGE_MAX;
	mutex_init(&stream->in_lock);
	spin_lock_init(&stream->out_lock);
	mutex_init(&stream->out_read);
	INIT_LIST_HEAD(&stream->out);
	init_waitqueue_head(&stream->wait);
	kref_get(&session->ref);
	list_add_tail(&stream->node, &session->streams);
	session->nr_streams++;
	return stream;
}

/**
 * ltt_session_open() - begin a session
 * @cred: of who asks
 * @word: bytes of a word of his
 * Return: its primary stream, or ERR_PTR: -EMFILE he has as many sessions as he may,
 * -ENOMEM.
 */
struct ltt_stream *ltt_session_open(const struct cred *cred, u32 word)
{
	struct ltt_session *session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	struct ltt_stream *stream;
	int err = -ENOMEM;

	if (!session)
		return ERR_PTR(err);
	kref_init(&session->ref);
	INIT_LIST_HEAD(&session->streams);
	init_rwsem(&session->life);
	session->cred = get_cred(cred);
	session->face.budget = ltt_user_begin(cred->uid,
					 !ltt_session_capable(session, CAP_SYS_RESOURCE));
	err = PTR_ERR_OR_ZERO(session->face.budget);
	if (err)
		goto err_user;
	session->face.max_traces = LTT_SESSION_TRACES_MAX;
	session->face.trace_added = trace_added;
	session->face.channel_coming = channel_coming;
	session->face.channel_failed = channel_failed;
	session->face.trace_going = trace_going;
	err = ltt_face_init(&session->face);
	if (err)
		goto err_face;
	ltt_markers_lock();
	stream = ltt_stream_add(session, word);
	if (stream)
		list_add(&session->node, &ltt_sessions);
	ltt_markers_unlock();
	err = -ENOMEM;
	if (!stream)
		goto err_stream;
	stream->primary = true;
	/* The stream keeps it from here on. */
	kref_put(&session->ref, session_free);
	return stream;

err_stream:
	ltt_face_exit(&session->face);
err_face:
	ltt_user_end(session->face.budget);
err_user:
	put_cred(session->cred);
	kfree(session);
	return ERR_PTR(err);
}

/* Everything that was made through it goes; other streams find it ended. */
static void session_end(struct ltt_session *session)
{
	struct ltt_stream *stream;

	down_write(&session->life);
	/* O(over:B): replies first; pairs with O(over:A). */
	smp_store_release(&session->ended, true);
	up_write(&session->life);
	ltt_markers_lock();
	list_del(&session->node);
	list_for_each_entry(stream, &session->streams, node)
		wake_up_interruptible_all(&stream->wait);
	ltt_markers_unlock();
	ltt_face_destroy_traces(&session->face);
	ltt_face_exit(&session->face);
}

/**
 * ltt_stream_remove() - undo ltt_stream_add()
 * Context: registry lock held.
 */
void ltt_stream_remove(struct ltt_stream *stream)
{
	struct ltt_session *session = stream->session;

	list_del(&stream->node);
	ltt_watch_changed();
	session->nr_streams--;
	stream_free(stream);
	kref_put(&session->ref, session_free);
}

/**
 * ltt_stream_close() - the last descriptor of a stream is closed
 */
void ltt_stream_close(struct ltt_stream *stream)
{
	struct ltt_session *session = stream->session;

	if (stream->primary)
		session_end(session);
	ltt_markers_lock();
	ltt_stream_remove(stream);
	ltt_markers_unlock();
}
