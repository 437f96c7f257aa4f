// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Tables as text and as JSON: see table.h.
 *
 * Layer: lttctl report.
 */
#include "table.h"

#include "lttctl/command.h"
#include "lttctl/model/moment.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL_TEXT 128

struct table *table_new(const char *name, const char *title, const struct column *columns)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->name = name;
	table->title = strdup(title);
	table->columns = columns;
	while (columns[table->nr_columns].heading)
		table->nr_columns++;
	return table;
}

void table_free(struct table *table)
{
	size_t i, column;

	if (!table)
		return;
	for (i = 0; i < table->nr_rows; i++) {
		for (column = 0; column < table->nr_columns; column++)
			if (column_is_text(&table->columns[column]))
				free(table->rows[i][column].text);
		free(table->rows[i]);
	}
	free(table->rows);
	free(table->title);
	free(table);
}

struct cell *table_add(struct table *table)
{
	struct cell **rows;

	if (!(table->nr_rows & (table->nr_rows + 1)) || !table->nr_rows) {
		rows = reallocarray(table->rows, table->nr_rows * 2 + 2, sizeof(*rows));
		if (!rows)
			return NULL;
		table->rows = rows;
	}
	table->rows[table->nr_rows] = calloc(table->nr_columns, sizeof(struct cell));
	return table->rows[table->nr_rows] ? table->rows[table->nr_rows++] : NULL;
}

int table_column(const struct table *table, const char *member)
{
	size_t i;

	for (i = 0; i < table->nr_columns; i++)
		if (!strcmp(table->columns[i].member, member))
			return i;
	return -1;
}

void cell_number(struct cell *cell, int64_t number)
{
	cell->number = number;
	cell->is_set = true;
}

void cell_real(struct cell *cell, double real)
{
	cell->real = real;
	cell->is_set = true;
}

void cell_text(struct cell *cell, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (vasprintf(&cell->text, format, args) < 0)
		cell->text = NULL;
	va_end(args);
	cell->is_set = cell->text;
	/* Names come from the recording. */
	if (cell->text)
		make_printable(cell->text);
}

void cell_take(struct cell *cell, char *text)
{
	cell->text = text;
	cell->is_set = text;
}

/* --- Order ------------------------------------------------------------------ */

/* The order of a table, for qsort_r(). */
struct order {
	const struct table *table;
	size_t column;
};

static double value_of(const struct order *order, const struct cell *row)
{
	const struct cell *cell = &row[order->column];
	const enum column_kind kind = order->table->columns[order->column].kind;

	if (!cell->is_set)
		return -1;
	return kind == COLUMN_PERCENT || kind == COLUMN_RATE ? cell->real : (double)cell->number;
}

static int compare(const void *one, const void *other, void *data)
{
	const struct cell *a = *(struct cell *const *)one, *b = *(struct cell *const *)other;
	const struct order *order = data;
	double left = value_of(order, a), right = value_of(order, b);
	size_t i;
	int different;

	if (left != right)
		return left > right ? -1 : 1;
	for (i = 0; i < order->table->nr_columns; i++) {
		if (column_is_text(&order->table->columns[i]))
			different = strcmp(a[i].text ? a[i].text : "", b[i].text ? b[i].text : "");
		else
			different = a[i].number < b[i].number ? -1 : a[i].number > b[i].number;
		if (different)
			return different;
	}
	return 0;
}

void table_sort(struct table *table, size_t column)
{
	struct order order = { table, column };

	if (table->nr_rows)
		qsort_r(table->rows, table->nr_rows, sizeof(*table->rows), compare, &order);
}

void table_cut(struct table *table, size_t top)
{
	size_t column;

	while (top && table->nr_rows > top) {
		struct cell *row = table->rows[--table->nr_rows];

		for (column = 0; column < table->nr_columns; column++)
			if (column_is_text(&table->columns[column]))
				free(row[column].text);
		free(row);
		table->nr_left_out++;
	}
}

/* --- Text ------------------------------------------------------------------- */

