/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * lttctl export: recordings in the formats of other programs.
 *
 * Layer: lttctl export, above lttctl model.  Functions that return int return an exit status, after a message.
 */
#ifndef LTTCTL_EXPORT_EXPORT_H
#define LTTCTL_EXPORT_EXPORT_H

/**
 * struct export_options - what the formats have in common
 * @output: the file to write, see output-file.h
 * @from: the begin of what is exported, see moment.h; NULL: that of the recording
 * @to: its end; NULL
 */
struct export_options {
	const char *output;
	const char *from;
	const char *to;
};

/**
 * export_ctf_lttng() - write a trace with the names of LTTng, whose data files are links
 * @dir: the recording
 * @out: the directory to create
 */
int export_ctf_lttng(const char *dir, const char *out);

/* Write a trace of Perfetto.  @dirs ends with NULL. */
int export_perfetto(const char *const *dirs, const struct export_options *options);

/* Write the JSON of Chrome's tracing. */
int export_chrome(const char *const *dirs, const struct export_options *options);

/* Write the stacks of samples, each with its number. */
int export_flamegraph(const char *const *dirs, const struct export_options *options);

/* Write a directory of tables of Apache Parquet. */
int export_parquet(const char *const *dirs, const struct export_options *options);

/* Add tables of Apache Parquet to a directory, by host, day and event; without @from and @to. */
int export_partition(const char *const *dirs, const struct export_options *options);

#endif /* LTTCTL_EXPORT_EXPORT_H */
