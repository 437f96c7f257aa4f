// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * many N: N events with two integers by a marker behind 40 others, so that its id needs more
 * than the compact header.
 */
#include <stdlib.h>

#include <ltt/marker.h>

#define ONE(nr)		trace_mark(bench, e##nr, "");
#define TEN(nr)		ONE(nr##0) ONE(nr##1) ONE(nr##2) ONE(nr##3) ONE(nr##4) \
			ONE(nr##5) ONE(nr##6) ONE(nr##7) ONE(nr##8) ONE(nr##9)

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0, k;

	TEN(1) TEN(2) TEN(3) TEN(4)
	for (k = 0; k < n; k++)
		trace_mark(bench, late, "a %d b %d", (int)k, 7);
	return 0;
}
