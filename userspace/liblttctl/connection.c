// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Messages to and from /dev/ltt.
 *
 * Layer: liblttctl.
 */
#include "connection.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/message.h"
#include "internal.h"

#define WORD sizeof(unsigned long)

/* A reply is an errno, a text and a value; the kernel shows up to 1 MiB. */
#define REPLY_MAX (2 << 20)

struct note {
	unsigned long kind;
	char name[LTTCTL_NAME_SIZE];
};

struct lttctl_stream {
	struct lttctl *ctl;
	int fd;
	struct lttctl_verb *verbs;
	size_t nr_verbs;
	struct note *notes;
	size_t nr_notes;
	/* What was read and not yet received: @have bytes, of @room. */
	char *in;
	size_t have;
	size_t room;
};

/* ---- Bytes in ---- */

/* Read what there is; 0, -EAGAIN when there is nothing, -EPIPE at the end. */
static int read_some(struct lttctl_stream *stream)
{
	size_t room = stream->have + 65536;
	ssize_t n;

	if (room > stream->room) {
		char *bigger = realloc(stream->in, room);

		if (!bigger)
			return lttctl_fail(stream->ctl, -ENOMEM, "out of memory");
		stream->in = bigger;
		stream->room = room;
	}
	do
		n = read(stream->fd, stream->in + stream->have, 65536);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return lttctl_fail(stream->ctl, -errno, "cannot read from the device: %s",
				   strerror(errno));
	if (!n)
		return lttctl_fail(stream->ctl, -EPIPE, "the session has ended");
	stream->have += n;
	return 0;
}

static void wait_for(const struct lttctl_stream *stream, short events)
{
	struct pollfd fd = { .fd = stream->fd, .events = events };

	poll(&fd, 1, -1);
}

/* The length of the message at the front; 0 when it is not whole yet. */
static int64_t front(struct lttctl_stream *stream)
{
	int64_t total;

	if (stream->have < WORD)
		return 0;
	total = ltt_message_total(stream->in, WORD, REPLY_MAX);
	if (total < 0)
		return lttctl_fail(stream->ctl, -EPROTO,
				   "the device sent what is no message");
	return (size_t)total <= stream->have ? total : 0;
}

static int take(struct lttctl_stream *stream, size_t total, struct lttctl_reply *reply)
{
	struct ltt_message message = {
		.nr_args = 3,
		.arg = { { .kind = LTT_WORD }, { .kind = LTT_BLOB }, { .kind = LTT_WORD } },
	};

	if (ltt_message_decode(stream->in, total, WORD, &message))
		return lttctl_fail(stream->ctl, -EPROTO, "the device sent what is no reply");
	reply->command = message.command;
	reply->cookie = message.cookie;
	reply->error = message.arg[0].word;
	reply->value = message.arg[2].word;
	reply->text = strndup(message.arg[1].blob, message.arg[1].word);
	if (!reply->text)
		return lttctl_fail(stream->ctl, -ENOMEM, "out of memory");
	stream->have -= total;
	memmove(stream->in, stream->in + total, stream->have);
	return 0;
}

int lttctl_stream_receive(struct lttctl_stream *stream, bool wait, struct lttctl_reply *reply)
{
	int64_t total;
	int err;

	while (!(total = front(stream))) {
		err = read_some(stream);
		if (err && (err != -EAGAIN || !wait))
			return err;
		if (err)
			wait_for(stream, POLLIN);
	}
	return total < 0 ? (int)total : take(stream, total, reply);
}

/* ---- Bytes out ---- */

static int write_all(struct lttctl_stream *stream, const char *from, size_t size)
{
	int err;

	while (size) {
		ssize_t n = write(stream->fd, from, size);

		if (n >= 0) {
			from += n;
			size -= n;
			continue;
		}
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return lttctl_fail(stream->ctl, -errno, "cannot write to the device: %s",
					   strerror(errno));
		/* Too many replies are unread: take them out of the way. */
		err = read_some(stream);
		if (err == -EAGAIN)
			wait_for(stream, POLLIN | POLLOUT);
		else if (err)
			return err;
	}
	return 0;
}

static int parse_word(struct lttctl *ctl, const struct lttctl_verb *verb, unsigned int nr,
		      const char *text, uint64_t *word)
{
	static const char units[] = "kmg";
	const char *unit;
	char *end;

	errno = 0;
	*word = strtoull(text, &end, 10);
	if (end == text || *text == '-' || errno)
		goto bad;
	unit = *end ? strchr(units, *end | 0x20) : NULL;
	if (unit) {
		unsigned int shift = 10 * (unit - units + 1);

		if (*word > UINT64_MAX >> shift)
			goto bad;
		*word <<= shift;
		end++;
	}
	if (!*end && *word <= ULONG_MAX)
		return 0;
bad:
	return lttctl_fail(ctl, -EINVAL, "%s: `%s` is no number for %s", verb->name, text,
			   verb->arg[nr]);
}

