// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl export --parquet: a directory of tables.
 *
 * Layer: lttctl export.  "events.parquet" has all events, with their fields as JSON; NAME.parquet has those of a class, with a column for
 * each field.  Two classes of one name whose fields differ are two tables.
 */
#include "export.h"
#include "json-text.h"
#include "output-dir.h"
#include "parquet-file.h"
#include "value.h"
#include "lttctl/command.h"
#include "lttctl/model/recording.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The columns that all tables begin with; "events" has more, then the fields. */
enum { COLUMN_TS, COLUMN_CPU, COLUMN_TID, COLUMN_PID, COLUMN_COMM, COLUMNS, COLUMN_HOST = COLUMNS, COLUMN_PART, COLUMN_NAME, COLUMN_FIELDS };

static const struct {
	const char *name;
	enum parquet_type type;
} common[] = {
	{ "ts", PARQUET_INT }, { "cpu", PARQUET_INT }, { "tid", PARQUET_INT }, { "pid", PARQUET_INT }, { "comm", PARQUET_TEXT },
	{ "host", PARQUET_TEXT }, { "part", PARQUET_TEXT }, { "name", PARQUET_TEXT }, { "fields", PARQUET_TEXT },
};

/* The table of a class of events. */
struct class {
	struct parquet_table *table;
	const struct ltttrace_event *first;	/* the class that the table was made for */
	bool is_shared;				/* with an earlier class */
};

struct parquet {
	struct recording recording;
	const char *path;
	struct parquet_table *all;
	struct class *classes;		/* by the number of the event class */
	size_t nr_classes;
	char *json;			/* the fields of an event */
	size_t json_len;
	FILE *memory;
	uint64_t records;
	bool is_interrupted;
	int err;
};

/* --- Tables ---------------------------------------------------------------------------- */

static struct parquet_table *make_table(const char *path, unsigned int columns)
{
	struct parquet_table *table = parquet_new(path);
	unsigned int i;

	for (i = 0; table && i < columns; i++)
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

static bool is_column(const struct ltttrace_event *event, unsigned int index)
{
	return !event->fields[index].is_length;
}

static bool same_columns(const struct ltttrace_event *a, const struct ltttrace_event *b)
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

/* A field that has the name of a common column, or of an earlier one, gets another. */
static void column_name(const struct ltttrace_event *event, unsigned int index, char *name, size_t size)
{
	bool taken = false;
	unsigned int i;

	for (i = 0; i < COLUMNS; i++)
		taken |= !strcasecmp(common[i].name, event->fields[index].name);
	for (i = event->own; i < index; i++)
		taken |= !strcasecmp(event->fields[i].name, event->fields[index].name);
	if (taken)
		snprintf(name, size, "field_%u_%s", index - event->own, event->fields[index].name);
	else
		snprintf(name, size, "%s", event->fields[index].name);
}

/* NAME.parquet, with a point for the colon; NAME-2.parquet for the second class of a name. */
static bool table_path(const struct parquet *parquet, const struct ltttrace_event *event, char path[PATH_MAX])
{
	unsigned int same = 0;
	char name[256], *at;
	size_t i;
	int len;

	for (i = 0; i < event->number && i < parquet->nr_classes; i++)
		same += parquet->classes[i].table && !parquet->classes[i].is_shared && !strcmp(parquet->classes[i].first->name, event->name);
	for (i = event->number + 1; i < parquet->nr_classes; i++)
		same += parquet->classes[i].table && !parquet->classes[i].is_shared && !strcmp(parquet->classes[i].first->name, event->name);
	len = snprintf(name, sizeof(name), "%s", event->name);
	for (at = name; *at; at++)
		if (*at == ':' || *at == '/')
			*at = '.';
	if (same)
		len = snprintf(path, PATH_MAX, "%s/%s-%u.parquet", parquet->path, name, same + 1);
	else
		len = snprintf(path, PATH_MAX, "%s/%s%s.parquet", parquet->path, name, strcmp(name, "events") ? "" : "-1");
	return len < PATH_MAX;
}

static struct parquet_table *add_table(struct parquet *parquet, const struct ltttrace_event *event)
{
	struct class *class = &parquet->classes[event->number];
	char path[PATH_MAX], name[300];
	unsigned int i;
	size_t other;

