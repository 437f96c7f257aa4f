// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Events with fields of each kind, for filters.
 */
#include "prog.h"

#include <stddef.h>
#include <stdint.h>

/* N events by value, and as many with texts and arrays. */
int prog_values(char **argv)
{
	static const char *const names[] = { "alpha", "beta", "a]b*", "", "alphabet", NULL };
	long n = number(argv, 0, 100), i;

	for (i = 0; i < n; i++) {
		uint64_t large = (uint64_t)i << 60 | i;

		trace_mark(test, value, "i %ld small %hhd large %llu state %d{idle=0,running=1,blocked=2}", i,
			   (signed char)(i * 37), (unsigned long long)large, (int)(i % 3));
		trace_mark(test, packed, "i %ld name %s part %.*s letter %c real %f body %*ph last %hu", i, names[i % 6],
			   (int)(i % 8), "abcdefgh", (char)('a' + i % 26), i * 0.5, (int)(i % 4), &large,
			   (unsigned short)(i * 1021));
	}
	return 0;
}
