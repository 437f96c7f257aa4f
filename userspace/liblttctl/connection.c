// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A control connection: opening /dev/ltt, and messages over it.
 *
 * Layer: liblttctl.
 */
#include "connection.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/message.h"
#include "internal.h"

#define WORD sizeof(unsigned long)

/* A reply has an errno, a text of up to 1 MiB, and a value. */
#define REPLY_MAX (2 << 20)

#define READ_SIZE 65536

/**
 * struct lttctl_connection - one open /dev/ltt
 * @ctl: gets the error sentences
 * @fd: the descriptor, non-blocking
 * @in: bytes that were read and not yet received
 * @have: their number
 * @room: the size of @in
 */
struct lttctl_connection {
	struct lttctl *ctl;
	int fd;
	char *in;
	size_t have;
	size_t room;
};

/* ---- Bytes in ---- */

/* Return: 0; -EAGAIN when there is nothing to read; -EPIPE at the end; -errno. */
static int read_some(struct lttctl_connection *connection)
{
	size_t room = connection->have + READ_SIZE;
	ssize_t n;

	if (room > connection->room) {
		char *bigger = realloc(connection->in, room);

		if (!bigger)
			return lttctl_fail(connection->ctl, -ENOMEM, "out of memory");
		connection->in = bigger;
		connection->room = room;
	}
	do
		n = read(connection->fd, connection->in + connection->have, READ_SIZE);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return lttctl_fail(connection->ctl, -errno, "cannot read from the device: %s",
				   strerror(errno));
	if (!n)
		return lttctl_fail(connection->ctl, -EPIPE, "the control connection has ended");
	connection->have += n;
	return 0;
}

static void wait_for(const struct lttctl_connection *connection, short events)
{
	struct pollfd fd = { .fd = connection->fd, .events = events };

	poll(&fd, 1, -1);
}

/* Return: the length of the message at the front; 0 when it is not whole yet; -errno. */
static int64_t front(struct lttctl_connection *connection)
{
	int64_t total;

	if (connection->have < WORD)
		return 0;
	total = ltt_message_total(connection->in, WORD, REPLY_MAX);
	if (total < 0)
		return lttctl_fail(connection->ctl, -EPROTO,
				   "the device sent bytes that are not a message");
	return (size_t)total <= connection->have ? total : 0;
}

static int take(struct lttctl_connection *connection, size_t total, struct lttctl_reply *reply)
{
	struct ltt_message message = {
		.nr_args = 3,
		.arg = { { .kind = LTT_WORD }, { .kind = LTT_BLOB }, { .kind = LTT_WORD } },
	};

	if (ltt_message_decode(connection->in, total, WORD, &message))
		return lttctl_fail(connection->ctl, -EPROTO,
				   "the device sent a message that is not a reply");
	reply->command = message.command;
	reply->cookie = message.cookie;
	reply->error = message.arg[0].word;
	reply->value = message.arg[2].word;
	reply->text = strndup(message.arg[1].blob, message.arg[1].word);
	if (!reply->text)
		return lttctl_fail(connection->ctl, -ENOMEM, "out of memory");
	connection->have -= total;
	memmove(connection->in, connection->in + total, connection->have);
	return 0;
}

int lttctl_connection_receive(struct lttctl_connection *connection, bool wait,
			      struct lttctl_reply *reply)
{
	int64_t total;
	int err;

	while (!(total = front(connection))) {
		err = read_some(connection);
		if (err && (err != -EAGAIN || !wait))
			return err;
		if (err)
			wait_for(connection, POLLIN);
	}
	return total < 0 ? (int)total : take(connection, total, reply);
}

/* ---- Bytes out ---- */

static int write_all(struct lttctl_connection *connection, const char *from, size_t size)
{
	int err;

	while (size) {
		ssize_t n = write(connection->fd, from, size);

		if (n >= 0) {
			from += n;
			size -= n;
			continue;
		}
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return lttctl_fail(connection->ctl, -errno,
					   "cannot write to the device: %s", strerror(errno));
		/* The tracer takes no command while too many replies are unread. */
		err = read_some(connection);
		if (err == -EAGAIN)
			wait_for(connection, POLLIN | POLLOUT);
		else if (err)
			return err;
	}
	return 0;
}