	class->first = event;
	for (other = 0; other < parquet->nr_classes; other++)
		if (parquet->classes[other].table && same_columns(parquet->classes[other].first, event)) {
			class->table = parquet->classes[other].table;
			class->is_shared = true;
			return class->table;
		}
	class->table = table_path(parquet, event, path) ? make_table(path, COLUMNS) : NULL;
	for (i = event->own; class->table && i < event->nr_fields; i++) {
		if (!is_column(event, i))
			continue;
		column_name(event, i, name, sizeof(name));
		if (!parquet_column(class->table, name, type_of(&event->fields[i]))) {
			parquet_end(class->table, false);
			class->table = NULL;
		}
	}
	return class->table;
}

/* --- Rows ---------------------------------------------------------------------------------- */

static void put_common(struct parquet_table *table, const struct ltttrace_record *record, const struct task *task)
{
	char name[24];
	const char *comm = task ? task_name(task, name) : "";

	parquet_int(table, COLUMN_TS, record->ns);
	parquet_int(table, COLUMN_CPU, record->cpu);
	parquet_int(table, COLUMN_TID, task ? task->tid : -1);
	parquet_int(table, COLUMN_PID, task ? task_process(task) : -1);
	parquet_text(table, COLUMN_COMM, comm, strlen(comm));
}

static int put_row(struct parquet_table *table, const struct ltttrace_record *record, const struct task *task)
{
	const struct ltttrace_event *event = record->event;
	unsigned int i, column = COLUMNS;
	struct ltttrace_value value;
	char text[VALUE_TEXT];

	put_common(table, record, task);
	for (i = event->own; i < event->nr_fields; i++) {
		if (!is_column(event, i))
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

static int put_in_all(struct parquet *parquet, const struct ltttrace_record *record, const struct task *task)
{
	const struct ltttrace_event *event = record->event;
	const struct ltttrace_part *part = event->part;
	const char *comma = "{";
	unsigned int i;

	rewind(parquet->memory);
	for (i = event->own; i < event->nr_fields; i++) {
		const struct ltttrace_value value = ltttrace_value(record, i);

		if (!is_column(event, i))
			continue;
		fputs(comma, parquet->memory);
		json_text(parquet->memory, event->fields[i].name, strlen(event->fields[i].name));
		fputc(':', parquet->memory);
		json_value(parquet->memory, &event->fields[i], &value);
		comma = ",";
	}
	fputs(*comma == '{' ? "{}" : "}", parquet->memory);
	if (fflush(parquet->memory) || ferror(parquet->memory))
		return -ENOMEM;
	put_common(parquet->all, record, task);
	parquet_text(parquet->all, COLUMN_HOST, part->host, strlen(part->host));
	parquet_text(parquet->all, COLUMN_PART, part->name, strlen(part->name));
	parquet_text(parquet->all, COLUMN_NAME, event->name, strlen(event->name));
	parquet_text(parquet->all, COLUMN_FIELDS, parquet->json, parquet->json_len);
	return parquet_row(parquet->all);
}

static void put_record(const struct ltttrace_record *record, void *data)
{
	struct parquet *parquet = data;
	struct parquet_table *table;
	const struct task *task;

	/* The rest is passed over after a failure, or a signal. */
	if (!(parquet->records++ & 0xfff))
		parquet->is_interrupted |= output_dir_interrupted();
	if (parquet->err || parquet->is_interrupted || record->kind != LTTTRACE_EVENT || record->stream->is_state ||
	    event_is_own(record->event))
		return;
	table = parquet->classes[record->event->number].table;
	if (!table)
		table = add_table(parquet, record->event);
	if (!table) {
		parquet->err = -ENOMEM;
		return;
	}
	task = task_of(parquet->recording.tasks, record);
	parquet->err = put_row(table, record, task) ?: put_in_all(parquet, record, task);
}

/* --- The directory ------------------------------------------------------------------------- */

static int fill(const char *path, void *data)
{
	struct parquet *parquet = data;
	char events[PATH_MAX];
	int status, err;
	size_t i;

	parquet->path = path;
	if (snprintf(events, sizeof(events), "%s/events.parquet", path) >= (int)sizeof(events))
		return complain("cannot create %s: %s", path, strerror(ENAMETOOLONG));
	parquet->all = make_table(events, COLUMN_FIELDS + 1);
	if (!parquet->all)
		return complain("out of memory");
	status = recording_read(&parquet->recording);
	for (i = 0; i < parquet->nr_classes; i++) {
		if (!parquet->classes[i].table || parquet->classes[i].is_shared)
			continue;
		err = parquet_end(parquet->classes[i].table, !status && !parquet->err && !parquet->is_interrupted);
		parquet->err = parquet->err ?: err;
	}
	err = parquet_end(parquet->all, !status && !parquet->err && !parquet->is_interrupted);
	parquet->err = parquet->err ?: err;
	if (!status && parquet->err)
		status = complain("cannot write the tables: %s", strerror(-parquet->err));
	return status;
}

int export_parquet(const char *const *dirs, const struct export_options *options)
{
	struct parquet parquet = { 0 };
	int status = recording_open(&parquet.recording, dirs, options->from, options->to);

	if (status)
		return status;
	parquet.nr_classes = ltttrace_nr_events(parquet.recording.trace);
	parquet.classes = calloc(parquet.nr_classes + 1, sizeof(*parquet.classes));
	parquet.memory = open_memstream(&parquet.json, &parquet.json_len);
	if (!parquet.classes || !parquet.memory || dispatch_on_all(parquet.recording.dispatch, DISPATCH_REPORT, put_record, &parquet))
		status = complain("out of memory");
	else
		status = output_dir_write(options->output, fill, &parquet);
	if (!status)
		recording_warn(&parquet.recording, false);
	if (parquet.memory)
		fclose(parquet.memory);
	free(parquet.json);
	free(parquet.classes);
	recording_close(&parquet.recording);
	return status;
}
