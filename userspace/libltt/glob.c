// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Globs, matched without memory and without recursion: after a mismatch the last star takes one character
 * more.  fnmatch() of the C library depends on the locale, and may not be called by a signal handler.
 */
#include "glob.h"

/* Find the end of the set whose "[" is at @glob.  A "]" in the first place is a member.  Return: the place
 * behind its "]"; NULL if it has none. */
static const char *end_of_set(const char *glob, const char *end)
{
	glob++;
	if (glob < end && (*glob == '!' || *glob == '^'))
		glob++;
	if (glob < end)
		glob++;
	while (glob < end && *glob != ']')
		glob++;
	return glob < end ? glob + 1 : NULL;
}

bool ltt_glob_is_valid(const char *glob, size_t len)
{
	const char *end = glob + len;

	while (glob && glob < end)
		glob = *glob == '[' ? end_of_set(glob, end) : glob + 1;
	return glob;
}

/* @glob: behind the "["; @end: its "]". */
static bool set_has(const char *glob, const char *end, unsigned char c)
{
	bool inverts = *glob == '!' || *glob == '^', found = false;
	unsigned char from;

	for (glob += inverts; glob < end; glob++) {
		from = *glob;
		if (end - glob > 2 && glob[1] == '-')
			glob += 2;
		found |= from <= c && c <= (unsigned char)*glob;
	}
	return found != inverts;
}

/* Match one character with one element.  Return: the next element; NULL if the character does not match. */
static const char *match_element(const char *glob, const char *end, char c)
{
	const char *next = glob + 1;

	if (*glob == '[') {
		next = end_of_set(glob, end);
		return set_has(glob + 1, next - 1, c) ? next : NULL;
	}
	return *glob == '?' || *glob == c ? next : NULL;
}

bool ltt_glob_matches(const char *glob, size_t glob_len, const char *text, size_t max)
{
	const char *end = glob + glob_len, *text_end = text + max, *next;
	const char *star = NULL, *taken = NULL;		/* behind the last star, and what it has taken */

	while (text < text_end && *text) {
		if (glob < end && *glob == '*') {
			star = ++glob;
			taken = text;
			if (star == end)
				return true;
			continue;
		}
		next = glob < end ? match_element(glob, end, *text) : NULL;
		if (next) {
			glob = next;
			text++;
		} else if (star) {
			glob = star;
			text = ++taken;
		} else {
			return false;
		}
	}
	while (glob < end && *glob == '*')
		glob++;
	return glob == end;
}
