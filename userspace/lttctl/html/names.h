/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Names: each text once, by a number.
 *
 * Layer: lttctl html, above nothing.
 */
#ifndef LTTCTL_HTML_NAMES_H
#define LTTCTL_HTML_NAMES_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct names - a table of texts
 * @texts: the texts, ended by NUL
 * @nr: number of @texts
 * @buckets: of the hash table; the number of a text + 1, or 0
 * @nr_buckets: a power of two
 */
struct names {
	char **texts;
	size_t nr;
	uint32_t *buckets;
	size_t nr_buckets;
};

#define NO_NAME UINT32_MAX

/* Return: the number of a text, which is added if it is not there; NO_NAME: there is not enough memory. */
uint32_t name_number(struct names *names, const char *text);

void names_free(struct names *names);

#endif /* LTTCTL_HTML_NAMES_H */
