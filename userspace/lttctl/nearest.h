/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Names that are near to one that does not exist, for messages.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_NEAREST_H
#define LTTCTL_NEAREST_H

#include <stddef.h>

#define NEAREST_MAX	3	/* a message has at most so many names */
#define NEAREST_LEN	128	/* longer names are near to none */

/**
 * struct nearest - the names that are nearest so far, the nearest first
 * @name: the names
 * @distance: how many characters differ
 * @nr: how many there are; 0 at the beginning
 */
struct nearest {
	char name[NEAREST_MAX][NEAREST_LEN];
	size_t distance[NEAREST_MAX];
	size_t nr;
};

/**
 * nearest_offer() - keep a name if it is near enough and nearer than others
 * @nearest: the names so far
 * @wanted: the name that does not exist
 * @wanted_len: its length
 * @name: a name that exists
 * @len: its length
 *
 * A name is near if at most a third of the wanted one differs.
 */
void nearest_offer(struct nearest *nearest, const char *wanted, size_t wanted_len,
		   const char *name, size_t len);

#define NEAREST_TEXT	(NEAREST_MAX * (NEAREST_LEN + 16))

/* Write "; nearest: NAME, NAME", each followed by @tail, or "" if there is none. */
void nearest_text(const struct nearest *nearest, const char *tail, char text[NEAREST_TEXT]);

#endif /* LTTCTL_NEAREST_H */
