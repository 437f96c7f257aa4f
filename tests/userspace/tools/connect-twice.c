// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A handle of liblttctl that is connected is not connected again.
 *
 * Layer: tests.
 */
#include <stdio.h>
#include <unistd.h>

#include "../../../userspace/liblttctl/lttctl.h"

/* The next descriptor, which a second connection would have. */
static int next_fd(void)
{
	int fd = dup(STDIN_FILENO);

	close(fd);
	return fd;
}

int main(void)
{
	struct lttctl *ctl = lttctl_new();
	int before;

	if (!ctl || lttctl_connect(ctl)) {
		fprintf(stderr, "%s\n", ctl ? lttctl_error(ctl) : "out of memory");
		return 1;
	}
	before = next_fd();
	if (lttctl_connect(ctl) || next_fd() != before)
		return 2;
	lttctl_free(ctl);
	return 0;
}
