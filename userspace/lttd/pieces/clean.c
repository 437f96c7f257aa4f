// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Unfinished directories of pieces.
 *
 * Layer: lttd.
 */
#include "clean.h"
#include "common/folders.h"
#include "common/pieces.h"
#include "lttd/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Another lttd that makes a piece at this moment does not have the mark yet: the number in the name is its pid. */
static bool is_being_made(const char *name)
{
	const char *pid = name + strlen(PIECE_HIDDEN "new-");
	const int number = strncmp(name, PIECE_HIDDEN "new-", strlen(PIECE_HIDDEN "new-")) ? 0 : atoi(pid);

	return number > 0 && number != getpid() && (!kill(number, 0) || errno == EPERM);
}

/* An lttd that has made a piece holds the lock of its mark. */
static bool is_in_use(int root, const char *name)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int dir = folder_open(root, name), mark = -1;
	bool in_use = false;

	if (dir >= 0)
		mark = openat(dir, PIECE_MARK, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (mark >= 0) {
		in_use = fcntl(mark, F_GETLK, &lock) || lock.l_type != F_UNLCK;
		close(mark);
	}
	if (dir >= 0)
		close(dir);
	return in_use;
}

static int clean(int root, const char *name, void *arg)
{
	(void)arg;
	if (strncmp(name, PIECE_HIDDEN, strlen(PIECE_HIDDEN)) || is_being_made(name) || is_in_use(root, name))
		return 0;
	if (folder_remove(root, name))
		notice("cannot remove %s: %s", name, strerror(errno));
	return 0;
}

void folders_clean(int root)
{
	folders_walk(root, clean, NULL);
}
