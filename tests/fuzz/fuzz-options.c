// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The parsers of option values and of patterns, for libFuzzer.
 *
 * A case is a text.  It is parsed as a size, which this file computes in 128 bits, and as
 * a pattern, which this file checks with a regular expression.
 */
#include "must.h"

#include <regex.h>

#include "../../core/name.h"
#include "../../userspace/common/options.h"

static bool expected_size(const char *text, uint64_t *value)
{
	static const char units[] = "kMG";
	unsigned __int128 n = 0;
	const char *unit;

	if (*text < '0' || *text > '9')
		return false;
	for (; *text >= '0' && *text <= '9'; text++) {
		n = n * 10 + *text - '0';
		if (n > UINT64_MAX)
			return false;
	}
	if (*text) {
		unit = strchr(units, *text == 'K' ? 'k' : *text);
		if (!unit || text[1])
			return false;
		n <<= 10 * (unit - units + 1);
	}
	*value = n;
	return n >= 4096 && n <= 256 << 20 && !(n & (n - 1));
}

#define GLOB "([A-Za-z0-9_.*?!^-]|\\]|\\[(!?[^!:]|!!)[^]:]*\\])+"

static bool expected_pattern(const char *text)
{
	static const char characters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-*?[]!^:";
	static regex_t regex;
	static bool compiled;
	const char *colon = strchr(text, ':');

	if (!compiled)
		MUST(!regcomp(&regex, "^" GLOB "(:" GLOB ")?$", REG_EXTENDED | REG_NOSUB));
	compiled = true;
	if (*text == '!' || strlen(text) > 127 || text[strspn(text, characters)])
		return false;
	if (colon && (colon == text || !colon[1] || strchr(colon + 1, ':')))
		return false;
	return !regexec(&regex, text, 0, NULL, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rest rest = { data, size };
	char *text = take_text(&rest, size);
	uint64_t expected = 0, value = 0;
	bool good = expected_size(text, &expected);

	MUST(!options_size(text, &value) == good);
	MUST(!good || value == expected);
	MUST(ltt_pattern_valid(text) == expected_pattern(text));
	free(text);
	return 0;
}
