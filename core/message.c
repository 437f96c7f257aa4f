// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Encoding and decoding of messages of /dev/ltt.
 *
 * Layer: core.
 */
#include "message.h"

#ifdef __KERNEL__
#include "plat-linux.h"
#else
#include "plat-native.h"
#endif

/* A message can start at any address, so words are copied. */
static u64 get_word(const u8 *at, u32 word)
{
	u32 half;
	u64 whole;

	if (word == sizeof(half)) {
		memcpy(&half, at, sizeof(half));
		return half;
	}
	memcpy(&whole, at, sizeof(whole));
	return whole;
}

static u8 *put_word(u8 *to, u32 word, u64 value)
{
	u32 half = value;

	if (word == sizeof(half))
		memcpy(to, &half, sizeof(half));
	else
		memcpy(to, &value, sizeof(value));
	return to + word;
}

static u64 round_up_to(u64 bytes, u32 word)
{
	return (bytes + word - 1) & ~(u64)(word - 1);
}

s64 ltt_message_total(const void *at, u32 word, u64 max)
{
	u64 total = get_word(at, word);

	if (total < LTT_MESSAGE_HEAD * word || total > max || total & (word - 1))
		return -LTT_MESSAGE_SIZE;
	return total;
}

void ltt_message_head(const void *at, u32 word, struct ltt_message *message)
{
	message->command = get_word((const u8 *)at + word, word);
	message->cookie = get_word((const u8 *)at + 2 * word, word);
}

int ltt_message_decode(const void *at, u64 total, u32 word, struct ltt_message *message)
{
	u64 used = (LTT_MESSAGE_HEAD + (u64)message->nr_args) * word;
	const u8 *words = (const u8 *)at + LTT_MESSAGE_HEAD * word;
	u32 i;

	ltt_message_head(at, word, message);
	if (used > total)
		return -LTT_MESSAGE_SHORT;
	for (i = 0; i < message->nr_args; i++) {
		struct ltt_message_arg *arg = &message->arg[i];

		arg->word = get_word(words + i * word, word);
		if (arg->kind != LTT_BLOB)
			continue;
		if (arg->word > total - used)
			return -LTT_MESSAGE_BLOB;
		arg->blob = (const u8 *)at + used;
		used += arg->word;
	}
	return round_up_to(used, word) == total ? 0 : -LTT_MESSAGE_LONG;
}

u64 ltt_message_size(const struct ltt_message *message, u32 word)
{
	u64 size = (LTT_MESSAGE_HEAD + (u64)message->nr_args) * word;
	u32 i;

	for (i = 0; i < message->nr_args; i++)
		if (message->arg[i].kind == LTT_BLOB)
			size += message->arg[i].word;
	return round_up_to(size, word);
}

void ltt_message_encode(void *to, u32 word, const struct ltt_message *message)
{
	u64 total = ltt_message_size(message, word);
	u8 *at = to, *end = at + total;
	u32 i;

	at = put_word(at, word, total);
	at = put_word(at, word, message->command);
	at = put_word(at, word, message->cookie);
	for (i = 0; i < message->nr_args; i++)
		at = put_word(at, word, message->arg[i].word);
	for (i = 0; i < message->nr_args; i++) {
		if (message->arg[i].kind != LTT_BLOB || !message->arg[i].word)
			continue;
		memcpy(at, message->arg[i].blob, message->arg[i].word);
		at += message->arg[i].word;
	}
	memset(at, 0, end - at);
}

u32 ltt_message_wanted(const struct ltt_message_in *in)
{
	return (in->total ? in->total : in->word) - in->have;
}

int ltt_message_took(struct ltt_message_in *in, u32 bytes)
{
	s64 total;

	in->have += bytes;
	if (in->total || in->have < in->word)
		return 0;
	total = ltt_message_total(in->bytes, in->word, in->max);
	if (total < 0)
		return total;
	in->total = total;
	return 0;
}
