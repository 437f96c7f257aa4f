// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A program that passes its markers, prints "passed" and waits until a signal ends it.
 *
 * Layer: tests.
 */
#include <ltt/marker.h>
#include <unistd.h>

int main(void)
{
	trace_mark(marked, one, "number %d", 1);
	trace_mark(marked, other, "number %u text %s", 2, "x");
	if (write(STDOUT_FILENO, "passed\n", 7) < 0)
		return 1;
	return pause();
}
