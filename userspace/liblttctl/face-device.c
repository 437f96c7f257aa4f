// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * /dev/ltt as a face: commands go to the kernel as they are.
 *
 * Layer: liblttctl.  A trace is named by its uuid, so that no operation can hit a
 * later trace of the same name.  Notifications come on a stream of their own, never
 * between the replies to commands.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Send @verb and wait for its reply; as lttctl_ask(), but of any stream. */
static int ask(struct lttctl_stream *stream, struct lttctl *ctl,
	       const char *verb, char *const *args, char **text)
{
	const struct lttctl_verb *found = lttctl_stream_find(stream, verb);
	unsigned long cookie = ++ctl->last_cookie;
	struct lttctl_reply reply;
	int ret;

	if (!found)
		return lttctl_fail(ctl, -ENOSYS,
				   "the kernel's LTT is older than this program and has no `%s`",
				   verb);
	ret = lttctl_stream_send(stream, found, args, cookie);
	if (!ret)
		ret = lttctl_stream_receive(stream, true, &reply);
	/* An answer to what was given up half way is not ours. */
	while (!ret && reply.cookie != cookie) {
		free(reply.text);
		ret = lttctl_stream_receive(stream, true, &reply);
	}
	if (ret)
		return ret;
	if (reply.error)
		ret = lttctl_fail(ctl, -reply.error, "%s", reply.text);
	else if (found->opens)
		ret = reply.value;
	if (!ret && text)
		*text = reply.text;
	else
		free(reply.text);
	return ret;
}

int lttctl_device_ask(struct lttctl *ctl, const struct lttctl_trace *trace,
		      const char *verb, const char *const *args, char **text)
{
	char *words[LTTCTL_STREAM_ARGS + 1];
	size_t nr = 0;

	if (trace)
		words[nr++] = (char *)trace->id;
	while (args && *args && nr < LTTCTL_STREAM_ARGS)
		words[nr++] = (char *)*args++;
	words[nr] = NULL;
	return ask(ctl->stream, ctl, verb, words, text);
}

/* ---- Life ---- */

/* Ask for nothing that is shown, of no trace. */
static int simple(struct lttctl *ctl, const char *verb, const char *arg)
{
	return lttctl_device_ask(ctl, NULL, verb, LTTCTL_ARGS(arg), NULL);
}

/* A line of `wanted`. */
static int want(struct lttctl *ctl, char *line)
{
	return simple(ctl, *line == '!' ? "unwant" : "want",
		      line + (*line == '!'));
}

/* A line of `groups`: only those of events can be meant by a pattern. */
static int define_group(struct lttctl *ctl, char *line)
{
	const char *kind = strsep(&line, " "), *name = strsep(&line, " ");

	if (!line || strcmp(kind, "events"))
		return 0;
	return lttctl_device_ask(ctl, NULL, "group-events",
				 LTTCTL_ARGS(name, line), NULL);
}

/* Do with each line of what everybody's face shows the same in our session. */
static int inherit(struct lttctl *ctl, const char *verb,
		   int (*repeat)(struct lttctl *ctl, char *line))
{
	char *text, *rest, *line;
	int err;

	err = simple(ctl, "share", NULL);
	if (err)
		return err == -EPERM ? 0 : err;
	err = lttctl_device_ask(ctl, NULL, verb, NULL, &text);
	if (err)
		return err;
	err = simple(ctl, "private", NULL);
	rest = text;
	while (!err && (line = strsep(&rest, "\n")))
		if (*line)
			err = repeat(ctl, line);
	free(text);
	return err;
}

/*
 * What everybody's traces record by default, this session's do, too, and a group of
 * events is one here as well; as far as the session's owner may know them.
 */
static int inherit_all(struct lttctl *ctl)
{
	int err = inherit(ctl, "groups", define_group);

	return err ? err : inherit(ctl, "wanted", want);
}

int lttctl_device_connect(struct lttctl *ctl)
{
	int err;

	err = lttctl_stream_open(ctl, &ctl->stream);
	if (err)
		return err;
	err = ctl->private ? inherit_all(ctl) : simple(ctl, "share", NULL);
	if (err) {
		lttctl_stream_close(ctl->stream);
		ctl->stream = NULL;
	}
	return err;
}

int lttctl_device_open(struct lttctl *ctl, struct lttctl_trace *trace)
{
	char *uuid;
	int err;

	strcpy(trace->id, trace->name);	/* up to here: the name */
	err = lttctl_device_ask(ctl, trace, "uuid", NULL, &uuid);
	if (err == -ENOENT)
		return lttctl_fail(ctl, err, "there is no trace %s",
				   trace->name);
	if (err)
		return err;
	snprintf(trace->id, sizeof(trace->id), "=%.*s",
		 (int)strcspn(uuid, "\n"), uuid);
	free(uuid);
	return 0;
}

/* A further stream to the session, in the same name space. */
static int more(struct lttctl *ctl, struct lttctl_stream **stream)
{
	int fd, err;

	fd = lttctl_device_ask(ctl, NULL, "stream", NULL, NULL);
	if (fd < 0)
		return fd;
	err = lttctl_stream_attach(ctl, fd, stream);
	if (err)
		close(fd);
	return err;
}

int lttctl_device_watch(struct lttctl_trace *trace)
{
	char *const kinds[] = { "traces cpus", NULL };
	struct lttctl_stream *stream;
	int err;

	err = more(trace->ctl, &stream);
	if (err)
		return err;
	err = ask(stream, trace->ctl, "watch", kinds, NULL);
	if (err) {
		lttctl_stream_close(stream);
		return err;
	}
	return lttctl_stream_detach(stream);
}

int lttctl_session_fd(struct lttctl *ctl)
{
	return lttctl_ask(ctl, NULL, "stream", NULL, NULL,
			  "open the session to another process");
}

int lttctl_connect_session(struct lttctl *ctl, int fd)
{
	ctl->private = true;
	return lttctl_stream_attach(ctl, fd, &ctl->stream);
}
