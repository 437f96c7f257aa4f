// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The descriptor table that the library's thread has for itself.
 */
#include "descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DESCRIPTORS	(1 << 20)

/* Open /dev/null as standard files, so that output of a library's constructor does not go to
 * the socket of an lttd. */
bool ltt_standard_files(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
		if (fd < 0)
			fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	} while (fd >= 0 && fd < STDERR_FILENO);
	return fd >= 0;
}

/* Return: the highest descriptor in this thread's table; -1 if /proc does not show it. */
static int highest_descriptor(void)
{
	DIR *dir = opendir("/proc/thread-self/fd");
	struct dirent *entry;
	int highest = -1;

	while (dir && (entry = readdir(dir)))
		if (*entry->d_name != '.' && atoi(entry->d_name) > highest)
			highest = atoi(entry->d_name);
	if (dir)
		closedir(dir);
	return highest;
}

/*
 * A range up to the end of the program's table makes the kernel copy the fewest descriptors:
 * the close of a copy may wait, for example for NFS.  DESCRIPTORS is the size that a table has
 * at most, unless the administrator raised fs.nr_open; valgrind takes half a minute for a range
 * to ~0U.  close_range() exists from Linux 5.9 on.
 */
bool ltt_own_descriptors(void)
{
	bool closed = !syscall(SYS_close_range, 0, DESCRIPTORS - 1, CLOSE_RANGE_UNSHARE);
	int highest, fd;

	if (!closed && unshare(CLONE_FILES))
		return false;
	highest = highest_descriptor();
	/* Without /proc, a range of its own closes the rest of a larger table. */
	if (highest < 0)
		return closed && !syscall(SYS_close_range, DESCRIPTORS, ~0U, 0);
	for (fd = closed ? DESCRIPTORS : 0; fd <= highest; fd++)
		close(fd);
	return true;
}
