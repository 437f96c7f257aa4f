// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Where programs and lttd meet.
 */
#include "folder.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol.h"

/* Not one that was inherited from another user. */
static bool is_own(const char *path, uid_t uid)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == uid;
}

int ltt_folder(char *path)
{
	const char *runtime = secure_getenv("XDG_RUNTIME_DIR"), *chosen = secure_getenv("LTT_RUN_DIR");
	char run_user[32];
	uid_t uid = geteuid();
	struct stat st;
	int len, err;

	snprintf(run_user, sizeof(run_user), "/run/user/%u", uid);
	if (chosen && *chosen == '/')
		len = snprintf(path, LTT_FOLDER_SIZE, "%s/lttd", chosen);
	else if (!uid)
		len = snprintf(path, LTT_FOLDER_SIZE, "%s", LTT_PROGRAM_SYSTEM_DIR);
	else if (runtime && *runtime == '/' && is_own(runtime, uid))
		len = snprintf(path, LTT_FOLDER_SIZE, "%s/lttd", runtime);
	else if (!access(run_user, W_OK))
		len = snprintf(path, LTT_FOLDER_SIZE, "%s/lttd", run_user);
	else
		len = snprintf(path, LTT_FOLDER_SIZE, "/tmp/lttd-%u", uid);
	if (len >= LTT_FOLDER_SIZE)
		return -ENAMETOOLONG;
	err = mkdir(path, 0700) ? errno : 0;
	if (err && err != EEXIST)
		return -err;
	/* All have to see root's, whatever the umask is. */
	if (!err && !uid && !chosen && chmod(path, 0755))
		return -errno;
	if (lstat(path, &st))
		return -errno;
	/* In /tmp anybody can have been first. */
	return S_ISDIR(st.st_mode) && st.st_uid == uid && !(st.st_mode & 022) ? 0 : -EPERM;
}
