/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions of /dev/ltt, and the streams of messages that lead to them.
 *
 * Layer: control.
 *
 * A session is a face: a name space of traces.  It begins with the open of the
 * device and ends with the last close of that descriptor, however that comes; all
 * its traces end then.  Further streams of the same session (command "stream")
 * have replies of their own and do not keep it alive.
 */
#ifndef LTT_CONTROL_SESSION_H
#define LTT_CONTROL_SESSION_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>

#include "../../../core/message.h"
#include "../control.h"


/* Replies and notifications that wait to be read: a command runs only while there
 * are fewer bytes of them, a notification is dropped (and counted) otherwise. */
#define LTT_QUEUE_MAX	(256 * 1024)

/* Bounds of what a session allocates, whoever it is of. */
#define LTT_SESSION_TRACES_MAX	64
#define LTT_SESSION_STREAMS_MAX	16

/* The longest text that a command shows. */
#define LTT_SHOWN_MAX	(1024 * 1024)

/**
 * struct ltt_session - one use of LTT
 * @face: its name space; first, so that a face of ours leads here
 * @node: in ltt_sessions; registry lock
 * @ref: one for each stream
 * @cred: the rights of who opened it: they count, whoever holds the descriptor
 * @streams: guarded by the registry lock, as is the next
 * @nr_streams: how many
 * @life: held by commands; taken for writing by the end, so that none is under way
 *	when the traces go.  Outside the registry lock
 * @ended: the descriptor it lives by is closed; guarded by @life
 */
struct ltt_session {
	struct ltt_face face;
	struct list_head node;
	struct kref ref;
	const struct cred *cred;
	struct list_head streams;
	unsigned int nr_streams;
	struct rw_semaphore life;
	bool ended;
};

/**
 * struct ltt_stream - one descriptor: commands in, replies and notifications out
 * @session: where it leads
 * @face: whose traces commands are about: the session's, or debugfs'
 * @node: in the session's list
 * @primary: the session ends with it
 * @word: bytes of a word, of the program that opened it
 *
 * @in_lock: guards @in, @broken: one writer at a time
 * @in: the message that is coming
 * @broken: the stream is out of step: nothing more is taken
 *
 * @out_lock: guards @out, @queued; innermost
 * @out_read: guards @out_at: one reader at a time
 * @out: messages, each a struct out of session.c
 * @out_at: how much of the first has been read
 * @queued: bytes of all of them
 * @wait: readers, and writers that wait for readers
 *
 * @watched: bits of what is to be notified; registry lock, as for the next two
 * @cookie: of the command that asked for it
 * @dropped: notifications that did not fit since the last one that did
 */
struct ltt_stream {
	struct ltt_session *session;
	struct ltt_face *face;
	struct list_head node;
	bool primary;
	u32 word;

	struct mutex in_lock;
	struct ltt_message_in in;
	bool broken;

	spinlock_t out_lock;
	struct mutex out_read;
	struct list_head out;
	size_t out_at;
	size_t queued;
	wait_queue_head_t wait;

	u64 watched;
	u64 cookie;
	u64 dropped;
};

/* session.c */
extern struct list_head ltt_sessions;
struct ltt_stream *ltt_session_open(const struct cred *cred, u32 word);
bool ltt_session_capable(const struct ltt_session *session, int cap);
struct ltt_stream *ltt_stream_add(struct ltt_session *session, u32 word);
void ltt_stream_remove(struct ltt_stream *stream);
void ltt_stream_close(struct ltt_stream *stream);

/* user.c */
struct ltt_budget *ltt_user_begin(kuid_t uid, bool limited);
void ltt_user_end(struct ltt_budget *budget);
void ltt_users_show(struct seq_file *s, const kuid_t *only);

/* queue.c */
struct ltt_out *ltt_out_alloc(struct ltt_stream *stream, u64 command, u64 cookie, int err,
			      const char *text, size_t len, u64 value);
void ltt_out_fill(struct ltt_stream *stream, struct ltt_out *out, u64 command, u64 cookie,
		  int err, const char *text, size_t len, u64 value);
void ltt_out_free(struct ltt_out *out);
bool ltt_stream_is_over(struct ltt_stream *stream);
void ltt_out_queue(struct ltt_stream *stream, struct ltt_out *out);
void ltt_out_free_all(struct ltt_stream *stream);
bool ltt_out_has_room(struct ltt_stream *stream);
ssize_t ltt_out_read(struct ltt_stream *stream, char __user *to, size_t count, bool wait);

/* run.c */
int ltt_stream_run(struct ltt_stream *stream);
void ltt_stream_break(struct ltt_stream *stream);

/* device.c */
int ltt_stream_fd(struct ltt_stream *stream);

/* notify.c */
int ltt_notify_init(void);
void ltt_notify_exit(void);
void ltt_watch_changed(void);
int ltt_watch_kinds(const char *names, u64 *watched);
int ltt_op_notifications(struct ltt_call *call);

#endif /* LTT_CONTROL_SESSION_H */
