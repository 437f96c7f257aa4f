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
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../libltt/folder.h"
#include "../libltt/protocol.h"

/* Return: 0 or -errno. */
static int call(int caller, int socket)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d", socket);
	return sendto(caller, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&address,
		      sizeof(address)) < 0 ? -errno : 0;
}

/* A program that was killed has left its socket. */
static void call_one(int caller, int folder, uid_t owner, const char *name)
{
	int fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISSOCK(st.st_mode) && st.st_uid == owner &&
	    call(caller, fd) == -ECONNREFUSED)
		unlinkat(folder, name, 0);
	close(fd);
}

static void call_folder(int caller, const char *path)
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
	while ((entry = readdir(dir)))
		if (!strncmp(entry->d_name, LTT_PROGRAM_CALL, strlen(LTT_PROGRAM_CALL)))
			call_one(caller, fd, st.st_uid, entry->d_name);
	closedir(dir);
}

/* Where ltt_folder() has them. */
static void call_all_users(int caller)
{
	glob_t folders = { 0 };
	size_t i;

	glob("/run/user/*/lttd", 0, NULL, &folders);
	glob("/tmp/lttd-*", GLOB_APPEND, NULL, &folders);
	for (i = 0; i < folders.gl_pathc; i++)
		call_folder(caller, folders.gl_pathv[i]);
	globfree(&folders);
}

void call_programs(void)
{
	int caller = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char folder[LTT_FOLDER_SIZE];

	if (caller < 0)
		return;
	if (!ltt_folder(folder))
		call_folder(caller, folder);
	if (!geteuid())
		call_all_users(caller);
	close(caller);
}
