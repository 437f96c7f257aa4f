/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Shared by the programs that talk to /dev/ltt: commands and replies.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../core/message.c"
#include "check.h"

#define WORD	sizeof(unsigned long)
#define MUCH	(4 << 20)

static inline int device(int flags)
{
	int fd = open("/dev/ltt", O_RDWR | O_CLOEXEC | flags);

	if (fd < 0) {
		printf("not ok /dev/ltt can be opened: %s\n", strerror(errno));
		exit(1);
	}
	return fd;
}

/* ---- Messages ---- */

static char out[LTT_MESSAGE_MAX];

static inline size_t encode(unsigned long command, unsigned long cookie, unsigned int nr,
			    const struct ltt_message_arg *args)
{
	struct ltt_message message = { .command = command, .cookie = cookie, .nr_args = nr };

	if (nr)
		memcpy(message.arg, args, nr * sizeof(*args));
	ltt_message_encode(out, WORD, &message);
	return ltt_message_size(&message, WORD);
}

struct reply {
	unsigned long command, cookie, error, value;
	char text[65536];
};

static inline int read_exactly(int fd, char *to, size_t size)
{
	while (size) {
		ssize_t n = read(fd, to, size);

		if (n <= 0)
			return n ? -errno : -EPIPE;
		to += n;
		size -= n;
	}
	return 0;
}

/* Read one reply; 0 or -errno. */
static inline int receive(int fd, struct reply *reply)
{
	static char in[MUCH];
	struct ltt_message message = {
		.nr_args = 3, .arg = { { .kind = LTT_WORD }, { .kind = LTT_BLOB }, { .kind = LTT_WORD } },
	};
	int64_t total;
	int err;

	memset(reply, 0, sizeof(*reply));
	err = read_exactly(fd, in, WORD);
	if (err)
		return err;
	total = ltt_message_total(in, WORD, MUCH);
	if (total < 0)
		return -EPROTO;
	err = read_exactly(fd, in + WORD, total - WORD);
	if (err)
		return err;
	if (ltt_message_decode(in, total, WORD, &message))
		return -EBADMSG;
	reply->command = message.command;
	reply->cookie = message.cookie;
	reply->error = message.arg[0].word;
	reply->value = message.arg[2].word;
	if (message.arg[1].word < sizeof(reply->text))
		memcpy(reply->text, message.arg[1].blob, message.arg[1].word);
	return 0;
}

static struct reply reply;

/* Send what was encoded; the reply's errno. */
static inline long ask(int fd, size_t size)
{
	if (write(fd, out, size) != (ssize_t)size)
		return -errno;
	if (receive(fd, &reply))
		return -EPIPE;
	return reply.error;
}

static inline unsigned long number_of(const char *vocabulary, const char *name)
{
	size_t len = strlen(name);
	const char *line;
	char *word;

	for (line = vocabulary; *line; line = strchrnul(line, '\n') + 1) {
		unsigned long number = strtoul(line, &word, 10);

		if (!strncmp(word + 1, name, len) && word[1 + len] == ' ')
			return number;
		if (!*strchrnul(line, '\n'))
			break;
	}
	printf("not ok there is a command %s\n", name);
	exit(1);
}

/* ---- Commands as people write them ---- */

static inline const char *vocabulary(void)
{
	static char text[sizeof(reply.text)];
	int fd;

	if (!*text) {
		fd = device(0);
		ask(fd, encode(0, 0, 0, NULL));
		memcpy(text, reply.text, sizeof(text));
		close(fd);
	}
	return text;
}

/* Send a command: its name and arguments, with a space between them; what is made of
 * digits is a number.  The reply's errno. */
static inline __attribute__((format(printf, 2, 3)))
long command(int fd, const char *format, ...)
{
	struct ltt_message_arg args[LTT_MESSAGE_ARGS_MAX] = {};
	char text[1024], *rest = text, *name, *word;
	unsigned int nr = 0;
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	name = strsep(&rest, " ");
	while ((word = strsep(&rest, " "))) {
		struct ltt_message_arg *arg = &args[nr++];

		arg->blob = word;
		arg->word = strlen(word);
		arg->kind = strspn(word, "0123456789") < arg->word ? LTT_BLOB : LTT_WORD;
		if (arg->kind == LTT_WORD)
			arg->word = strtoul(word, NULL, 10);
	}
	return ask(fd, encode(number_of(vocabulary(), name), 1, nr, args));
}

#endif /* DEVICE_H */
