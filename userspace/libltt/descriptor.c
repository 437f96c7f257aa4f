// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The library's descriptors in somebody else's program.
 */
#include "descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Above what most programs use, below the usual limit. */
#define DESCRIPTOR_MIN	960

struct descriptor ltt_descriptor_take(int fd)
{
	struct descriptor descriptor = { .fd = fd };
	int high = fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTOR_MIN);
	struct stat st;

	if (high >= 0) {
		close(fd);
		descriptor.fd = high;
	}
	if (!fstat(descriptor.fd, &st)) {
		descriptor.dev = st.st_dev;
		descriptor.ino = st.st_ino;
	}
	return descriptor;
}

bool ltt_descriptor_is_open(const struct descriptor *descriptor)
{
	struct stat st;

	return descriptor->fd >= 0 && !fstat(descriptor->fd, &st) && st.st_dev == descriptor->dev &&
	       st.st_ino == descriptor->ino;
}

void ltt_descriptor_close(struct descriptor *descriptor)
{
	if (ltt_descriptor_is_open(descriptor))
		close(descriptor->fd);
	descriptor->fd = -1;
}
