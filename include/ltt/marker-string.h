/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copying a string into an event, a word at a time.
 *
 * Layer: markers; compiled into drivers, and into the probes of ltt-tracepoints.
 */
#ifndef LTT_MARKER_STRING_H
#define LTT_MARKER_STRING_H

#include <linux/compiler.h>
#include <linux/types.h>

#ifdef CONFIG_DCACHE_WORD_ACCESS
#include <asm/word-at-a-time.h>

/**
 * ltt_copy_words() - copy a string while there is room for whole words
 * @to: where to; moved behind what was copied
 * @from: NUL-terminated; moved likewise
 * @last: where the copy has to have its NUL at the latest
 *
 * Most strings are a few words long, and this is what an event with a string
 * costs.  A word may reach beyond the string into a page that is not there; it is
 * read as zeros then.  Each byte is read once, so that the copy of a string that
 * changes meanwhile is still terminated.
 *
 * Context: any.
 * Return: true if the NUL was found and copied, false if the rest is to be copied
 * by bytes.
 */
static __always_inline bool ltt_copy_words(char **to, const char **from, const char *last)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, bits;

	while (last - *to >= (long)sizeof(word)) {
		word = load_unaligned_zeropad(*from);
		if (has_zero(word, &bits, &constants)) {
			bits = create_zero_mask(prep_zero_mask(word, bits, &constants));
			word &= zero_bytemask(bits);
			__builtin_memcpy(*to, &word, sizeof(word));
			*to += find_zero(bits) + 1;
			return true;
		}
		__builtin_memcpy(*to, &word, sizeof(word));
		*to += sizeof(word);
		*from += sizeof(word);
	}
	return false;
}
#else
static __always_inline bool ltt_copy_words(char **to, const char **from, const char *last)
{
	return false;
}
#endif

/**
 * ltt_copy_text_if() - copy a string if there is room for it
 * @to: where to
 * @from: NUL-terminated
 * @last: where the copy has to have its NUL at the latest
 *
 * Context: any.
 * Return: the end of the copy, which is terminated; NULL if the string is longer: then
 *	there is a copy of what fits, up to @last, without a NUL.
 */
static __always_inline char *ltt_copy_text_if(char *to, const char *from, const char *last)
{
	if (likely(ltt_copy_words(&to, &from, last)))
		return to;
	for (; to <= last; to++)
		if (!(*to = READ_ONCE(*from++)))
			return to + 1;
	return NULL;
}

/**
 * ltt_copy_text() - copy a string, or as much of it as there is room for
 * @to: where to
 * @from: NUL-terminated
 * @last: where the copy has to have its NUL at the latest
 *
 * Context: any.
 * Return: the end of the copy, which is terminated.
 */
static __always_inline char *ltt_copy_text(char *to, const char *from, const char *last)
{
	char c;

	if (likely(ltt_copy_words(&to, &from, last)))
		return to;
	while (to < last && (c = READ_ONCE(*from++)))
		*to++ = c;
	*to++ = '\0';
	return to;
}

#endif /* LTT_MARKER_STRING_H */
