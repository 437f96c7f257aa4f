// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The whole part of a trace with files that were cut off.
 *
 * Layer: lttctl.  The temporary directory has links to the files that are whole, and copies of
 * the others.  A child, which lives as long as this process, removes the directory.
 */
#include "whole.h"
#include "lttctl/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/packet.h"

#define CHUNK	(1 << 20)

/**
 * struct whole - the whole part of a trace
 * @next: that of another trace
 * @name: the trace's directory, as the caller names it
 * @trace: its absolute name
 * @dir: the temporary directory; "": no file is cut
 * @remover: the pipe that the child waits for; -1: there is none
 * @pid: the child
 */
struct whole {
	struct whole *next;
	char *name;
	char *trace;
	char dir[PATH_MAX];
	int remover;
	pid_t pid;
};

static struct whole *all;

/* ---- Removing ---- */

static void remove_directory(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(path);
}

/* The child: wait for the end of the parent, which no signal to the group must cut short. */
static void remove_at_end(const char *path, int end)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	char byte;

	setsid();
	dup2(end, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	/* Others wait for the end of what is open here. */
	syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);
	while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
		;
	remove_directory(path);
	_exit(0);
}

static int start_remover(struct whole *whole)
{
	int end[2];

	if (pipe2(end, O_CLOEXEC))
		return complain("cannot make a pipe: %s", strerror(errno));
	whole->pid = fork();
	if (!whole->pid) {
		close(end[1]);
		remove_at_end(whole->dir, end[0]);
	}
	close(end[0]);
	whole->remover = end[1];
	if (whole->pid > 0)
		return 0;
	close(end[1]);
	whole->remover = -1;
	return complain("cannot start a process: %s", strerror(errno));
}

/* At exit. */
static void remove_all(void)
{
	struct whole *whole;

	while ((whole = all)) {
		all = whole->next;
		if (whole->remover >= 0) {
			close(whole->remover);
			waitpid(whole->pid, NULL, 0);
		}
		free(whole->name);
		free(whole->trace);
		free(whole);
	}
}

/* ---- Copying ---- */

/* The metadata is text.  It ends with a whole block, or was cut. */
static off_t whole_metadata(int fd, off_t size)
{
	static const char end[] = "\n};\n";
	char *text = calloc(1, size + 1);
	off_t length = -1, at;

	if (text && pread(fd, text, size, 0) == size)
		for (at = length = 0; at + (off_t)strlen(end) <= size; at++)
			if (!memcmp(text + at, end, strlen(end)))
				length = at + strlen(end);
	/* Blanks may follow the last block. */
	if (text && length >= 0 && (off_t)strspn(text + length, " \n") == size - length)
		length = size;
	free(text);
	return length;
}

/* A crash of the machine may leave zeros at the end of a file. */
static bool is_zero(const void *data, size_t size)
{
	const char *byte = data;

	while (size && !*byte)
		byte++, size--;
	return !size;
}

/* Is what follows the last whole packet the beginning of another? */
static bool is_cut(int fd, off_t length)
{
	struct ltt_ctf_packet header = { 0 };
	ssize_t got = pread(fd, &header, sizeof(header), length);

	if (got < (ssize_t)sizeof(header.magic) || is_zero(&header, got))
		return got >= 0;
	return got < (ssize_t)sizeof(header) ? header.magic == LTT_CTF_MAGIC : packet_valid(&header);
}

/* Return: the bytes of the file's whole part; -1: it is damaged in another way, or cannot be
 * read. */
static off_t whole_length(int fd, const char *name, off_t size)
{
	struct ltt_ctf_packet last;
	off_t length;

	if (!strcmp(name, "metadata"))
		return whole_metadata(fd, size);
	length = packets_walk(fd, &last);
	return length >= 0 && is_cut(fd, length) ? length : -1;
}

