/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Globs of * ? and [...], as expressions have them.
 */
#ifndef LTT_LIB_GLOB_H
#define LTT_LIB_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/**
 * ltt_glob_is_valid() - check a glob
 * @glob: any bytes
 * @len: how many
 *
 * Return: true if each "[" has its "]".
 */
bool ltt_glob_is_valid(const char *glob, size_t len);

/**
 * ltt_glob_matches() - match a whole text
 * @glob: a valid glob
 * @glob_len: its characters
 * @text: the text, which ends at a NUL, or after
 * @max: so many characters
 *
 * Context: any thread, and its signal handlers.
 * Return: true if the glob matches.
 */
bool ltt_glob_matches(const char *glob, size_t glob_len, const char *text, size_t max);

#endif /* LTT_LIB_GLOB_H */
