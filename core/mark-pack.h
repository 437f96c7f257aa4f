/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * How much room the arguments of an event need in the payload.
 *
 * Layer: core.  libltt and ltt-markers copy text and arrays each in its own way; both ask
 * here how much to copy.  An argument is a word of 64 bits, a signed one sign-extended.
 *
 * A payload that is too large even with its texts empty is not recorded but counted as lost.
 * An array is never cut: its reader could not notice that elements are missing.
 */
#ifndef LTT_CORE_MARK_PACK_H
#define LTT_CORE_MARK_PACK_H

#include "../include/ltt/marker-types.h"
#include "types.h"

/* Each text keeps room for a mark and a NUL, whatever comes before it. */
#define LTT_MARK_TEXT_LEAST	(LTT_MARK_CUT_SIZE + 1)

/* Is it the word of a length that is below 0? */
static inline bool ltt_mark_is_negative(const struct ltt_mark_step *step, u64 word)
{
	return step->is_signed && word >> 63;
}

/**
 * ltt_mark_elements() - get the number of integers of an array
 * @step: the steps of the event
 * @words: its arguments
 * @i: one with LTT_MARK_ARRAY or LTT_MARK_SEQUENCE
 *
 * Context: any.
 * Return: the number; 0 if the length is negative, or the pointer NULL.
 */
static inline u64 ltt_mark_elements(const struct ltt_mark_step *step, const u64 *words, unsigned int i)
{
	if (step[i].how == LTT_MARK_ARRAY)
		return step[i].count;
	return !words[i] || ltt_mark_is_negative(&step[i - 1], words[i - 1]) ? 0 : words[i - 1];
}

/**
 * ltt_mark_limit() - get the length to which the program limits a text
 * @step: the steps of the event
 * @words: its arguments
 * @i: one with LTT_MARK_TEXT or LTT_MARK_TEXT_OF_LENGTH
 *
 * Context: any.
 * Return: bytes; ~0 for no limit, as of a negative length.
 */
static inline u64 ltt_mark_limit(const struct ltt_mark_step *step, const u64 *words, unsigned int i)
{
	if (step[i].how == LTT_MARK_TEXT)
		return step[i].count ? step[i].count : ~0ULL;
	return ltt_mark_is_negative(&step[i - 1], words[i - 1]) ? ~0ULL : words[i - 1];
}

/**
 * ltt_mark_room() - compute the room that is left for texts
 * @step: the steps of the event
 * @words: its arguments
 * @nr: how many
 *
 * Context: any.
 * Return: bytes, beside the LTT_MARK_TEXT_LEAST that each text has; negative if the payload
 *	would be larger than LTT_MARK_PAYLOAD_MAX.
 */
static inline long ltt_mark_room(const struct ltt_mark_step *step, const u64 *words, unsigned int nr)
{
	long room = LTT_MARK_PAYLOAD_MAX;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		switch (step[i].how) {
		case LTT_MARK_VALUE:
			room -= step[i].size;
			break;
		case LTT_MARK_TEXT:
		case LTT_MARK_TEXT_OF_LENGTH:
			room -= LTT_MARK_TEXT_LEAST;
			break;
		case LTT_MARK_ARRAY:
		case LTT_MARK_SEQUENCE:
			if (ltt_mark_elements(step, words, i) > LTT_MARK_ARRAY_MAX / step[i].size)
				return -1;
			room -= ltt_mark_elements(step, words, i) * step[i].size +
				(step[i].how == LTT_MARK_SEQUENCE ? sizeof(u16) : 0);
			break;
		}
	}
	return room;
}

/**
 * ltt_mark_text_most() - get the room of a text
 * @room: from ltt_mark_room(), less what texts before this one use beside their
 *	LTT_MARK_TEXT_LEAST
 *
 * Context: any.
 * Return: the most bytes that the text can have, with its NUL.
 */
static inline long ltt_mark_text_most(long room)
{
	long most = room + LTT_MARK_TEXT_LEAST;

	return most < LTT_MARK_STRING_MAX ? most : LTT_MARK_STRING_MAX;
}

/**
 * ltt_mark_whole_characters() - find where a text can be cut
 * @text: the text; the byte at @len is part of it
 * @len: to be cut to so many bytes
 *
 * Context: any.
 * Return: @len, or up to 3 less, so that no character of UTF-8 is cut.
 */
static inline size_t ltt_mark_whole_characters(const char *text, size_t len)
{
	size_t back;

	for (back = 0; back < 3 && back < len && (text[len - back] & 0xc0) == 0x80; back++)
		;
	return len - back;
}

#endif /* LTT_CORE_MARK_PACK_H */
