// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Parse a list of context fields of programs' events.
 *
 * Layer: common.
 */
#include "context.h"

#include <string.h>

#include "shm.h"

/* Return: its bit, or 0. */
static uint32_t parse_word(const char *word, size_t len)
{
	static const struct {
		const char *word;
		uint32_t bit;
	} words[] = {
		{ "tid", LTT_CONTEXT_TID }, { "pid", LTT_CONTEXT_PID }, { "name", LTT_CONTEXT_NAME },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (len == strlen(words[i].word) && !memcmp(word, words[i].word, len))
			return words[i].bit;
	return 0;
}

bool context_parse(const char *text, uint32_t *context)
{
	uint32_t bit;
	size_t len;

	*context = 0;
	if (!strcmp(text, "none"))
		return true;
	for (;; text += len + 1) {
		len = strcspn(text, ",");
		bit = parse_word(text, len);
		if (!bit || *context & bit)
			return false;
		*context |= bit;
		if (!text[len])
			return true;
	}
}
