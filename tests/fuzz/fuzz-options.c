// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * What is true of lttctl's numbers and patterns whatever was typed, for libFuzzer.
 *
 * A case is the text: as a size, which is worked out here in 128 bits, and as a pattern.
 */
#include "must.h"

#include "../../userspace/liblttctl/internal.h"
#include "../../userspace/lttctl/command.h"

/* util.c's users; nothing here reaches them. */
const struct command *command;

static bool expected(const char *text, uint64_t *value)
{
	static const char units[] = "kMGT";
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
	return n && n <= UINT64_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rest rest = { data, size };
	char *text = take_text(&rest, size);
	uint64_t ours = 0, theirs = 0;
	bool good = expected(text, &ours);
	struct lttctl ctl = {};

	MUST(parse_size(text, &theirs) == good);
	MUST(!good || ours == theirs);
	good = *text && *text != '!' && !strpbrk(text, " \t\n");
	MUST(lttctl_check_pattern(&ctl, text) == (good ? 0 : -22));
	MUST(good || (*ctl.error && memchr(ctl.error, 0, sizeof(ctl.error))));
	free(text);
	return 0;
}
