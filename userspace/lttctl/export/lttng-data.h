/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Share a data file of a recording.
 *
 * Layer: lttctl export.
 */
#ifndef LTTCTL_EXPORT_LTTNG_DATA_H
#define LTTCTL_EXPORT_LTTNG_DATA_H

#include <stdint.h>

/**
 * struct lttng_data - what data files took, in bytes
 * @copied: copies of files that could not be linked
 * @why: they could not; NULL: all could
 * @decompressed: of compressed files
 */
struct lttng_data {
	uint64_t copied;
	const char *why;
	uint64_t decompressed;
};

/**
 * lttng_data_take() - link a data file, or copy or decompress it
 * @sums: receives what it took
 * @path: the file; others than data streams, such as an index, are left out
 * @to: the new one; without ".zst" if @path has that
 *
 * Return: 0; EXIT_FAILED after a message.
 */
int lttng_data_take(struct lttng_data *sums, const char *path, const char *to);

#endif /* LTTCTL_EXPORT_LTTNG_DATA_H */
