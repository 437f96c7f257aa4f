/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The parts of `lttctl view`, which prints recordings.
 *
 *	commands/view.c   the options
 *	show.c            records in, rows out: names of threads, slices, selection
 *	learn.c           the state of the system, and names before a window, which are read first
 *	class.c           all that depends on the names of an event, looked up once
 *	value.c           the values of fields, on decode.c, syscalls.c, mapped.c and stacks.c
 *	line.c, json.c, csv.c   a row as text
 *	foreign.c         traces of other tracers
 *
 * Layer: lttctl, on libltttrace; foreign.c on libbabeltrace2.
 */
#ifndef LTTCTL_VIEW_H
#define LTTCTL_VIEW_H

#include "colors.h"
#include "columns.h"
#include "out.h"
#include "machine.h"
#include "row.h"
#include "select.h"
#include "when.h"

struct live;
struct view;

/**
 * struct writer - a form of output
 * @begin: write what stands before the first event
 * @event: write an event
 * @missing: write that events are missing, or bytes cannot be read
 */
struct writer {
	void (*begin)(struct view *view);
	void (*event)(struct view *view, const struct row *row);
	void (*missing)(struct view *view, const struct ltttrace_record *record);
};

extern const struct writer writer_lines, writer_json, writer_csv;

/**
 * struct view - what is shown, and how
 * @trace: the recordings
 * @state: a cursor in their states; NULL: these have not been read
 * @dirs: their directories, as the user named them; NULL after the last
 * @is_raw: numbers are shown in place of names
 * @from: show nothing before it
 * @to: show nothing after it
 * @patterns: the events that are shown
 * @columns: what is shown of each
 * @when: the column of the time
 * @colors: of lines
 * @writer: the form of output
 * @out: the output
 * @scratch: for values
 * @between: of JSON: stands before the next member
 * @class: the classes by their numbers; NULL: it is not known yet
 * @nr_classes: number of @class
 * @is_followed: the recording is being made
 * @live: it comes from a collector; NULL: from the directories alone
 * @is_damaged: bytes could not be read
 */
struct view {
	struct ltttrace *trace;
	struct ltttrace_cursor *state;
	const char *const *dirs;
	bool is_raw;
	int64_t from;
	int64_t to;
	struct select_patterns patterns;
	struct columns columns;
	struct when when;
	const struct colors *colors;
	const struct writer *writer;
	struct out out;
	struct out scratch;
	const char *between;
	struct class **class;
	size_t nr_classes;
	bool is_followed;
	struct live *live;
	bool is_damaged;
};

/* --- Classes (show.c) ------------------------------------------------- */

/* Return: the class of an event; NULL without memory. */
struct class *view_class(struct view *view, const struct ltttrace_event *event);

/* Return: true for streams that are shown; for ltttrace_merge(). */
bool view_is_shown(const struct ltttrace_stream *stream, void *view);

/* --- Reading ------------------------------------------------------------ */

/* Read the state of the system and, with a window, the names of threads before it.  Return: 0, or EXIT_FAILED. */
int view_learn(struct view *view);

/* Read what has been added to the state since view_learn().  Return: 0, or EXIT_FAILED after a message. */
int view_learn_more(struct view *view);

/* Show all records of the window.  Return: 0, or EXIT_FAILED after a message. */
int view_show(struct view *view);

/* As view_show(); then show records as they are added, until ^C or until the recordings are complete (follow.c). */
int view_follow(struct view *view);

/* So that ^C ends view_follow() and a wait for it. */
void follow_catch_signals(void);
bool follow_is_interrupted(void);

/**
 * view_records() - show the records that there are
 * @view: the view
 * @cursor: the cursor
 *
 * Return: 0; -errno of reading; the output may have failed.
 */
int view_records(struct view *view, struct ltttrace_cursor *cursor);

/* Show a trace of another tracer as lines.  Return: 0, or EXIT_FAILED after a message. */
int view_foreign(struct view *view);

#endif /* LTTCTL_VIEW_H */
