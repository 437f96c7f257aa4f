// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * An output file that replaces an existing one only when it is whole.
 *
 * Layer: lttctl html.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int beside(char name[PATH_MAX], const char *path, const char *suffix)
{
	return snprintf(name, PATH_MAX, "%s.%s", path, suffix) < PATH_MAX ? 0 : -ENAMETOOLONG;
}

static int open_unnamed(const char *path)
{
	char copy[PATH_MAX];

	if (strlen(path) >= sizeof(copy))
		return -ENAMETOOLONG;
	strcpy(copy, path);
	return open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

/* With the mode that a new file gets. */
static int open_named(struct page_file *output)
{
	mode_t mask = umask(0);
	int fd, err = beside(output->temporary, output->path, "XXXXXX");

	umask(mask);
	if (err) {
		output->temporary[0] = '\0';
		errno = -err;
		return -1;
	}
	fd = mkostemp(output->temporary, O_CLOEXEC);
	if (fd < 0)
		output->temporary[0] = '\0';
	else if (fchmod(fd, 0666 & ~mask))
		return fd;	/* it is readable for its owner alone */
	return fd;
}

static int open_fd(struct page_file *output)
{
	struct stat status;
	int fd;

	if (!stat(output->path, &status) && !S_ISREG(status.st_mode)) {
		output->path = NULL;
		return -2;
	}
	fd = open_unnamed(output->path);
	return fd < 0 ? open_named(output) : fd;
}

int page_file_open(struct page_file *output, const char *path)
{
	int fd;

	*output = (struct page_file){ .path = path };
	fd = open_fd(output);
	if (fd == -2)
		fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	output->file = fdopen(fd, "w");
	if (output->file)
		return 0;
	close(fd);
	page_file_drop(output);
	return -ENOMEM;
}

/* A link cannot replace a file, so the link has another name first. */
static int give_name(struct page_file *output)
{
	char descriptor[64], name[PATH_MAX], suffix[16];
	unsigned int attempt;
	int err;

	snprintf(descriptor, sizeof(descriptor), "/proc/self/fd/%d", fileno(output->file));
	for (attempt = 0; attempt < 100; attempt++) {
		snprintf(suffix, sizeof(suffix), "%06x", (unsigned int)(getpid() + attempt * 7919) & 0xffffff);
		err = beside(name, output->path, suffix);
		if (err)
			return err;
		if (!linkat(AT_FDCWD, descriptor, AT_FDCWD, name, AT_SYMLINK_FOLLOW)) {
			strcpy(output->temporary, name);
			return 0;
		}
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

int page_file_commit(struct page_file *output)
{
	int err = 0;

	if (output->path && !output->temporary[0])
		err = give_name(output);
	if (!err && fclose(output->file))
		err = -errno;
	output->file = err ? output->file : NULL;
	if (!err && output->path && rename(output->temporary, output->path))
		err = -errno;
	if (!err)
		output->temporary[0] = '\0';
	return err;
}

void page_file_drop(struct page_file *output)
{
	if (output->file)
		fclose(output->file);
	if (output->temporary[0])
		unlink(output->temporary);
	output->file = NULL;
	output->temporary[0] = '\0';
}
