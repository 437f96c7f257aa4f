/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Which events of programs are to be recorded.
 *
 * Layer: lttd.
 */
#ifndef LTTD_PATTERNS_H
#define LTTD_PATTERNS_H

#include <stdbool.h>

/**
 * struct pattern - events that match
 * @next: the one that was given before
 * @on: they are to be recorded; if not, they are not to be
 * @matched: there was one
 * @text: group:name with globs, or a name in any group
 */
struct pattern {
	struct pattern *next;
	bool on;
	bool matched;
	char text[];
};

/**
 * struct patterns - all of them
 * @last: that was given
 * @changed: what was recorded before may not be recorded now
 */
struct patterns {
	struct pattern *last;
	bool changed;
};

/** patterns_set() - from now on, events that match are recorded, or not.  0 or -ENOMEM */
int patterns_set(struct patterns *patterns, const char *text, bool on);

/** patterns_want() - is an event to be recorded?  What was given last decides. */
bool patterns_want(struct patterns *patterns, const char *group, const char *name);

void patterns_free(struct patterns *patterns);

#endif /* LTTD_PATTERNS_H */
