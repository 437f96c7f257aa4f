// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Tests of core/message.c.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/message.h"

static const u32 words[] = { 4, 8 };

/* A heap block of exactly this size, for ASan to see every byte beyond. */
static u8 *block(const void *bytes, size_t size)
{
	u8 *at = malloc(size);

	return size ? memcpy(at, bytes, size) : at;
}

/* The example of message.h, byte by byte. */
static void example(void)
{
	static const u64 want[] = { 8 * 8, 5, 77, 1, 3, 2, 4 };
	struct ltt_message message = {
		.command = 5, .cookie = 77, .nr_args = 4,
		.arg = { { LTT_WORD, 1 }, { LTT_BLOB, 3, "abc" }, { LTT_WORD, 2 },
			 { LTT_BLOB, 4, "defg" } },
	};
	u8 bytes[64];

	CU_ASSERT_EQUAL(ltt_message_size(&message, 8), 64);
	ltt_message_encode(bytes, 8, &message);
	CU_ASSERT(!memcmp(bytes, want, sizeof(want)));
	CU_ASSERT(!memcmp(bytes + sizeof(want), "abcdefg\0", 8));

	CU_ASSERT_EQUAL(ltt_message_size(&message, 4), 36);
	ltt_message_encode(bytes, 4, &message);
	CU_ASSERT(!memcmp(bytes, (const u32[]){ 36, 5, 77, 1, 3, 2, 4 }, 28));
	CU_ASSERT(!memcmp(bytes + 28, "abcdefg\0", 8));
}

static void fill(struct ltt_message *message, u32 seed)
{
	static const char text[] = "the quick brown fox";
	u32 i;

	srandom(seed);
	message->command = random() % 1000;
	message->cookie = random();
	message->nr_args = random() % (LTT_MESSAGE_ARGS_MAX + 1);
	for (i = 0; i < message->nr_args; i++) {
		struct ltt_message_arg *arg = &message->arg[i];

		arg->kind = random() & 1 ? LTT_BLOB : LTT_WORD;
		arg->word = arg->kind == LTT_BLOB ? (u64)random() % sizeof(text) : (u64)random();
		arg->blob = text;
	}
}

static void decoding_inverts_encoding(void)
{
	u32 seed, i, w, bad = 0;

	for (seed = 0; seed < 2000; seed++) {
		struct ltt_message in, out;
		u64 size;
		u8 *bytes;

		w = words[seed & 1];
		fill(&in, seed);
		out = in;
		size = ltt_message_size(&in, w);
		bytes = malloc(size);
		ltt_message_encode(bytes, w, &in);
		bad += ltt_message_total(bytes, w, LTT_MESSAGE_MAX) != (s64)size;
		bad += ltt_message_decode(bytes, size, w, &out);
		bad += in.command != out.command || in.cookie != out.cookie;
		for (i = 0; i < in.nr_args; i++) {
			bad += in.arg[i].word != out.arg[i].word;
			bad += in.arg[i].kind == LTT_BLOB &&
			       memcmp(in.arg[i].blob, out.arg[i].blob, in.arg[i].word);
		}
		free(bytes);
	}
	CU_ASSERT_EQUAL(bad, 0);
}

static void totals(void)
{
	static const struct {
		u64 total;
		u32 word;
		s64 want;
	} table[] = {
		/* 0 */ { 24, 8, 24 },
		/* 1 */ { 12, 4, 12 },
		/* 2: no room for the head */ { 16, 8, -LTT_MESSAGE_SIZE },
		/* 3 */ { 0, 8, -LTT_MESSAGE_SIZE },
		/* 4: no whole word */ { 26, 8, -LTT_MESSAGE_SIZE },
		/* 5 */ { 14, 4, -LTT_MESSAGE_SIZE },
		/* 6 */ { 65536, 8, 65536 },
		/* 7 */ { 65544, 8, -LTT_MESSAGE_SIZE },
		/* 8 */ { ~0ULL & ~7ULL, 8, -LTT_MESSAGE_SIZE },
		/* 9 */ { 0xfffffffc, 4, -LTT_MESSAGE_SIZE },
	};
	u32 i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		u8 *bytes = block(&table[i].total, table[i].word);

		if (ltt_message_total(bytes, table[i].word, LTT_MESSAGE_MAX) != table[i].want)
			printf("# row %u\n", i);
		CU_ASSERT_EQUAL(ltt_message_total(bytes, table[i].word, LTT_MESSAGE_MAX),
				table[i].want);
		free(bytes);
	}
}

