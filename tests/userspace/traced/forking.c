// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A library that forks as `lttctl probe load` loads it.
 */
#include <ltt/marker.h>

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static __attribute__((constructor)) void loaded(void)
{
	pid_t pid = fork();
	int i;

	/* Its first markers are not known yet: that is what comes of being loaded. */
	for (i = 0; !pid && i < 500; i++) {
		trace_mark(forking, child, "i %d", i);
		usleep(1000);
	}
	if (!pid)
		exit(0);
	waitpid(pid, NULL, 0);
}
