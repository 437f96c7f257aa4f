// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A line of CSV for each event and for each loss, after one with the names of the columns.  The fields of an event are
 * one column, as the line of text has them; with --fields, each has a column of its own.
 *
 * Layer: lttctl view.
 */
#include "escape.h"
#include "value.h"
#include "view.h"

#include <inttypes.h>

/* Write the text that is in &view.scratch. */
static void put_scratch(struct view *view)
{
	escape_csv(&view->out, view->scratch.data, view->scratch.len);
}

/* ---- Columns ---- */

static void put_time(struct view *view, int64_t ns)
{
	view->scratch.len = 0;
	when_put(&view->when, &view->scratch, ns, 0);
	put_scratch(view);
}

static void put_column(struct view *view, const struct row *row, enum column column)
{
	struct out *out = &view->out;

	switch (column) {
	case COLUMN_TIME:
		put_time(view, row->record->ns);
		break;
	case COLUMN_HOST:
		escape_csv(out, row->record->stream->part->host, strlen(row->record->stream->part->host));
		break;
	case COLUMN_CPU:
		out_unsigned(out, row->record->cpu);
		break;
	case COLUMN_TID:
		if (row->has_tid)
			out_signed(out, row->tid);
		break;
	case COLUMN_COMM:
		escape_csv(out, row->comm->name, row->comm->len);
		break;
	case COLUMN_EVENT:
		escape_csv(out, row->class->event->name, strlen(row->class->event->name));
		break;
	case COLUMN_DURATION:
		if (row->end == SLICE_DURATION)
			out_signed(out, row->duration);
		else if (row->end == SLICE_UNKNOWN)
			out_text(out, "unknown");
		break;
	case COLUMNS:
		break;
	}
}

/* ---- Fields ---- */

static void put_field(struct view *view, const struct row *row, const struct shown *shown)
{
	struct ltttrace_value value;

	if (shown->field->kind == LTTTRACE_STRING || shown->field->is_text) {
		value = ltttrace_value(row->record, shown->index);
		escape_csv(&view->out, value.text, strnlen(value.text, value.size));
		return;
	}
	view->scratch.len = 0;
	value_put(&view->scratch, row, shown);
	put_scratch(view);
}

static void put_all(struct view *view, const struct row *row)
{
	const struct shown *shown = row->class->shown, *end = shown + row->class->nr_shown;

	out_char(&view->out, ',');
	view->scratch.len = 0;
	for (; shown < end; shown++) {
		out_bytes(&view->scratch, shown->label, shown->label_len);
		value_put(&view->scratch, row, shown);
	}
	put_scratch(view);
}

static void put_chosen(struct view *view, const struct row *row)
{
	unsigned int i;

	for (i = 0; i < view->columns.nr_fields; i++) {
		out_char(&view->out, ',');
		if (row->class->column[i] >= 0)
			put_field(view, row, &row->class->shown[row->class->column[i]]);
	}
}

/* ---- Lines ---- */

static void write_names(struct view *view)
{
	unsigned int i;

	for (i = 0; i < view->columns.nr; i++) {
		out_text(&view->out, i ? "," : "");
		out_text(&view->out, column_names[view->columns.column[i]]);
	}
	for (i = 0; i < view->columns.nr_fields; i++) {
		out_char(&view->out, ',');
		escape_csv(&view->out, view->columns.field[i], strlen(view->columns.field[i]));
	}
	out_text(&view->out, view->columns.are_chosen ? "\r\n" : ",fields\r\n");
}

static void write_event(struct view *view, const struct row *row)
{
	unsigned int i;

	for (i = 0; i < view->columns.nr; i++) {
		if (i)
			out_char(&view->out, ',');
		put_column(view, row, view->columns.column[i]);
	}
	if (view->columns.are_chosen)
		put_chosen(view, row);
	else
		put_all(view, row);
	out_text(&view->out, "\r\n");
}

static void put_missing(struct out *out, const struct ltttrace_record *record)
{
	static const char *const names[] = {
		[LTTTRACE_LOST_EVENTS] = "events lost", [LTTTRACE_LOST_PACKETS] = "packets overwritten",
		[LTTTRACE_DAMAGE] = "bytes damaged", [LTTTRACE_CUT] = "bytes of an incomplete packet",
	};

	out_printf(out, "*** %" PRIu64 " %s in %s", record->count, names[record->kind], record->stream->name);
}

static void write_missing(struct view *view, const struct ltttrace_record *record)
{
	const int64_t last = view->when.last;
	unsigned int i;

	for (i = 0; i < view->columns.nr; i++) {
		if (i)
			out_char(&view->out, ',');
		if (view->columns.column[i] == COLUMN_TIME)
			put_time(view, record->ns);
		else if (view->columns.column[i] == COLUMN_CPU)
			out_unsigned(&view->out, record->cpu);
		else if (view->columns.column[i] == COLUMN_EVENT)
			put_missing(&view->out, record);
	}
	for (i = view->columns.are_chosen ? view->columns.nr_fields : 1; i; i--)
		out_char(&view->out, ',');
	out_text(&view->out, "\r\n");
	view->when.last = last;
}

const struct writer writer_csv = { write_names, write_event, write_missing };