/* Each: { a blob, a word }, in words of 8 bytes. */
static void refusals(void)
{
	static const struct {
		u64 word[6];
		u32 total;
		int want;
	} table[] = {
		/* 0 */ { { 48, 1, 2, 8, 9, 0 }, 48, 0 },
		/* 1: with padding */ { { 48, 1, 2, 1, 9, 0 }, 48, 0 },
		/* 2: no blob */ { { 40, 1, 2, 0, 9 }, 40, 0 },
		/* 3: no word for the second */ { { 32, 1, 2, 0 }, 32, -LTT_MESSAGE_SHORT },
		/* 4: none at all */ { { 24, 1, 2 }, 24, -LTT_MESSAGE_SHORT },
		/* 5 */ { { 48, 1, 2, 9, 9, 0 }, 48, -LTT_MESSAGE_BLOB },
		/* 6 */ { { 40, 1, 2, 1, 9 }, 40, -LTT_MESSAGE_BLOB },
		/* 7 */ { { 48, 1, 2, ~0ULL, 9, 0 }, 48, -LTT_MESSAGE_BLOB },
		/* 8 */ { { 48, 1, 2, 0, 9, 0 }, 48, -LTT_MESSAGE_LONG },
	};
	u32 i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct ltt_message message = { .nr_args = 2,
					       .arg = { { LTT_BLOB }, { LTT_WORD } } };
		u8 *bytes = block(table[i].word, table[i].total);
		int got = ltt_message_decode(bytes, table[i].total, 8, &message);

		if (got != table[i].want)
			printf("# row %u: %d\n", i, got);
		CU_ASSERT_EQUAL(got, table[i].want);
		/* Also of what cannot be decoded the sender is known. */
		CU_ASSERT(message.command == 1 && message.cookie == 2);
		free(bytes);
	}
}

/* Two messages in pieces of any size, then a size that none has. */
static void pieces(void)
{
	static const u32 stream[] = { 12, 1, 2, 16, 3, 4, 5, 10 };
	u32 piece;

	for (piece = 1; piece <= sizeof(stream); piece++) {
		struct ltt_message_in in = { .bytes = malloc(16), .word = 4, .max = 16 };
		u32 at = 0, left = piece, whole = 0, n;
		int err = 0;

		while (!err && at < sizeof(stream)) {
			n = ltt_message_wanted(&in) < left ? ltt_message_wanted(&in) : left;
			n = n < sizeof(stream) - at ? n : sizeof(stream) - at;
			memcpy(in.bytes + in.have, (const u8 *)stream + at, n);
			err = ltt_message_took(&in, n);
			at += n;
			left = left > n ? left - n : piece;
			if (!ltt_message_whole(&in))
				continue;
			CU_ASSERT(!memcmp(in.bytes, whole++ ? stream + 3 : stream, in.total));
			ltt_message_next(&in);
		}
		CU_ASSERT_EQUAL(whole, 2);
		CU_ASSERT_EQUAL(err, -LTT_MESSAGE_SIZE);
		free(in.bytes);
	}
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(example),
		UNIT_TEST(decoding_inverts_encoding),
		UNIT_TEST(totals),
		UNIT_TEST(refusals),
		UNIT_TEST(pieces),
		{ NULL, NULL },
	};

	return unit_main(argv[0], tests);
}
