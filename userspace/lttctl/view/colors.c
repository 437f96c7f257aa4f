// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Colours of lines.
 *
 * Layer: lttctl view.
 */
#include "colors.h"

#include <stdlib.h>
#include <string.h>

const struct colors *colors_choose(const char *when, bool is_terminal)
{
	static const struct colors none = { "", "", "", "", "", "" };
	static const struct colors some = {
		.time = "\033[2m", .comm = "\033[32m", .event = "\033[1;36m", .duration = "\033[33m",
		.missing = "\033[1;31m", .end = "\033[m",
	};
	const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");

	if (!strcmp(when, "always"))
		return &some;
	if (!strcmp(when, "never"))
		return &none;
	if (strcmp(when, "auto"))
		return NULL;
	/* https://no-color.org: any text but an empty one. */
	if (!is_terminal || (no_color && *no_color) || (terminal && !strcmp(terminal, "dumb")))
		return &none;
	return &some;
}
