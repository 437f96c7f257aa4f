// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Wait until a file's data is on the disk.
 *
 * Layer: lttd.
 */
#include "disk.h"

#include <errno.h>
#include <unistd.h>

int disk_sync(int fd)
{
	while (fdatasync(fd)) {
		switch (errno) {
		case EINTR:
			continue;
		case EINVAL:
		case ENOSYS:
		case EOPNOTSUPP:
			return 0;
		default:
			return errno;
		}
	}
	return 0;
}
