/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The directories of the traces that lttd makes beside those of events.
 *
 * Layer: lttd state.  A directory is made with a hidden name, and gets its name when readers can use it.
 */
#ifndef LTTD_STATE_FOLDER_H
#define LTTD_STATE_FOLDER_H

#include <stddef.h>
#include <sys/types.h>

/**
 * folder_make() - make a directory, and open it
 * @root: its parent
 * @hidden: its name
 * @mode: its mode
 *
 * Return: a descriptor; -errno, and then it was removed, if it was made.
 */
int folder_make(int root, const char *hidden, mode_t mode);

/**
 * folder_name() - rename a directory to the first of NAME, NAME-2, ... that does not exist
 * @root: its parent
 * @hidden: its name until now
 * @base: NAME
 * @name: receives the new name
 * @size: bytes at @name
 *
 * Return: 0; -errno.
 */
int folder_name(int root, const char *hidden, const char *base, char *name, size_t size);

#endif /* LTTD_STATE_FOLDER_H */
