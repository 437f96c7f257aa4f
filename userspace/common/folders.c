// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Directories: walking through them, and removing them.
 *
 * Layer: common.
 */
#include "folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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

/* lttd's compressor may give a file its name while they are removed. */
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
