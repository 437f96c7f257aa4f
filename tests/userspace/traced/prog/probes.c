// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Functions that the program connects to its own markers.
 */
#include "prog.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ltt/probe.h>

static long calls[2];

static void probe(void *data, const struct ltt_site *site, const unsigned long long *args, unsigned int nr)
{
	long *called = data;

	if (strcmp(site->group, "test") || nr != 1 || (long)args[0] != -7)
		abort();
	++*called;
	/* Recorded, but calls nothing. */
	trace_mark(test, within, "i %ld", -7L);
}

static void expect(int line, long first, long second)
{
	trace_mark(test, probed, "i %ld", -7L);
	if (calls[0] != first || calls[1] != second) {
		printf("line %d: %ld and %ld calls\n", line, calls[0], calls[1]);
		exit(1);
	}
}

#define EXPECT(...)	expect(__LINE__, __VA_ARGS__)

int prog_probes(char **argv)
{
	(void)argv;
	EXPECT(0, 0);
	if (ltt_probe_connect("test:prob*", probe, &calls[0]) || ltt_probe_connect("probed", probe, &calls[0]) ||
	    ltt_probe_connect("nosuch", probe, &calls[1]))
		return 1;
	EXPECT(1, 0);
	if (ltt_probe_connect("probed", probe, &calls[0]) != -EEXIST)
		return 2;
	if (ltt_probe_connect("test:*", probe, &calls[1]))
		return 3;
	EXPECT(2, 1);
	/* The other pattern is for it still. */
	if (ltt_probe_disconnect("probed", probe, &calls[0]))
		return 4;
	EXPECT(3, 2);
	if (ltt_probe_disconnect("test:prob*", probe, &calls[0]))
		return 5;
	EXPECT(3, 3);
	if (ltt_probe_disconnect("test:prob*", probe, &calls[0]) != -ENOENT)
		return 6;
	if (ltt_probe_connect("test:prob*", probe, &calls[0]))
		return 7;
	EXPECT(4, 4);
	return 0;
}
