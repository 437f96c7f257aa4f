/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Directories: walking through them, and removing them.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_FOLDERS_H
#define LTT_COMMON_FOLDERS_H

#include <stdbool.h>
#include <sys/stat.h>

/* The mode of the directory of a recording.  Other users must not see what events show: the work of all users, names of
 * their files, addresses of the kernel.  The directory of an earlier recording keeps its mode. */
#define RECORDING_MODE	0750

/**
 * typedef folder_fn - called for each regular file in a directory
 * @dir: descriptor of the directory
 * @name: the file
 * @st: its state
 * @arg: the caller's
 *
 * Return: 0 to go on, or a value that ends the walk.
 */
typedef int folder_fn(int dir, const char *name, const struct stat *st, void *arg);

/**
 * folder_walk() - call a function for each regular file of a directory
 * @dir: descriptor of the directory
 * @hidden: also files whose name begins with a dot
 * @fn: the function
 * @arg: its last argument
 *
 * Return: 0; the first value of @fn that is not 0; -1 with errno set.
 */
int folder_walk(int dir, bool hidden, folder_fn *fn, void *arg);

/** typedef folders_fn - called for each directory in another.  Return: as folder_fn() */
typedef int folders_fn(int parent, const char *name, void *arg);

/** folders_walk() - call a function for each directory in @dir, also those that begin with a dot: see folder_walk() */
int folders_walk(int dir, folders_fn *fn, void *arg);

/** folder_open() - open the directory @name of @parent, no symbolic link.  Return: the descriptor; -1 with errno set */
int folder_open(int parent, const char *name);

/**
 * folder_remove() - remove a directory with all regular files and directories in it, at any depth
 * @parent: descriptor of the directory that @name begins at; AT_FDCWD: the working directory
 * @name: a path; a symbolic link at its end is not followed.  It need not exist
 *
 * Entries of other kinds stay, and the directories that hold them.
 *
 * Return: 0; -1 with errno set, after the first entry that could not be removed.
 */
int folder_remove(int parent, const char *name);

#endif /* LTT_COMMON_FOLDERS_H */
