// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * vforks N: N children by vfork(), each of which has a marker before its parent has one.
 *
 * Layer: tests.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ltt/marker.h>

int main(int argc, char **argv)
{
	volatile long n = argc > 1 ? atol(argv[1]) : 1, i;
	int status;

	for (i = 0; i < n; i++) {
		pid_t pid = vfork();

		if (!pid) {
			trace_mark(vforks, child, "i %ld", i);
			_exit(7);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 7)
			return 1;
		trace_mark(vforks, parent, "i %ld pid %d", i, getpid());
	}
	return 0;
}
