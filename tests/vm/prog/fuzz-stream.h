/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A command stream of /dev/ltt, by system calls of 64 or 32 bits, and the replies that it owes.
 * The fuzzer decodes the bytes that the device has accepted, so it knows each reply before it
 * comes.
 */
#ifndef FUZZ_STREAM_H
#define FUZZ_STREAM_H

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz-grammar.h"

#define REPLY_MAX	(2 << 20)
#define WAITING_MAX	65536	/* replies: more do not fit into the queue */
#define KEPT_MAX	4
#define ANSWER_MS	60000	/* a machine that emulates four processes takes its time */

/* ---- System calls, of both kinds ---- */

/* A 32-bit call from a 64-bit program; memory that it is given lies below 4 GiB. */
static long call32(int number, long a, const void *b, long c)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a" (ret)
			 : "a" ((long)number), "b" (a), "c" (b), "d" (c)
			 : "memory", "r8", "r9", "r10", "r11");
	if ((int)ret >= 0)
		return (int)ret;
	errno = -(int)ret;
	return -1;
}

static void *low_memory(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (at == MAP_FAILED)
		err(1, "there is no memory");
	return at;
}

static int open_device(u32 word, int flags)
{
	static char *path;

	if (!path)
		path = strcpy(low_memory(64), "/dev/ltt");
	return word == 4 ? call32(5, (long)path, (void *)(long)flags, 0) : open(path, flags);
}

static ssize_t put(int fd, u32 word, const u8 *from, size_t size)
{
	return word == 4 ? call32(4, fd, from, size) : write(fd, from, size);
}

static ssize_t get(int fd, u32 word, u8 *to, size_t size)
{
	return word == 4 ? call32(3, fd, to, size) : read(fd, to, size);
}

/* ---- A stream, and what it owes us ---- */

struct waiting {
	u64 command;
	u64 cookie;
	int error;	/* the one that has to come, -1 for any, 0 for any or none */
};

struct stream {
	int fd;
	u32 word;
	bool ended;	/* its connection: commands are refused */
	bool broken;
	bool told;	/* the reply that it is broken came before write() failed */
	struct ltt_message_in taken;
	struct waiting *waiting;
	unsigned int first, last;
	u8 *in;
	size_t have;
	int kept[KEPT_MAX];
	unsigned int nr_kept;
};

/* Of all processes; not exact, for they count at once. */
static struct counts {
	unsigned long connections, answered, refused, notified, broke, opened;
} *counts;

static void stream_init(struct stream *stream, int fd, u32 word)
{
	memset(stream, 0, sizeof(*stream));
	stream->fd = fd;
	stream->word = word;
	stream->taken.bytes = malloc(LTT_MESSAGE_MAX);
	stream->taken.word = word;
	stream->taken.max = LTT_MESSAGE_MAX;
	stream->waiting = malloc(WAITING_MAX * sizeof(*stream->waiting));
	stream->in = low_memory(REPLY_MAX);
	if (!stream->taken.bytes || !stream->waiting)
		err(1, "there is no memory");
}

static void stream_exit(struct stream *stream)
{
	free(stream->taken.bytes);
	free(stream->waiting);
	munmap(stream->in, REPLY_MAX);
}

static void expect(struct stream *stream, u64 command, u64 cookie, int error)
{
	if (stream->last - stream->first == WAITING_MAX)
		wrong("%u commands have been taken and not one was answered", WAITING_MAX);
	stream->waiting[stream->last++ % WAITING_MAX] = (struct waiting){ command, cookie, error };
}

/* The error that a whole message has to be answered with. */
static int error_of(const struct ltt_message_in *in, struct ltt_message *message, bool ended)
{
	const struct command *command;
	unsigned int i;

	ltt_message_head(in->bytes, in->word, message);
	if (ended)
		return ESHUTDOWN;
	if (message->command >= nr_commands)
		return ENOSYS;
	command = &commands[message->command];
	message->nr_args = command->nr_args;
	for (i = 0; i < message->nr_args; i++)
		message->arg[i].kind = command->arg[i].is_text ? LTT_BLOB : LTT_WORD;
	if (ltt_message_decode(in->bytes, in->total, in->word, message))
		return EBADMSG;
	for (i = 0; i < message->nr_args; i++)
		if (command->arg[i].is_text && memchr(message->arg[i].blob, 0, message->arg[i].word))
			return EINVAL;
	return 0;
}

/* The device has taken these bytes. */
static void took(struct stream *stream, const u8 *from, size_t size)
{
	struct ltt_message_in *in = &stream->taken;
	struct ltt_message message;
	int error;

	while (size) {
		size_t n = ltt_message_wanted(in) < size ? ltt_message_wanted(in) : size;

		memcpy(in->bytes + in->have, from, n);
		from += n;
		size -= n;
		if (ltt_message_took(in, n))
			wrong("a message of an impossible size was taken");
		if (!ltt_message_whole(in))
			continue;
		error = error_of(in, &message, stream->ended);
		expect(stream, message.command, message.cookie, error);
		ltt_message_next(in);
	}
}

