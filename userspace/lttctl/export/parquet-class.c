// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The table of a class of events; parquet-class.h has the interface.
 *
 * Layer: lttctl export.
 */
#include "parquet-class.h"
#include "value.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	enum parquet_type type;
} common[COLUMNS] = {
	{ "ts", PARQUET_INT }, { "cpu", PARQUET_INT }, { "tid", PARQUET_INT }, { "pid", PARQUET_INT }, { "comm", PARQUET_TEXT },
};

/* Columns that readers make of the names of directories, see partition.c. */
static const char *const folders[] = { "host", "date", "event" };

/* --- Columns --------------------------------------------------------------------------- */

struct parquet_table *common_table(const char *path)
{
	struct parquet_table *table = parquet_new(path);
	unsigned int i;

	for (i = 0; table && i < COLUMNS; i++)
		if (!parquet_column(table, common[i].name, common[i].type)) {
			parquet_end(table, false);
			return NULL;
		}
	return table;
}

static enum parquet_type type_of(const struct ltttrace_field *field)
{
	return field->kind == LTTTRACE_SIGNED ? PARQUET_INT : field->kind == LTTTRACE_UNSIGNED ? PARQUET_UNSIGNED :
	       field->kind == LTTTRACE_FLOAT ? PARQUET_DOUBLE : PARQUET_TEXT;
}

bool class_is_same(const struct ltttrace_event *a, const struct ltttrace_event *b)
{
	unsigned int i, nr = a->nr_fields - a->own;

	if (strcmp(a->name, b->name) || nr != b->nr_fields - b->own)
		return false;
	for (i = 0; i < nr; i++)
		if (strcmp(a->fields[a->own + i].name, b->fields[b->own + i].name) ||
		    type_of(&a->fields[a->own + i]) != type_of(&b->fields[b->own + i]))
			return false;
	return true;
}

/* A field that has the name of another column gets another one. */
static void column_name(const struct ltttrace_event *event, unsigned int index, char *name, size_t size)
{
	bool taken = false;
	unsigned int i;

	for (i = 0; i < COLUMNS; i++)
		taken |= !strcasecmp(common[i].name, event->fields[index].name);
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		taken |= !strcasecmp(folders[i], event->fields[index].name);
	for (i = event->own; i < index; i++)
		taken |= !strcasecmp(event->fields[i].name, event->fields[index].name);
	if (taken)
		snprintf(name, size, "field_%u_%s", index - event->own, event->fields[index].name);
	else
		snprintf(name, size, "%s", event->fields[index].name);
}

struct parquet_table *class_table(const char *path, const struct ltttrace_event *event)
{
	struct parquet_table *table = common_table(path);
	char name[300];
	unsigned int i;

	for (i = event->own; table && i < event->nr_fields; i++) {
		if (!class_has_column(event, i))
			continue;
		column_name(event, i, name, sizeof(name));
		if (!parquet_column(table, name, type_of(&event->fields[i]))) {
			parquet_end(table, false);
			return NULL;
		}
	}
	return table;
}

/* --- Rows ------------------------------------------------------------------------------ */

void put_common(struct parquet_table *table, int64_t ns, unsigned int cpu, const struct task *task)
{
	char name[24];
	const char *comm = task ? task_name(task, name) : "";

	parquet_int(table, COLUMN_TS, ns);
	parquet_int(table, COLUMN_CPU, cpu);
	parquet_int(table, COLUMN_TID, task ? task->tid : -1);
	parquet_int(table, COLUMN_PID, task ? task_process(task) : -1);
	parquet_text(table, COLUMN_COMM, comm, strlen(comm));
}

int class_put(struct parquet_table *table, const struct ltttrace_record *record, const struct task *task)
{
	const struct ltttrace_event *event = record->event;
	unsigned int i, column = COLUMNS;
	struct ltttrace_value value;
	char text[VALUE_TEXT];

	put_common(table, record->ns, record->cpu, task);
	for (i = event->own; i < event->nr_fields; i++) {
		if (!class_has_column(event, i))
			continue;
		value = ltttrace_value(record, i);
		switch (type_of(&event->fields[i])) {
		case PARQUET_INT:
		case PARQUET_UNSIGNED:
			parquet_int(table, column, value.u);
			break;
		case PARQUET_DOUBLE:
			parquet_double(table, column, value.f);
			break;
		case PARQUET_TEXT:
			if (value.text)
				parquet_text(table, column, value.text, value_length(&value));
			else
				parquet_text(table, column, text, value_text(&event->fields[i], &value, text));
			break;
		}
		column++;
	}
	return parquet_row(table);
}
