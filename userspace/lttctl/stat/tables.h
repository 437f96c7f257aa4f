/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The tables of `lttctl stat`.
 *
 * Layer: lttctl stat, above lttctl/model.
 */
#ifndef LTTCTL_STAT_TABLES_H
#define LTTCTL_STAT_TABLES_H

#include "count.h"

#include "lttctl/model/recording.h"
#include "lttctl/report/table.h"

/* In this order. */
enum stat_table { STAT_EVENTS, STAT_CPUS, STAT_PROCESSES, STAT_THREADS, STAT_STREAMS, STAT_TABLES };

/**
 * struct stat - the counts of a recording
 * @recording: the recording
 * @counts: the counts
 * @total: all events
 * @losses: the sums of all streams
 * @disk_bytes: size of the data files
 * @spark: @total over time
 * @tables: the tables
 */
struct stat {
	struct recording recording;
	struct counts counts;
	struct count_class total;
	struct count_stream losses;
	uint64_t disk_bytes;
	char *spark;
	struct table *tables[STAT_TABLES];
};

/**
 * stat_make() - count the records of recordings
 * @stat: receives the counts and tables
 * @dirs: the recordings, and NULL after the last
 * @from: NULL, or the begin of the window
 * @to: NULL, or its end
 * @top: rows of each table; 0: all
 *
 * Return: 0, or an exit status after a message.  In both cases stat_release() is due.
 */
int stat_make(struct stat *stat, const char *const *dirs, const char *from, const char *to, size_t top);
void stat_release(struct stat *stat);

/* Return: the highest rate, of a column of the sparkline. */
double stat_peak(const struct stat *stat);

/* Return: true if a table is printed without --by. */
bool stat_is_shown(const struct stat *stat, enum stat_table table);

#endif /* LTTCTL_STAT_TABLES_H */
