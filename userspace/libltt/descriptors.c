// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The descriptor table that the library's thread has for itself.
 */
#include "descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

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

/* close_range() exists from Linux 5.9 on.  Its end is the highest descriptor, because valgrind
 * takes half a minute for all numbers. */
bool ltt_own_descriptors(void)
{
	int highest, fd;

	if (unshare(CLONE_FILES))
		return false;
	highest = highest_descriptor();
	if (!syscall(SYS_close_range, 0, highest < 0 ? ~0U : (unsigned int)highest, 0))
		return true;
	for (fd = 0; fd <= highest; fd++)
		close(fd);
	return highest >= 0;
}
