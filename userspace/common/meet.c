// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The socket that programs connect to.
 *
 * Layer: common.
 */
#include "meet.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "protocol.h"

#define BACKLOG	4096

/* Bind under another name and rename once programs can connect: they look at any time. */
int meet_open(char *path, const char *kind)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char folder[LTT_FOLDER_SIZE];
	int err = ltt_folder(folder), fd;

	/* On failure, the caller's message names the folder. */
	snprintf(path, MEET_PATH_SIZE, "%s", folder);
	if (err)
		return err;
	if (snprintf(address.sun_path, MEET_PATH_SIZE, "%s/.%d", folder, getpid()) >= (int)MEET_PATH_SIZE ||
	    snprintf(path, MEET_PATH_SIZE, "%s/" LTT_PROGRAM_SOCKET "%s%d", folder, kind, getpid()) >=
	    (int)MEET_PATH_SIZE)
		return -ENAMETOOLONG;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	unlink(address.sun_path);
	if (!bind(fd, (struct sockaddr *)&address, sizeof(address)) &&
	    !chmod(address.sun_path, geteuid() ? 0600 : 0666) && !listen(fd, BACKLOG) &&
	    !rename(address.sun_path, path))
		return fd;
	err = -errno;
	unlink(address.sun_path);
	close(fd);
	return err;
}

const char *meet_error(int err)
{
	return err == -EPERM ? "another user owns the directory, or can write to it; set LTT_RUN_DIR to a directory of this user, for the programs too"
			     : strerror(-err);
}
