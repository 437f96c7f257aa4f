/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A check of a program that a case runs by checks_of (../lib.sh): it prints a line "ok WHAT" or
 * "not ok WHAT: ...".
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static inline void check(const char *what, long long expected, long long got)
{
	if (expected == got)
		printf("ok %s\n", what);
	else
		printf("not ok %s: expected %lld, got %lld\n", what, expected, got);
	fflush(stdout);
}

#endif /* CHECK_H */
