// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Text with a level (<ltt/text.h>).
 */
#include "include/ltt/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "mark.h"

void ltt_text(struct ltt_site *site, const char *format, ...)
{
	/* One byte more than a text can have, so that packing it marks the cut. */
	char text[LTT_MARK_STRING_MAX + 1];
	int saved = errno;
	uint64_t word;
	va_list args;

	va_start(args, format);
	/* A wide character that the locale does not have cannot be formatted. */
	word = (uintptr_t)(vsnprintf(text, sizeof(text), format, args) < 0 ? format : text);
	va_end(args);
	ltt_mark_words(site, &word, 1, LTT_ORIGIN());
	errno = saved;
}
