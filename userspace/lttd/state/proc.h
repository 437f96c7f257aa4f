/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Reading the small files and the folders of /proc and /sys.
 *
 * Layer: lttd state.  One buffer for each call, and few system calls: an entry of a folder costs
 * no allocation, and a file four calls.
 */
#ifndef LTTD_STATE_PROC_H
#define LTTD_STATE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * proc_read() - read the beginning of a file
 * @dir: an open folder, or AT_FDCWD
 * @name: the file, relative to @dir
 * @buf: receives the content and a NUL
 * @size: bytes of @buf
 *
 * Return: bytes read, less than @size; -errno, with "" in @buf.
 */
ssize_t proc_read(int dir, const char *name, char *buf, size_t size);

/* As proc_read(), of a text of one line; the newline is removed. */
ssize_t proc_line(int dir, const char *name, char *buf, size_t size);

/* Read a decimal number.  Return: false if the file has none; @value is then 0. */
bool proc_number(int dir, const char *name, uint64_t *value);

/**
 * proc_folder() - open a folder
 * @dir: an open folder, or AT_FDCWD
 * @name: the folder, relative to @dir
 *
 * Return: a descriptor; -errno.
 */
int proc_folder(int dir, const char *name);

/* Return: false to end the walk. */
typedef bool proc_entry_fn(int dir, const char *name, void *arg);

/**
 * proc_walk() - call @fn for each entry of a folder, but those that begin with a dot
 * @dir: the folder, which may be empty or vanish meanwhile
 * @fn: receives @dir, the name and @arg
 * @arg: for @fn
 *
 * Return: 0; -errno when the folder cannot be read; -ECANCELED when @fn ended the walk.
 */
int proc_walk(int dir, proc_entry_fn *fn, void *arg);

/* The same of the folder @path, which may not exist: then nothing is called. */
int proc_walk_path(const char *path, proc_entry_fn *fn, void *arg);

/* Parse an entry that is a number, such as a process.  Return: -1 for another name. */
int64_t proc_id(const char *name);

/**
 * struct lines - reads a file by lines, in bounded memory
 * @fd: the file
 * @err: 0; -errno of a failed read, which ends the lines
 * @start: offset in @buf of the next line
 * @end: offset of the end of what was read
 * @buf: a line that is longer is cut
 */
struct lines {
	int fd;
	int err;
	size_t start;
	size_t end;
	char buf[16384];
};

/* Open a file.  Return: 0; -errno. */
int lines_open(struct lines *lines, int dir, const char *name);

/* Return: the next line, without its newline, until the next call; NULL at the end. */
char *lines_next(struct lines *lines);

void lines_close(struct lines *lines);

#endif /* LTTD_STATE_PROC_H */
