// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Names: each text once, by a number.
 *
 * Layer: lttctl html.
 */
#include "names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS_MIN 256

static size_t hash(const char *text)
{
	uint64_t sum = 0xcbf29ce484222325ULL;

	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * 0x100000001b3ULL;
	return sum ^ sum >> 29;
}

static bool grow(struct names *names)
{
	size_t i, at, nr_buckets = names->nr_buckets ? names->nr_buckets * 2 : BUCKETS_MIN;
	uint32_t *buckets = calloc(nr_buckets, sizeof(*buckets));
	char **texts = realloc(names->texts, nr_buckets / 2 * sizeof(*texts));

	if (texts)
		names->texts = texts;
	if (!buckets || !texts) {
		free(buckets);
		return false;
	}
	free(names->buckets);
	names->buckets = buckets;
	names->nr_buckets = nr_buckets;
	for (i = 0; i < names->nr; i++) {
		at = hash(texts[i]) & (nr_buckets - 1);
		while (buckets[at])
			at = (at + 1) & (nr_buckets - 1);
		buckets[at] = i + 1;
	}
	return true;
}

uint32_t name_number(struct names *names, const char *text)
{
	char *copy;
	size_t at;

	if (names->nr * 2 >= names->nr_buckets && !grow(names))
		return NO_NAME;
	at = hash(text) & (names->nr_buckets - 1);
	for (; names->buckets[at]; at = (at + 1) & (names->nr_buckets - 1))
		if (!strcmp(names->texts[names->buckets[at] - 1], text))
			return names->buckets[at] - 1;
	copy = strdup(text);
	if (!copy)
		return NO_NAME;
	names->texts[names->nr++] = copy;
	names->buckets[at] = names->nr;
	return names->nr - 1;
}

void names_free(struct names *names)
{
	size_t i;

	for (i = 0; i < names->nr; i++)
		free(names->texts[i]);
	free(names->texts);
	free(names->buckets);
	*names = (struct names){ 0 };
}
