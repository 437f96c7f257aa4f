// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Reading the small files and the folders of /proc and /sys.
 *
 * Layer: lttd state.
 */
#include "proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Files of /proc give whole lines, up to a page of them at a time, so a read that ends with a newline ends the
 * file only if it has one line.  @is_line: spare the read that returns 0. */
static ssize_t read_file(int dir, const char *name, char *buf, size_t size, bool is_line)
{
	int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	size_t len = 0;
	ssize_t got;
	int err;

	*buf = '\0';
	if (fd < 0)
		return -errno;
	do {
		got = read(fd, buf + len, size - 1 - len);
		err = got < 0 ? -errno : 0;
		len += got > 0 ? got : 0;
	} while ((got > 0 && len < size - 1 && !(is_line && buf[len - 1] == '\n')) || err == -EINTR);
	close(fd);
	buf[err ? 0 : len] = '\0';
	return err ? err : (ssize_t)len;
}

ssize_t proc_read(int dir, const char *name, char *buf, size_t size)
{
	return read_file(dir, name, buf, size, false);
}

ssize_t proc_line(int dir, const char *name, char *buf, size_t size)
{
	ssize_t got = read_file(dir, name, buf, size, true);

	if (got >= 0)
		buf[strcspn(buf, "\n")] = '\0';
	return got < 0 ? got : (ssize_t)strlen(buf);
}

bool proc_number(int dir, const char *name, uint64_t *value)
{
	char text[32], *end;

	*value = 0;
	if (proc_line(dir, name, text, sizeof(text)) <= 0)
		return false;
	*value = strtoull(text, &end, 10);
	return end != text;
}

int proc_folder(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int proc_walk(int dir, proc_entry_fn *fn, void *arg)
{
	char buf[8192] __attribute__((aligned(__alignof__(struct dirent64))));
	const struct dirent64 *entry;
	ssize_t got, at;

	for (;;) {
		got = getdents64(dir, buf, sizeof(buf));
		if (got <= 0)
			return got ? -errno : 0;
		for (at = 0; at < got; at += entry->d_reclen) {
			entry = (const struct dirent64 *)(buf + at);
			if (*entry->d_name != '.' && !fn(dir, entry->d_name, arg))
				return -ECANCELED;
		}
	}
}

int proc_walk_path(const char *path, proc_entry_fn *fn, void *arg)
{
	int dir = proc_folder(AT_FDCWD, path), err;

	if (dir < 0)
		return dir == -ENOENT ? 0 : dir;
	err = proc_walk(dir, fn, arg);
	close(dir);
	return err;
}

int64_t proc_id(const char *name)
{
	char *end;
	long long id;

	if (*name < '0' || *name > '9')
		return -1;
	id = strtoll(name, &end, 10);
	return *end ? -1 : id;
}

int lines_open(struct lines *lines, int dir, const char *name)
{
	lines->fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	lines->err = lines->fd < 0 ? -errno : 0;
	lines->start = lines->end = 0;
	return lines->err;
}

/* Move the rest to the front and read more.  Return: false at the end. */
static bool read_more(struct lines *lines)
{
	ssize_t got;

	memmove(lines->buf, lines->buf + lines->start, lines->end - lines->start);
	lines->end -= lines->start;
	lines->start = 0;
	do
		got = read(lines->fd, lines->buf + lines->end, sizeof(lines->buf) - 1 - lines->end);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		lines->err = -errno;
	lines->end += got > 0 ? got : 0;
	return got > 0;
}

char *lines_next(struct lines *lines)
{
	char *line, *end;

	for (;;) {
		line = lines->buf + lines->start;
		end = memchr(line, '\n', lines->end - lines->start);
		if (end || (!lines->start && lines->end == sizeof(lines->buf) - 1) || !read_more(lines))
			break;
	}
	line = lines->buf + lines->start;
	if (line == lines->buf + lines->end)
		return NULL;
	/* The last line may have no newline, and a long one continues as the next. */
	if (!end)
		end = lines->buf + lines->end;
	lines->start = end - lines->buf + (end < lines->buf + lines->end);
	*end = '\0';
	return line;
}

void lines_close(struct lines *lines)
{
	close(lines->fd);
}
