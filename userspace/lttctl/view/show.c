// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Records in, rows out.
 *
 * Layer: lttctl view.
 */
#include "lttctl/command.h"
#include "view.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* ---- Classes ---- */

static bool grow(struct view *view, unsigned int number)
{
	const size_t nr = number + 64;
	struct class **more;

	if (number < view->nr_classes)
		return true;
	more = reallocarray(view->class, nr, sizeof(*more));
	if (!more)
		return false;
	memset(more + view->nr_classes, 0, (nr - view->nr_classes) * sizeof(*more));
	view->class = more;
	view->nr_classes = nr;
	return true;
}

static struct class *make(struct view *view, const struct ltttrace_event *event)
{
	struct class *class = grow(view, event->number) ? class_make(event, &view->columns, view->is_raw) : NULL;

	if (!class)
		return NULL;
	class->is_selected = select_matches(&view->patterns, event);
	view->class[event->number] = class;
	return class;
}

struct class *view_class(struct view *view, const struct ltttrace_event *event)
{
	struct class *class = event->number < view->nr_classes ? view->class[event->number] : NULL;

	return class ? class : make(view, event);
}

/* Only what is learned from the state of the system is shown, unless the user names its directory. */
static bool is_named(const char *path, const char *const *dirs)
{
	char part[PATH_MAX], dir[PATH_MAX];

	if (!realpath(path, part))
		return false;
	for (; *dirs; dirs++)
		if (realpath(*dirs, dir) && !strcmp(part, dir))
			return true;
	return false;
}

bool view_is_shown(const struct ltttrace_stream *stream, void *data)
{
	const struct view *view = data;

	return !stream->part->is_state || is_named(stream->part->path, view->dirs);
}

/* ---- Events ---- */

static void fill(struct row *row, const struct class *class, const struct ltttrace_record *record)
{
	const struct ltttrace_part *part = record->stream->part;
	const int tid = class->event->tid;

	row->record = record;
	row->class = class;
	row->has_tid = tid >= 0;
	row->tid = tid >= 0 ? ltttrace_integer(record, tid) : -1;
	row->comm = comm_of(part, row->tid, record->cpu);
	row->where = (struct mapped_where){
		.machine = machine_of(part), .pid = class->pid >= 0 ? ltttrace_integer(record, class->pid) : -1,
		.ns = record->ns,
	};
	row->end = SLICE_NO_END;
}

/* Each event is taken, shown or not, as it may be the partner of one that is. */
static void take_slice(struct row *row)
{
	/* Each CPU has a thread 0 of its own. */
	const int64_t tid = row->tid ? row->tid : -1 - (int64_t)row->record->cpu;

	row->end = slices_event(&row->class->slice, row->record, row->has_tid ? &tid : NULL, &row->duration);
}

static void learn_stacks(const struct class *class, const struct ltttrace_record *record)
{
	unsigned int i;

	for (i = 0; i < class->nr_stacks; i++)
		stacks_learn(record, class->event->payload + i * STACK_FIELDS);
}

static int take_event(struct view *view, const struct ltttrace_record *record)
{
	const struct class *class = view_class(view, record->event);
	struct row row;

	if (!class)
		return -ENOMEM;
	if (!class->is_selected && !class->is_watched)
		return 0;
	if (class->nr_rules)
		comm_learn(record, class->rules, class->nr_rules, LEARN_BEFORE);
	fill(&row, class, record);
	if (class->slice.name)
		take_slice(&row);
	if (class->is_selected && filter_holds(&class->filter, record, row.comm->name))
		view->writer->event(view, &row);
	else
		learn_stacks(class, record);
	if (class->nr_rules)
		comm_learn(record, class->rules, class->nr_rules, LEARN_AFTER);
	return 0;
}

/* ---- Things that are missing ---- */

static void warn(struct view *view, const struct ltttrace_record *record)
{
	const struct ltttrace_stream *stream = record->stream;

	if (record->kind == LTTTRACE_DAMAGE) {
		complain("%s/%s: %llu bytes from byte %llu on are damaged: %s", stream->part->path, stream->name,
			 (unsigned long long)record->count, (unsigned long long)record->offset, record->why);
		view->is_damaged = true;
	} else if (record->kind == LTTTRACE_CUT) {
		complain("%s/%s: ends inside a packet; shown up to byte %llu", stream->part->path, stream->name,
			 (unsigned long long)record->offset);
	}
}

static void take_missing(struct view *view, const struct ltttrace_record *record)
{
	/* The file of a packet that lttd writes ends in it. */
	if (record->kind == LTTTRACE_CUT && view->is_followed)
		return;
	warn(view, record);
	view->writer->missing(view, record);
	slices_lost(record);
}

/* ---- All records ---- */

int view_records(struct view *view, struct ltttrace_cursor *cursor)
{
	const struct ltttrace_record *record;
	int ret;

	while ((ret = ltttrace_next(cursor, &record)) > 0 && record->ns <= view->to && !view->out.error) {
		ret = 0;
		if (record->kind == LTTTRACE_EVENT)
			ret = take_event(view, record);
		else
			take_missing(view, record);
		if (ret)
			return ret;
	}
	return ret < 0 ? ret : 0;
}

int view_show(struct view *view)
{
	struct ltttrace_cursor *cursor;
	int ret = ltttrace_merge(view->trace, view_is_shown, view, &cursor);

	if (ret)
		return complain("out of memory");
	if (view->from != INT64_MIN)
		ret = ltttrace_seek(cursor, view->from);
	if (!ret)
		ret = view_records(view, cursor);
	ltttrace_cursor_free(cursor);
	return ret ? complain("cannot read the recording: %s", strerror(-ret)) : 0;
}
