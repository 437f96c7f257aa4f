// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The device as a face: each request is one message, and its reply another.
 *
 * Layer: liblttctl.  A command is sent by its name (LTT_MESSAGE_CALL), so that this
 * program need not ask for the numbers first.  A bound trace is named by its uuid, so
 * that no request can reach a later trace of the same name.  Notifications come over
 * a connection of their own, never between the replies to requests.
 */
#include "connection.h"
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS_MAX 8

/* Send a command and wait for its reply; as lttctl_ask(), but over any connection. */
static int ask(struct lttctl *ctl, struct lttctl_connection *connection, bool private,
	       const char *const *words, char **text)
{
	unsigned long cookie = ++ctl->last_cookie;
	struct lttctl_reply reply;
	int ret;

	ret = lttctl_connection_call(connection, private, words, cookie);
	if (!ret)
		ret = lttctl_connection_receive(connection, true, &reply);
	/* The reply to a request that was given up half way precedes ours. */
	while (!ret && reply.cookie != cookie) {
		free(reply.text);
		ret = lttctl_connection_receive(connection, true, &reply);
	}
	if (ret)
		return ret;
	/* A command that opens no descriptor has the value 0. */
	ret = reply.error ? lttctl_fail(ctl, -reply.error, "%s", reply.text) : (int)reply.value;
	if (!ret && text)
		*text = reply.text;
	else
		free(reply.text);
	return ret;
}

static int device_ask(struct lttctl *ctl, struct lttctl_trace *trace, const char *verb,
		      const char *const *args, char **text)
{
	const char *words[WORDS_MAX + 1] = { verb };
	size_t nr = 1;

	if (trace)
		words[nr++] = trace->id;
	while (args && *args && nr < WORDS_MAX)
		words[nr++] = *args++;
	return ask(ctl, ctl->connection, ctl->private, words, text);
}

/* ---- What private traces take over from shared ones ---- */

/* A line of `wanted`: a pattern, with `!` in front of one that removes. */
static int repeat_wanted(struct lttctl *ctl, char *line)
{
	return device_ask(ctl, NULL, *line == '!' ? "unwant" : "want",
			  LTTCTL_ARGS(line + (*line == '!')), NULL);
}

/* A line of `groups`: a pattern can only mean a group of events. */
static int repeat_group(struct lttctl *ctl, char *line)
{
	const char *kind = strsep(&line, " "), *name = strsep(&line, " ");

	if (!line || strcmp(kind, "events"))
		return 0;
	return device_ask(ctl, NULL, "group-events", LTTCTL_ARGS(name, line), NULL);
}

/*
 * Repeat each line that @verb shows of the shared traces for the private ones.  A
 * caller without the right to see the shared traces takes over nothing.
 */
static int take_over(struct lttctl *ctl, const char *verb,
		     int (*repeat)(struct lttctl *ctl, char *line))
{
	const char *const words[] = { verb, NULL };
	char *text, *rest, *line;
	int err;

	err = ask(ctl, ctl->connection, false, words, &text);
	if (err)
		return err == -EPERM ? 0 : err;
	rest = text;
	while (!err && (line = strsep(&rest, "\n")))
		if (*line)
			err = repeat(ctl, line);
	free(text);
	return err;
}

static int device_connect(struct lttctl *ctl)
{
	int err;

	err = lttctl_connection_open(ctl, &ctl->connection);
	if (err || !ctl->private)
		return err;
	err = take_over(ctl, "groups", repeat_group);
	if (!err)
		err = take_over(ctl, "wanted", repeat_wanted);
	if (err) {
		lttctl_connection_close(ctl->connection);
		ctl->connection = NULL;
	}
	return err;
}

static int device_bind(struct lttctl_trace *trace)
{
	char *uuid;
	int err;

	err = device_ask(trace->ctl, trace, "uuid", NULL, &uuid);
	if (err)
		return err;
	snprintf(trace->id, sizeof(trace->id), "=%.*s", (int)strcspn(uuid, "\n"), uuid);
	free(uuid);
	return 0;
}

/* ---- Notifications ---- */

static int device_watch(struct lttctl_trace *trace, const char *kinds, bool *all)
{
	const char *const words[] = { "watch", kinds, NULL };
	struct lttctl *ctl = trace->ctl;
	struct lttctl_connection *connection;
	int fd, err;

	*all = true;
	fd = device_ask(ctl, NULL, "stream", NULL, NULL);
	if (fd < 0)
		return fd;
	err = lttctl_connection_attach(ctl, fd, &connection);
	if (err) {
		close(fd);
		return err;
	}
	/* The new connection is about the traces that the request was about. */
	err = ask(ctl, connection, true, words, NULL);
	if (!err)
		return lttctl_connection_detach(connection);
	lttctl_connection_close(connection);
	return err;
}

const struct lttctl_face lttctl_face_device = {
	.connect = device_connect,
	.bind = device_bind,
	.watch = device_watch,
	.ask = device_ask,
};
