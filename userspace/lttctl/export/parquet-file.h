/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A table in a file of Apache Parquet.  Source: the format's README and parquet.thrift, parquet.apache.org.
 *
 * The values are plain, each column of a group of rows is a page that zstd compresses, and no value is missing.  Columns of
 * integers have the smallest and the largest value of each group.
 *
 * Layer: lttctl export.
 */
#ifndef LTTCTL_EXPORT_PARQUET_FILE_H
#define LTTCTL_EXPORT_PARQUET_FILE_H

#include "lttctl/view/out.h"

/* The version of the tables' columns, in the metadata "ltt.schema" of each file: doc/fleet.md says what raises it. */
#define PARQUET_SCHEMA	"1"

enum parquet_type {
	PARQUET_INT,		/* 64 bits */
	PARQUET_UNSIGNED,	/* 64 bits */
	PARQUET_DOUBLE,
	PARQUET_TEXT,
};

struct parquet_table;

/* Begin a table in a new file.  Return: it; NULL if memory is out. */
struct parquet_table *parquet_new(const char *path);

/* Add a column, before the first value.  Return: false if memory is out. */
bool parquet_column(struct parquet_table *table, const char *name, enum parquet_type type);

/* Append a value to a column: each column gets one for each row. */
void parquet_int(struct parquet_table *table, unsigned int column, uint64_t value);
void parquet_double(struct parquet_table *table, unsigned int column, double value);
void parquet_text(struct parquet_table *table, unsigned int column, const char *text, size_t size);

/* All columns have their value.  Return: 0, -errno. */
int parquet_row(struct parquet_table *table);

/* Return: bytes of the rows in memory. */
size_t parquet_bytes(const struct parquet_table *table);

/* Write the rows that are in memory, as a group of their own.  Return: 0, -errno. */
int parquet_flush(struct parquet_table *table);

/* Complete the file, if @is_whole, and free the table.  Return: 0, -errno. */
int parquet_end(struct parquet_table *table, bool is_whole);

#endif /* LTTCTL_EXPORT_PARQUET_FILE_H */
