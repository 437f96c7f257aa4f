// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A sparkline: see spark.h.
 *
 * Layer: lttctl stat.
 */
#include "spark.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 8	/* above nothing */

static const char *const blocks[LEVELS + 1] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const ascii[LEVELS + 1] = { " ", ".", ":", "-", "=", "+", "*", "#", "@" };

static uint64_t sum_of(const uint64_t *counts, size_t nr)
{
	uint64_t sum = 0;

	while (nr--)
		sum += *counts++;
	return sum;
}

char *spark_text(const uint64_t *counts, size_t nr, size_t width)
{
	const char *const *levels = strcmp(nl_langinfo(CODESET), "UTF-8") ? ascii : blocks;
	const size_t each = nr / width;
	char *text = calloc(width, 4), *end = text;
	uint64_t sum, most = 0;
	size_t i;

	if (!text)
		return NULL;
	for (i = 0; i < width; i++) {
		sum = sum_of(counts + i * each, each);
		if (sum > most)
			most = sum;
	}
	/* One event is visible: only 0 is a blank. */
	for (i = 0; i < width; i++) {
		sum = sum_of(counts + i * each, each);
		end = stpcpy(end, levels[most ? (sum * LEVELS + most - 1) / most : 0]);
	}
	return text;
}
