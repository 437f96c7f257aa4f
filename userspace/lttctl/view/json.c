// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A JSON object in a line for each event and for each loss:
 *
 *   {"time":1700000000123456789,"cpu":1,"tid":1234,"comm":"app","event":"app:load","fields":{"bytes":4},"context":{}}
 *   {"time":1700000000123456789,"until":1700000000123456999,"cpu":1,"buffer":"events_1","lost_events":12}
 *
 * Layer: lttctl view.
 */
#include "escape.h"
#include "value.h"
#include "view.h"

#include <math.h>

/* ---- Values ---- */

/* Write the text that is in &view.scratch. */
static void put_scratch(struct view *view)
{
	escape_json(&view->out, view->scratch.data, view->scratch.len);
}

static void put_number(struct out *out, const struct ltttrace_field *field, const struct ltttrace_value *value)
{
	if (field->element == LTTTRACE_UNSIGNED)
		out_unsigned(out, value->u);
	else if (field->element == LTTTRACE_SIGNED)
		out_signed(out, value->s);
	else if (isfinite(value->f))
		out_real(out, value->f, field->bits == 32);
	else	/* JSON has no such number */
		out_text(out, isnan(value->f) ? "\"nan\"" : value->f < 0 ? "\"-inf\"" : "\"inf\"");
}

static void put_list(struct view *view, const struct row *row, const struct shown *shown, const struct value_list *list)
{
	struct ltttrace_value value;
	size_t i;

	if (list->is_unknown) {
		out_text(&view->out, "null");
		return;
	}
	out_char(&view->out, '[');
	for (i = list->first; i < list->end; i++) {
		if (i > list->first)
			out_char(&view->out, ',');
		view->scratch.len = 0;
		if (value_put_element(&view->scratch, row, shown, list, i) || list->stack) {
			put_scratch(view);
			continue;
		}
		value = ltttrace_element(shown->field, &list->value, i);
		put_number(&view->out, shown->field, &value);
	}
	out_char(&view->out, ']');
}

static void put_value(struct view *view, const struct row *row, const struct shown *shown)
{
	struct ltttrace_value value;
	struct value_list list;

	view->scratch.len = 0;
	/* A result of a system call stays a number also if it is an error. */
	if (shown->naming != NAMING_ERROR && value_put_name(&view->scratch, row, shown)) {
		put_scratch(view);
		return;
	}
	if (value_list(&list, row, shown)) {
		put_list(view, row, shown, &list);
		return;
	}
	value = ltttrace_value(row->record, shown->index);
	if (value.text)
		escape_json(&view->out, value.text, strnlen(value.text, value.size));
	else
		put_number(&view->out, shown->field, &value);
}

/* ---- Members ---- */

/* Begin a member of the object of a line. */
static void put_key(struct view *view, const char *name)
{
	out_text(&view->out, view->between);
	view->between = ",";
	escape_json(&view->out, name, strlen(name));
	out_char(&view->out, ':');
}

static bool is_shown_as_member(const struct shown *shown, bool of_context)
{
	/* A list has its length anyway. */
	return shown->is_context == of_context && !(shown->field->is_length && shown->naming != NAMING_STACK_NUMBER);
}

static void put_members(struct view *view, const struct row *row, const char *name, bool of_context)
{
	const struct shown *shown, *end = row->class->shown + row->class->nr_known;
	const char *between = "{";

	put_key(view, name);
	for (shown = row->class->shown; shown < end; shown++) {
		if (!is_shown_as_member(shown, of_context))
			continue;
		out_text(&view->out, between);
		escape_json(&view->out, shown->name, strlen(shown->name));
		out_char(&view->out, ':');
		put_value(view, row, shown);
		between = ",";
	}
	out_text(&view->out, *between == '{' ? "{}" : "}");
}

static void put_time(struct view *view, int64_t ns)
{
	if (view->when.style == WHEN_NS) {
		when_put(&view->when, &view->out, ns, 0);
		return;
	}
	out_char(&view->out, '"');
	when_put(&view->when, &view->out, ns, 0);
	out_char(&view->out, '"');
}

static void put_duration(struct view *view, const struct row *row)
{
	if (row->end == SLICE_NO_END)
		return;
	put_key(view, "duration");
	if (row->end == SLICE_UNKNOWN)
		out_text(&view->out, "null");
	else
		out_signed(&view->out, row->duration);
}

static void put_column(struct view *view, const struct row *row, enum column column)
{
	struct out *out = &view->out;

	if (column == COLUMN_DURATION) {
		put_duration(view, row);
		return;
	}
	put_key(view, column_names[column]);
	switch (column) {
	case COLUMN_TIME:
		put_time(view, row->record->ns);
		break;
	case COLUMN_HOST:
		escape_json(out, row->record->stream->part->host, strlen(row->record->stream->part->host));
		break;
	case COLUMN_CPU:
		out_unsigned(out, row->record->cpu);
		break;
	case COLUMN_TID:
		if (row->has_tid)
			out_signed(out, row->tid);
		else
			out_text(out, "null");
		break;
	case COLUMN_COMM:
		if (row->comm->is_known)
			escape_json(out, row->comm->name, row->comm->len);
		else
			out_text(out, "null");
		break;
	default:
		escape_json(out, row->class->event->name, strlen(row->class->event->name));
		break;
	}
}

/* ---- Objects ---- */

static void end(struct view *view)
{
	out_text(&view->out, *view->between == '{' ? "{}\n" : "}\n");
	view->between = "{";
}

static void write_event(struct view *view, const struct row *row)
{
	unsigned int i;

	for (i = 0; i < view->columns.nr; i++)
		put_column(view, row, view->columns.column[i]);
	if (!view->columns.are_chosen || view->columns.nr_fields)
		put_members(view, row, "fields", false);
	if (!view->columns.are_chosen || view->columns.nr_fields)
		put_members(view, row, "context", true);
	end(view);
}

static void write_missing(struct view *view, const struct ltttrace_record *record)
{
	static const char *const names[] = {
		[LTTTRACE_LOST_EVENTS] = "lost_events", [LTTTRACE_LOST_PACKETS] = "lost_packets",
		[LTTTRACE_DAMAGE] = "damaged_bytes", [LTTTRACE_CUT] = "cut_bytes",
	};
	const int64_t last = view->when.last;
	struct out *out = &view->out;

	put_key(view, "time");
	put_time(view, record->ns);
	put_key(view, "until");
	view->when.last = last;
	put_time(view, record->until_ns);
	view->when.last = last;
	put_key(view, "cpu");
	out_unsigned(out, record->cpu);
	put_key(view, "buffer");
	escape_json(out, record->stream->name, strlen(record->stream->name));
	put_key(view, names[record->kind]);
	out_unsigned(out, record->count);
	if (record->why) {
		put_key(view, "why");
		escape_json(out, record->why, strlen(record->why));
	}
	end(view);
}

static void write_begin(struct view *view)
{
	view->between = "{";
}

const struct writer writer_json = { write_begin, write_event, write_missing };
