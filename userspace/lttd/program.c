// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A program that is connected.
 *
 * Layer: lttd.  Nothing that it says is believed before it was looked at; a program that
 * breaks the rules is not heard any more, and hurts nobody else.  It is never waited
 * for: one that does not read what we say is not heard any more, either.
 */
#include "program.h"
#include "log.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../libltt/protocol.h"

/* Of those that were unloaded, too. */
#define SITES_MAX	1000000

/* ---- Saying ---- */

static int say(struct program *program, const void *message, size_t size)
{
	if (send(program->fd, message, size, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)size)
		return 0;
	if (errno == EAGAIN)
		notice("program %s (pid %d) does not read what it is told: it is not recorded",
		       program->name, program->pid);
	return -ECONNRESET;
}

/* The buffers, with their descriptor. */
static int say_channel(struct program *program)
{
	const struct ltt_shm *shm = &program->user->trace.shm;
	struct ltt_program_channel message = {
		.type = LTT_PROGRAM_CHANNEL,
		.nr_cpus = shm->nr_cpus,
		.nr_rings = shm->nr_rings,
		.nr_sb = shm->nr_sb,
		.sb_order = shm->sb_order,
		.overwrite = shm->overwrite,
	};
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec iov = { &message, sizeof(message) };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.buf, .msg_controllen = sizeof(control.buf),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	memcpy(message.trace, program->user->trace.uuid, sizeof(message.trace));
	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &program->user->memfd, sizeof(int));
	return sendmsg(program->fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -ECONNRESET : 0;
}

static int say_listen(struct program *program, uint32_t site, uint32_t id)
{
	struct ltt_program_listen message = {
		.type = LTT_PROGRAM_LISTEN, .site = site, .id = id, .on = 1,
	};

	return say(program, &message, sizeof(message));
}

/* ---- Hearing ---- */

static int nonsense(struct program *program)
{
	notice("pid %d says what lttd does not understand: it is not recorded", program->pid);
	return -ECONNRESET;
}

static int take_hello(struct program *program, struct program_host *host, const void *data, size_t size)
{
	const struct ltt_program_hello *message = data;
	size_t i;

	if (size < sizeof(*message) || program->user)
		return nonsense(program);
	/* It is shown: what a terminal would take for more than text is not. */
	for (i = 0; i < sizeof(message->name) && message->name[i]; i++)
		program->name[i] = message->name[i] > ' ' && message->name[i] < 127 ? message->name[i] : '?';
	if (message->version != LTT_PROGRAM_VERSION) {
		notice("program %s (pid %d) has another version of libltt (%u, not %u): it is not recorded",
		       program->name, program->pid, message->version, LTT_PROGRAM_VERSION);
		return -ECONNRESET;
	}
	program->user = host->user(host, program->uid);
	if (!program->user)
		return -ECONNRESET;
	return notes_started(&program->user->notes, program->pid, program->name) ? -1 :
	       say_channel(program);
}

/* The texts at the end of the message, each with a NUL.  Return: whether all are there. */
static bool split_texts(const char *at, const char *end, const char *text[], unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		text[i] = at;
		at = at < end ? memchr(at, '\0', end - at) : NULL;
		if (!at)
			return false;
		at++;
	}
	return true;
}

static bool parse_site(const struct ltt_program_site *message, size_t size, struct marker *marker)
{
	const char *text[4];	/* group, name, format, file */
	unsigned int i;

	if (size < sizeof(*message) || message->nr_args > LTT_MARK_MAX_ARGS ||
	    !split_texts(message->text, (const char *)message + size, text, 4))
		return false;
	*marker = (struct marker){ .group = text[0], .name = text[1], .format = text[2],
				   .nr_args = message->nr_args };
	for (i = 0; i < marker->nr_args; i++) {
		uint32_t arg = message->args[i], bytes = arg >> 8 & 0xff;

		if ((arg & 0xff) >= LTT_MARK_NR_TYPES ||
		    (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
			return false;
		marker->args[i] = (struct ltt_mark_arg){ arg & 0xff, bytes, arg >> 16 & 1 };
	}
	return true;
}

static int take_site(struct program *program, struct program_host *host, const void *data, size_t size)
{
	const struct ltt_program_site *message = data;
	struct marker marker;
	uint32_t id;
	int ret;

	if (!program->user || !parse_site(message, size, &marker))
		return nonsense(program);
	if (++program->nr_sites > SITES_MAX) {
		notice("program %s (pid %d) has more than %d markers: it is not recorded", program->name,
		       program->pid, SITES_MAX);
		return -ECONNRESET;
	}
	if (!host->wanted(host, marker.group, marker.name))
		return 0;
	ret = user_event(program->user, &marker, &id);
	if (ret)
		return ret == -1 ? 0 : -1;
	return say_listen(program, message->number, id);
}

static int take(struct program *program, struct program_host *host, const void *data, size_t size)
{
	const struct ltt_program_number *number = data;
	struct ltt_program_number ready;

	if (size < sizeof(*number))
		return nonsense(program);
	switch (number->type) {
	case LTT_PROGRAM_HELLO:
		return take_hello(program, host, data, size);
	case LTT_PROGRAM_SITE:
		return take_site(program, host, data, size);
	case LTT_PROGRAM_SITES_END:
		ready = (struct ltt_program_number){ LTT_PROGRAM_READY, number->number };
		return say(program, &ready, sizeof(ready));
	case LTT_PROGRAM_BYE:
		program->bye = true;
		program->status = number->number;
		return 0;
	}
	return nonsense(program);
}

int program_hear(struct program *program, struct program_host *host)
{
	uint64_t message[LTT_PROGRAM_MAX / sizeof(uint64_t)];
	ssize_t size = recv(program->fd, message, sizeof(message), MSG_DONTWAIT | MSG_TRUNC);

	if (size < 0)
		return errno == EAGAIN ? -EAGAIN : errno == EINTR ? 0 : -ECONNRESET;
	if (!size)
		return -ECONNRESET;
	if ((size_t)size > sizeof(message))
		return nonsense(program);
	return take(program, host, message, size);
}
