/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * An output file that replaces an existing one only when it is whole.
 *
 * Layer: lttctl html, above nothing.
 */
#ifndef LTTCTL_HTML_FILE_H
#define LTTCTL_HTML_FILE_H

#include <limits.h>
#include <stdio.h>

/**
 * struct page_file - a file that is being written
 * @path: its name
 * @file: to write to
 * @temporary: the name that it has meanwhile; "": it has none
 */
struct page_file {
	const char *path;
	FILE *file;
	char temporary[PATH_MAX];
};

/**
 * page_file_open() - begin to write
 * @output: describes the file afterwards
 * @path: its name; what exists and is not a regular file, such as a pipe, is written to as it is
 *
 * The file has no name until page_file_commit(), where the file system can do that: then an interrupted command leaves
 * nothing.
 *
 * Return: 0; -errno.
 */
int page_file_open(struct page_file *output, const char *path);

/* Give the file its name; it must have been flushed.  Return: 0; -errno: then there is no file, or the old one. */
int page_file_commit(struct page_file *output);

/* Drop what was written. */
void page_file_drop(struct page_file *output);

#endif /* LTTCTL_HTML_FILE_H */
