/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The patterns that select events of programs, as lttctl and lttd pass them to each other.
 *
 * Layer: common.
 *
 *   selection  [@PROGRAM:]GROUP:NAME, or [@PROGRAM:]* for all events
 *   PROGRAM    a glob for the name of the program, at most 15 characters, as the kernel's
 *              names of processes; without it, all programs
 *
 * GROUP and NAME are the globs of core/name.h.  On a command line, a selection without
 * PROGRAM has "user:" in front, one with PROGRAM "user".
 */
#ifndef LTT_COMMON_SELECTION_H
#define LTT_COMMON_SELECTION_H

#include <stdbool.h>

#define SELECTION_FORM	"GROUP:NAME, or * for all events; both parts may have * ? [] (for example app:*)"

/**
 * selection_valid() - check a selection
 * @text: NUL-terminated text of any length
 *
 * Return: true if @text follows the rules above.
 */
bool selection_valid(const char *text);

/**
 * selection_matches() - find out if a selection selects an event
 * @text: a valid selection
 * @program: the name of the program; longer names match by their first 15 characters
 * @event: the event as GROUP:NAME
 *
 * Return: true if it does.
 */
bool selection_matches(const char *text, const char *program, const char *event);

#endif /* LTT_COMMON_SELECTION_H */