int lttctl_stream_send(struct lttctl_stream *stream, const struct lttctl_verb *verb,
		       char *const *args, unsigned long cookie)
{
	struct ltt_message message = {
		.command = verb->number, .cookie = cookie, .nr_args = verb->nr_args,
	};
	unsigned int i;
	size_t size;
	char *bytes;
	int err;

	for (i = 0; i < verb->nr_args; i++) {
		struct ltt_message_arg *arg = &message.arg[i];

		if (!args[i])
			return lttctl_fail(stream->ctl, -EINVAL, "%s: %s is missing", verb->name,
					   verb->arg[i]);
		if (verb->is_number[i]) {
			arg->kind = LTT_WORD;
			err = parse_word(stream->ctl, verb, i, args[i], &arg->word);
			if (err)
				return err;
		} else {
			arg->kind = LTT_BLOB;
			arg->word = strlen(args[i]);
			arg->blob = args[i];
		}
	}
	size = ltt_message_size(&message, WORD);
	if (size > LTT_MESSAGE_MAX)
		return lttctl_fail(stream->ctl, -E2BIG, "%s: the arguments are too long",
				   verb->name);
	bytes = malloc(size);
	if (!bytes)
		return lttctl_fail(stream->ctl, -ENOMEM, "out of memory");
	ltt_message_encode(bytes, WORD, &message);
	err = write_all(stream, bytes, size);
	free(bytes);
	return err;
}

/* ---- The vocabulary ---- */

/* "NAME:KIND", where KIND is text, number or size. */
static void parse_arg(struct lttctl_verb *verb, char *text)
{
	char *name = strsep(&text, ":");

	if (!text || verb->nr_args == LTTCTL_STREAM_ARGS)
		return;
	snprintf(verb->arg[verb->nr_args], sizeof(verb->arg[0]), "%s", name);
	verb->is_number[verb->nr_args++] = strcmp(text, "text");
}

/* "NUMBER NAME ARG... -> RESULT: HELP" */
static void parse_verb(struct lttctl_verb *verb, char *line)
{
	char *left = line, *right = strstr(line, " -> "), *word;

	memset(verb, 0, sizeof(*verb));
	if (right) {
		*right = '\0';
		right += strlen(" -> ");
		word = strsep(&right, ":");
		verb->opens = !strcmp(word, "descriptor");
		snprintf(verb->help, sizeof(verb->help), "%s",
			 right ? right + strspn(right, " ") : "");
	}
	verb->number = strtoul(strsep(&left, " "), NULL, 10);
	word = strsep(&left, " ");
	snprintf(verb->name, sizeof(verb->name), "%s", word ? word : "");
	while ((word = strsep(&left, " ")))
		parse_arg(verb, word);
}

/* "NUMBER NAME ..." */
static void parse_note(struct note *note, char *line)
{
	char *name;

	note->kind = strtoul(strsep(&line, " "), NULL, 10);
	name = strsep(&line, " ");
	snprintf(note->name, sizeof(note->name), "%s", name ? name : "");
}

