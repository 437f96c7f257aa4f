// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Finds names that are near to another one.
 *
 * Layer: lttctl.
 */
#include "nearest.h"

#include <stdio.h>
#include <string.h>

/* The edit distance of V. Levenshtein: how many characters to insert, delete or replace. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t row[NEAREST_LEN + 1], i, j, diagonal, above;

	for (j = 0; j <= b_len; j++)
		row[j] = j;
	for (i = 1; i <= a_len; i++) {
		diagonal = row[0];
		row[0] = i;
		for (j = 1; j <= b_len; j++) {
			above = row[j];
			row[j] = diagonal + (a[i - 1] != b[j - 1]);
			if (row[j] > above + 1)
				row[j] = above + 1;
			if (row[j] > row[j - 1] + 1)
				row[j] = row[j - 1] + 1;
			diagonal = above;
		}
	}
	return row[b_len];
}

/* Is it in the list? */
static int has(const struct nearest *nearest, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < nearest->nr; i++)
		if (strlen(nearest->name[i]) == len && !memcmp(nearest->name[i], name, len))
			return 1;
	return 0;
}

void nearest_offer(struct nearest *nearest, const char *wanted, size_t wanted_len,
		   const char *name, size_t len)
{
	size_t most = 1 + wanted_len / 3, apart, at;

	/* Lengths that differ by more need no comparison. */
	if (len >= NEAREST_LEN || wanted_len >= NEAREST_LEN || len > wanted_len + most ||
	    wanted_len > len + most || has(nearest, name, len))
		return;
	apart = distance(wanted, wanted_len, name, len);
	if (apart > most || (nearest->nr == NEAREST_MAX && apart >= nearest->distance[NEAREST_MAX - 1]))
		return;
	if (nearest->nr < NEAREST_MAX)
		nearest->nr++;
	for (at = nearest->nr - 1; at && nearest->distance[at - 1] > apart; at--) {
		memcpy(nearest->name[at], nearest->name[at - 1], NEAREST_LEN);
		nearest->distance[at] = nearest->distance[at - 1];
	}
	memcpy(nearest->name[at], name, len);
	nearest->name[at][len] = '\0';
	nearest->distance[at] = apart;
}

void nearest_text(const struct nearest *nearest, const char *tail, char text[NEAREST_TEXT])
{
	size_t i, used = 0;

	*text = '\0';
	for (i = 0; i < nearest->nr; i++)
		used += snprintf(text + used, NEAREST_TEXT - used, "%s %s%s", i ? "," : "; nearest:",
				 nearest->name[i], tail);
}
