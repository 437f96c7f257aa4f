// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The directory that `record` leaves behind.
 *
 * Layer: lttctl.
 */
#include "outdir.h"
#include "command.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void think_of_one(struct outdir *outdir)
{
	time_t now = time(NULL);
	size_t len;
	int n;

	len = strftime(outdir->path, sizeof(outdir->path), "ltt-%Y%m%d-%H%M%S",
		       localtime(&now));
	for (n = 2; !access(outdir->path, F_OK); n++)
		snprintf(outdir->path + len, sizeof(outdir->path) - len, "-%d",
			 n);
}

/* Of the kernel, or of a user's programs. */
static bool is_trace(const char *name)
{
	return !strcmp(name, "kernel") || !strncmp(name, "user-", strlen("user-"));
}

static bool holds_trace(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir)))
		found = is_trace(entry->d_name);
	if (dir)
		closedir(dir);
	return found;
}

int outdir_choose(struct outdir *outdir, const char *wanted)
{
	if (!wanted) {
		think_of_one(outdir);
	} else if (!*wanted || strlen(wanted) >= sizeof(outdir->path)) {
		return misused("-o `%.40s`: not a directory's name", wanted);
	} else {
		strcpy(outdir->path, wanted);
	}
	outdir->existed = !access(outdir->path, F_OK);
	if (holds_trace(outdir->path))
		return complain("%s holds a trace already: choose another directory, or remove it",
				outdir->path);
	return 0;
}

/* The files of a trace, then its folder. */
static void remove_trace(int root, const char *name)
{
	int fd = openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *files = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (files && (entry = readdir(files)))
		if (entry->d_type == DT_REG)
			unlinkat(fd, entry->d_name, 0);
	if (files)
		closedir(files);
	else if (fd >= 0)
		close(fd);
	unlinkat(root, name, AT_REMOVEDIR);
}

void outdir_remove(const struct outdir *outdir)
{
	DIR *dir = opendir(outdir->path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (is_trace(entry->d_name))
			remove_trace(dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
	if (!outdir->existed)
		rmdir(outdir->path);
}
