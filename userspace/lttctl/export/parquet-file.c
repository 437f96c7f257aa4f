// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Write a file of Apache Parquet; parquet-file.h has the interface.
 *
 * Layer: lttctl export.  The file is opened for each group of rows: there can be more tables than descriptors.  The descriptions are encoded
 * by the compact protocol of Apache Thrift (thrift-compact-protocol.md of its source).
 */
#include "parquet-file.h"
#include "common/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "core/version.h"

#define GROUP_ROWS	(1U << 17)
#define GROUP_BYTES	(16U << 20)
#define LEVEL		3	/* of zstd */
#define MAGIC		"PAR1"

/* Types of Thrift. */
enum { THRIFT_I32 = 5, THRIFT_I64 = 6, THRIFT_BINARY = 8, THRIFT_LIST = 9, THRIFT_STRUCT = 12 };

/* Numbers of parquet.thrift. */
enum {
	TYPE_INT64 = 2, TYPE_DOUBLE = 5, TYPE_BYTE_ARRAY = 6,
	CONVERTED_UTF8 = 0, CONVERTED_UINT_64 = 14,
	REQUIRED = 0, PLAIN = 0, RLE = 3, ZSTD = 6, DATA_PAGE = 0,
};

/* A page: where it is, its size with its header, and the smallest and the largest value of a column of integers. */
struct chunk {
	uint64_t offset;
	uint64_t stored;
	uint64_t size;
	uint64_t min;
	uint64_t max;
};

struct column {
	char *name;
	enum parquet_type type;
	struct out data;	/* of the rows of this group */
};

struct parquet_table {
	char *path;
	struct column *columns;
	unsigned int nr_columns;
	uint64_t rows;		/* in all */
	uint32_t group_rows;
	size_t group_bytes;
	uint32_t *groups;	/* rows of each group */
	struct chunk *chunks;	/* of each column of each group */
	size_t nr_groups;
	uint64_t size;		/* of the file */
};

/* --- Thrift ------------------------------------------------------------------------- */

static void put_varint(struct out *out, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		out_char(out, (char)(value | 0x80));
	out_char(out, (char)value);
}

/* The header of a field; its number is that of the last one and @delta. */
static void put_field(struct out *out, unsigned int delta, unsigned int type)
{
	out_char(out, (char)(delta << 4 | type));
}

