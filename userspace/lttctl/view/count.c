// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Count the events of a recording whose lttd did not report a number.
 *
 * Layer: lttctl, on libltttrace.
 */
#include "count.h"

#include "ltt/ltttrace.h"
#include "lttctl/command.h"

#include <string.h>

/* Return: 0, or -errno of reading. */
static int count_stream(const struct ltttrace *trace, const struct ltttrace_stream *stream, uint64_t *events,
			uint64_t *lost)
{
	const struct ltttrace_record *record;
	struct ltttrace_cursor *cursor;
	int ret = ltttrace_read(trace, stream, &cursor);

	if (ret)
		return ret;
	while ((ret = ltttrace_next(cursor, &record)) > 0) {
		if (record->kind == LTTTRACE_EVENT)
			*events += !stream->is_state;
		else if (record->kind == LTTTRACE_LOST_EVENTS)
			*lost += record->count;
	}
	ltttrace_cursor_free(cursor);
	return ret;
}

int count_events(const char *dir, uint64_t *events, uint64_t *lost)
{
	struct ltttrace_error error;
	struct ltttrace *trace;
	int ret = 0;
	size_t i;

	*events = *lost = 0;
	if (open_directories(&dir, 1, 0, &trace, &error))
		return complain("%s", error.text);
	for (i = 0; !ret && i < ltttrace_nr_streams(trace); i++)
		ret = count_stream(trace, ltttrace_stream(trace, i), events, lost);
	ltttrace_close(trace);
	return ret ? complain("cannot read %s: %s", dir, strerror(-ret)) : 0;
}
