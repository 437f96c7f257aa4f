/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Tables: rows and columns, as aligned text or as JSON.
 *
 * Times are nanoseconds in rows and in JSON.  In text, the heading of a column says its unit.
 *
 * Layer: lttctl report.
 */
#ifndef LTTCTL_REPORT_TABLE_H
#define LTTCTL_REPORT_TABLE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * enum column_kind - what a column has, and how it is printed
 * @COLUMN_TEXT: a text, aligned to the left
 * @COLUMN_VALUE: a text, aligned to the right: a number with its unit
 * @COLUMN_NUMBER: an integer
 * @COLUMN_MS: a time, in milliseconds with three digits
 * @COLUMN_US: a time, in microseconds with three digits
 * @COLUMN_PERCENT: a number with two digits and no unit
 * @COLUMN_RATE: a number with one digit, per second
 * @COLUMN_MOMENT: a time of the day, as --from takes it
 */
enum column_kind {
	COLUMN_TEXT,
	COLUMN_VALUE,
	COLUMN_NUMBER,
	COLUMN_MS,
	COLUMN_US,
	COLUMN_PERCENT,
	COLUMN_RATE,
	COLUMN_MOMENT,
};

/**
 * struct column - a column
 * @heading: for text; a unit is appended to times
 * @member: for JSON
 * @kind: its kind
 */
struct column {
	const char *heading;
	const char *member;
	enum column_kind kind;
};

/**
 * struct cell - a value
 * @is_set: there is a value; if not, text has "-" and JSON null
 * @text: of COLUMN_TEXT and COLUMN_VALUE; freed with the table
 * @number: of numbers and times
 * @real: of COLUMN_PERCENT and COLUMN_RATE
 */
struct cell {
	bool is_set;
	union {
		char *text;
		int64_t number;
		double real;
	};
};

/**
 * struct table - a table
 * @name: for JSON, the member that has its rows
 * @title: for text, a line above it
 * @columns: the columns, and one without a heading after the last
 * @nr_columns: number of @columns
 * @rows: the rows
 * @nr_rows: number of @rows
 * @nr_left_out: rows that table_cut() removed
 */
struct table {
	const char *name;
	char *title;
	const struct column *columns;
	size_t nr_columns;
	struct cell **rows;
	size_t nr_rows;
	size_t nr_left_out;
};

/* Return: true if the cells of a column are texts. */
static inline bool column_is_text(const struct column *column)
{
	return column->kind == COLUMN_TEXT || column->kind == COLUMN_VALUE;
}

/* Return: the number of a column by its member; -1 if there is none. */
int table_column(const struct table *table, const char *member);

/* Return: an empty table; @columns ends by one whose heading is NULL; NULL if memory is out. */
struct table *table_new(const char *name, const char *title, const struct column *columns);
void table_free(struct table *table);

/* Return: the cells of a new row, none of which is set; NULL if memory is out. */
struct cell *table_add(struct table *table);

void cell_number(struct cell *cell, int64_t number);
void cell_real(struct cell *cell, double real);
__attribute__((format(printf, 2, 3)))
void cell_text(struct cell *cell, const char *format, ...);

/* Set a text that may have other characters than ASCII, and that the table frees; NULL: none. */
void cell_take(struct cell *cell, char *text);

/* Order rows by a number or time, the greatest first; equal ones stay in the order of their first texts. */
void table_sort(struct table *table, size_t column);

/* Keep the first @top rows; 0: all. */
void table_cut(struct table *table, size_t top);

void table_print(const struct table *table);

/* Return: an array with an object for each row. */
struct json_object *table_json(const struct table *table);

#endif /* LTTCTL_REPORT_TABLE_H */