/* It took no more: what comes next has to be of an impossible size. */
static void must_break(struct stream *stream, const u8 *from, size_t size)
{
	struct ltt_message_in *in = &stream->taken;
	size_t n = ltt_message_wanted(in);

	if (in->total || n > size)
		wrong("a stream broke with %u of %u bytes", in->have, in->total);
	memcpy(in->bytes + in->have, from, n);
	if (!ltt_message_took(in, n))
		wrong("the device rejected a message of %u bytes", in->total);
	stream->broken = true;
	counts->broke++;
	if (!stream->told)
		expect(stream, 0, 0, EPROTO);
}

/* ---- What comes back ---- */

static void use(struct stream *stream, int fd);

/* An error is a sentence. */
static void check_sentence(const struct ltt_message *message)
{
	const u8 *text = message->arg[1].blob;
	u64 len = message->arg[1].word;

	if (message->arg[0].word > 4095)
		wrong("command %lu failed with errno %lu", message->command, message->arg[0].word);
	if (len < 10 || !memchr(text, ' ', len) || memchr(text, 0, len))
		wrong("command %lu failed without a sentence: \"%.*s\"", message->command, (int)len, text);
	if (message->arg[2].word)
		wrong("command %lu failed, and gives %lu", message->command, message->arg[2].word);
}

static void check_result(struct stream *stream, const struct ltt_message *message)
{
	const struct command *command = &commands[message->command];
	u64 value = message->arg[2].word;

	if (command->result != TEXT && message->arg[1].word)
		wrong("%s shows \"%.*s\"", command->name, (int)message->arg[1].word,
		      (const char *)message->arg[1].blob);
	if (command->result == DESCRIPTOR)
		use(stream, value);
	else if (value)
		wrong("%s gives %lu", command->name, value);
}

static void check_reply(struct stream *stream, const struct ltt_message *message)
{
	const struct waiting *waiting = &stream->waiting[stream->first % WAITING_MAX];
	u64 error = message->arg[0].word;

	if (stream->first == stream->last && !stream->told && error == EPROTO &&
	    !message->command && !message->cookie) {
		stream->told = true;
		check_sentence(message);
		return;
	}
	if (stream->first == stream->last)
		wrong("a reply to command %lu, which was not sent", message->command);
	if (message->command != waiting->command || message->cookie != waiting->cookie)
		wrong("a reply to command %lu, cookie %lu; it was the turn of %lu, %lu",
		      message->command, message->cookie, waiting->command, waiting->cookie);
	if (waiting->error && error != (u64)waiting->error)
		wrong("command %lu is answered with error %lu, not %d", message->command, error,
		      waiting->error);
	stream->first++;
	counts->answered++;
	if (!error) {
		check_result(stream, message);
		return;
	}
	counts->refused++;
	check_sentence(message);
}

static void check_message(struct stream *stream, u64 total)
{
	struct ltt_message message = { .nr_args = 3,
				       .arg = { { LTT_WORD }, { LTT_BLOB }, { LTT_WORD } } };
	u32 word = stream->word;

	if (ltt_message_decode(stream->in, total, word, &message))
		wrong("what was read is not a reply");
	if (message.command < 0x10000 || stream->waiting[stream->first % WAITING_MAX].command ==
	    message.command) {
		check_reply(stream, &message);
		return;
	}
	counts->notified++;
	if (message.arg[0].word || (message.cookie & 0xff000000) != WATCH_COOKIE)
		wrong("notification %lu has cookie %#lx", message.command, message.cookie);
}

/* Read once.  False at the end. */
static bool take_replies(struct stream *stream, size_t size)
{
	size_t left = REPLY_MAX - stream->have;
	ssize_t n = get(stream->fd, stream->word, stream->in + stream->have, size < left ? size : left);
	s64 total;

	if (n < 0 && errno == EAGAIN)
		return true;
	if (n < 0)
		wrong("read: %s", strerror(errno));
	stream->have += n;
	while (stream->have >= stream->word) {
		total = ltt_message_total(stream->in, stream->word, REPLY_MAX);
		if (total < 0)
			wrong("what was read has no size of a message");
		if ((size_t)total > stream->have)
			break;
		check_message(stream, total);
		stream->have -= total;
		memmove(stream->in, stream->in + total, stream->have);
	}
	return n;
}

static short wait_for(struct stream *stream, short events)
{
	struct pollfd fd = { .fd = stream->fd, .events = events };

	if (poll(&fd, 1, ANSWER_MS) != 1)
		wrong("nothing happens to %#x", events);
	return fd.revents;
}

/* All that is owed. */
static void collect(struct stream *stream)
{
	while (stream->first != stream->last) {
		wait_for(stream, POLLIN);
		if (!take_replies(stream, one_in(20) ? 1 + below(30) : 1 + below(200000)))
			wrong("the stream ends with %u replies owed", stream->last - stream->first);
	}
	if (!stream->broken)
		return;
	/* Notifications are not kept from it. */
	while (take_replies(stream, 10000))
		;
	if (stream->have)
		wrong("a broken stream ends within a message");
}

#endif /* FUZZ_STREAM_H */
