// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Invariants of core/message.c for any bytes, for libFuzzer.
 *
 * A case is four bytes that choose (struct choice), then bytes that are used in turn as a
 * message, as arguments to encode, and as a byte stream.  Everything that the codec reads or
 * writes lies in heap blocks of exactly that size, so ASan finds each access beyond them.  This
 * file computes the expected results by other means than the codec.
 */
#include "must.h"

#include "../../core/message.h"

/**
 * struct choice - the first bytes of a case
 * @word: of its bits, the lowest: words of 8 bytes, not 4; the others: the longest
 *	message, in words
 * @nr_args: of the messages
 * @kinds: a bit for each argument: it is a blob
 * @pieces: how streams are cut
 */
struct choice {
	u8 word;
	u8 nr_args;
	u8 kinds;
	u8 pieces;
};

struct scene {
	u32 word;
	u32 max;
	struct ltt_message shape;
	u32 random;
};

static struct scene scene_of(const struct choice *choice)
{
	struct scene scene = {
		.word = choice->word & 1 ? 8 : 4,
		.shape.nr_args = choice->nr_args % (LTT_MESSAGE_ARGS_MAX + 1),
		.random = choice->pieces,
	};
	u32 i;

	scene.max = (choice->word >> 1) * scene.word;
	for (i = 0; i < scene.shape.nr_args; i++)
		scene.shape.arg[i].kind = choice->kinds >> i & 1 ? LTT_BLOB : LTT_WORD;
	return scene;
}

static u8 *block(const u8 *from, size_t size)
{
	u8 *at = malloc(size);

	MUST(at || !size);
	return size ? memcpy(at, from, size) : at;
}

/* The number in a word, byte by byte. */
static u64 number_at(const u8 *at, u32 word)
{
	u64 value = 0;
	u32 i;

	for (i = 0; i < word; i++)
		value |= (u64)at[i] << 8 * i;
	return value;
}

static bool possible(u64 total, u32 word, u64 max)
{
	return total >= 3 * word && total <= max && total % word == 0;
}

/* ---- Any bytes as a message ---- */

/* The expected result of decoding, found by taking bytes off the front. */
static int judge(const u8 *bytes, u64 size, u32 word, const struct ltt_message *shape)
{
	u64 left = size / word;
	u32 i;

	if (left < 3 + shape->nr_args)
		return -LTT_MESSAGE_SHORT;
	left = size - (3 + shape->nr_args) * word;
	for (i = 0; i < shape->nr_args; i++) {
		u64 len = number_at(bytes + (3 + i) * word, word);

		if (shape->arg[i].kind != LTT_BLOB)
			continue;
		if (len > left)
			return -LTT_MESSAGE_BLOB;
		left -= len;
	}
	return left < word ? 0 : -LTT_MESSAGE_LONG;
}

/* The arguments are those of the message, and lie in it one behind the other. */
static const u8 *check_args(const u8 *bytes, u32 word, const struct ltt_message *message)
{
	const u8 *at = bytes + (3 + message->nr_args) * word;
	u32 i;

	for (i = 0; i < message->nr_args; i++) {
		MUST(message->arg[i].word == number_at(bytes + (3 + i) * word, word));
		if (message->arg[i].kind != LTT_BLOB)
			continue;
		MUST(message->arg[i].blob == at);
		at += message->arg[i].word;
	}
	return at;
}

/* The decoded message encodes to the same bytes, but for size and padding. */
static void check_again(const u8 *bytes, u64 size, const u8 *end, u32 word,
			const struct ltt_message *message)
{
	u8 *again = malloc(size);
	u64 i;

	MUST(again && ltt_message_size(message, word) == size);
	ltt_message_encode(again, word, message);
	MUST(number_at(again, word) == size);
	MUST(!memcmp(again + word, bytes + word, end - bytes - word));
	for (i = end - bytes; i < size; i++)
		MUST(!again[i]);
	free(again);
}

static void any_bytes(const struct scene *scene, const u8 *data, size_t size)
{
	struct ltt_message message = scene->shape;
	u32 word = scene->word;
	const u8 *end;
	u8 *bytes;
	int err;

	size -= size % word;
	if (size < 3 * word)
		return;
	bytes = block(data, size);
	err = ltt_message_decode(bytes, size, word, &message);
	MUST(err == judge(bytes, size, word, &scene->shape));
	/* Also of what cannot be decoded the sender is known. */
	MUST(message.command == number_at(bytes + word, word));
	MUST(message.cookie == number_at(bytes + 2 * word, word));
	if (!err) {
		end = check_args(bytes, word, &message);
		MUST(end <= bytes + size);
		check_again(bytes, size, end, word, &message);
	}
	free(bytes);
}

static void any_total(const struct scene *scene, const u8 *data, size_t size)
{
	u8 *bytes;
	u64 total;

	if (size < scene->word)
		return;
	bytes = block(data, scene->word);
	total = number_at(bytes, scene->word);
	MUST(ltt_message_total(bytes, scene->word, scene->max) ==
	     (possible(total, scene->word, scene->max) ? (s64)total : -LTT_MESSAGE_SIZE));
	free(bytes);
}

