/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The rules for names and patterns: traces, channels, groups, markers, events.
 *
 * Layer: core.  The kernel modules, lttctl and lttd all apply these functions, so a
 * name or pattern that one of them accepts is valid for the others.
 *
 *   name     1 to 63 characters of A-Z a-z 0-9 _ . -, the first not a dot: safe as
 *            one component of a path
 *   pattern  GLOB or GROUP_GLOB:NAME_GLOB; a pattern without a colon matches the
 *            name in any group
 *   glob     at least one character: those of a name, and * ? [ ] ! ^, where each
 *            bracket expression has its end
 */
#ifndef LTT_CORE_NAME_H
#define LTT_CORE_NAME_H

#include "types.h"

#define LTT_NAME_MAX		64	/* bytes, with the NUL */
#define LTT_PATTERN_MAX	128	/* bytes, with the NUL */

/**
 * ltt_char_is_of() - find a character in a set
 * @c: the character
 * @set: the set, NUL-terminated
 *
 * Context: any.
 * Return: true if @c is in @set, and is not the NUL.
 */
static inline bool ltt_char_is_of(char c, const char *set)
{
	while (*set && *set != c)
		set++;
	return c && *set == c;
}

/**
 * ltt_char_is_of_name() - check a character of a name
 * @c: the character
 *
 * Context: any.
 * Return: true if names may contain @c.
 */
static inline bool ltt_char_is_of_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       ltt_char_is_of(c, "_.-");
}

/**
 * ltt_name_valid() - check a name
 * @name: NUL-terminated text of any length
 *
 * Context: any.
 * Return: true if @name follows the rule for names above.
 */
static inline bool ltt_name_valid(const char *name)
{
	size_t len = 0;

	while (ltt_char_is_of_name(name[len]))
		len++;
	return len && len < LTT_NAME_MAX && !name[len] && name[0] != '.';
}

/**
 * ltt_brackets_close() - check that each bracket expression has its end
 * @glob: NUL-terminated text of any characters
 * @stop: a character that ends an expression which has no end; NUL for none
 *
 * Context: any.
 * Return: true if each "[" has its "]" before the next @stop or the end of @glob.
 */
static inline bool ltt_brackets_close(const char *glob, char stop)
{
	for (; *glob; glob++) {
		if (*glob != '[')
			continue;
		glob += 1 + (glob[1] == '!');
		/* A "]" in the first place is a member of the expression. */
		if (*glob == ']')
			glob++;
		while (*glob && *glob != stop && *glob != ']')
			glob++;
		if (*glob != ']')
			return false;
	}
	return true;
}

/**
 * ltt_glob_is_closed() - check that each bracket expression of a glob has its end
 * @glob: NUL-terminated text of any characters
 *
 * The kernel's glob_match() takes a "[" without an end for an ordinary character,
 * which no name contains, so such a glob would match nothing without an error.
 *
 * Context: any.
 * Return: true if each "[" that begins an expression has its "]".
 */
static inline bool ltt_glob_is_closed(const char *glob)
{
	return ltt_brackets_close(glob, '\0');
}

/**
 * ltt_pattern_valid() - check a pattern for events
 * @pattern: NUL-terminated text of any length, without the "user:" of programs
 *
 * Context: any.
 * Return: true if @pattern follows the rule for patterns above and fits into
 *	LTT_PATTERN_MAX bytes.
 */
static inline bool ltt_pattern_valid(const char *pattern)
{
	size_t len, part = 0;
	bool colon = false;

	if (*pattern == '!')
		return false;
	for (len = 0; pattern[len]; len++, part++) {
		if (pattern[len] == ':' && part && !colon) {
			colon = true;
			part = -1;
		} else if (!ltt_char_is_of_name(pattern[len]) &&
			   !ltt_char_is_of(pattern[len], "*?[]!^")) {
			return false;
		}
	}
	return part && len < LTT_PATTERN_MAX && ltt_brackets_close(pattern, ':');
}

/**
 * ltt_selection_valid() - check a text that selects events of the kernel
 * @text: NUL-terminated text of any length
 *
 * Context: any.
 * Return: true if @text is a pattern, or "@NAME", which names a group of events.
 */
static inline bool ltt_selection_valid(const char *text)
{
	return *text == '@' ? ltt_name_valid(text + 1) : ltt_pattern_valid(text);
}

#endif /* LTT_CORE_NAME_H */
