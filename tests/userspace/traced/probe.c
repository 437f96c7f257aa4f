// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A library with a probe, for `lttctl probe load`.
 */
#include <ltt/probe.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

ltt_probe_fn test_probe;

/* Needs more of a stack than small ones have, and says something. */
static __attribute__((constructor)) void loaded(void)
{
	volatile char large[1 << 20];

	memset((char *)large, 1, sizeof(large));
	fprintf(stderr, "loaded\n");
	(void)!write(STDOUT_FILENO, "loaded\n", 7);
}

/* Its own marker matches as well: that calls no probe. */
void test_probe(void *data, const struct ltt_site *site, const unsigned long long *args, unsigned int nr)
{
	trace_mark(probe, called, "by %s data %s nr %u first %lld", site->name, (const char *)data, nr,
		   (long long)(nr ? args[0] : 0));
}
