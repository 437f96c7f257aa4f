// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A file that appears only when it is whole; output-file.h has the interface.
 *
 * The unfinished file has no name (O_TMPFILE), so that nothing is left of it, however the command
 * ends.  A file system that has no such files gets a hidden name beside the file, which a handler of signals removes.
 *
 * Layer: lttctl model.
 */
#include "lttctl/model/output-file.h"
#include "lttctl/command.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER (1 << 20)

/* ---- Is the file one that the command reads? ---- */

static struct stat wanted;
static bool found;

static int compare(const char *path, const struct stat *info, int type, struct FTW *walk)
{
	(void)path;
	(void)walk;
	found |= type == FTW_F && info->st_dev == wanted.st_dev && info->st_ino == wanted.st_ino;
	return found;
}

static int check_inputs(const char *path, const struct stat *info, const char *const *inputs)
{
	wanted = *info;
	found = false;
	for (; inputs && *inputs; inputs++) {
		nftw(*inputs, compare, 16, FTW_PHYS);
		if (found)
			return complain("%s: is a file of the recording %s", path, *inputs);
	}
	return 0;
}

/* Has the directory of the file the metadata of a trace? */
static int check_neighbours(const char *path, const char *dir)
{
	char metadata[PATH_MAX];

	if (snprintf(metadata, sizeof(metadata), "%s/metadata", dir) < (int)sizeof(metadata) && !access(metadata, F_OK))
		return complain("%s: would be a data stream of the recording in its directory; choose another directory", path);
	return 0;
}

/* ---- Signals ---- */

static char *unfinished;
static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXFSZ, SIGXCPU };

static void remove_unfinished(int signal)
{
	unlink(unfinished);
	raise(signal);	/* SA_RESETHAND: ends the process */
}

static void guard(char *name)
{
	struct sigaction action = { .sa_handler = name ? remove_unfinished : SIG_DFL, .sa_flags = SA_RESETHAND };
	struct sigaction before;
	size_t i;

	if (name)
		unfinished = name;
	for (i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		if (!sigaction(deadly[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(deadly[i], &action, NULL);
	if (!name)
		unfinished = NULL;
}

/* ---- Opening ---- */

/* Return: the name of a hidden file beside @target, for mkostemp(); NULL if memory is out. */
static char *hidden_name(const char *target)
{
	const char *slash = strrchr(target, '/');
	char *name;

	return asprintf(&name, "%.*s/.%.200s.XXXXXX", (int)(slash - target), target, slash + 1) < 0 ? NULL : name;
}

static int open_named(struct output_file *out)
{
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	out->temporary = hidden_name(out->target);
	if (!out->temporary)
		return -1;
	fd = mkostemp(out->temporary, O_CLOEXEC);
	if (fd < 0) {
		free(out->temporary);
		out->temporary = NULL;
		return -1;
	}
	guard(out->temporary);
	if (!fchmod(fd, 0666 & ~mask))
		return fd;
	unlink(out->temporary);
	close(fd);
	return -1;
}

/* A new file, for which @out->target is known. */
static int open_unfinished(struct output_file *out, const char *dir)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);

	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT || errno == EINVAL))
		fd = open_named(out);
	return fd;
}

/* Find the name that the file gets.  Return: 0, or a status after a message. */
static int find_target(struct output_file *out, bool exists, char dir[PATH_MAX])
{
	char copy[PATH_MAX], name[PATH_MAX];
	struct stat link;

	if (strlen(out->path) >= sizeof(copy))
		return complain("%.60s...: %s", out->path, strerror(ENAMETOOLONG));
	if (exists) {
		out->target = realpath(out->path, NULL);
	} else {
		if (!lstat(out->path, &link))
			return complain("%s: is a symbolic link to a file that does not exist", out->path);
		strcpy(copy, out->path);
		strcpy(name, basename(copy));
		strcpy(copy, out->path);
		if (!out->path[0] || out->path[strlen(out->path) - 1] == '/' || !realpath(dirname(copy), dir))
			return complain("%s: %s", out->path, strerror(out->path[0] && errno ? errno : ENOENT));
		if (asprintf(&out->target, "%s/%s", strcmp(dir, "/") ? dir : "", name) < 0)
			out->target = NULL;
	}
	if (!out->target)
		return complain("%s: %s", out->path, strerror(errno));
	snprintf(dir, PATH_MAX, "%.*s", (int)(strrchr(out->target, '/') - out->target), out->target);
	if (!dir[0])
		strcpy(dir, "/");
	return 0;
}

