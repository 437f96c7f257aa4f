/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A control connection: one open /dev/ltt.  Messages with commands go in; messages
 * with replies and notifications come out.
 *
 * Layer: liblttctl.  doc/device.md describes the messages.  The conventions are those
 * of lttctl.h.
 */
#ifndef LTTCTL_CONNECTION_H
#define LTTCTL_CONNECTION_H

#include "lttctl.h"

struct ltt_message;
struct lttctl_connection;

/**
 * struct lttctl_reply - a reply or a notification
 * @command: of a reply, the number of the command; of a notification, its kind
 * @cookie: the cookie of the command
 * @error: 0, or a positive errno
 * @text: what the command shows; with @error, one sentence.  NUL-terminated, to be
 *	freed by the caller
 * @value: a new descriptor, or a number; else 0
 */
struct lttctl_reply {
	unsigned long command;
	unsigned long cookie;
	int error;
	char *text;
	unsigned long value;
};

/**
 * lttctl_connection_open() - open /dev/ltt, or the device that LTT_DEVICE names
 * @ctl: the handle that gets the error sentences; it must outlive the connection
 * @connection: receives the connection, to be closed by lttctl_connection_close()
 *
 * The private traces of the connection end with it.
 *
 * Return: 0; -ENODEV when there is no device; -EACCES when the caller may not open
 * it; -ENOTTY when LTT_DEVICE names a file that is not a device; -EMFILE when the
 * user has as many connections, or the process as many descriptors, as it may;
 * -ENOMEM; another errno of open().
 */
int lttctl_connection_open(struct lttctl *ctl, struct lttctl_connection **connection);

/**
 * lttctl_connection_attach() - use a descriptor that the command `stream` returned
 * @ctl: see lttctl_connection_open()
 * @fd: the descriptor, which may come from another process; it belongs to the
 *	connection if this succeeds
 * @connection: receives the connection
 *
 * Return: 0; -ENOTTY when @fd is not such a descriptor; -ENOMEM; an errno of fcntl().
 */
int lttctl_connection_attach(struct lttctl *ctl, int fd,
			     struct lttctl_connection **connection);

/**
 * lttctl_connection_detach() - free a connection but keep its descriptor open
 * @connection: the connection; invalid afterwards
 *
 * Return: the descriptor, which belongs to the caller.
 */
int lttctl_connection_detach(struct lttctl_connection *connection);

/**
 * lttctl_connection_close() - close the descriptor and free the connection
 * @connection: the connection, or NULL
 */
void lttctl_connection_close(struct lttctl_connection *connection);

/**
 * lttctl_connection_fd() - the descriptor, for poll()
 * @connection: the connection, which keeps the descriptor
 *
 * Return: a non-blocking descriptor.
 */
int lttctl_connection_fd(const struct lttctl_connection *connection);

/**
 * lttctl_connection_send() - send one message
 * @connection: the connection
 * @message: the message, at most LTT_MESSAGE_MAX bytes
 *
 * Context: blocks while the tracer waits for replies to be read; it keeps those that
 * it reads meanwhile for lttctl_connection_receive().
 * Return: 0; -E2BIG when the message is too long; -ENOMEM; -EPIPE when the
 * connection has ended; another errno of write() or read().
 */
int lttctl_connection_send(struct lttctl_connection *connection,
			   const struct ltt_message *message);

/**
 * lttctl_connection_call() - send a command by its name
 * @connection: the connection
 * @private: the command is about the traces of this connection, not about those that
 *	every user of the tracer sees
 * @words: its name and its arguments, ended by NULL; none may have a newline
 * @cookie: any number; the reply carries it
 *
 * Return: as lttctl_connection_send(); -EINVAL for a newline in a word.
 */
int lttctl_connection_call(struct lttctl_connection *connection, bool private,
			   const char *const *words, unsigned long cookie);

/**
 * lttctl_connection_receive() - take the next reply or notification
 * @connection: the connection
 * @wait: block until there is one
 * @reply: receives it; the caller frees @reply->text
 *
 * Return: 0; -EAGAIN when there is none and @wait is false; -EPIPE when the
 * connection has ended; -EPROTO for bytes that are not a reply; -ENOMEM; another
 * errno of read().
 */
int lttctl_connection_receive(struct lttctl_connection *connection, bool wait,
			      struct lttctl_reply *reply);

#endif /* LTTCTL_CONNECTION_H */
