/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The shown parts of an event: columns before its name, and fields behind it.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_COLUMNS_H
#define LTTCTL_VIEW_COLUMNS_H

#include "ltt/ltttrace.h"

/** enum column - what an event has beside its fields */
enum column {
	COLUMN_TIME,
	COLUMN_HOST,
	COLUMN_CPU,
	COLUMN_TID,
	COLUMN_COMM,
	COLUMN_EVENT,
	COLUMN_DURATION,
	COLUMNS,
};

extern const char *const column_names[COLUMNS];

/**
 * struct columns - what is shown
 * @column: the columns in their order
 * @nr: number of @column
 * @field: the names of the fields to show, in their order; "context.NAME" is not one of the payload
 * @nr_fields: number of @field
 * @are_chosen: only @field are shown; else all fields are
 */
struct columns {
	enum column column[COLUMNS];
	unsigned int nr;
	char **field;
	unsigned int nr_fields;
	bool are_chosen;
};

/**
 * columns_parse() - take the argument of --fields
 * @columns: receives the columns; columns_free() frees them, also after a failure
 * @list: names with commas; NULL: all fields
 * @hosts: the hosts differ, so that they get a column
 *
 * Without a column in the list, all columns are shown before its fields.
 *
 * Return: 0; after a message, EXIT_USAGE for a wrong list, EXIT_FAILED without memory.
 */
int columns_parse(struct columns *columns, const char *list, bool hosts);

/* Return: index of the field of a class of events that @name means; -1 if it has none. */
int columns_find(const struct ltttrace_event *event, const char *name);

/* Require that each field exists in a class of events of @trace.  Return: 0, or EXIT_FAILED after a message. */
int columns_check(const struct columns *columns, const struct ltttrace *trace);

void columns_free(struct columns *columns);

#endif /* LTTCTL_VIEW_COLUMNS_H */
