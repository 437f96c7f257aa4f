// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The processes that a recording of programs is limited to: one and its descendants.
 *
 * Layer: lttd.
 */
#include "family.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Ancestors up to which to look: /proc may change meanwhile, even to a circle. */
#define DEPTH_MAX	1000

/* Read the parent of a process, and when it started.  Return: 0 or -errno. */
static int look(pid_t pid, pid_t *parent, uint64_t *started)
{
	unsigned long long start;
	char path[32], text[1024];
	const char *end;
	ssize_t size;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	size = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (size <= 0)
		return -ESRCH;
	text[size] = '\0';
	/* The name of a process may contain blanks and parentheses. */
	end = strrchr(text, ')');
	if (!end || sscanf(end + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
			   parent, &start) != 2)
		return -EINVAL;
	*started = start;
	return 0;
}

int family_open(struct family *family, pid_t root)
{
	pid_t parent;

	family->root = root;
	return look(root, &parent, &family->started);
}

bool family_has(const struct family *family, pid_t pid, family_fn *known, void *arg)
{
	unsigned int depth;
	uint64_t started;
	pid_t parent;

	for (depth = 0; pid > 0 && depth < DEPTH_MAX; depth++, pid = parent) {
		if (look(pid, &parent, &started))
			return false;
		if ((pid == family->root && started == family->started) || known(pid, arg))
			return true;
	}
	return false;
}
