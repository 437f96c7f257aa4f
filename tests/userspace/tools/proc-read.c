// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Prints a file as lttd reads it for the state of the system: proc-read FILE
 *
 * Layer: tests.
 */
#include "lttd/state/proc.h"

#include <fcntl.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	static char buf[1 << 20];
	ssize_t got = argc == 2 ? proc_read(AT_FDCWD, argv[1], buf, sizeof(buf)) : -1;

	return got < 0 || fwrite(buf, 1, got, stdout) != (size_t)got;
}
