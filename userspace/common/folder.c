// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The rendezvous folder, which holds the sockets of programs and lttds.
 */
#include "folder.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "peer.h"
#include "protocol.h"

/* Of the first call. The library's thread calls this while the program may change its environment, which may move it. */
static struct {
	bool are_taken;
	char runtime[PATH_MAX];
	char chosen[PATH_MAX];
} variables;

static void take(char *value, const char *name)
{
	const char *now = secure_getenv(name);

	/* The kernel takes no longer path than this. */
	snprintf(value, PATH_MAX, "%s", now ? now : "");
}

static void take_variables(void)
{
	if (variables.are_taken)
		return;
	take(variables.runtime, "XDG_RUNTIME_DIR");
	take(variables.chosen, "LTT_RUN_DIR");
	variables.are_taken = true;
}

/* False for a folder that a variable inherited from another user names. */
static bool is_own(const char *path, uid_t uid)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == uid;
}

/* @common: receives true if all users must be able to list it.  Return: 0 or -errno. */
static int name_folder(char *path, bool *common)
{
	const char *runtime = variables.runtime, *chosen = variables.chosen;
	char run_user[32], made[32];
	uid_t uid = geteuid();
	int len;

	take_variables();
	*common = !uid && *chosen != '/';
	snprintf(run_user, sizeof(run_user), "/run/user/%u", uid);
	snprintf(made, sizeof(made), "/run/ltt/user-%u", uid);
	if (*chosen == '/')
		len = snprintf(path, LTT_FOLDER_SIZE, "%s/lttd", chosen);
	else if (!uid)
		len = snprintf(path, LTT_FOLDER_SIZE, "%s", LTT_PROGRAM_SYSTEM_DIR);
	else if (*runtime == '/' && is_own(runtime, uid))
		len = snprintf(path, LTT_FOLDER_SIZE, "%s/lttd", runtime);
	else if (!access(run_user, W_OK))
		len = snprintf(path, LTT_FOLDER_SIZE, "%s/lttd", run_user);
	else if (is_own(made, uid))
		len = snprintf(path, LTT_FOLDER_SIZE, "%s", made);
	else
		len = snprintf(path, LTT_FOLDER_SIZE, "/tmp/lttd-%u", uid);
	return len >= LTT_FOLDER_SIZE ? -ENAMETOOLONG : 0;
}

/* In /tmp another user can have made the folder. */
static int check(const char *path)
{
	struct stat st;

	if (lstat(path, &st))
		return -errno;
	return S_ISDIR(st.st_mode) && ltt_is_us(st.st_uid) && !(st.st_mode & 022) ? 0 : -EPERM;
}

int ltt_folder_find(char *path)
{
	bool common;
	int err = name_folder(path, &common);

	return err ? err : check(path);
}

int ltt_folder(char *path)
{
	bool common;
	int err = name_folder(path, &common);

	if (err)
		return err;
	if (!mkdir(path, 0700)) {
		/* chmod(): the umask applies to mkdir(). */
		if (common && chmod(path, 0755))
			return -errno;
	} else if (errno != EEXIST) {
		return -errno;
	}
	return check(path);
}
