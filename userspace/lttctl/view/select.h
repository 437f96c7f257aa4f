/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The events that -e selects, by patterns as `lttctl record` has them.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_SELECT_H
#define LTTCTL_VIEW_SELECT_H

#include "ltt/ltttrace.h"

/**
 * struct select_pattern - a pattern
 * @text: as the user wrote it
 * @group: glob for the group; NULL: any
 * @name: glob for the name
 * @of_programs: only events of programs
 */
struct select_pattern {
	char *text;
	char *group;
	char *name;
	bool of_programs;
};

/**
 * struct select_patterns - patterns
 * @pattern: the patterns
 * @nr: number of @pattern; 0 selects all events
 */
struct select_patterns {
	struct select_pattern *pattern;
	unsigned int nr;
};

/**
 * select_parse() - take the arguments of -e
 * @patterns: receives the patterns; select_free() frees them, also after a failure
 * @lists: patterns with commas; NULL after the last; NULL: there are none
 *
 * Return: 0; after a message, EXIT_USAGE for a malformed pattern, EXIT_FAILED without memory.
 */
int select_parse(struct select_patterns *patterns, const char *const *lists);

/* Return: true if the events of a class are selected.  The state of the system must have been read: it has the groups of
 * the kernel's events. */
bool select_matches(const struct select_patterns *patterns, const struct ltttrace_event *event);

/* Require that each pattern matches a class of events.  Return: 0, or EXIT_FAILED after a message. */
int select_check(const struct select_patterns *patterns, const struct ltttrace *trace);

void select_free(struct select_patterns *patterns);

#endif /* LTTCTL_VIEW_SELECT_H */
