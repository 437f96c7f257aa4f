// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Events that a thread numbers.
 */
#include "prog.h"

#include <unistd.h>

int prog_count(char **argv)
{
	long n = number(argv, 0, 1000), i;

	for (i = 0; i < n; i++)
		trace_mark(test, count, "i %ld", i);
	return 0;
}

/* Until SIGTERM, or N times; prints a line when it has begun. */
int prog_forever(char **argv)
{
	long i, pause_us = number(argv, 0, 0), n = number(argv, 1, 0);

	end_on_sigterm();
	for (i = 0; !told_to_end && (!n || i < n); i++) {
		trace_mark(test, count, "i %ld", i);
		if (!i)
			print_begun();
		if (pause_us)
			usleep(pause_us);
	}
	return 0;
}

/* Each event has the number of the last: after a line on its input, it ends. */
int prog_until_told(char **argv)
{
	long i, n = number(argv, 0, 100);

	if (wait_for_line())
		return 1;
	for (i = 0; i < n; i++)
		trace_mark(test, count, "i %ld", i);
	return 0;
}

/* N events, a line, and then it waits for a line. */
int prog_count_and_wait(char **argv)
{
	prog_count(argv);
	return wait_for_line();
}
