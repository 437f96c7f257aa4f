// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Calling the programs that run: here is an lttd.
 *
 * Layer: lttd.  Folders and what is in them may be another user's: links are not
 * followed, and what is called is a socket of the folder's owner.
 */
#include "call.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../libltt/folder.h"
#include "../libltt/protocol.h"

/* A program's socket, or that of another lttd.  Return: 0 or -errno. */
static int call(int target, int type)
{
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int err = 0;

	if (fd < 0)
		return -errno;
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d", target);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    (type == SOCK_DGRAM && send(fd, "", 1, MSG_NOSIGNAL) < 0))
		err = -errno;
	close(fd);
	return err;
}

/* Who was killed has left its socket.  Return: is somebody there? */
static bool call_one(int folder, uid_t owner, const char *name, int type)
{
	int fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), err = -ENOENT;
	struct stat st;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISSOCK(st.st_mode) && st.st_uid == owner)
		err = call(fd, type);
	if (err == -ECONNREFUSED)
		unlinkat(folder, name, 0);
	close(fd);
	/* No room: it has been called, and has not looked yet. */
	return !err || err == -EAGAIN;
}

static bool begins_with(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static void call_folder(const char *path, call_fn *called, void *arg)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct dirent *entry;
	struct stat st;
	DIR *dir;

	if (fd < 0)
		return;
	dir = fstat(fd, &st) ? NULL : fdopendir(fd);
	if (!dir) {
		close(fd);
		return;
	}
	while ((entry = readdir(dir))) {
		if (begins_with(entry->d_name, LTT_PROGRAM_CALL)) {
			if (call_one(fd, st.st_uid, entry->d_name, SOCK_DGRAM) && called)
				called(atoi(entry->d_name + strlen(LTT_PROGRAM_CALL)), arg);
		}
		if (begins_with(entry->d_name, LTT_PROGRAM_SOCKET))
			call_one(fd, st.st_uid, entry->d_name, SOCK_SEQPACKET);
	}
	closedir(dir);
}

/* Where ltt_folder() has them. */
static void call_all_users(call_fn *called, void *arg)
{
	glob_t folders = { 0 };
	size_t i;

	glob("/run/user/*/lttd", 0, NULL, &folders);
	glob("/tmp/lttd-*", GLOB_APPEND, NULL, &folders);
	for (i = 0; i < folders.gl_pathc; i++)
		call_folder(folders.gl_pathv[i], called, arg);
	globfree(&folders);
}

void call_programs(call_fn *called, void *arg)
{
	char folder[LTT_FOLDER_SIZE];

	if (!ltt_folder(folder))
		call_folder(folder, called, arg);
	if (!geteuid())
		call_all_users(called, arg);
}