static void put_number(struct out *out, unsigned int delta, unsigned int type, int64_t value)
{
	put_field(out, delta, type);
	put_varint(out, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static void put_text(struct out *out, const char *text)
{
	put_varint(out, strlen(text));
	out_text(out, text);
}

static void put_list(struct out *out, unsigned int delta, unsigned int type, size_t nr)
{
	put_field(out, delta, THRIFT_LIST);
	if (nr < 15) {
		out_char(out, (char)(nr << 4 | type));
		return;
	}
	out_char(out, (char)(0xf0 | type));
	put_varint(out, nr);
}

static void put_stop(struct out *out)
{
	out_char(out, 0);
}

/* --- Values -------------------------------------------------------------------------- */

static void put_le(struct out *out, uint64_t value, unsigned int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		out_char(out, (char)value);
}

void parquet_int(struct parquet_table *table, unsigned int column, uint64_t value)
{
	put_le(&table->columns[column].data, value, 8);
}

void parquet_double(struct parquet_table *table, unsigned int column, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	put_le(&table->columns[column].data, bits, 8);
}

void parquet_text(struct parquet_table *table, unsigned int column, const char *text, size_t size)
{
	struct out *out = &table->columns[column].data;
	const size_t at = out->len;
	size_t len, i;

	put_le(out, 0, 4);
	while (size) {
		len = utf8_valid(text, size);
		out_bytes(out, text, len);
		text += len;
		size -= len;
		if (size) {
			out_text(out, UTF8_REPLACEMENT);
			text++;
			size--;
		}
	}
	len = out->len - at - 4;
	for (i = 0; i < 4 && !out->error; i++)
		out->data[at + i] = (char)(len >> 8 * i);
}

static bool is_integer(enum parquet_type type)
{
	return type == PARQUET_INT || type == PARQUET_UNSIGNED;
}

static uint64_t get_le(const char *data)
{
	uint64_t value = 0;
	unsigned int i;

	for (i = 8; i; i--)
		value = value << 8 | (unsigned char)data[i - 1];
	return value;
}

/* Readers pass over groups whose range cannot have what they look for. */
static void find_range(const struct column *column, struct chunk *chunk)
{
	/* Signed numbers have the order of unsigned ones, if their sign is flipped. */
	const uint64_t flip = column->type == PARQUET_INT ? 1ULL << 63 : 0;
	uint64_t min = UINT64_MAX, max = 0, value;
	size_t at;

	for (at = 0; at < column->data.len; at += 8) {
		value = get_le(column->data.data + at) ^ flip;
		min = value < min ? value : min;
		max = value > max ? value : max;
	}
	chunk->min = min ^ flip;
	chunk->max = max ^ flip;
}

/* --- Groups of rows --------------------------------------------------------------------- */

static int write_all(int fd, const char *data, size_t size)
{
	ssize_t len;

	for (; size; data += len, size -= len) {
		len = write(fd, data, size);
		if (len < 0 && errno == EINTR)
			len = 0;
		if (len < 0)
			return -errno;
	}
	return 0;
}

static void put_page_header(struct out *out, uint32_t rows, size_t size, size_t stored)
{
	put_number(out, 1, THRIFT_I32, DATA_PAGE);
	put_number(out, 1, THRIFT_I32, size);
	put_number(out, 1, THRIFT_I32, stored);
	put_field(out, 2, THRIFT_STRUCT);
	put_number(out, 1, THRIFT_I32, rows);
	put_number(out, 1, THRIFT_I32, PLAIN);
	put_number(out, 1, THRIFT_I32, RLE);
	put_number(out, 1, THRIFT_I32, RLE);
	put_stop(out);
	put_stop(out);
}

static int write_column(struct parquet_table *table, struct column *column, struct chunk *chunk, int fd)
{
	const size_t bound = ZSTD_compressBound(column->data.len);
	struct out header;
	char *stored;
	size_t len;
	int err;

	if (column->data.error || !out_init(&header, -1))
		return -ENOMEM;
	stored = malloc(bound);
	len = stored ? ZSTD_compress(stored, bound, column->data.data, column->data.len, LEVEL) : 0;
	if (!stored || ZSTD_isError(len)) {
		err = -ENOMEM;
	} else {
		put_page_header(&header, table->group_rows, column->data.len, len);
		*chunk = (struct chunk){
			.offset = table->size, .stored = header.len + len, .size = header.len + column->data.len,
		};
		if (is_integer(column->type))
			find_range(column, chunk);
		table->size += chunk->stored;
		err = write_all(fd, header.data, header.len) ?: write_all(fd, stored, len);
	}
	/* There can be many tables. */
	out_free(&column->data);
	if (!out_init(&column->data, -1) && !err)
		err = -ENOMEM;
	free(stored);
	out_free(&header);
	return err;
}

static int open_file(struct parquet_table *table)
{
	int fd = open(table->path, O_WRONLY | O_APPEND | O_CLOEXEC | (table->size ? 0 : O_CREAT | O_EXCL), 0666);

	if (fd < 0)
		return -errno;
	if (!table->size) {
		int err = write_all(fd, MAGIC, strlen(MAGIC));

		if (err) {
			close(fd);
			return err;
		}
		table->size = strlen(MAGIC);
	}
	return fd;
}

static int end_group(struct parquet_table *table)
{
	uint32_t *groups = reallocarray(table->groups, table->nr_groups + 1, sizeof(*groups));
	struct chunk *chunks;
	unsigned int i;
	int fd, err = 0;

	if (!groups)
		return -ENOMEM;
	table->groups = groups;
	chunks = reallocarray(table->chunks, (table->nr_groups + 1) * table->nr_columns, sizeof(*chunks));
	if (!chunks)
		return -ENOMEM;
	table->chunks = chunks;
	fd = open_file(table);
	if (fd < 0)
		return fd;
	for (i = 0; i < table->nr_columns && !err; i++)
		err = write_column(table, &table->columns[i], &chunks[table->nr_groups * table->nr_columns + i], fd);
	if (close(fd) && !err)
		err = -errno;
	groups[table->nr_groups++] = table->group_rows;
	table->group_rows = 0;
	table->group_bytes = 0;
	return err;
}

int parquet_row(struct parquet_table *table)
{
	unsigned int i;

	table->rows++;
	table->group_rows++;
	table->group_bytes = 0;
	for (i = 0; i < table->nr_columns; i++)
		table->group_bytes += table->columns[i].data.len;
	return table->group_bytes >= GROUP_BYTES || table->group_rows >= GROUP_ROWS ? end_group(table) : 0;
}

size_t parquet_bytes(const struct parquet_table *table)
{
	return table->group_bytes;
}

int parquet_flush(struct parquet_table *table)
{
	return table->group_rows ? end_group(table) : 0;
}

/* --- The end of the file ------------------------------------------------------------------ */

static int physical(enum parquet_type type)
{
	return type == PARQUET_TEXT ? TYPE_BYTE_ARRAY : type == PARQUET_DOUBLE ? TYPE_DOUBLE : TYPE_INT64;
}

static void put_schema(struct out *out, const struct parquet_table *table)
{
	const struct column *column;

	put_list(out, 1, THRIFT_STRUCT, table->nr_columns + 1);
	put_field(out, 4, THRIFT_BINARY);
	put_text(out, "schema");
	put_number(out, 1, THRIFT_I32, table->nr_columns);
	put_stop(out);
	for (column = table->columns; column < table->columns + table->nr_columns; column++) {
		put_number(out, 1, THRIFT_I32, physical(column->type));
		put_number(out, 2, THRIFT_I32, REQUIRED);
		put_field(out, 1, THRIFT_BINARY);
		put_text(out, column->name);
		if (column->type == PARQUET_TEXT || column->type == PARQUET_UNSIGNED)
			put_number(out, 2, THRIFT_I32, column->type == PARQUET_TEXT ? CONVERTED_UTF8 : CONVERTED_UINT_64);
		put_stop(out);
	}
}

static void put_bound(struct out *out, unsigned int delta, uint64_t value)
{
	put_field(out, delta, THRIFT_BINARY);
	put_varint(out, 8);
	put_le(out, value, 8);
}

/* Without the members min and max, whose order older readers did not agree about. */
static void put_statistics(struct out *out, const struct chunk *chunk)
{
	put_field(out, 3, THRIFT_STRUCT);
	put_number(out, 3, THRIFT_I64, 0);
	put_bound(out, 2, chunk->max);
	put_bound(out, 1, chunk->min);
	put_stop(out);
}

static void put_chunk(struct out *out, const struct column *column, const struct chunk *chunk, uint32_t rows)
{
	put_number(out, 2, THRIFT_I64, chunk->offset);
	put_field(out, 1, THRIFT_STRUCT);
	put_number(out, 1, THRIFT_I32, physical(column->type));
	put_list(out, 1, THRIFT_I32, 1);
	put_varint(out, PLAIN);
	put_list(out, 1, THRIFT_BINARY, 1);
	put_text(out, column->name);
	put_number(out, 1, THRIFT_I32, ZSTD);
	put_number(out, 1, THRIFT_I64, rows);
	put_number(out, 1, THRIFT_I64, chunk->size);
	put_number(out, 1, THRIFT_I64, chunk->stored);
	put_number(out, 2, THRIFT_I64, chunk->offset);
	if (is_integer(column->type))
		put_statistics(out, chunk);
	put_stop(out);
	put_stop(out);
}

static void put_groups(struct out *out, const struct parquet_table *table)
{
	const struct chunk *chunk = table->chunks;
	uint64_t bytes;
	unsigned int i;
	size_t group;

	put_list(out, 1, THRIFT_STRUCT, table->nr_groups);
	for (group = 0; group < table->nr_groups; group++) {
		bytes = 0;
		put_list(out, 1, THRIFT_STRUCT, table->nr_columns);
		for (i = 0; i < table->nr_columns; i++, chunk++) {
			put_chunk(out, &table->columns[i], chunk, table->groups[group]);
			bytes += chunk->size;
		}
		put_number(out, 1, THRIFT_I64, bytes);
		put_number(out, 1, THRIFT_I64, table->groups[group]);
		put_stop(out);
	}
}

static void put_key(struct out *out, const char *key, const char *value)
{
	put_field(out, 1, THRIFT_BINARY);
	put_text(out, key);
	put_field(out, 1, THRIFT_BINARY);
	put_text(out, value);
	put_stop(out);
}

/* The bounds of each column have the order of its type. */
static void put_orders(struct out *out, const struct parquet_table *table)
{
	unsigned int i;

	put_list(out, 1, THRIFT_STRUCT, table->nr_columns);
	for (i = 0; i < table->nr_columns; i++) {
		put_field(out, 1, THRIFT_STRUCT);
		put_stop(out);
		put_stop(out);
	}
}

static int write_footer(struct parquet_table *table)
{
	struct out out;
	int fd, err;

	if (!out_init(&out, -1))
		return -ENOMEM;
	put_number(&out, 1, THRIFT_I32, 1);
	put_schema(&out, table);
	put_number(&out, 1, THRIFT_I64, table->rows);
	put_groups(&out, table);
	put_list(&out, 1, THRIFT_STRUCT, 2);
	put_key(&out, "ltt.schema", PARQUET_SCHEMA);
	put_key(&out, "ltt.version", LTT_VERSION);
	put_field(&out, 1, THRIFT_BINARY);
	put_text(&out, "LTT version " LTT_VERSION);
	put_orders(&out, table);
	put_stop(&out);
	put_le(&out, out.len, 4);
	out_text(&out, MAGIC);
	fd = out.error ? -ENOMEM : open_file(table);
	err = fd < 0 ? fd : write_all(fd, out.data, out.len);
	if (fd >= 0 && close(fd) && !err)
		err = -errno;
	out_free(&out);
	return err;
}

struct parquet_table *parquet_new(const char *path)
{
	struct parquet_table *table = calloc(1, sizeof(*table));

	if (table)
		table->path = strdup(path);
	if (table && table->path)
		return table;
	free(table);
	return NULL;
}

bool parquet_column(struct parquet_table *table, const char *name, enum parquet_type type)
{
	struct column *more = reallocarray(table->columns, table->nr_columns + 1, sizeof(*more));

	if (!more)
		return false;
	table->columns = more;
	more[table->nr_columns] = (struct column){ .name = strdup(name), .type = type };
	if (!more[table->nr_columns].name || !out_init(&more[table->nr_columns].data, -1)) {
		free(more[table->nr_columns].name);
		return false;
	}
	table->nr_columns++;
	return true;
}

int parquet_end(struct parquet_table *table, bool is_whole)
{
	unsigned int i;
	int err = 0;

	if (is_whole)
		err = parquet_flush(table);
	if (is_whole && !err)
		err = write_footer(table);
	for (i = 0; i < table->nr_columns; i++) {
		free(table->columns[i].name);
		out_free(&table->columns[i].data);
	}
	free(table->columns);
	free(table->groups);
	free(table->chunks);
	free(table->path);
	free(table);
	return err;
}
