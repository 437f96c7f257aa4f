/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * /dev/ltt as a stream: a session of one's own, commands in, replies and
 * notifications out.
 *
 * Layer: liblttctl.  doc/device.md says what the words and blobs mean; conventions
 * are those of lttctl.h.
 *
 * Environment:
 *   LTT_DEVICE       device used in place of /dev/ltt
 */
#ifndef LTTCTL_STREAM_H
#define LTTCTL_STREAM_H

#include "lttctl.h"

struct lttctl_stream;

#define LTTCTL_STREAM_ARGS 8

/**
 * struct lttctl_verb - a command of the vocabulary, as this kernel has it
 * @number: which goes into messages
 * @arg: names of its arguments
 * @is_number: which of them are numbers; the others are text
 * @opens: its reply's value is a descriptor
 */
struct lttctl_verb {
	unsigned long number;
	char name[LTTCTL_NAME_SIZE];
	char arg[LTTCTL_STREAM_ARGS][32];
	bool is_number[LTTCTL_STREAM_ARGS];
	unsigned int nr_args;
	bool opens;
	char help[128];
};

/**
 * struct lttctl_reply - what came
 * @command: of a reply, the number of its command; of a notification, its kind
 * @cookie: as it was sent
 * @error: 0 or an errno
 * @text: of an error, one sentence; NUL-terminated, to be freed
 * @value: a descriptor, or a number
 */
struct lttctl_reply {
	unsigned long command;
	unsigned long cookie;
	int error;
	char *text;
	unsigned long value;
};

/** lttctl_stream_open() - begin a session; it ends with lttctl_stream_close() */
int lttctl_stream_open(struct lttctl *ctl, struct lttctl_stream **stream);
void lttctl_stream_close(struct lttctl_stream *stream);

/**
 * lttctl_stream_attach() - use a stream that somebody else has opened
 * @fd: its descriptor, from the command `stream`; the stream's, if this succeeds
 */
int lttctl_stream_attach(struct lttctl *ctl, int fd,
			 struct lttctl_stream **stream);

/**
 * lttctl_stream_detach() - close the stream but for its descriptor
 * Return: the descriptor.
 */
int lttctl_stream_detach(struct lttctl_stream *stream);

/** lttctl_stream_fd() - to be polled, or handed on; it is non-blocking */
int lttctl_stream_fd(const struct lttctl_stream *stream);

/** lttctl_stream_verb() - the vocabulary by number; NULL beyond the last */
const struct lttctl_verb *lttctl_stream_verb(const struct lttctl_stream *stream,
					     size_t nr);

/** lttctl_stream_find() - a command by name, or NULL */
const struct lttctl_verb *lttctl_stream_find(const struct lttctl_stream *stream,
					     const char *name);

/** lttctl_stream_note() - the name of a notification's kind, or NULL */
const char *lttctl_stream_note(const struct lttctl_stream *stream,
			       unsigned long kind);

/**
 * lttctl_stream_send() - send a command
 * @args: as many as it takes; numbers may end in K, M or G
 * @cookie: for the reply
 *
 * Waits while too many replies are unread; those are kept here meanwhile.
 */
int lttctl_stream_send(struct lttctl_stream *stream,
		       const struct lttctl_verb *verb, char *const *args,
		       unsigned long cookie);

/**
 * lttctl_stream_receive() - take the next reply or notification
 * @wait: for it; else -EAGAIN when there is none
 * Return: 0; -EAGAIN; -EPIPE when the session, or the stream, has ended.
 */
int lttctl_stream_receive(struct lttctl_stream *stream, bool wait,
			  struct lttctl_reply *reply);

#endif /* LTTCTL_STREAM_H */
