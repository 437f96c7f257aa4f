/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Control connections and command streams: what the files of /dev/ltt share.
 *
 * Layer: control.
 *
 * A control connection is the state of one open /dev/ltt.  It is a face: a name space
 * of traces.  It begins with open() and ends with the last close of that file, for
 * whatever reason; its traces are destroyed then.
 *
 * A command stream is a descriptor that leads to a control connection: commands in,
 * replies and notifications out.  The opened file is the first one, and the command
 * "stream" makes others.  These do not keep the connection alive.
 */
#ifndef LTT_CONTROL_CONNECTION_H
#define LTT_CONTROL_CONNECTION_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "../../../core/message.h"
#include "../control.h"

/* Bytes of replies and notifications that may wait to be read.  With that many or more
 * no command runs, and a notification is dropped and counted. */
#define LTT_QUEUE_MAX	(256 * 1024)

/* The limits of a control connection, whatever the rights of its user are. */
#define LTT_CONNECTION_TRACES_MAX	64
#define LTT_CONNECTION_STREAMS_MAX	16

/* The longest text that a command shows, in bytes. */
#define LTT_SHOWN_MAX	(1024 * 1024)

/**
 * struct ltt_control - a control connection
 * @face: its name space of traces
 * @node: in ltt_controls; guarded by the registry lock
 * @ref: a reference for each command stream
 * @file: the opened /dev/ltt; its credentials count, whichever process holds a descriptor.
 *	Valid while @ended is false
 * @streams: its command streams; guarded by the registry lock, as is @nr_streams
 * @nr_streams: number of them
 * @life: read-locked by each command; write-locked to end the connection, so that no
 *	command runs when its traces go.  Taken before the registry lock
 * @ended: @file is closed; guarded by @life
 */
struct ltt_control {
	struct ltt_face face;
	struct list_head node;
	struct kref ref;
	const struct file *file;
	struct list_head streams;
	unsigned int nr_streams;
	struct rw_semaphore life;
	bool ended;
};

/**
 * struct ltt_stream - a command stream
 * @connection: where it leads; holds a reference
 * @face: the face that its commands are about: the connection's, or that of debugfs
 * @node: in the connection's list
 * @primary: it is the opened file, and the connection ends with it
 * @word: bytes of a word of the program that opened the device: 4 or 8
 *
 * @in_lock: guards @in and serialises writers
 * @in: the message that is being received
 * @broken: the start of the next message is unknown, or there was no memory for a
 *	reply: the stream takes no more.  Written under @in_lock
 *
 * @out_lock: guards @out and @queued; innermost
 * @out_read: guards @out_at and serialises readers
 * @out: encoded messages that wait to be read, see queue.c
 * @out_at: bytes of the first one that have been read
 * @queued: bytes of all of them
 * @wait: waitqueue of readers, and of writers that wait for readers
 *
 * @watched: kinds of notifications that the program asked for; guarded by the
 *	registry lock, as are the next two
 * @cookie: cookie of the command that asked for them
 * @dropped: notifications without room after the last one that was queued
 */
struct ltt_stream {
	struct ltt_control *connection;
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

struct ltt_out;

/* connection.c */
extern struct list_head ltt_controls;
struct ltt_stream *ltt_control_open(const struct file *file, u32 word);
struct ltt_stream *ltt_stream_add(struct ltt_control *connection, u32 word);
void ltt_stream_remove(struct ltt_stream *stream);
void ltt_stream_close(struct ltt_stream *stream);
int ltt_may_share(struct ltt_call *call);

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

/* ops.c */
extern const struct ltt_op ltt_control_ops[];

/* notify.c */
int ltt_notify_init(void);
void ltt_notify_exit(void);
void ltt_watch_changed(void);
int ltt_watch_kinds(const char *names, u64 *watched);
int ltt_op_notifications(struct ltt_call *call);

#endif /* LTT_CONTROL_CONNECTION_H */
