// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The directory that `record` leaves behind.
 *
 * Layer: lttctl.
 */
#include "outdir.h"
#include "command.h"

#include <dirent.h>
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

/* Is there a trace of the kernel or of a user's programs? */
static bool holds_trace(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir)))
		found = !strcmp(entry->d_name, "kernel") ||
			!strncmp(entry->d_name, "user-", strlen("user-"));
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

void outdir_remove(const struct outdir *outdir)
{
	char kernel[sizeof(outdir->path) + 8];
	struct dirent *entry;
	DIR *files;

	snprintf(kernel, sizeof(kernel), "%s/kernel", outdir->path);
	files = opendir(kernel);
	while (files && (entry = readdir(files)))
		if (entry->d_type == DT_REG)
			unlinkat(dirfd(files), entry->d_name, 0);
	if (files)
		closedir(files);
	rmdir(kernel);
	if (!outdir->existed)
		rmdir(outdir->path);
}
