// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The state of the system in a recording.
 *
 * Layer: common.
 */
#include "state.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	uint32_t parts;
} words[] = {
	{ "none", 0 },
	{ "default", STATE_DEFAULT },
	{ "all", STATE_PROCESSES | STATE_SYSTEM | STATE_FILES | STATE_MAPS | STATE_SYMBOLS },
	{ "processes", STATE_PROCESSES },
	{ "system", STATE_SYSTEM },
	{ "files", STATE_FILES },
	{ "maps", STATE_MAPS },
	{ "symbols", STATE_SYMBOLS },
};

bool state_parse(uint32_t *parts, const char *text)
{
	size_t len, i;

	*parts = 0;
	for (;; text += len + 1) {
		len = strcspn(text, ",");
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (strlen(words[i].name) == len && !memcmp(words[i].name, text, len))
				break;
		if (i == sizeof(words) / sizeof(words[0]))
			return false;
		*parts |= words[i].parts;
		if (!text[len])
			return true;
	}
}

/* Is it the base, or with a number behind it? */
static bool is_numbered(const char *name, const char *base)
{
	const char *number = name + strlen(base);

	if (strncmp(name, base, strlen(base)))
		return false;
	return !*number || (*number == '-' && number[1] && !number[1 + strspn(number + 1, "0123456789")]);
}

bool state_trace_is(const char *name)
{
	return is_numbered(name, STATE_TRACE);
}

bool clock_trace_is(const char *name)
{
	return is_numbered(name, CLOCK_TRACE);
}
