// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A numbered system call between two events of the program with the same number:
 *
 *	causality N
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ltt/marker.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1, i;

	for (i = 0; i < n; i++) {
		trace_mark(causality, before, "i %d", i);
		/* Fails at once, for there is no such policy. */
		syscall(SYS_sched_get_priority_max, 1000 + i);
		trace_mark(causality, after, "i %d", i);
	}
	return 0;
}