int lttctl_connection_send(struct lttctl_connection *connection,
			   const struct ltt_message *message)
{
	size_t size = ltt_message_size(message, WORD);
	char *bytes;
	int err;

	if (size > LTT_MESSAGE_MAX)
		return lttctl_fail(connection->ctl, -E2BIG, "the arguments are too long");
	bytes = malloc(size);
	if (!bytes)
		return lttctl_fail(connection->ctl, -ENOMEM, "out of memory");
	ltt_message_encode(bytes, WORD, message);
	err = write_all(connection, bytes, size);
	free(bytes);
	return err;
}

int lttctl_connection_call(struct lttctl_connection *connection, bool private,
			   const char *const *words, unsigned long cookie)
{
	struct ltt_message message = {
		.command = private ? LTT_MESSAGE_CALL : LTT_MESSAGE_CALL_SHARED,
		.cookie = cookie,
		.nr_args = 1,
		.arg = { { .kind = LTT_BLOB } },
	};
	char text[LTT_MESSAGE_MAX];
	size_t len = 0;

	for (; *words; words++) {
		if (strchr(*words, '\n'))
			return lttctl_fail(connection->ctl, -EINVAL,
					   "`%.40s...` has a newline in it", *words);
		if (len + strlen(*words) + 2 > sizeof(text))
			return lttctl_fail(connection->ctl, -E2BIG, "the arguments are too long");
		if (len)
			text[len++] = '\n';
		len = stpcpy(text + len, *words) - text;
	}
	message.arg[0].word = len;
	message.arg[0].blob = text;
	return lttctl_connection_send(connection, &message);
}

/* ---- Life ---- */

static int open_device(struct lttctl *ctl)
{
	const char *path = secure_getenv("LTT_DEVICE");
	struct stat st;
	int fd;

	if (!path || !*path)
		path = "/dev/ltt";
	/* Before the first byte is written: a regular file would be overwritten. */
	if (!stat(path, &st) && !S_ISCHR(st.st_mode))
		return lttctl_fail(ctl, -ENOTTY, "%s is not a device: LTT_DEVICE names the wrong file",
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
				   "%s: the user has as many control connections as it may (max_sessions in /sys/module/ltt_control/parameters), or the process too many open files",
				   path);
	case EACCES:
	case EPERM:
		return lttctl_fail(ctl, -EACCES,
				   "%s may not be opened: it takes permission on the file, CAP_PERFMON, and a kernel that is not locked down to confidentiality",
				   path);
	default:
		return lttctl_fail(ctl, -errno, "cannot open %s: %s", path, strerror(errno));
	}
}

/* Checked before the first byte is written to a descriptor that another process passed. */
static bool is_connection(int fd)
{
	static const char name[] = "anon_inode:[ltt-stream]";
	char path[32], link[sizeof(name)];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return readlink(path, link, sizeof(link)) == sizeof(name) - 1 &&
	       !memcmp(link, name, sizeof(name) - 1);
}

/* Make a connection of @fd, which belongs to it if this succeeds. */
static int begin(struct lttctl *ctl, int fd, struct lttctl_connection **connection)
{
	*connection = calloc(1, sizeof(**connection));
	if (!*connection)
		return lttctl_fail(ctl, -ENOMEM, "out of memory");
	(*connection)->ctl = ctl;
	(*connection)->fd = fd;
	return 0;
}

int lttctl_connection_open(struct lttctl *ctl, struct lttctl_connection **connection)
{
	int fd = open_device(ctl);
	int err = fd < 0 ? fd : begin(ctl, fd, connection);

	if (err && fd >= 0)
		close(fd);
	return err;
}

int lttctl_connection_attach(struct lttctl *ctl, int fd,
			     struct lttctl_connection **connection)
{
	if (!is_connection(fd))
		return lttctl_fail(ctl, -ENOTTY, "descriptor %d is not a connection to /dev/ltt",
				   fd);
	if (fcntl(fd, F_SETFL, O_NONBLOCK) || fcntl(fd, F_SETFD, FD_CLOEXEC))
		return lttctl_fail(ctl, -errno, "cannot prepare the control connection: %s",
				   strerror(errno));
	return begin(ctl, fd, connection);
}

int lttctl_connection_detach(struct lttctl_connection *connection)
{
	int fd = connection->fd;

	connection->fd = -1;
	lttctl_connection_close(connection);
	return fd;
}

void lttctl_connection_close(struct lttctl_connection *connection)
{
	if (!connection)
		return;
	if (connection->fd >= 0)
		close(connection->fd);
	free(connection->in);
	free(connection);
}

int lttctl_connection_fd(const struct lttctl_connection *connection)
{
	return connection->fd;
}
