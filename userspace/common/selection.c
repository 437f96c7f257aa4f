// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The patterns that select events of programs.
 *
 * Layer: common.
 */
#include "selection.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "core/name.h"
#include "protocol.h"

/* Split off PROGRAM, which becomes "" if there is none.  Return: the rest; NULL: malformed. */
static const char *split(const char *text, char program[LTT_PROGRAM_NAME])
{
	size_t len;

	*program = '\0';
	if (*text != '@')
		return text;
	len = strcspn(++text, ":");
	if (!len || len >= LTT_PROGRAM_NAME || !text[len])
		return NULL;
	memcpy(program, text, len);
	program[len] = '\0';
	return text + len + 1;
}

bool selection_valid(const char *text)
{
	char program[LTT_PROGRAM_NAME];
	const char *events = split(text, program);

	/* A glob for a name is a pattern without a colon. */
	if (!events || (*program && !ltt_pattern_valid(program)))
		return false;
	return ltt_pattern_valid(events) && (strchr(events, ':') || !strcmp(events, "*"));
}

bool selection_matches(const char *text, const char *program, const char *event)
{
	char wanted[LTT_PROGRAM_NAME], name[LTT_PROGRAM_NAME];
	const char *events = split(text, wanted);

	snprintf(name, sizeof(name), "%s", program);
	return events && (!*wanted || !fnmatch(wanted, name, 0)) && !fnmatch(events, event, 0);
}
