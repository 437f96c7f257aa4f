/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A directory that a command writes as a whole: it gets its name when all its files are there, and nothing is left of it
 * after a failure or a signal.  Or one that a command adds files to.
 *
 * Layer: lttctl export.
 */
#ifndef LTTCTL_EXPORT_OUTPUT_DIR_H
#define LTTCTL_EXPORT_OUTPUT_DIR_H

#include <stdbool.h>

/**
 * output_dir_write() - create a directory with its files
 * @out: its name; an empty directory of this name is replaced
 * @fill: creates the files in the directory @path, and returns an exit status after a message
 * @data: for @fill
 *
 * Signals that end a process are blocked meanwhile; see output_dir_interrupted().
 *
 * Return: 0; EXIT_FAILED after a message, or without one after a signal, which is delivered before this returns.
 */
int output_dir_write(const char *out, int (*fill)(const char *path, void *data), void *data);

/**
 * output_dir_add() - add files to a directory, which may have others
 * @out: its name; it is created if it does not exist
 * @fill: creates files in the directory @path, gives them names in @out by rename() when all are whole, and returns an exit status
 *	after a message
 * @data: for @fill
 *
 * @path is in @out, and has a hidden name.  Nothing is left of it but after SIGKILL; the next call removes what that left.
 *
 * Return: as output_dir_write().
 */
int output_dir_add(const char *out, int (*fill)(const char *path, void *data), void *data);

/* Return: true if a signal waits to end the process: @fill may return at once. */
bool output_dir_interrupted(void);

#endif /* LTTCTL_EXPORT_OUTPUT_DIR_H */
