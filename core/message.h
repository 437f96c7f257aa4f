/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Encoding and decoding of the messages of /dev/ltt.  include/uapi/ltt/message.h has
 * the format.
 *
 * Layer: core.  ltt-control, liblttctl and the tests compile the same source.
 * Context: any; no function sleeps, allocates or takes a lock.
 */
#ifndef LTT_CORE_MESSAGE_H
#define LTT_CORE_MESSAGE_H

#include "../include/uapi/ltt/message.h"
#include "types.h"

#define LTT_MESSAGE_ARGS_MAX	8

/**
 * enum ltt_message_kind - the type of an argument
 * @LTT_WORD: a number of 64 bits
 * @LTT_BLOB: a sequence of bytes
 */
enum ltt_message_kind {
	LTT_WORD = 1,
	LTT_BLOB,
};

/**
 * struct ltt_message_arg - an argument of a message
 * @kind: enum ltt_message_kind
 * @word: the value of a word, or the length of a blob in bytes
 * @blob: the bytes of a blob.  After decoding they are in the message, without a NUL
 *	behind them
 */
struct ltt_message_arg {
	u32 kind;
	u64 word;
	const void *blob;
};

/**
 * struct ltt_message - a decoded message
 * @command: number of the command
 * @cookie: number that the sender chose
 * @nr_args: number of arguments, at most LTT_MESSAGE_ARGS_MAX
 * @arg: the arguments
 */
struct ltt_message {
	u64 command;
	u64 cookie;
	u32 nr_args;
	struct ltt_message_arg arg[LTT_MESSAGE_ARGS_MAX];
};

/**
 * enum ltt_message_error - why bytes are not a message
 * @LTT_MESSAGE_SIZE: the size is impossible, so the start of the next message is unknown
 * @LTT_MESSAGE_SHORT: the message has fewer words than the command has arguments
 * @LTT_MESSAGE_BLOB: a blob is longer than the message
 * @LTT_MESSAGE_LONG: the message has bytes that belong to no argument
 *
 * Functions return these values negated.
 */
enum ltt_message_error {
	LTT_MESSAGE_SIZE = 1,
	LTT_MESSAGE_SHORT,
	LTT_MESSAGE_BLOB,
	LTT_MESSAGE_LONG,
};

/**
 * ltt_message_total() - read the size of a message
 * @at: the first word of the message
 * @word: bytes of a word, 4 or 8
 * @max: the longest message that is accepted, in bytes
 *
 * Return: bytes of the message; -LTT_MESSAGE_SIZE.
 * Context: any.
 */
s64 ltt_message_total(const void *at, u32 word, u64 max);

/**
 * ltt_message_head() - read the command and the cookie of a message
 * @at: the whole message
 * @word: bytes of a word, 4 or 8
 * @message: @message->command and @message->cookie are set
 *
 * Context: any.
 */
void ltt_message_head(const void *at, u32 word, struct ltt_message *message);

/**
 * ltt_message_decode() - decode a message
 * @at: the whole message; decoded blobs point into it
 * @total: bytes of the message, from ltt_message_total()
 * @word: bytes of a word, 4 or 8
 * @message: the caller sets @message->nr_args and the kinds of the arguments; the rest
 *	is set here
 *
 * Return: 0; -LTT_MESSAGE_SHORT, -LTT_MESSAGE_BLOB or -LTT_MESSAGE_LONG.
 * Context: any.
 */
int ltt_message_decode(const void *at, u64 total, u32 word, struct ltt_message *message);

/**
 * ltt_message_size() - return the size of an encoded message
 * @message: the message
 * @word: bytes of a word, 4 or 8
 *
 * Return: bytes, a multiple of @word.
 * Context: any.
 */
u64 ltt_message_size(const struct ltt_message *message, u32 word);

/**
 * ltt_message_encode() - encode a message
 * @to: room for ltt_message_size() bytes
 * @word: bytes of a word, 4 or 8; larger values are truncated to it
 * @message: the message
 *
 * Context: any.
 */
void ltt_message_encode(void *to, u32 word, const struct ltt_message *message);

/* ---- Messages that arrive in pieces ---- */

/**
 * struct ltt_message_in - a message that is being received
 * @bytes: the bytes that have arrived; room for @max bytes
 * @word: bytes of a word, 4 or 8
 * @max: the longest message that is accepted, in bytes
 * @have: number of bytes that have arrived
 * @total: bytes of the message; 0 until its first word has arrived
 */
struct ltt_message_in {
	u8 *bytes;
	u32 word;
	u32 max;
	u32 have;
	u32 total;
};

/**
 * ltt_message_wanted() - return how many bytes can be appended
 * @in: the message
 *
 * Return: bytes that are missing of the message or, while its size is unknown, of its
 * first word; 0 if the message is complete.
 * Context: any.
 */
u32 ltt_message_wanted(const struct ltt_message_in *in);

/**
 * ltt_message_took() - account for bytes that were appended
 * @in: the message; the caller has put the bytes at @in->bytes + @in->have
 * @bytes: number of bytes, at most ltt_message_wanted()
 *
 * Return: 0; -LTT_MESSAGE_SIZE.
 * Context: any.
 */
int ltt_message_took(struct ltt_message_in *in, u32 bytes);

/**
 * ltt_message_whole() - check whether a message is complete
 * @in: the message
 *
 * Return: true if all of its bytes have arrived.
 * Context: any.
 */
static inline bool ltt_message_whole(const struct ltt_message_in *in)
{
	return in->total && in->have == in->total;
}

/**
 * ltt_message_next() - begin to receive the next message
 * @in: the message
 *
 * Context: any.
 */
static inline void ltt_message_next(struct ltt_message_in *in)
{
	in->have = 0;
	in->total = 0;
}

#endif /* LTT_CORE_MESSAGE_H */