/* Ask for a text, of which each line becomes an element; @parse is called for it. */
static int ask_lines(struct lttctl_stream *stream, const struct lttctl_verb *verb, size_t size,
		     void (*parse)(void *element, char *line), void *elements, size_t *nr)
{
	struct lttctl_reply reply;
	char *line, *rest, *grown;
	int err;

	err = lttctl_stream_send(stream, verb, NULL, 0);
	if (!err)
		err = lttctl_stream_receive(stream, true, &reply);
	if (err)
		return err;
	if (reply.error)
		err = lttctl_fail(stream->ctl, -reply.error, "%s", reply.text);
	rest = reply.text;
	while (!err && (line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		grown = reallocarray(*(void **)elements, *nr + 1, size);
		if (!grown) {
			err = lttctl_fail(stream->ctl, -ENOMEM, "out of memory");
			break;
		}
		*(void **)elements = grown;
		parse(grown + size * (*nr)++, line);
	}
	free(reply.text);
	return err;
}

static void parse_verb_line(void *verb, char *line)
{
	parse_verb(verb, line);
}

static void parse_note_line(void *note, char *line)
{
	parse_note(note, line);
}

/* Command 0 lists the commands, in every version. */
static int learn(struct lttctl_stream *stream)
{
	const struct lttctl_verb commands = { .number = 0, .name = "commands" }, *notes;
	int err;

	err = ask_lines(stream, &commands, sizeof(*stream->verbs), parse_verb_line,
			&stream->verbs, &stream->nr_verbs);
	if (err)
		return err;
	notes = lttctl_stream_find(stream, "notifications");
	if (!notes)
		return 0;
	return ask_lines(stream, notes, sizeof(*stream->notes), parse_note_line, &stream->notes,
			 &stream->nr_notes);
}

const struct lttctl_verb *lttctl_stream_verb(const struct lttctl_stream *stream, size_t nr)
{
	return nr < stream->nr_verbs ? &stream->verbs[nr] : NULL;
}

const struct lttctl_verb *lttctl_stream_find(const struct lttctl_stream *stream,
					     const char *name)
{
	size_t i;

	for (i = 0; i < stream->nr_verbs; i++)
		if (!strcmp(stream->verbs[i].name, name))
			return &stream->verbs[i];
	return NULL;
}

const char *lttctl_stream_note(const struct lttctl_stream *stream, unsigned long kind)
{
	size_t i;

	for (i = 0; i < stream->nr_notes; i++)
		if (stream->notes[i].kind == kind)
			return stream->notes[i].name;
	return NULL;
}

/* ---- Life ---- */

static int open_device(struct lttctl *ctl)
{
	const char *path = secure_getenv("LTT_DEVICE");
	struct stat st;
	int fd;

	if (!path || !*path)
		path = "/dev/ltt";
	/* Before the first byte is written: a file would be overwritten. */
	if (!stat(path, &st) && !S_ISCHR(st.st_mode))
		return lttctl_fail(ctl, -ENOTTY, "%s is no device: LTT_DEVICE names the wrong file",
				   path);
	fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	switch (errno) {
	case ENOENT:
		return lttctl_fail(ctl, -ENODEV,
				   "there is no %s: load LTT with `modprobe ltt-control`", path);
	case EMFILE:
		return lttctl_fail(ctl, -EMFILE,
				   "%s: you have as many sessions as you may (max_sessions in /sys/module/ltt_control/parameters), or too many open files",
				   path);
	case EACCES:
	case EPERM:
		return lttctl_fail(ctl, -EACCES,
				   "%s may not be opened: it takes the right to, CAP_PERFMON, and a kernel that is not locked down to confidentiality",
				   path);
	default:
		return lttctl_fail(ctl, -errno, "cannot open %s: %s", path, strerror(errno));
	}
}

/* Of a descriptor, before the first byte is written to it. */
static bool is_stream(int fd)
{
	static const char name[] = "anon_inode:[ltt-stream]";
	char path[32], link[sizeof(name)];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return readlink(path, link, sizeof(link)) == sizeof(name) - 1 &&
	       !memcmp(link, name, sizeof(name) - 1);
}

/* With a descriptor that becomes the stream's, if this succeeds. */
static int begin(struct lttctl *ctl, int fd, struct lttctl_stream **stream)
{
	struct lttctl_stream *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return lttctl_fail(ctl, -ENOMEM, "out of memory");
	new->ctl = ctl;
	new->fd = fd;
	err = learn(new);
	if (err) {
		new->fd = -1;
		lttctl_stream_close(new);
		return err;
	}
	*stream = new;
	return 0;
}

int lttctl_stream_open(struct lttctl *ctl, struct lttctl_stream **stream)
{
	int fd = open_device(ctl);
	int err = fd < 0 ? fd : begin(ctl, fd, stream);

	if (err && fd >= 0)
		close(fd);
	return err;
}

int lttctl_stream_attach(struct lttctl *ctl, int fd,
			 struct lttctl_stream **stream)
{
	if (!is_stream(fd))
		return lttctl_fail(ctl, -ENOTTY, "descriptor %d is no stream of /dev/ltt", fd);
	if (fcntl(fd, F_SETFL, O_NONBLOCK) || fcntl(fd, F_SETFD, FD_CLOEXEC))
		return lttctl_fail(ctl, -errno, "cannot prepare the stream: %s",
				   strerror(errno));
	return begin(ctl, fd, stream);
}

int lttctl_stream_detach(struct lttctl_stream *stream)
{
	int fd = stream->fd;

	stream->fd = -1;
	lttctl_stream_close(stream);
	return fd;
}

void lttctl_stream_close(struct lttctl_stream *stream)
{
	if (!stream)
		return;
	if (stream->fd >= 0)
		close(stream->fd);
	free(stream->verbs);
	free(stream->notes);
	free(stream->in);
	free(stream);
}

int lttctl_stream_fd(const struct lttctl_stream *stream)
{
	return stream->fd;
}
