// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The pieces of a recording.
 *
 * Layer: common.
 */
#include "pieces.h"
#include "folders.h"
#include "state.h"
#include "user-trace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned int piece_number(const char *name)
{
	char again[PIECE_NAME_SIZE];
	unsigned long number;

	if (name[strspn(name, "0123456789")] || strlen(name) >= sizeof(again))
		return 0;
	number = strtoul(name, NULL, 10);
	if (!number || number > 999999999)
		return 0;
	piece_name(number, again);
	return strcmp(name, again) ? 0 : number;
}

void piece_name(unsigned int number, char *name)
{
	snprintf(name, PIECE_NAME_SIZE, "%04u", number);
}

static int compare(const void *a, const void *b)
{
	unsigned int first = *(const unsigned int *)a, second = *(const unsigned int *)b;

	return (first > second) - (first < second);
}

static int add(unsigned int **numbers, ssize_t nr, unsigned int number)
{
	unsigned int *more = reallocarray(*numbers, nr + 1, sizeof(*more));

	if (!more)
		return -1;
	more[nr] = number;
	*numbers = more;
	return 0;
}

ssize_t pieces_list(int root, unsigned int **numbers)
{
	/* A descriptor of its own, at the beginning of the directory. */
	int fd = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	unsigned int number;
	ssize_t nr = 0;

	*numbers = NULL;
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while (nr >= 0 && (errno = 0, entry = readdir(dir))) {
		number = piece_number(entry->d_name);
		if (number)
			nr = add(numbers, nr, number) ? -1 : nr + 1;
	}
	if (errno)
		nr = -1;
	closedir(dir);
	if (nr < 0) {
		free(*numbers);
		*numbers = NULL;
		return -1;
	}
	if (nr)
		qsort(*numbers, nr, sizeof(**numbers), compare);
	return nr;
}

bool piece_has(const char *name)
{
	return !strcmp(name, "kernel") || user_trace_is(name);
}

bool piece_is_ours(int root, unsigned int number)
{
	char name[PIECE_NAME_SIZE];
	struct dirent *entry;
	bool has_own = false, has_others = false;
	DIR *dir;
	int fd;

	piece_name(number, name);
	fd = openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	while ((entry = readdir(dir))) {
		if (piece_has(entry->d_name) || !strcmp(entry->d_name, PIECE_MARK))
			has_own = true;
		else if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
			 !clock_trace_is(entry->d_name + (*entry->d_name == '.')))
			has_others = true;
	}
	closedir(dir);
	return has_own && !has_others;
}

static void mark_path(unsigned int number, char *path, size_t size)
{
	char name[PIECE_NAME_SIZE];

	piece_name(number, name);
	snprintf(path, size, "%s/" PIECE_MARK, name);
}

bool piece_is_open(int root, unsigned int number)
{
	char path[PIECE_NAME_SIZE + sizeof(PIECE_MARK) + 1];

	mark_path(number, path, sizeof(path));
	return !faccessat(root, path, F_OK, 0);
}

pid_t piece_writer(int root, unsigned int number)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char path[PIECE_NAME_SIZE + sizeof(PIECE_MARK) + 1];
	int fd, err;

	mark_path(number, path, sizeof(path));
	fd = openat(root, path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return 0;
	err = fcntl(fd, F_GETLK, &lock);
	close(fd);
	/* All who can read the file can have a read lock, which is not an lttd's. */
	if (err || lock.l_type != F_WRLCK)
		return 0;
	return lock.l_pid > 0 ? lock.l_pid : -1;
}

uint64_t piece_beacon(int root, unsigned int number)
{
	char path[PIECE_NAME_SIZE + sizeof(PIECE_MARK) + 1], text[PIECE_BEACON_SIZE + 1] = "";
	int fd;
	ssize_t got;

	mark_path(number, path, sizeof(path));
	fd = openat(root, path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return 0;
	got = read(fd, text, PIECE_BEACON_SIZE);
	close(fd);
	if (got != PIECE_BEACON_SIZE || memcmp(text, text + PIECE_BEACON_DIGITS + 1, PIECE_BEACON_DIGITS))
		return 0;
	return strtoull(text, NULL, 10);
}

int piece_unlink(int root, unsigned int number)
{
	char name[PIECE_NAME_SIZE], hidden[32];

	piece_name(number, name);
	snprintf(hidden, sizeof(hidden), PIECE_HIDDEN "old-%s", name);
	/* One that could not be removed earlier would be in the way. */
	folder_remove(root, hidden);
	if (!renameat(root, name, root, hidden) && !folder_remove(root, hidden))
		return 0;
	return errno == ENOENT ? 0 : -1;
}
