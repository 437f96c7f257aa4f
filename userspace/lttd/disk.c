// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Wait until the data of files is on the disk.
 *
 * Layer: lttd.
 */
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Return: as disk_sync(); -1: call again. */
static int result(int ret)
{
	if (!ret)
		return 0;
	switch (errno) {
	case EINTR:
		return -1;
	case EINVAL:
	case ENOSYS:
	case EOPNOTSUPP:
		return 0;
	default:
		return errno;
	}
}

int disk_sync(int fd)
{
	int err;

	while ((err = result(fdatasync(fd))) < 0)
		;
	return err;
}

int disk_write(int fd)
{
	const unsigned int all = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
	int err;

	while ((err = result(sync_file_range(fd, 0, 0, all))) < 0)
		;
	return err;
}

int disk_sync_all(int dir)
{
	int err;

	while ((err = result(syncfs(dir))) < 0)
		;
	return err;
}
