// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Find what is UTF-8 in a text: RFC 3629, without surrogates, too long forms and what is beyond U+10FFFF.
 *
 * Layer: common.
 */
#include "utf8.h"

size_t utf8_character(const char *text, size_t size)
{
	static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *at = (const unsigned char *)text;
	const size_t len = *at < 0x80 ? 1 : *at < 0xc2 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : *at < 0xf5 ? 4 : 0;
	unsigned int code = *at & 0x7f >> len;
	size_t i;

	if (len < 2 || len > size)
		return len > size ? 0 : len;
	for (i = 1; i < len; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	return code < least[len] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ? 0 : len;
}

size_t utf8_valid(const char *text, size_t size)
{
	size_t at = 0, len;

	while (at < size && (len = utf8_character(text + at, size - at)))
		at += len;
	return at;
}
