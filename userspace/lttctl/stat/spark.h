/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A sparkline: counts over time as a line of text.
 *
 * Layer: lttctl stat.
 */
#ifndef LTTCTL_STAT_SPARK_H
#define LTTCTL_STAT_SPARK_H

#include <stddef.h>
#include <stdint.h>

/**
 * spark_text() - draw counts
 * @counts: the counts
 * @nr: number of @counts
 * @width: characters; @nr is a multiple of it
 *
 * The greatest is a full block in UTF-8 locales, and '@' in others; 0 is a blank.  The locale is that of setlocale().
 *
 * Return: the text, to be freed; NULL if memory is out.
 */
char *spark_text(const uint64_t *counts, size_t nr, size_t width);

#endif /* LTTCTL_STAT_SPARK_H */