/* Return: a descriptor; or -1 after a message. */
static int open_descriptor(struct output_file *out, const char *const *inputs)
{
	struct stat info, standard;
	char dir[PATH_MAX];
	bool exists;
	int fd;

	errno = 0;
	if (!strcmp(out->path, "-"))
		return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	exists = !stat(out->path, &info);
	if (!exists && errno != ENOENT)
		return complain("%s: %s", out->path, strerror(errno)), -1;
	if (exists && check_inputs(out->path, &info, inputs))
		return -1;
	/* A file that the shell has opened may begin with other content, and is not replaced. */
	if (exists && !fstat(STDOUT_FILENO, &standard) && info.st_dev == standard.st_dev && info.st_ino == standard.st_ino)
		return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (exists && S_ISDIR(info.st_mode))
		return complain("%s: is a directory", out->path), -1;
	if (exists && !S_ISREG(info.st_mode)) {
		fd = open(out->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	} else {
		if (find_target(out, exists, dir) || check_neighbours(out->path, dir))
			return -1;
		if (exists && access(out->path, W_OK))
			return complain("%s: %s", out->path, strerror(errno)), -1;
		out->mode = exists ? (int)(info.st_mode & 0777) : -1;
		fd = open_unfinished(out, dir);
	}
	if (fd < 0)
		complain("%s: %s", out->path, strerror(errno));
	return fd;
}

int output_file_open(struct output_file *out, const char *path, const char *const *inputs)
{
	int fd;

	*out = (struct output_file){ .path = path, .mode = -1 };
	fd = open_descriptor(out, inputs);
	if (fd >= 0) {
		out->stream = fdopen(fd, "w");
		if (out->stream) {
			setvbuf(out->stream, NULL, _IOFBF, BUFFER);
			return 0;
		}
		complain("%s: %s", path, strerror(errno));
		close(fd);
	}
	output_file_drop(out);
	return EXIT_FAILED;
}

/* ---- The end ---- */

static void forget(struct output_file *out)
{
	if (out->temporary)
		guard(NULL);
	free(out->temporary);
	free(out->target);
	*out = (struct output_file){ .mode = -1 };
}

/* Give an unfinished file without a name one: that of the file if no file has it, else a hidden one. */
static int give_name(struct output_file *out)
{
	char number[64];
	int i;

	snprintf(number, sizeof(number), "/proc/self/fd/%d", fileno(out->stream));
	if (!linkat(AT_FDCWD, number, AT_FDCWD, out->target, AT_SYMLINK_FOLLOW))
		return 0;
	for (i = 0; errno == EEXIST && i < 100; i++) {
		free(out->temporary);
		out->temporary = hidden_name(out->target);
		/* mktemp() would warn; linkat() fails if the name is taken. */
		if (!out->temporary)
			return -1;
		snprintf(out->temporary + strlen(out->temporary) - 6, 7, "%06x", (unsigned int)(getpid() + i * 7919) & 0xffffff);
		guard(out->temporary);
		if (!linkat(AT_FDCWD, number, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW))
			return 0;
	}
	if (out->temporary)
		guard(NULL);
	free(out->temporary);
	out->temporary = NULL;
	return -1;
}

static int put_in_place(struct output_file *out)
{
	/* After a loss of power there is the old file or the new one. */
	if (out->mode >= 0 && (fchmod(fileno(out->stream), out->mode) || fdatasync(fileno(out->stream))))
		return -1;
	if (!out->temporary && give_name(out))
		return -1;
	return out->temporary ? rename(out->temporary, out->target) : 0;
}

int output_file_commit(struct output_file *out)
{
	bool failed = fflush(out->stream) || ferror(out->stream) || (out->target && put_in_place(out));
	int error = errno;

	if (failed) {
		complain("%s: %s", out->path, strerror(error));
		output_file_drop(out);
		return EXIT_FAILED;
	}
	if (fclose(out->stream))
		failed = complain("%s: %s", out->path, strerror(errno));
	forget(out);
	return failed ? EXIT_FAILED : 0;
}

void output_file_drop(struct output_file *out)
{
	if (out->stream) {
		/* A pipe or device does not get the rest, either. */
		__fpurge(out->stream);
		fclose(out->stream);
	}
	if (out->temporary)
		unlink(out->temporary);
	forget(out);
}
