/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Texts of recordings may be any bytes; formats want UTF-8.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_UTF8_H
#define LTT_COMMON_UTF8_H

#include <stddef.h>

#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* Return: the bytes of the character at @text, which has at least 1 byte; 0 if it is not UTF-8. */
size_t utf8_character(const char *text, size_t size);

/* Return: the number of bytes that @text begins with and that are whole characters of UTF-8; at most @size. */
size_t utf8_valid(const char *text, size_t size);

#endif /* LTT_COMMON_UTF8_H */
