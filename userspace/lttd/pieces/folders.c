// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The directories of pieces.
 *
 * Layer: lttd.
 */
#include "folders.h"
#include "common/pieces.h"
#include "lttd/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int folder_open(int parent, const char *name)
{
	return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Return: a stream of its own, at the beginning of the directory; NULL with errno set. */
static DIR *list(int dir)
{
	int fd = folder_open(dir, ".");
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);

	if (!entries && fd >= 0)
		close(fd);
	return entries;
}

/* Call one of the functions for each entry of its kind. */
static int walk(int dir, folder_fn *file, folders_fn *folder, bool hidden, void *arg)
{
	DIR *entries = list(dir);
	struct dirent *entry;
	struct stat st;
	int ret = 0;

	if (!entries)
		return -1;
	while (!ret && (errno = 0, entry = readdir(entries))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || (!hidden && *entry->d_name == '.'))
			continue;
		/* It may have been removed meanwhile. */
		if (fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (file && S_ISREG(st.st_mode))
			ret = file(dir, entry->d_name, &st, arg);
		else if (folder && S_ISDIR(st.st_mode))
			ret = folder(dir, entry->d_name, arg);
	}
	if (!ret && errno && errno != ENOENT)
		ret = -1;
	closedir(entries);
	return ret;
}

int folder_walk(int dir, bool hidden, folder_fn *fn, void *arg)
{
	return walk(dir, fn, NULL, hidden, arg);
}

int folders_walk(int dir, folders_fn *fn, void *arg)
{
	return walk(dir, NULL, fn, true, arg);
}

static int remove_file(int dir, const char *name, const struct stat *st, void *arg)
{
	(void)st;
	(void)arg;
	return unlinkat(dir, name, 0) && errno != ENOENT ? -1 : 0;
}

/* The compressor may give a file its name while they are removed. */
#define REMOVE_TRIES	10

static int remove_folder(int parent, const char *name, void *arg)
{
	int dir = folder_open(parent, name), ret, tries = 0;

	if (dir < 0)
		return errno == ENOENT ? 0 : -1;
	do
		ret = walk(dir, remove_file, remove_folder, true, arg) ||
		      (unlinkat(parent, name, AT_REMOVEDIR) && errno != ENOENT) ? -1 : 0;
	while (ret && (errno == ENOTEMPTY || errno == EEXIST) && ++tries < REMOVE_TRIES);
	close(dir);
	return ret;
}

int folder_remove(int parent, const char *name)
{
	return remove_folder(parent, name, NULL);
}

/* Another lttd that makes a piece at this moment does not have the mark yet: the number in the name is its pid. */
static bool is_being_made(const char *name)
{
	const char *pid = name + strlen(PIECE_HIDDEN "new-");
	const int number = strncmp(name, PIECE_HIDDEN "new-", strlen(PIECE_HIDDEN "new-")) ? 0 : atoi(pid);

	return number > 0 && number != getpid() && (!kill(number, 0) || errno == EPERM);
}

/* An lttd that has made a piece holds the lock of its mark. */
static bool is_in_use(int root, const char *name)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int dir = folder_open(root, name), mark = -1;
	bool in_use = false;

	if (dir >= 0)
		mark = openat(dir, PIECE_MARK, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (mark >= 0) {
		in_use = fcntl(mark, F_GETLK, &lock) || lock.l_type != F_UNLCK;
		close(mark);
	}
	if (dir >= 0)
		close(dir);
	return in_use;
}

static int clean(int root, const char *name, void *arg)
{
	(void)arg;
	if (strncmp(name, PIECE_HIDDEN, strlen(PIECE_HIDDEN)) || is_being_made(name) || is_in_use(root, name))
		return 0;
	if (folder_remove(root, name))
		notice("cannot remove %s: %s", name, strerror(errno));
	return 0;
}

void folders_clean(int root)
{
	folders_walk(root, clean, NULL);
}