static const char *format_cell(const struct column *column, const struct cell *cell, char text[CELL_TEXT])
{
	if (!cell->is_set)
		return "-";
	switch (column->kind) {
	case COLUMN_TEXT:
	case COLUMN_VALUE:
		return cell->text;
	case COLUMN_NUMBER:
		snprintf(text, CELL_TEXT, "%" PRId64, cell->number);
		return text;
	case COLUMN_MS:
		snprintf(text, CELL_TEXT, "%.3f", cell->number / 1e6);
		return text;
	case COLUMN_US:
		snprintf(text, CELL_TEXT, "%.3f", cell->number / 1e3);
		return text;
	case COLUMN_PERCENT:
		snprintf(text, CELL_TEXT, "%.2f", cell->real);
		return text;
	case COLUMN_RATE:
		snprintf(text, CELL_TEXT, "%.1f", cell->real);
		return text;
	case COLUMN_MOMENT:
		return moment_text(cell->number, text);
	}
	return "";
}

static const char *format_heading(const struct column *column, char text[CELL_TEXT])
{
	static const char *const units[] = { [COLUMN_MS] = " ms", [COLUMN_US] = " us", [COLUMN_RATE] = "/s" };
	const char *unit = column->kind <= COLUMN_RATE ? units[column->kind] : NULL;

	snprintf(text, CELL_TEXT, "%s%s", column->heading, unit ? unit : "");
	return text;
}

/* The number of characters, which are fewer than bytes in UTF-8. */
static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

/* Return: the width of a column; 0 if no row has a value in it, or memory is out. */
static size_t column_width(const struct table *table, size_t column)
{
	size_t row, width, widest = 0;
	char text[CELL_TEXT];
	bool is_set = false;

	for (row = 0; row < table->nr_rows; row++) {
		width = width_of(format_cell(&table->columns[column], &table->rows[row][column], text));
		if (width > widest)
			widest = width;
		is_set |= table->rows[row][column].is_set;
	}
	width = width_of(format_heading(&table->columns[column], text));
	return !is_set && table->nr_rows ? 0 : width > widest ? width : widest;
}

/**
 * struct line - a line that is being printed
 * @table: the table
 * @widths: of the columns; 0: it is left out
 * @printed: there are columns before
 * @pending: blanks that a column on the left needs if another one follows
 */
struct line {
	const struct table *table;
	const size_t *widths;
	bool printed;
	int pending;
};

static void print_cell(struct line *line, size_t column, const char *text)
{
	const bool is_text = line->table->columns[column].kind == COLUMN_TEXT;
	int padding = (int)(line->widths[column] - width_of(text));

	if (!line->widths[column])
		return;
	printf("%*s%s%*s%s", line->pending, "", line->printed ? "  " : "", is_text ? 0 : padding, "", text);
	line->pending = is_text ? padding : 0;
	line->printed = true;
}

static void print_line(const struct table *table, const size_t *widths, const struct cell *row)
{
	struct line line = { .table = table, .widths = widths };
	char text[CELL_TEXT];
	size_t column;

	for (column = 0; column < table->nr_columns; column++)
		print_cell(&line, column, row ? format_cell(&table->columns[column], &row[column], text) :
				  format_heading(&table->columns[column], text));
	putchar('\n');
}

void table_print(const struct table *table)
{
	size_t *widths = calloc(table->nr_columns, sizeof(*widths));
	size_t row, column;

	if (!widths)
		return;
	for (column = 0; column < table->nr_columns; column++)
		widths[column] = column_width(table, column);
	printf("%s\n", table->title ? table->title : "");
	print_line(table, widths, NULL);
	for (row = 0; row < table->nr_rows; row++)
		print_line(table, widths, table->rows[row]);
	if (table->nr_left_out)
		printf("(and %zu more)\n", table->nr_left_out);
	free(widths);
}

/* --- JSON ------------------------------------------------------------------- */

static struct json_object *cell_json(const struct column *column, const struct cell *cell)
{
	if (!cell->is_set)
		return NULL;
	switch (column->kind) {
	case COLUMN_TEXT:
	case COLUMN_VALUE:
		return json_object_new_string(cell->text);
	case COLUMN_PERCENT:
	case COLUMN_RATE:
		return json_object_new_double(cell->real);
	default:
		return json_object_new_int64(cell->number);
	}
}

struct json_object *table_json(const struct table *table)
{
	struct json_object *rows = json_object_new_array(), *row;
	size_t i, column;

	for (i = 0; i < table->nr_rows; i++) {
		row = json_object_new_object();
		for (column = 0; column < table->nr_columns; column++)
			json_object_object_add(row, table->columns[column].member,
					       cell_json(&table->columns[column], &table->rows[i][column]));
		json_object_array_add(rows, row);
	}
	return rows;
}
