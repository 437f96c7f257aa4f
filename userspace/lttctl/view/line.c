// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A line for each event and for each loss:
 *
 *   15:04:05.123456789 [001]   1234 bash             sched_wakeup: comm="sh", …
 *   15:04:05.123456999 [001]   1234 app              app:load.end: bytes=4; duration 0.000333 ms
 *   *** 12 events lost in events_1
 *
 * Layer: lttctl view.
 */
#include "value.h"
#include "view.h"

#include <inttypes.h>
#include <string.h>

#define SECONDS_WIDTH	8
#define TID_WIDTH	6
#define NS_PER_MS	INT64_C(1000000)

/* ---- Columns ---- */

static void put_colored(struct view *view, const char *color, const char *text, size_t len)
{
	if (!*color) {
		out_bytes(&view->out, text, len);
		return;
	}
	out_text(&view->out, color);
	out_bytes(&view->out, text, len);
	out_text(&view->out, view->colors->end);
}

static void put_time(struct view *view, int64_t ns)
{
	if (*view->colors->time)
		out_text(&view->out, view->colors->time);
	when_put(&view->when, &view->out, ns, SECONDS_WIDTH);
	if (*view->colors->time)
		out_text(&view->out, view->colors->end);
}

static void put_tid(struct out *out, const struct row *row)
{
	if (row->has_tid)
		out_right(out, row->tid, TID_WIDTH);
	else
		out_bytes(out, "     -", TID_WIDTH);
}

static void put_host(struct out *out, const char *host)
{
	if (*host)
		out_plain(out, host, strlen(host));
	else
		out_char(out, '-');
}

static void put_column(struct view *view, const struct row *row, enum column column)
{
	struct out *out = &view->out;

	switch (column) {
	case COLUMN_TIME:
		put_time(view, row->record->ns);
		break;
	case COLUMN_HOST:
		put_host(out, row->record->stream->part->host);
		break;
	case COLUMN_CPU:
		out_char(out, '[');
		out_digits(out, row->record->cpu, 3);
		out_char(out, ']');
		break;
	case COLUMN_TID:
		put_tid(out, row);
		break;
	case COLUMN_COMM:
		put_colored(view, view->colors->comm, row->comm->column, row->comm->column_len);
		break;
	case COLUMN_EVENT:
		put_colored(view, view->colors->event, row->class->head, row->class->name_len);
		out_bytes(out, row->class->head + row->class->name_len, row->class->head_len - row->class->name_len);
		break;
	default:	/* the duration stands at the end */
		break;
	}
}

/* ---- Fields ---- */

static void put_duration(struct view *view, const struct row *row, const char *between)
{
	struct out *out = &view->out;

	if (row->end == SLICE_NO_END)
		return;
	out_text(out, between);
	out_text(out, view->colors->duration);
	out_text(out, "duration ");
	if (row->end == SLICE_UNKNOWN) {
		out_text(out, "unknown");
	} else {
		out_signed(out, row->duration / NS_PER_MS);
		out_char(out, '.');
		out_digits(out, row->duration % NS_PER_MS, 6);
		out_text(out, " ms");
	}
	if (*view->colors->duration)
		out_text(out, view->colors->end);
}

static void write_event(struct view *view, const struct row *row)
{
	const struct class *class = row->class;
	struct out *out = &view->out;
	bool has_duration = false, ends_with_event = false;
	const struct shown *shown;
	unsigned int i;

	for (i = 0; i < view->columns.nr; i++) {
		if (view->columns.column[i] == COLUMN_DURATION) {
			has_duration = true;
			continue;
		}
		if (i)
			out_char(out, ' ');
		put_column(view, row, view->columns.column[i]);
		ends_with_event = view->columns.column[i] == COLUMN_EVENT;
	}
	if (!ends_with_event && class->nr_shown)
		out_char(out, ' ');
	for (i = 0, shown = class->shown; i < class->nr_shown; i++, shown++) {
		out_bytes(out, shown->label, shown->label_len);
		value_put(out, row, shown);
	}
	if (has_duration)
		put_duration(view, row, class->nr_shown ? "; " : ends_with_event ? "" : " ");
	out_char(out, '\n');
}

/* ---- Things that are missing ---- */

static void write_missing(struct view *view, const struct ltttrace_record *record)
{
	static const char *const what[] = {
		[LTTTRACE_LOST_EVENTS] = "events lost", [LTTTRACE_LOST_PACKETS] = "packets overwritten",
		[LTTTRACE_DAMAGE] = "bytes damaged", [LTTTRACE_CUT] = "bytes of an incomplete packet",
	};
	const char *name = record->stream->name;
	struct out *out = &view->out;

	out_text(out, view->colors->missing);
	out_printf(out, "*** %" PRIu64 " %s in ", record->count, what[record->kind]);
	out_plain(out, name, strlen(name));
	if (record->why)
		out_printf(out, ": %s", record->why);
	if (*view->colors->missing)
		out_text(out, view->colors->end);
	out_char(out, '\n');
}

static void write_nothing(struct view *view)
{
	(void)view;
}

const struct writer writer_lines = { write_nothing, write_event, write_missing };
