/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Messages on /dev/ltt: commands, replies and notifications, made of words and
 * blobs.
 *
 * Layer: core.  The same source is in ltt-control, in liblttctl and in the tests.
 * After R. McGrath, "ntrace" (utrace-devel, 2 July 2008).
 *
 * A word is an unsigned long of the program that opened the device, in native
 * byte order: 4 bytes or 8.  A message is
 *
 *   word		bytes of the whole message: a multiple of the word
 *   word		command, a number of the vocabulary
 *   word		cookie, the sender's own; replies carry it back
 *   words		the arguments; in a blob's place its length in bytes
 *   bytes		the blobs, in the order of the arguments, nothing between them
 *   padding		zeros up to a whole word
 *
 * So {word 1, blob A, word 2, blob B} is 1, len A, 2, len B, A's bytes, B's bytes,
 * padding.  Who does not know a command can skip it.
 */
#ifndef LTT_CORE_MESSAGE_H
#define LTT_CORE_MESSAGE_H

#include "types.h"

/* Bytes of a command, header and all.  (Replies may be longer: see doc/device.md.) */
#define LTT_MESSAGE_MAX		65536
#define LTT_MESSAGE_HEAD	3	/* words */
#define LTT_MESSAGE_ARGS_MAX	8

/*
 * A command by its name: the only argument is a text with the name and the arguments
 * of the command, one a line.  LTT_MESSAGE_CALL is about the traces that other commands
 * over the same descriptor are about, LTT_MESSAGE_CALL_SHARED about those of debugfs.
 */
#define LTT_MESSAGE_CALL	65535
#define LTT_MESSAGE_CALL_SHARED	65534

enum ltt_message_kind {
	LTT_WORD = 1,
	LTT_BLOB,
};

/**
 * struct ltt_message_arg - one argument
 * @kind: enum ltt_message_kind
 * @word: the value; of a blob, its length
 * @blob: its bytes; decoded, they lie in the message, with no NUL behind them
 */
struct ltt_message_arg {
	u32 kind;
	u64 word;
	const void *blob;
};

/**
 * struct ltt_message - what a message says
 * @command: see above
 * @cookie: see above
 * @nr_args: how many of @arg
 * @arg: the arguments
 */
struct ltt_message {
	u64 command;
	u64 cookie;
	u32 nr_args;
	struct ltt_message_arg arg[LTT_MESSAGE_ARGS_MAX];
};

/**
 * enum ltt_message_error - why bytes are no message (negated, the return value)
 * @LTT_MESSAGE_SIZE: a size that no message has: what follows cannot be found
 * @LTT_MESSAGE_SHORT: fewer words than the command has arguments
 * @LTT_MESSAGE_BLOB: a blob is longer than the message
 * @LTT_MESSAGE_LONG: there are bytes that belong to no argument
 */
enum ltt_message_error {
	LTT_MESSAGE_SIZE = 1,
	LTT_MESSAGE_SHORT,
	LTT_MESSAGE_BLOB,
	LTT_MESSAGE_LONG,
};

/**
 * ltt_message_total() - how long is the message that begins here?
 * @at: its first word
 * @word: bytes of a word, 4 or 8
 * @max: the longest that is accepted
 * Return: its bytes, or -LTT_MESSAGE_SIZE.
 */
s64 ltt_message_total(const void *at, u32 word, u64 max);

/**
 * ltt_message_head() - read command and cookie
 * @at: a whole message
 * @word: bytes of a word
 * @message: told both
 */
void ltt_message_head(const void *at, u32 word, struct ltt_message *message);

/**
 * ltt_message_decode() - read a whole message
 * @at: @total bytes, as ltt_message_total() says
 * @total: see there
 * @word: bytes of a word
 * @message: with @nr_args and the kinds of the arguments set; told the rest
 * Return: 0 or -enum ltt_message_error.
 */
int ltt_message_decode(const void *at, u64 total, u32 word, struct ltt_message *message);

/**
 * ltt_message_size() - how many bytes will it take?
 * @message: what to say
 * @word: bytes of a word
 */
u64 ltt_message_size(const struct ltt_message *message, u32 word);

/**
 * ltt_message_encode() - write a message
 * @to: ltt_message_size() bytes
 * @word: bytes of a word; values are cut to it
 * @message: what to say
 */
void ltt_message_encode(void *to, u32 word, const struct ltt_message *message);

/* ---- Messages that come in any pieces ---- */

/**
 * struct ltt_message_in - the message that is coming
 * @bytes: what is there of it; room for @max bytes
 * @word: bytes of a word
 * @max: the longest that is accepted
 * @have: how many bytes are there
 * @total: how long it is, 0 as long as its first word is not whole
 */
struct ltt_message_in {
	u8 *bytes;
	u32 word;
	u32 max;
	u32 have;
	u32 total;
};

/**
 * ltt_message_wanted() - how many bytes may be put behind those that are there?
 * Return: those up to the end of the first word or, when that is known, of the
 * message; 0 when it is whole.
 */
u32 ltt_message_wanted(const struct ltt_message_in *in);

/**
 * ltt_message_took() - bytes have been put there
 * @bytes: how many, at most what was wanted
 * Return: 0, or -LTT_MESSAGE_SIZE: it is no message, and where the next one begins
 * cannot be known.
 */
int ltt_message_took(struct ltt_message_in *in, u32 bytes);

/**
 * ltt_message_whole() - is all of it there?
 */
static inline bool ltt_message_whole(const struct ltt_message_in *in)
{
	return in->total && in->have == in->total;
}

/**
 * ltt_message_next() - it has been used: the next one begins
 */
static inline void ltt_message_next(struct ltt_message_in *in)
{
	in->have = 0;
	in->total = 0;
}

#endif /* LTT_CORE_MESSAGE_H */
