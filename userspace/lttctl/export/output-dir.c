// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A directory that appears when it is whole, and one that gets whole files; output-dir.h has the interface.
 *
 * Layer: lttctl export.
 */
#include "output-dir.h"
#include "common/folders.h"
#include "lttctl/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ };

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
		folder_remove(AT_FDCWD, name);
	return status;
}

/* Hold back the signals that end a process.  @before: the signals that were held back already. */
static void hold_signals(sigset_t *before)
{
	sigset_t signals;
	size_t i;

	sigemptyset(&signals);
	for (i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		sigaddset(&signals, deadly[i]);
	sigprocmask(SIG_BLOCK, &signals, before);
}

int output_dir_write(const char *out, int (*fill)(const char *path, void *data), void *data)
{
	sigset_t before;
	int status;

	/* rename() replaces an empty directory, too, but only at the end. */
	if (!access(out, F_OK) && rmdir(out))
		return cannot_create(out, errno == ENOTDIR ? EEXIST : errno);
	hold_signals(&before);
	status = fill_and_rename(out, fill, data);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

/* --- Adding to a directory ----------------------------------------------------------------- */

#define HIDDEN	".lttctl-export."
#define LOCK	".lock"

/*
 * Open the file beside the hidden directory @name.  A command that uses the directory holds a lock on it (flock), which other machines
 * see, too: network file systems share the locks of files that are open for writing, and none of directories.
 *
 * Return: a descriptor; -1 with errno set.
 */
static int open_lock(const char *name)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s" LOCK, name) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Remove a hidden directory, then its file.  The caller has the lock. */
static void remove_hidden(const char *name)
{
	char path[PATH_MAX];

	folder_remove(AT_FDCWD, name);
	if (snprintf(path, sizeof(path), "%s" LOCK, name) < (int)sizeof(path))
		unlink(path);
}

/* Remove the hidden directories of commands that were killed: those that no command holds a lock on. */
static void remove_left(const char *out)
{
	char name[PATH_MAX];
	struct dirent *entry;
	DIR *dir = opendir(out);
	size_t len;
	int fd;

	while (dir && (entry = readdir(dir))) {
		len = strlen(entry->d_name);
		if (strncmp(entry->d_name, HIDDEN, strlen(HIDDEN)))
			continue;
		if (!strcmp(entry->d_name + len - strlen(LOCK), LOCK))
			len -= strlen(LOCK);
		if (snprintf(name, sizeof(name), "%s/%.*s", out, (int)len, entry->d_name) >= (int)sizeof(name))
			continue;
		fd = open_lock(name);
		if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
			remove_hidden(name);
		if (fd >= 0)
			close(fd);
	}
	if (dir)
		closedir(dir);
}

/* Make a hidden directory.  Return: the descriptor of its file, with the lock; -1 with errno set. */
static int make_hidden(const char *out, char name[PATH_MAX])
{
	int fd, err;

	for (;;) {
		if (snprintf(name, PATH_MAX, "%s/" HIDDEN "XXXXXX", out) >= PATH_MAX) {
			errno = ENAMETOOLONG;
			return -1;
		}
		if (!mkdtemp(name))
			return -1;
		fd = open_lock(name);
		if (fd < 0) {
			err = errno;
			rmdir(name);
			errno = err;
			return -1;
		}
		/* Some file systems have no locks. */
		if (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) {
			if (!access(name, F_OK))
				return fd;
			/* Another command removed it just before the lock. */
			remove_hidden(name);
		}
		close(fd);
	}
}

int output_dir_add(const char *out, int (*fill)(const char *path, void *data), void *data)
{
	char name[PATH_MAX];
	sigset_t before;
	int status, fd;

	if (mkdir(out, 0777) && errno != EEXIST)
		return cannot_create(out, errno);
	hold_signals(&before);
	remove_left(out);
	fd = make_hidden(out, name);
	if (fd < 0) {
		status = complain("cannot write to %s: %s", out, strerror(errno));
	} else {
		status = fill(name, data);
		remove_hidden(name);
		close(fd);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}
