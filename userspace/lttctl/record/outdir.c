// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The directory of a recording.
 *
 * Layer: lttctl.
 */
#include "outdir.h"
#include "common/folders.h"
#include "common/pieces.h"
#include "common/state.h"
#include "common/user-trace.h"
#include "lttctl/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void choose_name(struct outdir *outdir)
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

/* A trace of the kernel or of a user's programs, or a state or samples of the clock, hidden while they are made? */
static bool is_trace(const char *name)
{
	const char *shown = name + (*name == '.');

	return !strcmp(name, "kernel") || user_trace_is(name) || state_trace_is(shown) || clock_trace_is(shown);
}

/* Is this in the way of the recording? */
static bool is_older(const struct outdir *outdir, const char *name)
{
	return outdir->pieces ? is_trace(name) && !state_trace_is(name + (*name == '.')) :
				is_trace(name) || piece_number(name);
}

/* outdir_remove() must never remove an older trace.  Return: 0; EXIT_USAGE after a message if there is one, with which
 * ltt-record@.service does not try again; or EXIT_FAILED after a message. */
static int refuse_trace(const struct outdir *outdir)
{
	const char *path = outdir->path;
	DIR *dir = opendir(path);
	struct dirent *entry = NULL;
	int err;

	if (!dir && errno == ENOENT)
		return 0;
	if (!dir)
		return complain("cannot read directory %s: %s", path, strerror(errno));
	while (errno = 0, (entry = readdir(dir)) && !is_older(outdir, entry->d_name))
		;
	err = errno;
	closedir(dir);
	if (entry) {
		complain("%s already contains a trace: choose another directory, or remove the trace", path);
		return EXIT_USAGE;
	}
	return err ? complain("cannot read directory %s: %s", path, strerror(err)) : 0;
}

int outdir_choose(struct outdir *outdir, bool pieces, const char *wanted)
{
	outdir->pieces = pieces;
	if (wanted && (!*wanted || strlen(wanted) >= sizeof(outdir->path)))
		return misused("-o %.40s: must be the name of a directory, at most %zu bytes", *wanted ? wanted : "''",
			       sizeof(outdir->path) - 1);
	outdir->unnamed = !wanted;
	if (wanted)
		strcpy(outdir->path, wanted);
	else
		choose_name(outdir);
	return refuse_trace(outdir);
}

/* Does the path still lead to the open directory?  Another lttctl that failed may have
 * removed it before we had the lock. */
static bool is_there(const struct outdir *outdir)
{
	struct stat held, named;

	return !fstat(outdir->fd, &held) && !stat(outdir->path, &named) &&
	       held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/*
 * When two lttctls choose the same directory, only the one with the lock records to it, so
 * the other's outdir_remove() does not remove its files.  File systems without locks have
 * no such protection.
 * Return: 0; -EAGAIN when the directory was removed; or a status after a message.
 */
static int lock(struct outdir *outdir)
{
	int status;

	outdir->fd = open(outdir->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (outdir->fd < 0 && errno == ENOENT)
		return -EAGAIN;
	if (outdir->fd < 0) {
		complain("cannot open %s: %s", outdir->path, strerror(errno));
		if (!outdir->existed)
			rmdir(outdir->path);
		return EXIT_FAILED;
	}
	if (flock(outdir->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return complain("%s is in use by another lttctl: choose another directory", outdir->path);
	if (!is_there(outdir))
		return -EAGAIN;
	status = refuse_trace(outdir);
	if (status && !outdir->existed)
		rmdir(outdir->path);
	return status;
}

/* Return: 0, or EXIT_FAILED after a message. */
static int make_dir(struct outdir *outdir)
{
	outdir->existed = false;
	/* It was made a moment ago. */
	if (outdir->spool)
		return 0;
	while (mkdir(outdir->path, RECORDING_MODE)) {
		if (errno != EEXIST)
			return complain("cannot create directory %s: %s", outdir->path, strerror(errno));
		outdir->existed = !outdir->unnamed;
		if (outdir->existed)
			break;
		choose_name(outdir);
	}
	return 0;
}

/* The next lttd goes on with the number after the highest one. */
static void find_first(struct outdir *outdir)
{
	unsigned int *numbers;
	ssize_t nr = pieces_list(outdir->fd, &numbers);

	outdir->first = nr > 0 ? numbers[nr - 1] + 1 : 1;
	if (nr >= 0)
		free(numbers);
}

int outdir_make(struct outdir *outdir)
{
	int status;

	do {
		status = make_dir(outdir);
		if (status)
			return status;
		status = lock(outdir);
		if (status && outdir->fd >= 0)
			close(outdir->fd);
	} while (status == -EAGAIN);
	if (!status)
		find_first(outdir);
	return status;
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

/* The traces of a piece, its mark, then its folder. */
static void remove_piece(int root, const char *name)
{
	int fd = openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (is_trace(entry->d_name))
			remove_trace(fd, entry->d_name);
	if (dir) {
		unlinkat(fd, PIECE_MARK, 0);
		closedir(dir);
	} else if (fd >= 0) {
		close(fd);
	}
	unlinkat(root, name, AT_REMOVEDIR);
}

bool outdir_has_events(const struct outdir *outdir, const char *name)
{
	int fd = openat(outdir->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *files = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	/* If in doubt: they are nowhere else. */
	bool found = !files && errno != ENOENT;
	struct stat st;

	while (files && !found && (entry = readdir(files)))
		found = strcmp(entry->d_name, "metadata") &&
			!fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode) && st.st_size;
	if (files)
		closedir(files);
	else if (fd >= 0)
		close(fd);
	return found;
}

/* Pieces of earlier recordings stay, and so do their states. */
void outdir_remove(const struct outdir *outdir)
{
	bool keep = outdir->pieces && outdir->existed;
	DIR *dir = keep ? NULL : opendir(outdir->path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		if (is_trace(entry->d_name))
			remove_trace(dirfd(dir), entry->d_name);
		else if (piece_number(entry->d_name))
			remove_piece(dirfd(dir), entry->d_name);
	}
	if (dir)
		closedir(dir);
	close(outdir->fd);
	if (!outdir->existed)
		rmdir(outdir->path);
}
