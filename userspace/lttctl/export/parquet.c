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
#include "parquet-class.h"
#include "value.h"
#include "lttctl/command.h"
#include "lttctl/model/recording.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The columns that "events" has after those of all tables. */
enum { COLUMN_HOST = COLUMNS, COLUMN_PART, COLUMN_NAME, COLUMN_FIELDS };

static const char *const more[] = { "host", "part", "name", "fields" };

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

static struct parquet_table *events_table(const char *path)
{
	struct parquet_table *table = common_table(path);
	unsigned int i;

	for (i = 0; table && i < sizeof(more) / sizeof(more[0]); i++)
		if (!parquet_column(table, more[i], PARQUET_TEXT)) {
			parquet_end(table, false);
			return NULL;
		}
	return table;
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
	char path[PATH_MAX];
	size_t other;

	class->first = event;
	for (other = 0; other < parquet->nr_classes; other++)
		if (parquet->classes[other].table && class_is_same(parquet->classes[other].first, event)) {
			class->table = parquet->classes[other].table;
			class->is_shared = true;
			return class->table;
		}
	class->table = table_path(parquet, event, path) ? class_table(path, event) : NULL;
	return class->table;
}

/* --- Rows ---------------------------------------------------------------------------------- */

static int put_in_all(struct parquet *parquet, const struct ltttrace_record *record, const struct task *task)
{
	const struct ltttrace_event *event = record->event;
	const struct ltttrace_part *part = event->part;
	const char *comma = "{";
	unsigned int i;

	rewind(parquet->memory);
	for (i = event->own; i < event->nr_fields; i++) {
		const struct ltttrace_value value = ltttrace_value(record, i);

		if (!class_has_column(event, i))
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
	put_common(parquet->all, record->ns, record->cpu, task);
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
	parquet->err = class_put(table, record, task) ?: put_in_all(parquet, record, task);
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
	parquet->all = events_table(events);
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
