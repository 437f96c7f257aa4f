// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The part of the time that is shown.
 *
 * Layer: lttctl view.
 */
#include "window.h"

#include "lttctl/command.h"
#include "lttctl/model/moment.h"

int window_times(const struct window *window, const struct ltttrace *trace, int64_t *from, int64_t *to)
{
	int64_t first = 0, last = 0, length;
	const char *why;

	*from = INT64_MIN;
	*to = INT64_MAX;
	if (window->last && (window->from || window->to))
		return misused("--last: cannot be combined with --from or --to");
	ltttrace_span(trace, &first, &last);
	if (window->from && (why = moment_parse(window->from, first, last, from)))
		return misused("--from %s: %s", window->from, why);
	if (window->to && (why = moment_parse(window->to, first, last, to)))
		return misused("--to %s: %s", window->to, why);
	if (*from > *to)
		return misused("--to %s: is before --from %s", window->to, window->from);
	if (window->last && (why = moment_duration(window->last, &length)))
		return misused("--last %s: %s", window->last, why);
	if (window->last)
		*from = last - length;
	return 0;
}
