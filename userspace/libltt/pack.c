// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The payload of an event with text or arrays.
 *
 * Other threads may change what the arguments point to.  So the texts are measured once; a
 * text ends where its copy has a NUL.
 */
#include "pack.h"

#include <string.h>

#include "core/mark-pack.h"

static const void *pointer(uint64_t word)
{
	return (const void *)(uintptr_t)word;
}

static const char *text_of(uint64_t word)
{
	return word ? pointer(word) : "(null)";
}

static bool is_text(const struct ltt_mark_step *step)
{
	return step->how == LTT_MARK_TEXT || step->how == LTT_MARK_TEXT_OF_LENGTH;
}

/* Return: the bytes of the text in the payload, at most @most. */
static long measure_text(struct ltt_packing *packing, const struct ltt_mark_step *step,
			 const uint64_t *words, unsigned int i, long most)
{
	const char *text = text_of(words[i]);
	uint64_t limit = words[i] ? ltt_mark_limit(step, words, i) : ~0ULL;
	size_t len = strnlen(text, limit < (uint64_t)most ? limit : (uint64_t)most);

	packing->keep[i] = len;
	if (len < (size_t)most)
		return len + 1;
	packing->cut |= 1 << i;
	packing->keep[i] = ltt_mark_whole_characters(text, most - LTT_MARK_TEXT_LEAST);
	return packing->keep[i] + LTT_MARK_TEXT_LEAST;
}

size_t ltt_pack_measure(struct ltt_packing *packing, const struct ltt_mark_step *step,
			const uint64_t *words, unsigned int nr)
{
	long room = ltt_mark_room(step, words, nr);
	unsigned int i;

	packing->cut = 0;
	if (room < 0)
		return LTT_PACK_TOO_LARGE;
	for (i = 0; i < nr; i++)
		if (is_text(&step[i]))
			room -= measure_text(packing, step, words, i, ltt_mark_text_most(room)) -
				LTT_MARK_TEXT_LEAST;
	return LTT_MARK_PAYLOAD_MAX - room;
}

static char *put_text(char *to, const char *text, size_t keep, bool is_cut)
{
	char *end = mempcpy(to, text, keep);

	if (is_cut)
		end = mempcpy(end, LTT_MARK_CUT, LTT_MARK_CUT_SIZE);
	*end = '\0';
	return to + strlen(to) + 1;
}

static char *put_array(char *to, const struct ltt_mark_step *step, const uint64_t *words, unsigned int i)
{
	size_t nr = ltt_mark_elements(step, words, i);
	uint16_t length = nr;

	if (step[i].how == LTT_MARK_SEQUENCE)
		to = mempcpy(to, &length, sizeof(length));
	if (words[i])
		return mempcpy(to, pointer(words[i]), nr * step[i].size);
	memset(to, 0, nr * step[i].size);
	return to + nr * step[i].size;
}

size_t ltt_pack(char *to, const struct ltt_packing *packing, const struct ltt_mark_step *step,
		const uint64_t *words, unsigned int nr)
{
	char *at = to;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (step[i].how == LTT_MARK_VALUE)
			at = mempcpy(at, &words[i], step[i].size);
		else if (is_text(&step[i]))
			at = put_text(at, text_of(words[i]), packing->keep[i], packing->cut >> i & 1);
		else if (step[i].how != LTT_MARK_LENGTH)
			at = put_array(at, step, words, i);
	}
	return at - to;
}