/* ---- Anything said in messages ---- */

/* Take a number off the front; a short one where there is little left. */
static u64 take_number(const u8 **data, size_t *size, u32 most)
{
	u32 n = *size < most ? *size : most;
	u64 value = number_at(*data, n);

	*data += n;
	*size -= n;
	return value;
}

static struct ltt_message take_message(const struct scene *scene, const u8 **data, size_t *size)
{
	struct ltt_message message = scene->shape;
	u32 i;

	message.command = take_number(data, size, scene->word);
	message.cookie = take_number(data, size, scene->word);
	for (i = 0; i < message.nr_args; i++) {
		struct ltt_message_arg *arg = &message.arg[i];

		if (arg->kind == LTT_WORD) {
			arg->word = take_number(data, size, scene->word);
			continue;
		}
		arg->word = take_number(data, size, 1);
		if (arg->word > *size)
			arg->word = *size;
		arg->blob = *data;
		*data += arg->word;
		*size -= arg->word;
	}
	return message;
}

static void check_same(const struct ltt_message *in, const u8 *bytes, u64 size, u32 word)
{
	struct ltt_message out = { .nr_args = in->nr_args };
	u32 i;

	for (i = 0; i < in->nr_args; i++)
		out.arg[i].kind = in->arg[i].kind;
	MUST(ltt_message_total(bytes, word, LTT_MESSAGE_MAX) == (s64)size);
	MUST(!ltt_message_decode(bytes, size, word, &out));
	MUST(out.command == in->command && out.cookie == in->cookie);
	for (i = 0; i < in->nr_args; i++) {
		MUST(out.arg[i].word == in->arg[i].word);
		MUST(in->arg[i].kind != LTT_BLOB || !in->arg[i].word ||
		     !memcmp(out.arg[i].blob, in->arg[i].blob, in->arg[i].word));
	}
}

/* ---- Streams ---- */

static u32 random_below(struct scene *scene, u32 limit)
{
	scene->random = scene->random * 1664525 + 1013904223;
	return (scene->random >> 16) % limit;
}

/* Where the message at the front ends; 0: not all of it is there; -1: it is none. */
static s64 front(const struct scene *scene, const u8 *data, size_t size)
{
	u64 total;

	if (size < scene->word)
		return 0;
	total = number_at(data, scene->word);
	if (!possible(total, scene->word, scene->max))
		return -1;
	return total <= size ? (s64)total : 0;
}

/*
 * Cut a stream anywhere and put it together as the device does: the messages have to
 * be those that are found by going from size to size.
 */
static void any_pieces(struct scene *scene, const u8 *data, size_t size)
{
	/* Room for the longest message; for the word that tells that there is none. */
	u8 *room = malloc(scene->max > scene->word ? scene->max : scene->word);
	struct ltt_message_in in = { .bytes = room, .word = scene->word, .max = scene->max };
	u32 longest = 1 + random_below(scene, 32);
	size_t at = 0, n, piece = 0;

	MUST(room);
	while (at < size) {
		u32 wanted = ltt_message_wanted(&in);

		MUST(wanted > 0);
		if (!piece)
			piece = 1 + random_below(scene, longest);
		n = piece < wanted ? piece : wanted;
		n = n < size - at ? n : size - at;
		memcpy(in.bytes + in.have, data + at, n);
		at += n;
		piece -= n;
		if (ltt_message_took(&in, n)) {
			at -= in.have;
			MUST(front(scene, data + at, size - at) < 0);
			goto out;
		}
		if (!ltt_message_whole(&in))
			continue;
		MUST(front(scene, data + at - in.total, size - at + in.total) == in.total);
		MUST(!memcmp(in.bytes, data + at - in.total, in.total));
		ltt_message_next(&in);
	}
	MUST(front(scene, data + at - in.have, in.have) == 0);
out:
	free(room);
}

/* Each message alone, and then all as a stream. */
static void anything_said(struct scene *scene, const u8 *data, size_t size)
{
	u8 *stream = NULL, *bytes;
	size_t length = 0;

	while (size) {
		struct ltt_message message = take_message(scene, &data, &size);
		u64 total = ltt_message_size(&message, scene->word);

		bytes = malloc(total);
		MUST(bytes);
		ltt_message_encode(bytes, scene->word, &message);
		check_same(&message, bytes, total, scene->word);
		stream = realloc(stream, length + total);
		MUST(stream);
		memcpy(stream + length, bytes, total);
		length += total;
		free(bytes);
	}
	if (length)
		any_pieces(scene, stream, length);
	free(stream);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct choice choice;
	struct scene scene;

	if (size < sizeof(choice))
		return 0;
	memcpy(&choice, data, sizeof(choice));
	data += sizeof(choice);
	size -= sizeof(choice);
	scene = scene_of(&choice);
	any_total(&scene, data, size);
	any_bytes(&scene, data, size);
	anything_said(&scene, data, size);
	any_pieces(&scene, data, size);
	return 0;
}
