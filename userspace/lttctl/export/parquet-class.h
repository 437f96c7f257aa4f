/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The table of a class of events: the columns that all tables begin with, then one for each field.
 *
 * Layer: lttctl export.  doc/fleet.md describes the columns to users; a change of them may raise PARQUET_SCHEMA.
 */
#ifndef LTTCTL_EXPORT_PARQUET_CLASS_H
#define LTTCTL_EXPORT_PARQUET_CLASS_H

#include "parquet-file.h"
#include "lttctl/model/tasks.h"

/* The columns that all tables begin with. */
enum { COLUMN_TS, COLUMN_CPU, COLUMN_TID, COLUMN_PID, COLUMN_COMM, COLUMNS };

/* Return: a table with the columns that all begin with; NULL if memory is out. */
struct parquet_table *common_table(const char *path);

/* Append the values of these columns; @task may be NULL. */
void put_common(struct parquet_table *table, int64_t ns, unsigned int cpu, const struct task *task);

/* Return: a table for events of a class; NULL if memory is out. */
struct parquet_table *class_table(const char *path, const struct ltttrace_event *event);

/* Return: true if events of both classes belong into one table. */
bool class_is_same(const struct ltttrace_event *a, const struct ltttrace_event *b);

/* Append an event to a table of its class.  Return: 0, -errno. */
int class_put(struct parquet_table *table, const struct ltttrace_record *record, const struct task *task);

/* Return: true if a field has a column: the length of another one has none. */
static inline bool class_has_column(const struct ltttrace_event *event, unsigned int index)
{
	return !event->fields[index].is_length;
}

#endif /* LTTCTL_EXPORT_PARQUET_CLASS_H */
