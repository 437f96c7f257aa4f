// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations that only a control connection has.
 *
 * Layer: control.  Context: task, registry lock held.
 */
#include "connection.h"

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include <ltt/registry.h>
#include <ltt/trace.h>

static int op_open_metadata(struct ltt_call *call)
{
	struct ltt_trace *trace = ltt_find(call);
	int fd;

	if (!trace)
		return -ENOENT;
	fd = ltt_metadata_fd(trace);
	if (fd < 0)
		return ltt_fail_with(call, fd, "cannot open the metadata of trace \"%s\"",
				     call->arg[0].text);
	call->value = fd;
	return 0;
}

static int op_stream(struct ltt_call *call)
{
	struct ltt_control *connection = call->stream->connection;
	struct ltt_stream *stream;
	int fd;

	if (connection->nr_streams >= LTT_CONNECTION_STREAMS_MAX)
		return ltt_fail(call, -EDQUOT,
				"this control connection has %u command streams, the most it may have: close one",
				connection->nr_streams);
	stream = ltt_stream_add(connection, call->stream->word);
	if (!stream)
		return ltt_fail(call, -ENOMEM, "there is not enough memory");
	stream->face = call->face;
	fd = ltt_stream_fd(stream);
	if (fd < 0) {
		ltt_stream_remove(stream);
		return ltt_fail_with(call, fd, "cannot open another command stream");
	}
	call->value = fd;
	return 0;
}

static int op_share(struct ltt_call *call)
{
	int err = ltt_may_share(call);

	if (!err)
		call->stream->face = &ltt_debugfs_face;
	return err;
}

static int op_private(struct ltt_call *call)
{
	call->stream->face = &call->stream->connection->face;
	return 0;
}

/* Find the trace, if it may be detached.  Registry lock held. */
static int check_detach(struct ltt_call *call, struct ltt_trace **trace)
{
	const char *name;
	int err;

	*trace = ltt_find(call);
	if (!*trace)
		return -ENOENT;
	name = ltt_trace_name(*trace);
	err = ltt_may_share(call);
	if (err)
		return err;
	if (call->face == &ltt_debugfs_face)
		return ltt_fail(call, -EALREADY, "trace \"%s\" belongs to debugfs already", name);
	if (ltt_trace_find(name, &ltt_debugfs_face) ||
	    ltt_trace_find(name, &ltt_debugfs_face.going))
		return ltt_fail(call, -EEXIST,
				"debugfs has a trace \"%s\" already: choose another name",
				name);
	return 0;
}

static int op_detach(struct ltt_call *call)
{
	struct ltt_face *face = &ltt_debugfs_face;
	struct ltt_trace *trace;
	int err;

	ltt_markers_lock();
	err = check_detach(call, &trace);
	if (err) {
		ltt_markers_unlock();
		return err;
	}
	err = face->trace_added(face, trace);
	/* Until trace_going() is done no command finds it, so none can destroy it. */
	ltt_trace_set_face(trace, err ? (void *)&call->face->going : face);
	ltt_markers_unlock();
	if (!err)
		return 0;
	/* Without the lock, for it waits for users of the files, which may take it. */
	face->trace_going(face, trace);
	ltt_markers_lock();
	ltt_trace_set_face(trace, call->face);
	ltt_fail_with(call, err, "cannot detach trace \"%s\"", ltt_trace_name(trace));
	ltt_markers_unlock();
	return err;
}

/* Only a user with CAP_SYS_ADMIN sees what other users have. */
static int op_usage(struct ltt_call *call)
{
	ltt_users_show(call->out, ltt_call_capable(call, CAP_SYS_ADMIN) ? NULL :
				  &call->opener->f_cred->uid);
	return 0;
}

static int op_watch(struct ltt_call *call)
{
	u64 kinds;

	if (ltt_watch_kinds(call->arg[0].text, &kinds))
		return ltt_fail(call, -EINVAL,
				"watch \"%.100s\": use any of markers traces cpus buffers losses triggers, or none",
				call->arg[0].text);
	call->stream->watched = kinds;
	call->stream->cookie = call->cookie;
	ltt_watch_changed();
	return 0;
}

const struct ltt_op ltt_control_ops[] = {
	{ "open-metadata", op_open_metadata, "open the metadata of a trace",
	  { LTT_TEXT("trace") }, LTT_OP_OPENS },
	{ "stream", op_stream, "open another command stream of this control connection",
	  {}, LTT_OP_OPENS },
	{ "watch", op_watch, "choose notifications: any of markers traces cpus buffers losses triggers, or none", { LTT_TEXT("kinds") },
	  LTT_OP_STREAM },
	{ "notifications", ltt_op_notifications, "list the notifications: number, name, text, value",
	  {}, LTT_OP_SHOWS },
	{ "usage", op_usage, "show what your user has, or each user: connections, bytes, members of groups", {},
	  LTT_OP_SHOWS },
	{ "share", op_share, "apply the following commands to the traces of debugfs", {}, LTT_OP_STREAM },
	{ "private", op_private, "apply the following commands to the traces of this connection", {},
	  LTT_OP_STREAM },
	{ "detach", op_detach, "move a trace to debugfs, so that it outlives this connection",
	  { LTT_TEXT("trace") }, LTT_OP_UNLOCKED | LTT_OP_STREAM },
	{}
};
