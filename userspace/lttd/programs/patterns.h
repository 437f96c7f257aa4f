/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The patterns that select the events of a recording of programs.
 *
 * Layer: lttd.
 */
#ifndef LTTD_PATTERNS_H
#define LTTD_PATTERNS_H

#include <stdbool.h>

/**
 * struct pattern - one pattern
 * @next: the pattern that was given before this one
 * @on: true: record matching events; false: do not
 * @matched: an event has matched
 * @text: see common/selection.h
 */
struct pattern {
	struct pattern *next;
	bool on;
	bool matched;
	char text[];
};

/**
 * struct patterns - all patterns; the newest that matches an event decides
 * @last: the newest pattern
 * @may_be_on: a program may record events that no pattern selects: a pattern was disabled, or
 *	is for other programs, of which this one may be a child
 */
struct patterns {
	struct pattern *last;
	bool may_be_on;
};

/**
 * patterns_set() - add a pattern, or move it to the front
 * @patterns: the patterns
 * @text: see &struct pattern
 * @on: see &struct pattern
 *
 * Return: 0 or -ENOMEM.
 */
int patterns_set(struct patterns *patterns, const char *text, bool on);

/** patterns_want() - return true if the event @group:@name of @program is to be recorded */
bool patterns_want(struct patterns *patterns, const char *program, const char *group, const char *name);

/** patterns_free() - free all patterns */
void patterns_free(struct patterns *patterns);

#endif /* LTTD_PATTERNS_H */
