// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Emit events by libltt.  Without an argument: measure each kind.  With N: emit N events with two
 * integers at full speed.
 */
#include "timing.h"

#include <ltt/marker.h>

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0, k;

	if (n) {
		for (k = 0; k < n; k++)
			trace_mark(bench, int2, "a %d b %d", (int)k, 7);
		return 0;
	}
	MEASURE("none", trace_mark(bench, none, ""));
	MEASURE("int2", trace_mark(bench, int2, "a %d b %d", i, 7));
	MEASURE("intstr", trace_mark(bench, intstr, "a %d s %s", i, "hello world"));
	MEASURE("disabled", trace_mark(nobody, listens, "a %d b %d", i, 7));
	return 0;
}
