// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A directory that appears when it is whole; output-dir.h has the interface.
 *
 * Layer: lttctl export.
 */
#include "output-dir.h"
#include "lttctl/command.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ };

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *walk)
{
	(void)info;
	(void)type;
	(void)walk;
	return remove(path);
}

/* A name beside @out. */
static bool hidden_name(char name[PATH_MAX], const char *out)
{
	size_t len = strlen(out);
	const char *slash;

	while (len > 1 && out[len - 1] == '/')
		len--;
	for (slash = out + len; slash > out && slash[-1] != '/'; slash--)
		;
	return snprintf(name, PATH_MAX, "%.*s.%.*s.XXXXXX", (int)(slash - out), out, (int)(out + len - slash), slash) < PATH_MAX;
}

bool output_dir_interrupted(void)
{
	sigset_t pending;
	size_t i;

	sigpending(&pending);
	for (i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		if (sigismember(&pending, deadly[i]))
			return true;
	return false;
}

static int cannot_create(const char *out, int error)
{
	return complain("cannot create %s: %s", out, strerror(error));
}

static int fill_and_rename(const char *out, int (*fill)(const char *path, void *data), void *data)
{
	char name[PATH_MAX];
	mode_t mask = umask(0);
	struct stat info;
	int status;

	umask(mask);
	if (!hidden_name(name, out) || !mkdtemp(name))
		return cannot_create(out, errno);
	status = fill(name, data);
	if (!status && output_dir_interrupted())
		status = EXIT_FAILED;
	if (!status && (chmod(name, 0777 & ~mask) || rename(name, out)))
		status = cannot_create(out, errno);
	if (status && !stat(name, &info))
		nftw(name, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return status;
}

int output_dir_write(const char *out, int (*fill)(const char *path, void *data), void *data)
{
	sigset_t signals, before;
	size_t i;
	int status;

	/* rename() replaces an empty directory, too, but only at the end. */
	if (!access(out, F_OK) && rmdir(out))
		return cannot_create(out, errno == ENOTDIR ? EEXIST : errno);
	sigemptyset(&signals);
	for (i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		sigaddset(&signals, deadly[i]);
	sigprocmask(SIG_BLOCK, &signals, &before);
	status = fill_and_rename(out, fill, data);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}
