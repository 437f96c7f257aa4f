// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Texts and globs, and how they match.  emit-glob.c has the same states in eBPF.
 */
#include "pattern.h"

#include <string.h>

void pattern_set_text(struct pattern *pattern, const char *text, size_t len)
{
	memset(pattern, 0, sizeof(*pattern));
	memcpy(pattern->prefix, text, len);
	pattern->prefix_len = len;
}

static void add_character(uint8_t set[32], unsigned int c)
{
	set[c >> 3] |= 1 << (c & 7);
}

/* Take "[...]" off a glob into a set.  Return: false if it has no end or a range is reversed. */
static bool take_brackets(const char **at, const char *end, uint8_t set[32])
{
	const unsigned char *from = (const unsigned char *)*at + 1, *first;
	const unsigned char *const last = (const unsigned char *)end;
	bool inverts = from < last && (*from == '!' || *from == '^');
	unsigned int c, i;

	from += inverts;
	/* A "]" in the first place is a member. */
	for (first = from; from < last && (*from != ']' || from == first); from++) {
		c = *from;
		if (last - from > 2 && from[1] == '-' && from[2] != ']')
			from += 2;
		if (c > *from)
			return false;
		for (; c <= *from; c++)
			add_character(set, c);
	}
	for (i = 0; inverts && i < 32; i++)
		set[i] = ~set[i];
	*at = (const char *)from + 1;
	return from < last;
}

/* Take an element off a glob.  Return: as take_brackets(). */
static bool take_element(const char **at, const char *end, uint8_t set[32])
{
	if (**at == '[')
		return take_brackets(at, end, set);
	if (**at == '?')
		memset(set, 0xff, 32);
	else
		add_character(set, (unsigned char)**at);
	(*at)++;
	return true;
}

const char *pattern_set_glob(struct pattern *pattern, const char *glob, size_t len)
{
	const char *end = glob + len, *at = glob;

	memset(pattern, 0, sizeof(*pattern));
	while (at < end && !strchr("*?[", *at))
		pattern->prefix[pattern->prefix_len++] = *at++;
	while (at < end) {
		if (*at == '*') {
			pattern->stars |= UINT64_C(1) << pattern->nr;
			at++;
			continue;
		}
		if (pattern->nr == PATTERN_ELEMENTS_MAX)
			return "the glob is too long: behind its first * ? or [ it can have 63 characters, stars not counted";
		if (!take_element(&at, end, pattern->element[pattern->nr++]))
			return "malformed glob: [ needs its ], and ranges as in [a-z]; [[] stands for [ itself";
	}
	return NULL;
}

bool pattern_matches(const struct pattern *pattern, const char *text, size_t len)
{
	uint64_t states = 1, next;
	unsigned int i;

	if (len < pattern->prefix_len || memcmp(text, pattern->prefix, pattern->prefix_len))
		return false;
	text += pattern->prefix_len;
	len -= pattern->prefix_len;
	for (; len && states; text++, len--) {
		next = states & pattern->stars;
		for (i = 0; i < pattern->nr; i++)
			if (states >> i & 1 && pattern_has(pattern, i, (unsigned char)*text))
				next |= UINT64_C(2) << i;
		states = next;
	}
	return states >> pattern->nr & 1;
}
