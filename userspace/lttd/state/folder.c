// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The directories of the traces that lttd makes beside those of events.
 *
 * Layer: lttd state.
 */
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_own(int dir, mode_t others)
{
	struct stat st;

	return !fstat(dir, &st) && st.st_uid == geteuid() && !(st.st_mode & others);
}

/* A user who may write to the parent, as to a directory of their own in which root records, can have exchanged the
 * directory: then what is there now must be of lttd's user, and for no other.  In a parent that only lttd's user writes
 * to, a file system without modes may show it to others. */
int folder_make(int root, const char *hidden, mode_t mode)
{
	int dir, err;

	if (mkdirat(root, hidden, mode))
		return -errno;
	dir = openat(root, hidden, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir >= 0 && (is_own(dir, 077 & ~mode) || is_own(root, 022)))
		return dir;
	err = dir < 0 ? -errno : -EPERM;
	if (dir >= 0)
		close(dir);
	unlinkat(root, hidden, AT_REMOVEDIR);
	return err;
}

/* Not by RENAME_NOREPLACE, which file systems of the network do not have: a trace is never empty, so this replaces none. */
int folder_name(int root, const char *hidden, const char *base, char *name, size_t size)
{
	unsigned int n;

	snprintf(name, size, "%s", base);
	for (n = 2; renameat(root, hidden, root, name); n++) {
		/* ENOTDIR: a file of this name. */
		if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
			return -errno;
		snprintf(name, size, "%s-%u", base, n);
	}
	return 0;
}
