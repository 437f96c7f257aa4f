// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The shown parts of an event.
 *
 * Layer: lttctl view.
 */
#include "columns.h"

#include "lttctl/command.h"
#include "lttctl/nearest.h"

#include <stdlib.h>
#include <string.h>

#define CONTEXT "context."

const char *const column_names[COLUMNS] = {
	[COLUMN_TIME] = "time", [COLUMN_HOST] = "host", [COLUMN_CPU] = "cpu", [COLUMN_TID] = "tid",
	[COLUMN_COMM] = "comm", [COLUMN_EVENT] = "event", [COLUMN_DURATION] = "duration",
};

/* ---- The list ---- */

/* Return: the column; COLUMNS if the name is not one. */
static enum column find_column(const char *name, size_t len)
{
	enum column column;

	for (column = 0; column < COLUMNS; column++)
		if (strlen(column_names[column]) == len && !memcmp(column_names[column], name, len))
			break;
	return column;
}

static void add_column(struct columns *columns, enum column column)
{
	unsigned int i;

	for (i = 0; i < columns->nr; i++)
		if (columns->column[i] == column)
			return;
	columns->column[columns->nr++] = column;
}

static int add_name(struct columns *columns, const char *name, size_t len)
{
	const enum column column = find_column(name, len);
	char **more;

	if (column < COLUMNS) {
		add_column(columns, column);
		return 0;
	}
	more = reallocarray(columns->field, columns->nr_fields + 1, sizeof(*more));
	if (!more)
		return complain("out of memory");
	columns->field = more;
	more[columns->nr_fields] = strndup(name, len);
	if (!more[columns->nr_fields])
		return complain("out of memory");
	columns->nr_fields++;
	return 0;
}

static void add_all(struct columns *columns, bool hosts)
{
	enum column column;

	for (column = 0; column < COLUMNS; column++)
		if (column == COLUMN_HOST ? hosts : column != COLUMN_DURATION || !columns->are_chosen)
			add_column(columns, column);
}

int columns_parse(struct columns *columns, const char *list, bool hosts)
{
	size_t len;
	int status = 0;

	*columns = (struct columns){ .are_chosen = list };
	for (; list && !status; list += len + 1) {
		len = strcspn(list, ",");
		if (!len)
			return misused("--fields: a name is missing");
		status = add_name(columns, list, len);
		if (!list[len])
			break;
	}
	if (!columns->nr)
		add_all(columns, hosts);
	return status;
}

void columns_free(struct columns *columns)
{
	while (columns->nr_fields)
		free(columns->field[--columns->nr_fields]);
	free(columns->field);
	columns->field = NULL;
}

/* ---- The fields ---- */

int columns_find(const struct ltttrace_event *event, const char *name)
{
	int field;

	if (!strncmp(name, CONTEXT, strlen(CONTEXT)))
		return ltttrace_context_field(event, name + strlen(CONTEXT));
	field = ltttrace_payload_field(event, name);
	return field >= 0 ? field : ltttrace_context_field(event, name);
}

static bool exists(const char *name, const struct ltttrace *trace)
{
	unsigned int i;

	for (i = 0; i < ltttrace_nr_events(trace); i++)
		if (columns_find(ltttrace_event(trace, i), name) >= 0)
			return true;
	return false;
}

static int complain_about(const char *name, const struct ltttrace *trace)
{
	struct nearest nearest = { .nr = 0 };
	char text[NEAREST_TEXT];
	unsigned int i, k;

	for (i = 0; i < ltttrace_nr_events(trace); i++) {
		const struct ltttrace_event *event = ltttrace_event(trace, i);

		for (k = 0; k < event->nr_fields; k++)
			nearest_offer(&nearest, name, strlen(name), event->fields[k].name, strlen(event->fields[k].name));
	}
	nearest_text(&nearest, "", text);
	return complain("--fields: no event has a field %s%s", name, text);
}

int columns_check(const struct columns *columns, const struct ltttrace *trace)
{
	unsigned int i;

	for (i = 0; i < columns->nr_fields; i++)
		if (!exists(columns->field[i], trace))
			return complain_about(columns->field[i], trace);
	return 0;
}
