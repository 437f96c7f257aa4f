// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Announce an lttd to the running programs.
 *
 * Layer: common.  A folder and its files may belong to another user.  So links are not
 * followed, and only sockets of the folder's owner are called.
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

#include "folder.h"
#include "protocol.h"

/* Send a datagram to a program, or connect to another lttd's socket.  Return: 0 or -errno. */
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

/* True: the error is a lack of our own resources.  Other users can cause all other errors. */
static bool is_ours(int err)
{
	return err == -EMFILE || err == -ENFILE || err == -ENOMEM || err == -ENOBUFS;
}

/* Call one socket, and remove it when its process was killed.  Return: 0 or -errno. */
static int call_one(int folder, uid_t owner, const char *name, int type)
{
	int fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), err = -ENOENT;
	struct stat st;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISSOCK(st.st_mode) && st.st_uid == owner)
		err = call(fd, type);
	if (err == -ECONNREFUSED)
		unlinkat(folder, name, 0);
	close(fd);
	/* The queue is full: an earlier call is still pending, which is as good. */
	return err == -EAGAIN ? 0 : err;
}

static bool begins_with(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static int call_folder(const char *path, call_fn *called, void *arg)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), err, ret = 0;
	struct dirent *entry;
	struct stat st;
	DIR *dir;

	if (fd < 0)
		return is_ours(-errno) ? -errno : 0;
	dir = fstat(fd, &st) ? NULL : fdopendir(fd);
	if (!dir) {
		ret = is_ours(-errno) ? -errno : 0;
		close(fd);
		return ret;
	}
	while ((entry = readdir(dir))) {
		err = 0;
		if (begins_with(entry->d_name, LTT_PROGRAM_CALL)) {
			err = call_one(fd, st.st_uid, entry->d_name, SOCK_DGRAM);
			if (!err && called)
				called(atoi(entry->d_name + strlen(LTT_PROGRAM_CALL)), arg);
		}
		if (begins_with(entry->d_name, LTT_PROGRAM_SOCKET))
			err = call_one(fd, st.st_uid, entry->d_name, SOCK_SEQPACKET);
		if (is_ours(err))
			ret = err;
	}
	closedir(dir);
	return ret;
}

int call_folders_of_users(glob_t *folders)
{
	static const char *const patterns[] = { "/run/user/*/lttd", "/run/ltt/user-*", "/tmp/lttd-*" };
	size_t i;
	int ret = 0;

	*folders = (glob_t){ 0 };
	for (i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (glob(patterns[i], i ? GLOB_APPEND : 0, NULL, folders) == GLOB_NOSPACE)
			ret = -ENOMEM;
	return ret;
}

static int call_all_users(call_fn *called, void *arg)
{
	glob_t folders;
	int err, ret = call_folders_of_users(&folders);
	size_t i;

	for (i = 0; i < folders.gl_pathc; i++) {
		err = call_folder(folders.gl_pathv[i], called, arg);
		ret = err ? err : ret;
	}
	globfree(&folders);
	return ret;
}

int call_programs(call_fn *called, void *arg)
{
	char folder[LTT_FOLDER_SIZE];
	int ret = 0, err = 0;

	if (!ltt_folder(folder))
		ret = call_folder(folder, called, arg);
	if (!geteuid())
		err = call_all_users(called, arg);
	return err ? err : ret;
}