/* Make the file @name from the first @length bytes.  Return: 0, or -1 with errno. */
static int copy(int from, off_t length, const char *name)
{
	char *buffer = malloc(CHUNK);
	int to = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool good = to >= 0 && buffer;
	off_t done = 0;
	ssize_t part;
	int err;

	while (good && done < length) {
		errno = EIO;	/* if the file has become shorter */
		part = pread(from, buffer, length - done < CHUNK ? length - done : CHUNK, done);
		errno = part > 0 ? ENOSPC : errno;
		good = part > 0 && pwrite(to, buffer, part, done) == part;
		done += part;
	}
	err = errno;
	free(buffer);
	if (to >= 0)
		close(to);
	errno = err;
	return good ? 0 : -1;
}

/* Add a file to the directory.  @cut: set if its end is missing. */
static int add_file(struct whole *whole, int fd, const char *name, bool *cut)
{
	char from[PATH_MAX], to[PATH_MAX + NAME_MAX + 2];
	struct stat st;
	off_t length;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	length = whole_length(fd, name, st.st_size);
	if (length < 0)
		return complain("%s/%s: damaged, or cannot be read", whole->name, name);
	snprintf(to, sizeof(to), "%s/%s", whole->dir, name);
	if (length < st.st_size) {
		*cut = true;
		complain("warning: %s/%s is cut off: shown up to byte %lld of %lld", whole->name, name,
			 (long long)length, (long long)st.st_size);
		return copy(fd, length, to) ?
		       complain("cannot copy %s/%s to %s: %s", whole->trace, name, to, strerror(errno)) : 0;
	}
	if (snprintf(from, sizeof(from), "%s/%s", whole->trace, name) >= (int)sizeof(from))
		return complain("%s: the name is too long", whole->trace);
	return symlink(from, to) ? complain("cannot make %s: %s", to, strerror(errno)) : 0;
}

static int add_files(struct whole *whole, bool *cut)
{
	DIR *dir = opendir(whole->trace);
	struct dirent *entry;
	int status = 0, fd;

	if (!dir)
		return complain("cannot read directory %s: %s", whole->trace, strerror(errno));
	while (!status && (entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		fd = openat(dirfd(dir), entry->d_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd < 0)
			status = complain("cannot open %s/%s: %s", whole->trace, entry->d_name, strerror(errno));
		else
			status = add_file(whole, fd, entry->d_name, cut);
		if (fd >= 0)
			close(fd);
	}
	closedir(dir);
	return status;
}

static int make(struct whole *whole)
{
	const char *folder = getenv("TMPDIR") ?: "/tmp";
	bool cut = false;
	int status;

	if (snprintf(whole->dir, sizeof(whole->dir), "%s/lttctl-XXXXXX", folder) >= (int)sizeof(whole->dir) ||
	    !mkdtemp(whole->dir))
		return complain("cannot make a directory in %s: %s", folder, strerror(errno));
	status = start_remover(whole);
	if (status) {
		rmdir(whole->dir);
		return status;
	}
	status = add_files(whole, &cut);
	return cut ? status : EXIT_FAILED;
}

static const struct whole *find(const char *trace)
{
	const struct whole *whole = all;

	while (whole && strcmp(whole->name, trace))
		whole = whole->next;
	return whole;
}

bool whole_make(const char *trace)
{
	struct whole *whole = find(trace) ? NULL : calloc(1, sizeof(*whole));

	if (!whole)
		return false;
	whole->name = strdup(trace);
	whole->trace = realpath(trace, NULL);
	if (!whole->name || !whole->trace) {
		complain("cannot use %s: %s", trace, strerror(errno));
		free(whole->name);
		free(whole->trace);
		free(whole);
		return false;
	}
	whole->remover = -1;
	if (!all)
		atexit(remove_all);
	whole->next = all;
	all = whole;
	if (make(whole))
		*whole->dir = '\0';
	return *whole->dir;
}

const char *whole_part(const char *trace)
{
	const struct whole *whole = find(trace);

	return whole && *whole->dir ? whole->dir : trace;
}
